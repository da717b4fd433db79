#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases dynamicQuantizeLinear(
    "DynamicQuantizeLinear",
    {
        {.name = "CoversTheRange",
         .inputs = {floats({4}, {-1, 0, 0.3F, 4.1F})},
         .outputs = {numbers<uint8_t>({4}, {0, 50, 65, 255}), floats({}, {0.02F}),
                     numbers<uint8_t>({}, {50})}},
        {.name = "AlwaysCoversZero",
         .inputs = {floats({2}, {2, 3})},
         .outputs = {numbers<uint8_t>({2}, {170, 255}), floats({}, {0.011764706F}),
                     numbers<uint8_t>({}, {0})}},
        {.name = "CoversNegatives",
         .inputs = {floats({2}, {-2, -3})},
         .outputs = {numbers<uint8_t>({2}, {85, 0}), floats({}, {0.011764706F}),
                     numbers<uint8_t>({}, {255})}},
        {.name = "HasAScaleOfOneForZeros",
         .inputs = {floats({2}, {0, 0})},
         .outputs = {numbers<uint8_t>({2}, {0, 0}), floats({}, {1}), numbers<uint8_t>({}, {0})}},
        {.name = "RefusesDoubles",
         .inputs = {doubles({1}, {0})},
         .error = "x: found elements of type double, expected float"},
    });

}  // namespace
}  // namespace test
