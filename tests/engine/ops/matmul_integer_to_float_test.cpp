#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases matMulIntegerToFloat(
    "com.microsoft", "MatMulIntegerToFloat",
    {{.name = "ScalesTheProduct",
      .inputs = {numbers<uint8_t>({2, 3}, {125, 146, 254, 121, 137, 106}),
                 numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}), floats({}, {0.02F}),
                 floats({}, {0.03F}), numbers<uint8_t>({}, {120}), numbers<int8_t>({}, {3})},
      .outputs = {floats({2, 2}, {7.002F, -1.9763999F, -0.11579999F, 0.276F})}},
     {.name = "HasAScaleForEachColumnAndABias",
      .inputs = {numbers<uint8_t>({2, 3}, {125, 146, 254, 121, 137, 106}),
                 numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}), floats({}, {0.02F}),
                 floats({2}, {0.03F, 0.05F}), numbers<uint8_t>({}, {120}), numbers<int8_t>({2}, {0, 0}),
                 floats({2}, {1, -1})},
      .outputs = {floats({2, 2}, {8.299F, -3.799F, 0.8914F, -0.528F})}},
     {.name = "NeedsNoZeroPoints",
      .inputs = {numbers<uint8_t>({2, 3}, {125, 146, 254, 121, 137, 106}),
                 numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}), floats({}, {0.02F}),
                 floats({}, {0.03F})},
      .outputs = {floats({2, 2}, {11.403F, 4.1526F, 3.9953997F, 6.1151996F})}},
     {.name = "TakesBatches",
      .inputs = {numbers<uint8_t>({2, 2, 3}, {125, 146, 254, 121, 137, 106, 121, 137, 106, 125, 146, 254}),
                 numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}), floats({}, {0.02F}),
                 floats({}, {0.03F}), numbers<uint8_t>({}, {120})},
      .outputs = {floats({2, 2, 2},
                         {7.299F, -1.6794F, -0.1086F, 0.2832F, -0.1086F, 0.2832F, 7.299F, -1.6794F})}},
     {.name = "RefusesSeveralScalesForA",
      .inputs = {numbers<uint8_t>({2, 3}, {125, 146, 254, 121, 137, 106}),
                 numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}), floats({2}, {0.1F, 0.2F}),
                 floats({}, {0.03F})},
      .error = "a_scale: found"}});

const OpCases dynamicQuantizeMatMul(
    "com.microsoft", "DynamicQuantizeMatMul",
    {{.name = "QuantizesTheFirstFactor",
      .inputs = {floats({2, 3}, {0.25F, 0.875F, -0.875F, 0, 1.625F, 1.625F}),
                 numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}), floats({}, {0.03F}),
                 numbers<int8_t>({}, {0})},
      .outputs = {floats({2, 2}, {-1.1888236F, 1.4835294F, 7.0305886F, -1.1717647F})}},
     {.name = "HasAScaleForEachColumnAndABias",
      .inputs = {floats({2, 3}, {0.25F, 0.875F, -0.875F, 0, 1.625F, 1.625F}),
                 numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}), floats({2}, {0.03F, 0.05F}),
                 numbers<int8_t>({2}, {0, 0}), floats({2}, {1, -1})},
      .outputs = {floats({2, 2}, {-0.18882358F, 1.4725492F, 8.030588F, -2.9529414F})}},
     {.name = "RefusesIntegers",
      .inputs = {numbers<uint8_t>({2, 3}, {125, 146, 254, 121, 137, 106}),
                 numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}), floats({}, {0.03F})},
      .error = "A: found elements of type uint8, expected float"}});

}  // namespace
}  // namespace test
