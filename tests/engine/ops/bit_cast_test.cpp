#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases bitCast("BitCast", {{.name = "ShowsTheBitsOfFloats",
                                   .attributes = {attribute("to", 6)},
                                   .inputs = {floats({3}, {1, -0.0F, 0.5F})},
                                   .outputs = {int32s({3}, {1065353216, -2147483648, 1056964608})}},
                                  {.name = "MakesFloatsOfBits",
                                   .attributes = {attribute("to", 11)},
                                   .inputs = {int64s({1}, {4607182418800017408})},
                                   .outputs = {doubles({1}, {1})}},
                                  {.name = "TurnsSignedIntoUnsigned",
                                   .attributes = {attribute("to", 2)},
                                   .inputs = {numbers<int8_t>({2}, {-1, 5})},
                                   .outputs = {numbers<uint8_t>({2}, {255, 5})}},
                                  {.name = "TurnsHalvesIntoBfloat16",
                                   .attributes = {attribute("to", 16)},
                                   .inputs = {numbers<engine::Float16>({2}, {1, -2})},
                                   .outputs = {numbers<engine::BFloat16>({2}, {0.0078125, -2})}},
                                  {.name = "TurnsUnsignedIntoSignedHalfBytes",
                                   .attributes = {attribute("to", 22)},
                                   .inputs = {numbers<engine::UInt4>({2}, {15, 7})},
                                   .outputs = {numbers<engine::Int4>({2}, {-1, 7})}},
                                  {.name = "TurnsSignedIntoUnsignedHalfBytes",
                                   .attributes = {attribute("to", 21)},
                                   .inputs = {numbers<engine::Int4>({2}, {-1, 7})},
                                   .outputs = {numbers<engine::UInt4>({2}, {15, 7})}},
                                  {.name = "ShowsTheByteOfABoolean",
                                   .attributes = {attribute("to", 2)},
                                   .inputs = {bools({2}, {true, false})},
                                   .outputs = {numbers<uint8_t>({2}, {1, 0})}},
                                  {.name = "MakesBooleansOfBytes",
                                   .attributes = {attribute("to", 9)},
                                   .inputs = {numbers<uint8_t>({2}, {1, 0})},
                                   .outputs = {bools({2}, {true, false})}},
                                  {.name = "RefusesAnotherWidth",
                                   .attributes = {attribute("to", 7)},
                                   .inputs = {floats({1}, {1})},
                                   .error = "found float of 32 bits to become int64 of 64"},
                                  {.name = "RefusesStrings",
                                   .attributes = {attribute("to", 8)},
                                   .inputs = {strings({1}, {"a"})},
                                   .error = "expected types of the same width"}});

}  // namespace
}  // namespace test
