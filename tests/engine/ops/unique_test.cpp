#include <cmath>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases unique(
    "Unique",
    {{.name = "SortsElements",
      .inputs = {floats({6}, {2, 1, 1, 3, 4, 3})},
      .outputs = {floats({4}, {1, 2, 3, 4}), int64s({4}, {1, 0, 3, 4}), int64s({6}, {1, 0, 0, 2, 3, 2}),
                  int64s({4}, {2, 1, 2, 1})}},
     {.name = "KeepsTheOrderIfTold",
      .attributes = {attribute("sorted", 0)},
      .inputs = {floats({6}, {2, 1, 1, 3, 4, 3})},
      .outputs = {floats({4}, {2, 1, 3, 4}), int64s({4}, {0, 1, 3, 4}), int64s({6}, {0, 1, 1, 2, 3, 2}),
                  int64s({4}, {1, 2, 2, 1})}},
     {.name = "ComparesRows",
      .attributes = {attribute("axis", 0)},
      .inputs = {floats({3, 3}, {1, 0, 0, 1, 0, 0, 2, 3, 4})},
      .outputs = {floats({2, 3}, {1, 0, 0, 2, 3, 4}), int64s({2}, {0, 2}), int64s({3}, {0, 0, 1}),
                  int64s({2}, {2, 1})}},
     {.name = "ComparesSlicesAlongTheLastAxis",
      .attributes = {attribute("axis", -1)},
      .inputs = {floats({3, 3}, {0, 0, 2, 0, 0, 2, 1, 1, 3})},
      .outputs = {floats({3, 2}, {0, 2, 0, 2, 1, 3}), int64s({2}, {0, 2}), int64s({3}, {0, 0, 1}),
                  int64s({2}, {2, 1})}},
     {.name = "TakesStrings",
      .inputs = {strings({3}, {"b", "a", "b"})},
      .outputs = {strings({2}, {"a", "b"}), int64s({2}, {1, 0}), int64s({3}, {1, 0, 1}),
                  int64s({2}, {1, 2})}},
     {.name = "FlattensWithoutAnAxis",
      .inputs = {int64s({2, 2}, {3, 1, 1, 3})},
      .outputs = {int64s({2}, {1, 3}), int64s({2}, {1, 0}), int64s({4}, {1, 0, 0, 1}), int64s({2}, {2, 2})}},
     {.name = "TakesOneNanForAll",
      .inputs = {floats({3}, {NAN, 1, NAN})},
      .outputs = {floats({2}, {1, NAN}), int64s({2}, {1, 0}), int64s({3}, {1, 0, 1}), int64s({2}, {1, 2})}},
     {.name = "TakesNothing",
      .inputs = {floats({0}, {})},
      .outputs = {floats({0}, {}), int64s({0}, {}), int64s({0}, {}), int64s({0}, {})}},
     {.name = "TakesBooleans",
      .inputs = {bools({3}, {true, false, true})},
      .outputs = {bools({2}, {false, true}), int64s({2}, {1, 0}), int64s({3}, {1, 0, 1}),
                  int64s({2}, {1, 2})}},
     {.name = "RefusesAnAxisOutOfRange",
      .attributes = {attribute("axis", 1)},
      .inputs = {floats({6}, {2, 1, 1, 3, 4, 3})},
      .error = "axis 1 is out of range"}});

}  // namespace
}  // namespace test
