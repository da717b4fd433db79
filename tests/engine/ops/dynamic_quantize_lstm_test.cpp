#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases dynamicQuantizeLstm(
    "com.microsoft", "DynamicQuantizeLSTM",
    {
        {.name = "QuantizesItsInputs",
         .attributes = {attribute("hidden_size", 2)},
         .inputs = {floats({2, 1, 2}, {0.75F, 0.5F, 0.5F, 0.75F}),
                    numbers<uint8_t>({1, 2, 8}, {127, 50, 149, 146, 98, 163, 67, 155, 203, 24, 116, 169, 13,
                                                 161, 233, 210}),
                    numbers<uint8_t>({1, 2, 8},
                                     {175, 205, 92, 83, 21, 184, 80, 222, 119, 228, 35, 41, 88, 6, 125, 166}),
                    floats({1, 16}, {0.25F, -0.75F, -0.75F, 0.25F, 0.25F, 1, 1, -0.25F, -0.75F, -0.5F, 0.75F,
                                     0, 1, 0.25F, 0.25F, -1}),
                    {},
                    floats({1, 1, 2}, {0.25F, -0.25F}),
                    floats({1, 1, 2}, {0.75F, -0.75F}),
                    {},
                    floats({1}, {0.01F}),
                    numbers<uint8_t>({1}, {128}),
                    floats({1}, {0.02F}),
                    numbers<uint8_t>({1}, {120})},
         .outputs = {floats({2, 1, 1, 2}, {0.4027419F, -0.42691576F, 0.44875526F, -0.4436957F}),
                     floats({1, 1, 2}, {0.44875526F, -0.4436957F}),
                     floats({1, 1, 2}, {0.9019612F, -0.6983362F})}},
        {.name = "HasAScaleForEachColumn",
         .attributes = {attribute("hidden_size", 2)},
         .inputs = {floats({2, 1, 2}, {0.75F, 0.5F, 0.5F, 0.75F}),
                    numbers<int8_t>({1, 2, 8}, {127, 50, -107, -110, 98, -93, 67, -101, -53, 24, 116, -87, 13,
                                                -95, -23, -46}),
                    numbers<int8_t>({1, 2, 8},
                                    {-81, -51, 92, 83, 21, -72, 80, -34, 119, -28, 35, 41, 88, 6, 125, -90}),
                    {},
                    {},
                    {},
                    {},
                    {},
                    floats({1, 8}, {0.01F, 0.01F, 0.01F, 0.01F, 0.01F, 0.01F, 0.01F, 0.01F}),
                    numbers<int8_t>({1, 8}, {0, 0, 0, 0, 0, 0, 0, 0}),
                    floats({1, 8}, {0.01F, 0.011428571F, 0.012857143F, 0.014285714F, 0.015714286F,
                                    0.017142856F, 0.018571429F, 0.02F}),
                    numbers<int8_t>({1, 8}, {0, 0, 0, 0, 0, 0, 0, 0})},
         .outputs = {floats({2, 1, 1, 2}, {0.10708076F, -0.09680797F, 0.11992129F, -0.10851656F})}},
    });

}  // namespace
}  // namespace test
