#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Float16;
using engine::Float8E4M3FN;
using engine::Int4;

const OpCases dequantizeLinear(
    "DequantizeLinear",
    {
        {.name = "ScalesDistancesFromTheZeroPoint",
         .inputs = {numbers<uint8_t>({3}, {0, 3, 255}), floats({}, {0.5F}), numbers<uint8_t>({}, {3})},
         .outputs = {floats({3}, {-1.5F, 0, 126})}},
        {.name = "HasAScaleForEachChannel",
         .attributes = {attribute("axis", 1)},
         .inputs = {numbers<int8_t>({2, 2, 2}, {-2, -5, -4, -5, -1, -5, -3, -3}), floats({2}, {0.5F, 0.25F}),
                    numbers<int8_t>({2}, {0, 3})},
         .outputs = {floats({2, 2, 2}, {-1, -2.5F, -1.75F, -2, -0.5F, -2.5F, -1.5F, -1.5F})}},
        {.name = "HasAScaleForEachBlock",
         .attributes = {attribute("axis", 1), attribute("block_size", 2)},
         .inputs = {numbers<int8_t>({2, 3}, {2, -3, 5, -3, 5, 1}), floats({2, 2}, {0.5F, 0.25F, 0.125F, 1}),
                    numbers<int8_t>({2, 2}, {0, 1, 2, 3})},
         .outputs = {floats({2, 3}, {1, -1.5F, 1, -0.625F, 0.375F, -2})}},
        {.name = "TakesSums",
         .inputs = {int32s({2}, {100000, -7}), floats({}, {0.25F})},
         .outputs = {floats({2}, {25000, -1.75F})}},
        {.name = "TakesFourBits",
         .inputs = {numbers<Int4>({3}, {-8, 7, 3}), floats({}, {2})},
         .outputs = {floats({3}, {-16, 14, 6})}},
        {.name = "TakesFloat8",
         .inputs = {numbers<Float8E4M3FN>({2}, {0.5, -448}), floats({}, {2})},
         .outputs = {floats({2}, {1, -896})}},
        {.name = "GivesHalfsForAScaleOfHalfs",
         .inputs = {numbers<uint8_t>({2}, {3, 5}), numbers<Float16>({}, {0.5})},
         .outputs = {numbers<Float16>({2}, {1.5, 2.5})}},
        {.name = "HasAnOutputType",
         .version = 23,
         .attributes = {attribute("output_dtype", 10)},
         .inputs = {numbers<uint8_t>({2}, {3, 5}), floats({}, {0.5F})},
         .outputs = {numbers<Float16>({2}, {1.5, 2.5})}},
        {.name = "TakesFloat6",
         .inputs = {numbers<engine::Float6E2M3>({2}, {7.5, -0.125}), floats({}, {2})},
         .outputs = {floats({2}, {15, -0.25F})}},
        {.name = "RefusesZeroPointsOfAnotherType",
         .inputs = {numbers<uint8_t>({1}, {1}), floats({}, {1}), numbers<int8_t>({}, {0})},
         .error = "x_zero_point: found elements of type int8, expected uint8"},
        {.name = "RefusesBlocksOfAnEmptyAxis",
         .inputs = {numbers<uint8_t>({3, 0}, {}), floats({3, 2}, {1, 1, 1, 1, 1, 1})},
         .error = "block_size: found 1, which does not cut 0 elements into 2 blocks"},
        {.name = "AnEmptyAxisHasNoBlocks",
         .attributes = {attribute("block_size", 2)},
         .inputs = {numbers<uint8_t>({3, 0}, {}), floats({3, 0}, {})},
         .outputs = {floats({3, 0}, {})}},
        {.name = "RefusesAxesOutOfRange",
         .attributes = {attribute("axis", 2)},
         .inputs = {numbers<uint8_t>({1, 2}, {1, 2}), floats({2}, {1, 1})},
         .error = "axis 2 is out of range for rank 2"},
    });

const OpCases microsoftDequantizeLinear("com.microsoft", "DequantizeLinear",
                                        {
                                            {.name = "TakesSixteenBits",
                                             .inputs = {numbers<uint16_t>({2}, {5, 40000}),
                                                        floats({}, {0.5F}), numbers<uint16_t>({}, {1})},
                                             .outputs = {floats({2}, {2, 19999.5F})}},
                                        });

}  // namespace
}  // namespace test
