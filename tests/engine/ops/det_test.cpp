#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases det(
    "Det",
    {{.name = "OfAMatrix", .inputs = {floats({2, 2}, {0, 1, 2, 3})}, .outputs = {floats({}, {-2})}},
     {.name = "OfManyMatrices",
      .inputs = {floats({2, 2, 3, 3},
                        {-0.375F, 0.875F,  -2,    -0.75F,  -1.375F, -1.625F, -1.25F, -0.625F, -0.375F,
                         0.125F,  -0.375F, 0.75F, -1.125F, 1.5F,    -1.875F, 0.625F, -0.375F, 0.25F,
                         -1.5F,   -1.25F,  1.25F, 1.875F,  -0.75F,  0.75F,   1.5F,   1.625F,  -1.625F,
                         -1.875F, -1.375F, 1.5F,  -1.625F, -0.375F, 1.875F,  0.125F, 0.75F,   -0.75F})},
      .outputs = {floats({2, 2}, {4.21875F, -0.09375F, 0, 1.7050781F})}},
     {.name = "IsZeroForASingularMatrix",
      .inputs = {floats({2, 2}, {1, 2, 2, 4})},
      .outputs = {floats({}, {0})}},
     {.name = "IsOneForNoRows", .inputs = {floats({2, 0, 0}, {})}, .outputs = {floats({2}, {1, 1})}},
     {.name = "TakesDoubles",
      .inputs = {doubles({4, 4}, {-0.25, -1.875, 0.25, -0.25, -0.375, -0.625, -1.125, 0.5, -0.75, -0.875, 0.5,
                                  0.125, -1.5, 0, -1.25, 1.125})},
      .outputs = {doubles({}, {0.3007812499999999})}},
     {.name = "RefusesMatricesThatAreNotSquare",
      .inputs = {floats({2, 3}, {0, 1, 2, 3, 4, 5})},
      .error = "rows and columns of X"}});

}  // namespace
}  // namespace test
