#include "tests/support/pass_case.h"

namespace test {
namespace {

const PassCases cases(
    "fuse-conv-scale",
    {
        {
            .name = "FoldsAChainOfScalesAndShifts",
            .before = "agraph (float[1,3,8,8] x, float[2,3,3,3] w, float[1,2,1,1] s, float[2,1,1] t, float d)"
                      " => (float[1,2,6,6] y) { a = Conv(x, w)  b = Mul(a, s)  c = Add(t, b)  e = Sub(d, c)  "
                      "y = Div(e, d) }",
            .after = "y = Conv(x, #2x3x3x3, #2)\n",
            .constants = {"w", "s", "t", "d"},
        },
        {
            .name = "LeavesAConstantThatVariesOverSpace",
            .before = "agraph (float[1,1,2,2] x, float[2,1,1,1] w, float[2] s) => (float[1,2,2,2] y) "
                      "{ a = Conv(x, w)  y = Mul(a, s) }",
            .constants = {"w", "s"},
        },
        {
            .name = "LeavesADivisionByTheConv",
            .before = "agraph (float[1,1,2,2] x, float[2,1,1,1] w, float d) => (float[1,2,2,2] y) "
                      "{ a = Conv(x, w)  y = Div(d, a) }",
            .constants = {"w", "d"},
        },
        {
            .name = "LeavesAConvThatIsAddedToItself",
            .before = "agraph (float[1,1,2,2] x, float[2,1,1,1] w) => (float[1,2,2,2] y) { a = Conv(x, w)  y "
                      "= Add(a, a) }",
            .constants = {"w"},
        },
    });

}  // namespace
}  // namespace test
