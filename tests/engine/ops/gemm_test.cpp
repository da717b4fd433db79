#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Float16;

const OpCases gemm(
    "Gemm",
    {
        {.name = "AddsC",
         .inputs = {floats({2, 3}, {-0.25F, 0.25F, 2, 0, -0.75F, -0.75F}),
                    floats({3, 2}, {-0.25F, 1.75F, -0.5F, -1, 0.25F, 1.25F}),
                    floats({2, 2}, {2, -1, 1.75F, 1.5F})},
         .outputs = {floats({2, 2}, {2.4375F, 0.8125F, 1.9375F, 1.3125F})}},
        {.name = "TransposesBoth",
         .attributes = {attribute("transA", 1), attribute("transB", 1)},
         .inputs = {floats({3, 2}, {-0.5F, -0.75F, -1, -0.75F, 1.75F, -0.75F}),
                    floats({2, 3}, {0, 1.75F, 0.75F, -1.5F, -1.75F, -1.25F})},
         .outputs = {floats({2, 2}, {-0.4375F, 0.3125F, -1.875F, 3.375F})}},
        {.name = "ScalesBoth",
         .attributes = {attribute("alpha", 0.5), attribute("beta", -2.0)},
         .inputs = {floats({1, 2}, {1.5F, -1.25F}), floats({2, 2}, {-0.75F, 0.25F, 0, -1.75F}),
                    floats({1, 2}, {-1.25F, 2})},
         .outputs = {floats({1, 2}, {1.9375F, -2.71875F})}},
        {.name = "BroadcastsARow",
         .inputs = {floats({2, 2}, {-0.25F, -1, 1.5F, -0.25F}),
                    floats({2, 3}, {1.5F, -1.5F, 0, 1.25F, 1.25F, 0.75F}),
                    floats({3}, {-0.25F, 1.5F, -0.5F})},
         .outputs = {floats({2, 3}, {-1.875F, 0.625F, -1.25F, 1.6875F, -1.0625F, -0.6875F})}},
        {.name = "BroadcastsAColumn",
         .inputs = {floats({2, 2}, {0.75F, 0.25F, -0.75F, -1.25F}),
                    floats({2, 3}, {0.25F, -0.75F, 0, 1, 1.25F, 1.25F}), floats({2, 1}, {0, -2})},
         .outputs = {floats({2, 3}, {0.4375F, -0.25F, 0.3125F, -3.4375F, -3, -3.5625F})}},
        {.name = "BroadcastsAScalar",
         .inputs = {floats({2, 2}, {-1.25F, 1, 0.5F, 1.25F}), floats({2, 2}, {0, -0.25F, -1, -1.75F}),
                    floats({}, {-1.5F})},
         .outputs = {floats({2, 2}, {-2.5F, -2.9375F, -2.75F, -3.8125F})}},
        {.name = "TakesIntegers",
         .inputs = {int32s({2, 2}, {2, 1, -3, -2}), int32s({2, 2}, {2, -1, -1, -3}), int32s({2}, {2, 4})},
         .outputs = {int32s({2, 2}, {5, -1, -2, 13})}},
        {.name = "TakesItsFirstOpset",
         .version = 1,
         .attributes = {attribute("broadcast", 1)},
         .inputs = {floats({2, 2}, {-1, -1, 0, -1.25F}), floats({2, 2}, {0, 1.75F, 0.5F, -1.5F}),
                    floats({2}, {-1.25F, -1.75F})},
         .outputs = {floats({2, 2}, {-1.75F, -2, -1.875F, 0.125F})}},
        {.name = "TakesHalfs",
         .inputs = {numbers<Float16>({1, 2}, {2, -0.75}), numbers<Float16>({2, 1}, {-1, 1.5}),
                    numbers<Float16>({1}, {-0.75})},
         .outputs = {numbers<Float16>({1, 1}, {-3.875})}},
        {.name = "GivesCForNoInnerElements",
         .inputs = {floats({1, 0}, {}), floats({0, 2}, {}), floats({2}, {-1.25F, -1.75F})},
         .outputs = {floats({1, 2}, {-1.25F, -1.75F})}},
        {.name = "RefusesStacks",
         .inputs = {floats({1, 2, 2}, {-1.25F, -1, -0.5F, -1.75F}), floats({2, 2}, {0.5F, -0.25F, 2, 1.25F})},
         .error = "A has rank 3 ([1, 2, 2]), expected 2"},
        {.name = "RefusesOtherInnerSizes",
         .inputs = {floats({2, 3}, {-0.5F, 1, 1.25F, -1.25F, -1.5F, -1.5F}),
                    floats({2, 3}, {-2, -0.75F, 1.25F, 1.25F, -0.5F, 0})},
         .error = "columns of A and rows of B: found 3 and 2"},
        {.name = "RefusesCThatDoesNotBroadcast",
         .inputs = {floats({2, 2}, {1.25F, 1.75F, -1, 0.75F}), floats({2, 2}, {0.5F, 0.5F, 1.25F, 1.25F}),
                    floats({3}, {-0.5F, 1, -2})},
         .error = "cannot be broadcast"},
        {.name = "RefusesCThatBroadcastsTheResult",
         .inputs = {floats({1, 2}, {-0.75F, -1.25F}), floats({2, 2}, {-1, 1.75F, -0.25F, -1.75F}),
                    floats({3, 2}, {0, -1.75F, -1.5F, -0.5F, -0.25F, -1.25F})},
         .error = "C: found shape [3, 2], expected one that broadcasts to [1, 2]"},
    });

}  // namespace
}  // namespace test
