#include "tests/support/pass_case.h"

namespace test {
namespace {

const PassCases cases(
    "fold-constants",
    {
        {
            .name = "ComputesArithmeticOnWeights",
            .before =
                "agraph (float[4] x, float[4] w) => (float[4] y) { a = Neg(w)  b = Exp(a)  y = Mul(x, b) }",
            .after = "y = Mul(x, #4)\n",
            .constants = {"w"},
        },
        {
            .name = "ComputesShapesThatAreKnown",
            .before =
                "agraph (float[2,3] x) => (float[3,2] y) { s = Shape(x)  i = Constant<value_ints=[1,0]>()  "
                "t = Gather(s, i)  y = Reshape(x, t) }",
            .after = "y = Reshape(x, #2)\n",
        },
        {
            .name = "LeavesWhatDependsOnASymbol",
            .before = "agraph (float[N] x) => (int64[1] y) { y = Shape(x) }",
        },
        {
            .name = "LeavesRandomNumbers",
            .before = "agraph () => (int64[2] y) { a = RandomNormal<shape=[2,3]>()  y = Shape(a) }",
            .after = "t0 = RandomNormal()\n",
        },
    });

}  // namespace
}  // namespace test
