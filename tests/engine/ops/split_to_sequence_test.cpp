#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases splitToSequence(
    "SplitToSequence",
    {{.name = "MakesAnItemOfEachSlice",
      .inputs = {floats({3, 2}, {0, 1, 2, 3, 4, 5})},
      .outputs = {sequence({floats({1, 2}, {0, 1}), floats({1, 2}, {2, 3}), floats({1, 2}, {4, 5})})}},
     {.name = "DropsTheAxisIfTold",
      .attributes = {attribute("keepdims", 0)},
      .inputs = {floats({3, 2}, {0, 1, 2, 3, 4, 5})},
      .outputs = {sequence({floats({2}, {0, 1}), floats({2}, {2, 3}), floats({2}, {4, 5})})}},
     {.name = "TakesLengths",
      .inputs = {floats({3, 2}, {0, 1, 2, 3, 4, 5}), int64s({2}, {1, 2})},
      .outputs = {sequence({floats({1, 2}, {0, 1}), floats({2, 2}, {2, 3, 4, 5})})}},
     {.name = "TakesOneLengthForAllButTheLast",
      .inputs = {floats({3, 2}, {0, 1, 2, 3, 4, 5}), int64s({}, {2})},
      .outputs = {sequence({floats({2, 2}, {0, 1, 2, 3}), floats({1, 2}, {4, 5})})}},
     {.name = "SplitsAnyAxis",
      .attributes = {attribute("axis", -1), attribute("keepdims", 0)},
      .inputs = {floats({3, 2}, {0, 1, 2, 3, 4, 5}), int64s({2}, {1, 1})},
      .outputs = {sequence({floats({3, 1}, {0, 2, 4}), floats({3, 1}, {1, 3, 5})})}},
     {.name = "TakesStrings",
      .inputs = {strings({2}, {"a", "b"}), int64s({2}, {1, 1})},
      .outputs = {sequence({strings({1}, {"a"}), strings({1}, {"b"})})}},
     {.name = "RefusesLengthsThatDoNotAddUp",
      .inputs = {floats({3, 2}, {0, 1, 2, 3, 4, 5}), int64s({2}, {1, 1})},
      .error = "split: found [1, 1], expected lengths that add up to 3"},
     {.name = "RefusesALengthOfZero",
      .inputs = {floats({3, 2}, {0, 1, 2, 3, 4, 5}), int64s({}, {0})},
      .error = "one of at least 1"},
     {.name = "RefusesNegativeLengths",
      .inputs = {floats({3, 2}, {0, 1, 2, 3, 4, 5}), int64s({2}, {-1, 4})},
      .error = "split: found [-1, 4]"}});

}  // namespace
}  // namespace test
