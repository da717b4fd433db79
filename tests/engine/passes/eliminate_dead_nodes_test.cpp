#include "tests/support/pass_case.h"

namespace test {
namespace {

const PassCases cases(
    "eliminate-dead-nodes",
    {
        {
            .name = "RemovesAWholeBranchThatNobodyReads",
            .before = "agraph (float[N] x) => (float[N] y) { a = Exp(x)  b = Neg(a)  y = Relu(x) }",
            .after = "y = Relu(x)\n",
        },
        {
            .name = "KeepsANodeOfWhichOneOutputIsRead",
            .before = "agraph (float[4] x) => (float[M] y) { y, rest = Split<axis=0, num_outputs=2>(x) }",
        },
    });

}  // namespace
}  // namespace test
