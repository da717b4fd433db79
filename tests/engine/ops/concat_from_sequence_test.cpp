#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases concatFromSequence(
    "ConcatFromSequence",
    {{.name = "JoinsItems",
      .attributes = {attribute("axis", 0)},
      .inputs = {sequence({floats({3, 2}, {0, 1, 2, 3, 4, 5}), floats({1, 2}, {0, 1})})},
      .outputs = {floats({4, 2}, {0, 1, 2, 3, 4, 5, 0, 1})}},
     {.name = "MayMakeAnAxis",
      .attributes = {attribute("axis", -1), attribute("new_axis", 1)},
      .inputs = {sequence({floats({3, 2}, {0, 1, 2, 3, 4, 5}), floats({3, 2}, {1, 2, 3, 4, 5, 6})})},
      .outputs = {floats({3, 2, 2}, {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6})}},
     {.name = "MakesTheFirstAxis",
      .attributes = {attribute("axis", 0), attribute("new_axis", 1)},
      .inputs = {sequence({floats({3, 2}, {0, 1, 2, 3, 4, 5}), floats({3, 2}, {1, 2, 3, 4, 5, 6})})},
      .outputs = {floats({2, 3, 2}, {0, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6})}},
     {.name = "RefusesItemsThatDiffer",
      .attributes = {attribute("axis", 0)},
      .inputs = {sequence({floats({3, 2}, {0, 1, 2, 3, 4, 5}), floats({2, 3}, {0, 1, 2, 3, 4, 5})})},
      .error = "they may differ along axis 0 only"},
     {.name = "RefusesATensor",
      .attributes = {attribute("axis", 0)},
      .inputs = {floats({3, 2}, {0, 1, 2, 3, 4, 5})},
      .error = "expected a sequence"}});

}  // namespace
}  // namespace test
