#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

// Values by numpy and ml_dtypes, strings by ONNX Runtime.
const OpCases cast("Cast", {
                               {.name = "TruncatesTowardsZero",
                                .attributes = {attribute("to", 6)},
                                .inputs = {floats({4}, {1.9F, -1.9F, 0.5F, -0.5F})},
                                .outputs = {int32s({4}, {1, -1, 0, 0})}},
                               {.name = "ToBoolIsTrueForAnythingButZero",
                                .attributes = {attribute("to", 9)},
                                .inputs = {floats({4}, {0, -0.0F, 0.25F, nan})},
                                .outputs = {bools({4}, {false, false, true, true})}},
                               {.name = "ToFloat16RoundsToNearestEvenAndOverflowsToInfinity",
                                .attributes = {attribute("to", 10)},
                                .inputs = {floats({3}, {2049, 65520, 1e-8F})},
                                .outputs = {numbers<engine::Float16>({3}, {2048, infinity, 0})}},
                               {.name = "IntegersKeepTheirLowBits",
                                .attributes = {attribute("to", 2)},
                                .inputs = {int32s({2}, {257, -1})},
                                .outputs = {numbers<uint8_t>({2}, {1, 255})}},
                               {.name = "ToInt4GivesZeroBeyondTheRangeOfFloats",
                                .attributes = {attribute("to", 22)},
                                .inputs = {floats({6}, {-9, -8.9F, -8, 7.5F, 8, nan})},
                                .outputs = {numbers<engine::Int4>({6}, {0, -8, -8, 7, 0, 0})}},
                               {.name = "ToInt4KeepsTheLowBitsOfIntegers",
                                .attributes = {attribute("to", 22)},
                                .inputs = {int32s({3}, {9, -9, 16})},
                                .outputs = {numbers<engine::Int4>({3}, {-7, 7, 0})}},
                               {.name = "ToFloat6RoundsAndSaturates",
                                .attributes = {attribute("to", 27)},
                                .inputs = {floats({4}, {100, -0.3F, 2.1875F, infinity})},
                                .outputs = {numbers<engine::Float6E2M3>({4}, {7.5, -0.25, 2.25, 7.5})}},
                               {.name = "ToTheWiderFloat6Saturates",
                                .attributes = {attribute("to", 28)},
                                .inputs = {floats({3}, {100, -0.3F, 0.03125F})},
                                .outputs = {numbers<engine::Float6E3M2>({3}, {28, -0.3125, 0})}},
                               {.name = "TakesFloat6",
                                .attributes = {attribute("to", 1)},
                                .inputs = {numbers<engine::Float6E3M2>({2}, {28, -0.0625})},
                                .outputs = {floats({2}, {28, -0.0625F})}},
                               {.name = "ToFloat8Saturates",
                                .attributes = {attribute("to", 17)},
                                .inputs = {floats({2}, {1000, -1000})},
                                .outputs = {numbers<engine::Float8E4M3FN>({2}, {448, -448})}},
                               {.name = "WritesNumbersAsText",
                                .attributes = {attribute("to", 8)},
                                .inputs = {floats({4}, {0.5F, -2, infinity, nan})},
                                .outputs = {strings({4}, {"0.5", "-2", "INF", "NaN"})}},
                               {.name = "ReadsNumbersFromText",
                                .attributes = {attribute("to", 1)},
                                .inputs = {strings({4}, {"0.5", "-2e3", "INF", "1"})},
                                .outputs = {floats({4}, {0.5F, -2000, infinity, 1})}},
                               {.name = "RefusesTextThatIsNoNumber",
                                .attributes = {attribute("to", 1)},
                                .inputs = {strings({1}, {"seven"})},
                                .error = "'seven' is no number"},
                               {.name = "TakesTheTypeByNameInOldOpsets",
                                .version = 1,
                                .attributes = {attribute("to", "INT64")},
                                .inputs = {floats({1}, {3.5F})},
                                .outputs = {int64s({1}, {3})}},
                               {.name = "KeepsShapeArithmetic",
                                .attributes = {attribute("to", 7)},
                                .inputs = {int32s({2}, {3, 4})},
                                .outputs = {int64s({2}, {3, 4})}},
                               {.name = "RefusesAnUnknownType",
                                .attributes = {attribute("to", 99)},
                                .inputs = {floats({1}, {1})},
                                .error = "which is no element type of ONNX"},
                           });

const OpCases castLike("CastLike", {{.name = "TakesTheTypeOfItsSecondInput",
                                     .inputs = {floats({2}, {1.5F, 2}), int64s({1}, {0})},
                                     .outputs = {int64s({2}, {1, 2})}}});

}  // namespace
}  // namespace test
