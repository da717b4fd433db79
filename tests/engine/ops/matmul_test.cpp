#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Float16;

const OpCases matMul(
    "MatMul",
    {
        {.name = "MultipliesMatrices",
         .inputs = {floats({2, 3}, {-1.75F, 1, 1.25F, 1.5F, 2, 1}),
                    floats({3, 2}, {1.5F, 1, -0.75F, 1.5F, 0.75F, 0.75F})},
         .outputs = {floats({2, 2}, {-2.4375F, 0.6875F, 1.5F, 5.25F})}},
        {.name = "TakesAVectorOnTheLeft",
         .inputs = {floats({3}, {2, 1, -0.75F}), floats({3, 2}, {-0.75F, -0.75F, -1.5F, -1.75F, 1, 1.25F})},
         .outputs = {floats({2}, {-3.75F, -4.1875F})}},
        {.name = "TakesAVectorOnTheRight",
         .inputs = {floats({2, 3}, {-1.5F, -0.5F, 1.75F, 1.5F, 0.5F, 2}), floats({3}, {-0.75F, 1.5F, 1.75F})},
         .outputs = {floats({2}, {3.4375F, 3.125F})}},
        {.name = "MultipliesVectors",
         .inputs = {floats({3}, {0.5F, -1.5F, -1}), floats({3}, {0, -1, -1.75F})},
         .outputs = {floats({}, {3.25F})}},
        {.name = "BroadcastsStacks",
         .inputs = {floats({2, 1, 2, 3},
                           {-1.5F, 2, -0.5F, 0.25F, -0.25F, 1.25F, -1.75F, -1, 0.25F, 1.25F, -0.25F, 0.75F}),
                    floats({3, 3, 1}, {1.25F, 0.5F, 1.25F, 2, -1.25F, -0.25F, -1.25F, -0.25F, -2})},
         .outputs = {floats({2, 3, 2, 1}, {-1.5F, 1.75F, -5.375F, 0.5F, 2.375F, -2.75F, -2.375F, 2.375F,
                                           -2.3125F, 2.625F, 1.9375F, -3})}},
        {.name = "TakesAVectorTimesAStack",
         .inputs = {floats({2}, {0.75F, -1}),
                    floats({2, 2, 2}, {1.5F, 1, -0.75F, -0.25F, 0.75F, -0.25F, -1.25F, -2})},
         .outputs = {floats({2, 2}, {1.875F, 1, 1.8125F, 1.8125F})}},
        {.name = "TakesIntegers",
         .inputs = {int64s({2, 2}, {1, 0, 3, -4}), int64s({2, 2}, {-5, 3, 3, 3})},
         .outputs = {int64s({2, 2}, {-5, 3, -27, -3})}},
        {.name = "WrapsAround",
         .inputs = {int32s({1, 1}, {2147483647}), int32s({1, 1}, {2})},
         .outputs = {int32s({1, 1}, {-2})}},
        {.name = "TakesUnsigned",
         .inputs = {numbers<uint32_t>({1, 1}, {3}), numbers<uint32_t>({1, 1}, {4})},
         .outputs = {numbers<uint32_t>({1, 1}, {12})}},
        {.name = "SumsHalfsInFloat",
         .inputs = {numbers<Float16>({1, 4}, {200, 200, 200, 200}),
                    numbers<Float16>({4, 1}, {400, -400, 300, -299.75})},
         .outputs = {numbers<Float16>({1, 1}, {50})}},
        {.name = "GivesZerosForNoInnerElements",
         .inputs = {floats({2, 0}, {}), floats({0, 2}, {})},
         .outputs = {floats({2, 2}, {0, 0, 0, 0})}},
        {.name = "GivesNothingForNoRows",
         .inputs = {floats({0, 2}, {}), floats({2, 2}, {-2, 0.75F, 2, 1})},
         .outputs = {floats({0, 2}, {})}},
        {.name = "TakesDoubles",
         .inputs = {doubles({1, 2}, {-0.25, 0}), doubles({2, 1}, {-0.5, -2})},
         .outputs = {doubles({1, 1}, {0.125})}},
        {.name = "RefusesOtherInnerSizes",
         .inputs = {floats({2, 3}, {1, 0.25F, 0, 1.75F, 1, 2}),
                    floats({2, 3}, {-1.75F, 2, 0.25F, -0.5F, 0.25F, -2})},
         .error = "columns of A and rows of B: found 3 and 2"},
        {.name = "RefusesScalars",
         .inputs = {floats({}, {1.75F}), floats({2, 3}, {0.5F, -2, 1.75F, -0.25F, -1.5F, 0.5F})},
         .error = "found a scalar"},
        {.name = "RefusesStacksThatDoNotBroadcast",
         .inputs = {floats({2, 1, 1}, {-1.75F, 0.25F}), floats({3, 1, 1}, {1, -1.75F, 1.25F})},
         .error = "cannot be broadcast"},
    });

}  // namespace
}  // namespace test
