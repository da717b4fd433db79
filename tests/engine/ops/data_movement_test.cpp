#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const engine::Tensor grid = floats({2, 3}, {1, 2, 3, 4, 5, 6});

const OpCases expand("Expand", {{.name = "RepeatsADimOfOne",
                                 .inputs = {floats({2, 1}, {1, 2}), int64s({2}, {2, 3})},
                                 .outputs = {floats({2, 3}, {1, 1, 1, 2, 2, 2})}},
                                {.name = "KeepsADimLargerThanTheOneAskedFor",
                                 .inputs = {grid, int64s({3}, {2, 1, 1})},
                                 .outputs = {floats({2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6})}},
                                {.name = "RefusesDimsThatDoNotBroadcast",
                                 .inputs = {grid, int64s({2}, {2, 2})},
                                 .error = "cannot be broadcast"}});
const OpCases tile("Tile", {{.name = "RepeatsEachAxis",
                             .inputs = {floats({2, 1}, {1, 2}), int64s({2}, {2, 3})},
                             .outputs = {floats({4, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2})}},
                            {.name = "ZeroRepeatsGiveAnEmptyTensor",
                             .inputs = {grid, int64s({2}, {0, 1})},
                             .outputs = {floats({0, 3}, {})}},
                            {.name = "RefusesAnotherNumberOfRepeats",
                             .inputs = {grid, int64s({1}, {2})},
                             .error = "repeats has 1 elements"}});
const OpCases where("Where", {{.name = "ChoosesElementByElementAndBroadcasts",
                               .inputs = {bools({2, 1}, {true, false}), int64s({2}, {1, 2}), int64s({}, {9})},
                               .outputs = {int64s({2, 2}, {1, 2, 9, 9})}},
                              {.name = "ChoosesStrings",
                               .inputs = {bools({1}, {false}), strings({1}, {"a"}), strings({1}, {"b"})},
                               .outputs = {strings({1}, {"b"})}}});
const OpCases split(
    "Split",
    {{.name = "SplitsEvenly",
      .attributes = {attribute("axis", 1), attribute("num_outputs", 3)},
      .inputs = {grid},
      .outputs = {floats({2, 1}, {1, 4}), floats({2, 1}, {2, 5}), floats({2, 1}, {3, 6})}},
     {.name = "TheLastPartMayBeShorter",
      .attributes = {attribute("axis", 1), attribute("num_outputs", 2)},
      .inputs = {grid},
      .outputs = {floats({2, 2}, {1, 2, 4, 5}), floats({2, 1}, {3, 6})}},
     {.name = "TakesLengthsFromAnAttributeInOldOpsets",
      .version = 11,
      .attributes = {attribute("axis", -1), integersAttribute("split", {1, 2})},
      .inputs = {grid},
      .outputs = {floats({2, 1}, {1, 4}), floats({2, 2}, {2, 3, 5, 6})}},
     {.name = "RefusesLengthsThatDoNotAddUp", .inputs = {grid, int64s({2}, {1, 2})}, .error = "split"}});
const OpCases range("Range", {{.name = "StopsBeforeTheLimit",
                               .inputs = {int64s({}, {1}), int64s({}, {8}), int64s({}, {3})},
                               .outputs = {int64s({3}, {1, 4, 7})}},
                              {.name = "CountsDown",
                               .inputs = {floats({}, {2}), floats({}, {0}), floats({}, {-0.5F})},
                               .outputs = {floats({4}, {2, 1.5F, 1, 0.5F})}},
                              {.name = "IsEmptyWhereTheStepLeadsAway",
                               .inputs = {int32s({}, {1}), int32s({}, {5}), int32s({}, {-1})},
                               .outputs = {int32s({0}, {})}},
                              {.name = "RefusesAStepOfZero",
                               .inputs = {int64s({}, {1}), int64s({}, {5}), int64s({}, {0})},
                               .error = "delta is 0"}});
const OpCases pad("Pad", {{.name = "PutsAConstantAround",
                           .inputs = {floats({1, 2}, {1, 2}), int64s({4}, {1, 0, 0, 1}), floats({}, {9})},
                           .outputs = {floats({2, 3}, {9, 9, 9, 1, 2, 9})}},
                          {.name = "ReflectsWithoutTheEdge",
                           .attributes = {attribute("mode", "reflect")},
                           .inputs = {floats({3}, {1, 2, 3}), int64s({2}, {2, 1})},
                           .outputs = {floats({6}, {3, 2, 1, 2, 3, 2})}},
                          {.name = "RepeatsTheEdge",
                           .attributes = {attribute("mode", "edge")},
                           .inputs = {floats({2}, {1, 2}), int64s({2}, {1, 2})},
                           .outputs = {floats({5}, {1, 1, 2, 2, 2})}},
                          {.name = "WrapsAround",
                           .attributes = {attribute("mode", "wrap")},
                           .inputs = {floats({3}, {1, 2, 3}), int64s({2}, {2, 1})},
                           .outputs = {floats({6}, {2, 3, 1, 2, 3, 1})}},
                          {.name = "CutsWithNegativePads",
                           .inputs = {floats({3}, {1, 2, 3}), int64s({2}, {-1, 1})},
                           .outputs = {floats({3}, {2, 3, 0})}},
                          {.name = "PadsTheAxesNamed",
                           .inputs = {floats({1, 1}, {1}), int64s({2}, {1, 0}), {}, int64s({1}, {-1})},
                           .outputs = {floats({1, 2}, {0, 1})}},
                          {.name = "TakesPadsAndValueFromAttributesInOldOpsets",
                           .version = 2,
                           .attributes = {integersAttribute("pads", {0, 1}), attribute("value", 7.0)},
                           .inputs = {floats({1}, {1})},
                           .outputs = {floats({2}, {1, 7})}}});

const OpCases constant("Constant",
                       {{.name = "HoldsIntegers",
                         .attributes = {integersAttribute("value_ints", {3, 4})},
                         .outputs = {int64s({2}, {3, 4})}},
                        {.name = "HoldsOneFloat",
                         .attributes = {attribute("value_float", 0.5)},
                         .outputs = {floats({}, {0.5F})}},
                        {.name = "HoldsATensor",
                         .attributes = {attribute("value", engine::AttributeValue(grid))},
                         .outputs = {grid}},
                        {.name = "RefusesToHoldNothing", .outputs = {}, .error = "exactly one attribute"}});
const OpCases constantOfShape(
    "ConstantOfShape",
    {{.name = "FillsWithZeroByDefault", .inputs = {int64s({2}, {1, 2})}, .outputs = {floats({1, 2}, {0, 0})}},
     {.name = "FillsWithItsValue",
      .attributes = {attribute("value", engine::AttributeValue(int64s({1}, {5})))},
      .inputs = {int64s({1}, {3})},
      .outputs = {int64s({3}, {5, 5, 5})}},
     {.name = "AnEmptyShapeGivesAScalar", .inputs = {int64s({0}, {})}, .outputs = {floats({}, {0})}},
     {.name = "RefusesANegativeDim", .inputs = {int64s({1}, {-1})}, .error = "-1"}});
const OpCases shape("Shape", {{.name = "GivesTheDims", .inputs = {grid}, .outputs = {int64s({2}, {2, 3})}},
                              {.name = "GivesARangeOfThem",
                               .attributes = {attribute("start", -1)},
                               .inputs = {grid},
                               .outputs = {int64s({1}, {3})}},
                              {.name = "DrawsBoundsIn",
                               .attributes = {attribute("start", 1), attribute("end", 9)},
                               .inputs = {grid},
                               .outputs = {int64s({1}, {3})}}});
const OpCases size("Size", {{.name = "CountsElements", .inputs = {grid}, .outputs = {int64s({}, {6})}}});
const OpCases squeeze(
    "Squeeze", {{.name = "DropsTheAxesNamed",
                 .inputs = {floats({1, 2, 1}, {1, 2}), int64s({1}, {-1})},
                 .outputs = {floats({1, 2}, {1, 2})}},
                {.name = "DropsEveryDimOfOneWithoutAxes",
                 .inputs = {floats({1, 2, 1}, {1, 2})},
                 .outputs = {floats({2}, {1, 2})}},
                {.name = "TakesAxesFromAnAttributeInOldOpsets",
                 .version = 11,
                 .attributes = {integersAttribute("axes", {0})},
                 .inputs = {floats({1, 2}, {1, 2})},
                 .outputs = {floats({2}, {1, 2})}},
                {.name = "RefusesADimThatIsNotOne", .inputs = {grid, int64s({1}, {0})}, .error = "not 1"}});
const OpCases unsqueeze("Unsqueeze", {{.name = "InsertsDimsOfOne",
                                       .inputs = {floats({2}, {1, 2}), int64s({2}, {0, -1})},
                                       .outputs = {floats({1, 2, 1}, {1, 2})}},
                                      {.name = "RefusesAnAxisNamedTwice",
                                       .inputs = {floats({2}, {1, 2}), int64s({2}, {0, -3})},
                                       .error = "name an axis twice"}});
const OpCases flatten("Flatten", {{.name = "CutsTheDimsInTwo",
                                   .attributes = {attribute("axis", 2)},
                                   .inputs = {floats({1, 2, 1, 2}, {1, 2, 3, 4})},
                                   .outputs = {floats({2, 2}, {1, 2, 3, 4})}},
                                  {.name = "AxisZeroGivesOneRow",
                                   .attributes = {attribute("axis", 0)},
                                   .inputs = {grid},
                                   .outputs = {floats({1, 6}, {1, 2, 3, 4, 5, 6})}}});

}  // namespace
}  // namespace test
