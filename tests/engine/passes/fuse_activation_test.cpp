#include "tests/support/pass_case.h"

namespace test {
namespace {

const PassCases cases(
    "fuse-activation",
    {
        {
            .name = "TakesAReluIntoAConv",
            .before = "agraph (float[1,3,8,8] x, float[2,3,3,3] w) => (float[1,2,6,6] y) { a = Conv(x, w)  y "
                      "= Relu(a) }",
            .after = "y = opscope.FusedConv[activation=Relu](x, #2x3x3x3)\n",
            .constants = {"w"},
        },
        {
            .name = "TakesAClipWithItsBoundsIntoAConv",
            .before =
                "agraph (float[1,1,4,4] x, float[2,1,1,1] w) => (float[1,2,4,4] y) { a = Conv(x, w)  "
                "l = Constant<value_float=0.25>()  h = Constant<value_float=0.75>()  y = Clip(a, l, h) }",
            .after =
                "t0 = Constant()\nt1 = Constant()\ny = opscope.FusedConv[activation=Clip](x, #2x1x1x1)\n",
            .constants = {"w"},
        },
        {
            .name = "TakesALeakyReluIntoAGemm",
            .before = "agraph (float[2,3] x, float[3,4] w) => (float[2,4] y) { a = Gemm(x, w)  y = "
                      "LeakyRelu<alpha=0.5>(a) }",
            .after = "y = opscope.FusedGemm[activation=LeakyRelu](x, #3x4)\n",
            .constants = {"w"},
        },
        {
            .name = "LeavesAConvThatSomebodyElseReads",
            .before = "agraph (float[1,1,4,4] x, float[2,1,1,1] w) => (float[1,2,4,4] y) "
                      "{ a = Conv(x, w)  b = Relu(a)  y = Add(a, b) }",
            .constants = {"w"},
        },
    });

}  // namespace
}  // namespace test
