#include "tests/support/pass_case.h"

namespace test {
namespace {

const PassCases cases(
    "fuse-conv-batch-norm",
    {
        {
            .name = "FoldsScaleAndShiftIntoWeightsAndBias",
            .before = "agraph (float[1,3,8,8] x, float[2,3,3,3] w, float[2] b, float[2] s, float[2] t, "
                      "float[2] m, float[2] v)"
                      " => (float[1,2,6,6] y) { a = Conv(x, w, b)  y = BatchNormalization(a, s, t, m, v) }",
            .after = "y = Conv(x, #2x3x3x3, #2)\n",
            .constants = {"w", "b", "s", "t", "m", "v"},
        },
        {
            .name = "AddsABiasWhereThereIsNone",
            .before =
                "agraph (float[N,4,5] x, float[4,2,3] w, float[4] s, float[4] t, float[4] m, float[4] v)"
                " => (float[N,4,3] y) { a = Conv<group=2>(x, w)  y = BatchNormalization(a, s, t, m, v) }",
            .after = "y = Conv[group=2](x, #4x2x3, #4)\n",
            .constants = {"w", "s", "t", "m", "v"},
        },
        {
            .name = "LeavesAConvWhoseOwnResultIsAnOutput",
            .before =
                "agraph (float[1,1,4,4] x, float[2,1,1,1] w, float[2] s, float[2] t, float[2] m, float[2] v)"
                " => (float[1,2,4,4] y, float[1,2,4,4] a) { a = Conv(x, w)  y = BatchNormalization(a, s, t, "
                "m, v) }",
            .constants = {"w", "s", "t", "m", "v"},
        },
        {
            .name = "LeavesWeightsThatAreNoConstant",
            .before =
                "agraph (float[1,1,4,4] x, float[2,1,1,1] w, float[2] s, float[2] t, float[2] m, float[2] v)"
                " => (float[1,2,4,4] y) { a = Conv(x, w)  y = BatchNormalization(a, s, t, m, v) }",
            .constants = {"s", "t", "m", "v"},
        },
    });

}  // namespace
}  // namespace test
