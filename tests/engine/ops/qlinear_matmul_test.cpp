#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases qlinearMatMul(
    "QLinearMatMul",
    {
        {.name = "Requantizes",
         .inputs = {numbers<uint8_t>({2, 3}, {62, 9, 78, 151, 27, 42}), floats({}, {0.02F}),
                    numbers<uint8_t>({}, {7}), numbers<int8_t>({3, 2}, {-99, 45, -106, -123, -12, -49}),
                    floats({}, {0.03F}), numbers<int8_t>({}, {-3}), floats({}, {0.5F}),
                    numbers<uint8_t>({}, {100})},
         .outputs = {numbers<uint8_t>({2, 2}, {93, 99, 81, 103})}},
        {.name = "HasAScaleForEachColumn",
         .inputs = {numbers<uint8_t>({2, 3}, {62, 9, 78, 151, 27, 42}), floats({}, {0.02F}),
                    numbers<uint8_t>({}, {7}), numbers<int8_t>({3, 2}, {-99, 45, -106, -123, -12, -49}),
                    floats({2}, {0.03F, 0.01F}), numbers<int8_t>({2}, {-3, 2}), floats({}, {0.5F}),
                    numbers<uint8_t>({}, {100})},
         .outputs = {numbers<uint8_t>({2, 2}, {93, 99, 81, 101})}},
        {.name = "RefusesOtherInnerSizes",
         .inputs = {numbers<uint8_t>({2, 3}, {62, 9, 78, 151, 27, 42}), floats({}, {0.02F}),
                    numbers<uint8_t>({}, {7}), numbers<int8_t>({2, 2}, {-99, 45, -106, -123}),
                    floats({}, {0.03F}), numbers<int8_t>({}, {-3}), floats({}, {0.5F}),
                    numbers<uint8_t>({}, {100})},
         .error = "columns of A and rows of B: found 3 and 2"},
    });

}  // namespace
}  // namespace test
