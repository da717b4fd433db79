#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases eyeLike(
    "EyeLike", {{.name = "HasOnesOnTheDiagonal",
                 .inputs = {int32s({2, 3}, {0, 0, 0, 0, 0, 0})},
                 .outputs = {int32s({2, 3}, {1, 0, 0, 0, 1, 0})}},
                {.name = "HasOnesAboveTheDiagonal",
                 .attributes = {attribute("k", 1)},
                 .inputs = {int32s({2, 3}, {0, 0, 0, 0, 0, 0})},
                 .outputs = {int32s({2, 3}, {0, 1, 0, 0, 0, 1})}},
                {.name = "HasOnesBelowTheDiagonal",
                 .attributes = {attribute("k", -1), attribute("dtype", 1)},
                 .inputs = {int32s({2, 3}, {0, 0, 0, 0, 0, 0})},
                 .outputs = {floats({2, 3}, {0, 0, 0, 1, 0, 0})}},
                {.name = "HasNoOnesOnADiagonalOutside",
                 .attributes = {attribute("k", 7)},
                 .inputs = {int32s({2, 3}, {0, 0, 0, 0, 0, 0})},
                 .outputs = {int32s({2, 3}, {0, 0, 0, 0, 0, 0})}},
                {.name = "GivesBooleans",
                 .attributes = {attribute("dtype", 9)},
                 .inputs = {int32s({2, 3}, {0, 0, 0, 0, 0, 0})},
                 .outputs = {bools({2, 3}, {true, false, false, false, true, false})}},
                {.name = "GivesHalves",
                 .attributes = {attribute("dtype", 10)},
                 .inputs = {int32s({2, 3}, {0, 0, 0, 0, 0, 0})},
                 .outputs = {numbers<engine::Float16>({2, 3}, {1, 0, 0, 0, 1, 0})}},
                {.name = "TakesNoColumns", .inputs = {floats({2, 0}, {})}, .outputs = {floats({2, 0}, {})}},
                {.name = "RefusesAVector",
                 .inputs = {floats({2}, {1, 2})},
                 .error = "input has rank 1 ([2]), expected 2"}});

}  // namespace
}  // namespace test
