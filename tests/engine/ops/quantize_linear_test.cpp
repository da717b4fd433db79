#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Float16;
using engine::Float8E4M3FN;
using engine::Int4;

const float nan = std::numeric_limits<float>::quiet_NaN();

const OpCases quantizeLinear(
    "QuantizeLinear",
    {
        {.name = "RoundsHalvesToEvenAndSaturates",
         .version = 10,
         .inputs = {floats({6}, {-1, 0, 0.5F, 1.5F, 2.5F, 300}), floats({}, {1}), numbers<uint8_t>({}, {1})},
         .outputs = {numbers<uint8_t>({6}, {0, 1, 1, 3, 3, 255})}},
        {.name = "IsUnsignedByDefault",
         .inputs = {floats({3}, {-1, 2, 3}), floats({}, {0.5F})},
         .outputs = {numbers<uint8_t>({3}, {0, 4, 6})}},
        {.name = "HasAnOutputType",
         .attributes = {attribute("output_dtype", 3)},
         .inputs = {floats({3}, {-1, 2, 3}), floats({}, {0.5F})},
         .outputs = {numbers<int8_t>({3}, {-2, 4, 6})}},
        {.name = "HasAScaleForEachChannel",
         .attributes = {attribute("axis", 1)},
         .inputs = {floats({2, 2, 2}, {1.5F, 0.5F, -1.75F, 1, 0.5F, 1.75F, 0, -1.5F}),
                    floats({2}, {0.5F, 0.25F}), numbers<int8_t>({2}, {0, 3})},
         .outputs = {numbers<int8_t>({2, 2, 2}, {3, 1, -4, 7, 1, 4, 3, -3})}},
        {.name = "CountsTheAxisFromTheBack",
         .attributes = {attribute("axis", -2)},
         .inputs = {floats({2, 2}, {0.5F, -0.25F, 0.75F, -0.5F}), floats({2}, {0.5F, 0.25F}),
                    numbers<int8_t>({2}, {0, 3})},
         .outputs = {numbers<int8_t>({2, 2}, {1, 0, 6, 1})}},
        {.name = "HasAScaleForEachBlock",
         .attributes = {attribute("axis", 1), attribute("block_size", 2)},
         .inputs = {floats({2, 3}, {-0.75F, -1.5F, 2, 1, -0.25F, -1.25F}),
                    floats({2, 2}, {0.5F, 0.25F, 0.125F, 1}), numbers<int8_t>({2, 2}, {0, 1, 2, 3})},
         .outputs = {numbers<int8_t>({2, 3}, {-2, -3, 9, 10, 0, 2})}},
        {.name = "HasBlocksAlongTheFirstAxis",
         .attributes = {attribute("axis", 0), attribute("block_size", 2), attribute("output_dtype", 3)},
         .inputs = {floats({4, 2}, {0.5F, -0.25F, 0.5F, -1.75F, -1.25F, 1, -1.75F, 0.75F}),
                    floats({2, 2}, {0.5F, 0.25F, 0.125F, 1})},
         .outputs = {numbers<int8_t>({4, 2}, {1, -1, 1, -7, -10, 1, -14, 1})}},
        {.name = "FitsSixteenBits",
         .inputs = {floats({3}, {-40000, 1, 40000}), floats({}, {1}), numbers<int16_t>({}, {0})},
         .outputs = {numbers<int16_t>({3}, {-32768, 1, 32767})}},
        {.name = "TakesIntegers",
         .inputs = {int32s({2}, {5, -300}), floats({}, {2}), numbers<int8_t>({}, {0})},
         .outputs = {numbers<int8_t>({2}, {2, -128})}},
        {.name = "FitsFourBits",
         .inputs = {floats({4}, {-20, -3, 0.5F, 20}), floats({}, {2}), numbers<Int4>({}, {1})},
         .outputs = {numbers<Int4>({4}, {-8, -1, 1, 7})}},
        {.name = "FitsFloat8",
         .inputs = {floats({3}, {0.3F, -500, 1}), floats({}, {1}), numbers<Float8E4M3FN>({}, {0})},
         .outputs = {numbers<Float8E4M3FN>({3}, {0.3125, -448, 1})}},
        {.name = "TakesHalfs",
         .inputs = {numbers<Float16>({2}, {1, 2.5}), numbers<Float16>({}, {0.5}), numbers<uint8_t>({}, {0})},
         .outputs = {numbers<uint8_t>({2}, {2, 5})}},
        {.name = "MakesNanTheZeroPoint",
         .inputs = {floats({1}, {nan}), floats({}, {1}), numbers<uint8_t>({}, {7})},
         .outputs = {numbers<uint8_t>({1}, {7})}},
        {.name = "RefusesScalesThatFitNothing",
         .inputs = {floats({2, 3}, {-0.5F, -2, 1, 0.75F, 1.25F, 1.75F}), floats({2}, {1, 1})},
         .error = "scale: found shape [2] for an input of [2, 3] and axis 1"},
        {.name = "RefusesBlocksOfAnotherSize",
         .attributes = {attribute("block_size", 1)},
         .inputs = {floats({2, 3}, {1, 1.5F, -1.75F, 1.75F, 1.75F, 0.75F}), floats({2, 2}, {1, 1, 1, 1})},
         .error = "block_size: found 1, which does not cut 3 elements into 2 blocks"},
        {.name = "RefusesContradictoryTypes",
         .attributes = {attribute("output_dtype", 3)},
         .inputs = {floats({1}, {1.25F}), floats({}, {1}), numbers<uint8_t>({}, {0})},
         .error = "output_dtype: found int8, expected uint8"},
        {.name = "RefusesZeroPointsOfAnotherShape",
         .inputs = {floats({2, 3}, {1, 1.5F, 1.75F, 0, 1.25F, 1.75F}), floats({3}, {1, 1, 1}),
                    numbers<uint8_t>({2}, {1, 1})},
         .error = "zero point: found shape [2], expected [3]"},
    });

const OpCases microsoftQuantizeLinear("com.microsoft", "QuantizeLinear",
                                      {
                                          {.name = "FitsSixteenBits",
                                           .inputs = {floats({3}, {-1, 1, 70000}), floats({}, {1}),
                                                      numbers<uint16_t>({}, {1})},
                                           .outputs = {numbers<uint16_t>({3}, {0, 2, 65535})}},
                                      });

}  // namespace
}  // namespace test
