#include "tests/support/pass_case.h"

namespace test {
namespace {

const PassCases cases(
    "eliminate-identities",
    {
        {
            .name = "RemovesIdentityAndDropout",
            .before = "agraph (float[N] x) => (float[N] y) { a = Identity(x)  b = Relu(a)  c = Dropout(b)  y "
                      "= Neg(c) }",
            .after = "t0 = Relu(x)\ny = Neg(t0)\n",
        },
        {
            .name = "TheNameOfAGraphOutputPassesToTheNodeBefore",
            .before = "agraph (float[N] x) => (float[N] y) { a = Relu(x)  b = Identity(a)  y = Identity(b) }",
            .after = "y = Relu(x)\n",
        },
        {
            .name = "AnOutputThatIsAnInputStaysANodeOfItsOwn",
            .before = "agraph (float[N] x) => (float[N] y) { y = Identity(x) }",
        },
        {
            .name = "TwoOutputsOfTheSameValueKeepTheirNames",
            .before = "agraph (float[N] x) => (float[N] y, float[N] z) { y = Relu(x)  z = Identity(y) }",
        },
        {
            .name = "RemovesACastToTheSameTypeOnly",
            .before = "agraph (float[N] x) => (bool[N] y) { a = Cast<to=1>(x)  b = Cast<to=6>(a)  y = "
                      "Cast<to=9>(b) }",
            .after = "t0 = Cast[to=6](x)\ny = Cast[to=9](t0)\n",
        },
        {
            .name = "RemovesAReshapeThatChangesNothing",
            .before =
                "agraph (float[N,4] x) => (float[N,4] y) { s = Shape(x)  a = Reshape(x, s)  y = Relu(a) }",
            .after = "t0 = Shape(x)\ny = Relu(x)\n",
        },
    });

}  // namespace
}  // namespace test
