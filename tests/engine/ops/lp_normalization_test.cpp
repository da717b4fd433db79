#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases lpNormalization(
    "LpNormalization",
    {
        {.name = "DividesByTheNorm",
         .inputs = {floats({2, 3}, {-1.75F, -0.75F, -0.5F, -0.75F, -0.25F, 1})},
         .outputs = {floats({2, 3}, {-0.8890009F, -0.3810004F, -0.25400025F, -0.5883484F, -0.19611613F,
                                     0.78446454F})}},
        {.name = "HasAnotherAxis",
         .attributes = {attribute("axis", 0), attribute("p", 1)},
         .inputs = {floats({3, 2}, {-1, -0.25F, 1, -2, 1.75F, 2})},
         .outputs = {floats({3, 2}, {-0.26666668F, -0.05882353F, 0.26666668F, -0.47058824F, 0.46666667F,
                                     0.47058824F})}},
        {.name = "KeepsZeros", .inputs = {floats({1, 2}, {0, 0})}, .outputs = {floats({1, 2}, {0, 0})}},
        {.name = "RefusesOtherNorms",
         .attributes = {attribute("p", 3)},
         .inputs = {floats({2}, {-1, 1.75F})},
         .error = "p: found 3, expected 1 or 2"},
    });

}  // namespace
}  // namespace test
