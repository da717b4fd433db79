#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases qGemm(
    "com.microsoft", "QGemm",
    {{.name = "GivesRealNumbersWithoutAGrid",
      .inputs = {numbers<uint8_t>({2, 3}, {125, 146, 254, 121, 137, 106}), floats({}, {0.02F}),
                 numbers<uint8_t>({}, {120}), numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}),
                 floats({}, {0.03F}), numbers<int8_t>({}, {0})},
      .outputs = {floats({2, 2}, {7.299F, -1.6794F, -0.1086F, 0.2832F})}},
     {.name = "AddsABias",
      .inputs = {numbers<uint8_t>({2, 3}, {125, 146, 254, 121, 137, 106}), floats({}, {0.02F}),
                 numbers<uint8_t>({}, {120}), numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}),
                 floats({}, {0.03F}), numbers<int8_t>({}, {0}), int32s({2}, {100, -200}), floats({}, {0.5F}),
                 numbers<uint8_t>({}, {100})},
      .outputs = {numbers<uint8_t>({2, 2}, {115, 96, 100, 100})}},
     {.name = "HasAScaleForEachColumn",
      .inputs = {numbers<uint8_t>({2, 3}, {125, 146, 254, 121, 137, 106}), floats({}, {0.02F}),
                 numbers<uint8_t>({}, {120}), numbers<int8_t>({3, 2}, {-87, 105, 62, 1, 82, -25}),
                 floats({2}, {0.03F, 0.05F}), numbers<int8_t>({2}, {0, 0})},
      .outputs = {floats({2, 2}, {7.299F, -2.799F, -0.1086F, 0.47200003F})}},
     {.name = "Transposes",
      .attributes = {attribute("transA", 1), attribute("transB", 1), attribute("alpha", 0.5)},
      .inputs = {numbers<uint8_t>({3, 2}, {125, 121, 146, 137, 254, 106}), floats({}, {0.02F}),
                 numbers<uint8_t>({}, {120}), numbers<int8_t>({2, 3}, {-87, 62, 82, 105, 1, -25}),
                 floats({}, {0.03F}), numbers<int8_t>({}, {0})},
      .outputs = {floats({2, 2}, {3.6495F, -0.8397F, -0.0543F, 0.1416F})}},
     {.name = "RefusesInnerSizesThatDiffer",
      .inputs = {numbers<uint8_t>({2, 3}, {125, 146, 254, 121, 137, 106}), floats({}, {0.02F}),
                 numbers<uint8_t>({}, {120}), numbers<int8_t>({2, 2}, {-87, 105, 62, 1}), floats({}, {0.03F}),
                 numbers<int8_t>({}, {0})},
      .error = "inner sizes"}});

}  // namespace
}  // namespace test
