#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const float nan = std::numeric_limits<float>::quiet_NaN();

const engine::Tensor left = floats({4}, {1, 2, 3, nan});
const engine::Tensor right = floats({4}, {2, 2, 2, nan});
const engine::Tensor grid = floats({2, 2}, {1, 2, 2, 1});
const engine::Tensor pair = floats({2}, {1, 2});
const std::vector<engine::Attribute> alignment{attribute("broadcast", 1), attribute("axis", 0)};
const std::vector<engine::Attribute> axis{attribute("axis", 0)};

const OpCases equal("Equal", {
                                 {.name = "HoldsForEqualNumbersAndNotForNan",
                                  .inputs = {left, right},
                                  .outputs = {bools({4}, {false, true, false, false})}},
                                 {.name = "Broadcasts",
                                  .inputs = {int64s({2, 1}, {1, 2}), int64s({2}, {1, 2})},
                                  .outputs = {bools({2, 2}, {true, false, false, true})}},
                                 {.name = "ComparesStrings",
                                  .inputs = {strings({2}, {"a", "b"}), strings({1}, {"b"})},
                                  .outputs = {bools({2}, {false, true})}},
                                 {.name = "ComparesBooleans",
                                  .inputs = {bools({2}, {true, false}), bools({2}, {true, true})},
                                  .outputs = {bools({2}, {true, false})}},
                                 {.name = "ComparesShapeArithmetic",
                                  .inputs = {int64s({3}, {-1, 4, 1}), int64s({}, {-1})},
                                  .outputs = {bools({3}, {true, false, false})}},
                                 {.name = "AlignsAtAnAxisInOldOpsets",
                                  .version = 1,
                                  .attributes = alignment,
                                  .inputs = {int32s({2, 2}, {1, 2, 2, 1}), int32s({2}, {1, 2})},
                                  .outputs = {bools({2, 2}, {true, false, true, false})}},
                                 {.name = "RefusesDifferentTypes",
                                  .inputs = {int32s({1}, {1}), int64s({1}, {1})},
                                  .error = "int32 and int64"},
                             });
const OpCases alignedEqual("opscope", "Equal",
                           {
                               {.name = "AlignsAtAnAxis",
                                .attributes = axis,
                                .inputs = {grid, pair},
                                .outputs = {bools({2, 2}, {true, false, true, false})}},
                           });
const OpCases greater("Greater",
                      {
                          {.name = "IsFalseForEqualNumbersAndNan",
                           .inputs = {left, right},
                           .outputs = {bools({4}, {false, false, true, false})}},
                          {.name = "ComparesUnsigned",
                           .inputs = {numbers<uint8_t>({2}, {200, 1}), numbers<uint8_t>({1}, {100})},
                           .outputs = {bools({2}, {true, false})}},
                          {.name = "ComparesShapeArithmetic",
                           .inputs = {int64s({2}, {4, 0}), int64s({1}, {2})},
                           .outputs = {bools({2}, {true, false})}},
                          {.name = "AlignsAtAnAxisInOldOpsets",
                           .version = 1,
                           .attributes = alignment,
                           .inputs = {grid, pair},
                           .outputs = {bools({2, 2}, {false, true, false, false})}},
                      });
const OpCases alignedGreater("opscope", "Greater",
                             {
                                 {.name = "AlignsAtAnAxis",
                                  .attributes = axis,
                                  .inputs = {grid, pair},
                                  .outputs = {bools({2, 2}, {false, true, false, false})}},
                             });
const OpCases greaterOrEqual("GreaterOrEqual", {
                                                   {.name = "HoldsForEqualNumbersAndNotForNan",
                                                    .inputs = {left, right},
                                                    .outputs = {bools({4}, {false, true, true, false})}},
                                                   {.name = "ComparesShapeArithmetic",
                                                    .inputs = {int64s({2}, {4, 0}), int64s({2}, {4, 2})},
                                                    .outputs = {bools({2}, {true, false})}},
                                               });
const OpCases less("Less", {
                               {.name = "IsFalseForEqualNumbersAndNan",
                                .inputs = {left, right},
                                .outputs = {bools({4}, {true, false, false, false})}},
                               {.name = "WorksInHalf",
                                .inputs = {numbers<engine::Float16>({2}, {-1, 2}),
                                           numbers<engine::Float16>({1}, {0.5})},
                                .outputs = {bools({2}, {true, false})}},
                               {.name = "AlignsAtAnAxisInOldOpsets",
                                .version = 1,
                                .attributes = alignment,
                                .inputs = {grid, pair},
                                .outputs = {bools({2, 2}, {false, false, false, true})}},
                           });
const OpCases alignedLess("opscope", "Less",
                          {
                              {.name = "AlignsAtAnAxis",
                               .attributes = axis,
                               .inputs = {grid, pair},
                               .outputs = {bools({2, 2}, {false, false, false, true})}},
                          });
const OpCases lessOrEqual("LessOrEqual", {
                                             {.name = "HoldsForEqualNumbersAndNotForNan",
                                              .inputs = {left, right},
                                              .outputs = {bools({4}, {true, true, false, false})}},
                                         });

}  // namespace
}  // namespace test
