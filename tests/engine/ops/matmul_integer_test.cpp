#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases matMulInteger(
    "MatMulInteger",
    {
        {.name = "MultipliesBytes",
         .inputs = {numbers<uint8_t>({2, 3}, {62, 9, 78, 151, 27, 42}),
                    numbers<int8_t>({3, 2}, {-99, 45, -106, -123, -12, -49})},
         .outputs = {int32s({2, 2}, {-8028, -2139, -18315, 1416})}},
        {.name = "TakesZeroPoints",
         .inputs = {numbers<uint8_t>({2, 3}, {62, 9, 78, 151, 27, 42}),
                    numbers<int8_t>({3, 2}, {-99, 45, -106, -123, -12, -49}), numbers<uint8_t>({}, {7}),
                    numbers<int8_t>({}, {-3})},
         .outputs = {int32s({2, 2}, {-6125, -866, -16199, 2902})}},
        {.name = "HasAZeroPointForEachColumn",
         .inputs = {numbers<uint8_t>({2, 3}, {62, 9, 78, 151, 27, 42}),
                    numbers<int8_t>({3, 2}, {-99, 45, -106, -123, -12, -49}), numbers<uint8_t>({}, {7}),
                    numbers<int8_t>({2}, {1, -2})},
         .outputs = {int32s({2, 2}, {-6637, -994, -16995, 2703})}},
        {.name = "HasAZeroPointForEachRow",
         .inputs = {numbers<uint8_t>({2, 3}, {62, 9, 78, 151, 27, 42}),
                    numbers<int8_t>({3, 2}, {-99, 45, -106, -123, -12, -49}), numbers<uint8_t>({2}, {3, 9})},
         .outputs = {int32s({2, 2}, {-7377, -1758, -16362, 2559})}},
        {.name = "BroadcastsStacks",
         .inputs = {numbers<uint8_t>({2, 1, 1, 2}, {5, 9, 8, 5}), numbers<uint8_t>({2, 2, 1}, {6, 8, 4, 6})},
         .outputs = {int32s({2, 2, 1, 1}, {102, 74, 88, 62})}},
        {.name = "RefusesFloats",
         .inputs = {floats({1, 1}, {1}), numbers<uint8_t>({1, 1}, {1})},
         .error = "A: found elements of type float, expected a quantized integer type"},
        {.name = "RefusesZeroPointsOfOtherSize",
         .inputs = {numbers<uint8_t>({2, 3}, {62, 9, 78, 151, 27, 42}),
                    numbers<int8_t>({3, 2}, {-99, 45, -106, -123, -12, -49}),
                    numbers<uint8_t>({3}, {1, 2, 3})},
         .error = "A: found shape [3, 1], expected one that broadcasts to [2, 3]"},
    });

}  // namespace
}  // namespace test
