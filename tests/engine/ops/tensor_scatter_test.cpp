#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases tensorScatter(
    "TensorScatter",
    {{.name = "WritesAtTheStartByDefault",
      .inputs = {floats({2, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
                 floats({2, 2, 2}, {100, 101, 102, 103, 104, 105, 106, 107})},
      .outputs = {floats({2, 4, 2}, {100, 101, 102, 103, 4, 5, 6, 7, 104, 105, 106, 107, 12, 13, 14, 15})}},
     {.name = "WritesWhereTold",
      .inputs = {floats({2, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
                 floats({2, 2, 2}, {100, 101, 102, 103, 104, 105, 106, 107}), int64s({2}, {1, 2})},
      .outputs = {floats({2, 4, 2}, {0, 1, 100, 101, 102, 103, 6, 7, 8, 9, 10, 11, 104, 105, 106, 107})}},
     {.name = "GoesRoundIfTold",
      .attributes = {attribute("mode", "circular")},
      .inputs = {floats({2, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
                 floats({2, 2, 2}, {100, 101, 102, 103, 104, 105, 106, 107}), int64s({2}, {3, 1})},
      .outputs = {floats({2, 4, 2}, {102, 103, 2, 3, 4, 5, 100, 101, 8, 9, 104, 105, 106, 107, 14, 15})}},
     {.name = "TakesAnyAxisBehindTheBatch",
      .attributes = {attribute("axis", -1)},
      .inputs = {floats({2, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
                 floats({2, 4, 1}, {100, 101, 102, 103, 104, 105, 106, 107}), int64s({2}, {1, 0})},
      .outputs = {floats({2, 4, 2}, {0, 100, 2, 101, 4, 102, 6, 103, 104, 9, 105, 11, 106, 13, 107, 15})}},
     {.name = "TakesHeads",
      .inputs = {floats({1, 2, 3, 1}, {0, 1, 2, 3, 4, 5}), floats({1, 2, 1, 1}, {8, 9}), int64s({1}, {2})},
      .outputs = {floats({1, 2, 3, 1}, {0, 1, 8, 3, 4, 9})}},
     {.name = "RefusesToWriteBeyondTheEnd",
      .inputs = {floats({2, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
                 floats({2, 2, 2}, {100, 101, 102, 103, 104, 105, 106, 107}), int64s({2}, {3, 0})},
      .error = "write_indices: found 3 for an update of 2 in a cache of 4"},
     {.name = "RefusesANegativeIndex",
      .attributes = {attribute("mode", "circular")},
      .inputs = {floats({2, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
                 floats({2, 2, 2}, {100, 101, 102, 103, 104, 105, 106, 107}), int64s({2}, {-1, 0})},
      .error = "write_indices: found -1"},
     {.name = "RefusesTheAxisOfTheBatch",
      .attributes = {attribute("axis", 0)},
      .inputs = {floats({2, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
                 floats({2, 2, 2}, {100, 101, 102, 103, 104, 105, 106, 107})},
      .error = "axis: found 0, which is the batch's"}});

}  // namespace
}  // namespace test
