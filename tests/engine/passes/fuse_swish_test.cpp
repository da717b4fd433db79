#include "tests/support/pass_case.h"

namespace test {
namespace {

const PassCases cases(
    "fuse-swish",
    {
        {
            .name = "RecognizesSwish",
            .before = "agraph (float[N] x) => (float[N] y) { s = Sigmoid(x)  y = Mul(s, x) }",
            .after = "y = Swish(x)\n",
        },
        {
            .name = "RecognizesHardSwish",
            .before = "agraph (float[N] x) => (float[N] y) "
                      "{ s = HardSigmoid<alpha=0.16666667, beta=0.5>(x)  y = Mul(x, s) }",
            .after = "y = HardSwish(x)\n",
        },
        {
            .name = "LeavesAHardSigmoidOfAnotherSlope",
            .before = "agraph (float[N] x) => (float[N] y) { s = HardSigmoid<alpha=0.2, beta=0.5>(x)  y = "
                      "Mul(x, s) }",
        },
        {
            .name = "LeavesAGateOfAnotherValue",
            .before = "agraph (float[N] x, float[N] z) => (float[N] y) { s = Sigmoid(z)  y = Mul(x, s) }",
        },
    });

}  // namespace
}  // namespace test
