#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const engine::Tensor grid = floats({2, 3}, {1, 2, 3, 4, 5, 6});

const OpCases concat("Concat", {{.name = "JoinsAlongAnAxis",
                                 .attributes = {attribute("axis", -1)},
                                 .inputs = {grid, floats({2, 1}, {7, 8})},
                                 .outputs = {floats({2, 4}, {1, 2, 3, 7, 4, 5, 6, 8})}},
                                {.name = "JoinsShapeArithmetic",
                                 .attributes = {attribute("axis", 0)},
                                 .inputs = {int64s({1}, {2}), int64s({2}, {3, 4})},
                                 .outputs = {int64s({3}, {2, 3, 4})}},
                                {.name = "JoinsAlongTheSecondAxisByDefaultInOldOpsets",
                                 .version = 1,
                                 .inputs = {grid, grid},
                                 .outputs = {floats({2, 6}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6})}}});
const OpCases identity("Identity", {{.name = "HandsItsInputOn", .inputs = {grid}, .outputs = {grid}}});
const OpCases reshape("Reshape", {{.name = "RefusesMoreElementsThanCanBeCounted",
                                   .inputs = {floats({2, 1}, {1, 2}), int64s({3}, {INT64_MAX, 3, -1})},
                                   .error = "shape [9223372036854775807, 3"},
                                  {.name = "InfersOneDim",
                                   .inputs = {grid, int64s({2}, {3, -1})},
                                   .outputs = {floats({3, 2}, {1, 2, 3, 4, 5, 6})}},
                                  {.name = "CopiesADimWhereTheShapeSaysZero",
                                   .inputs = {grid, int64s({3}, {0, 3, 1})},
                                   .outputs = {floats({2, 3, 1}, {1, 2, 3, 4, 5, 6})}},
                                  {.name = "ZeroesAreLiteralIfAllowed",
                                   .attributes = {attribute("allowzero", 1)},
                                   .inputs = {floats({0, 8, 2}, {}), int64s({3}, {0, 0, 4})},
                                   .outputs = {floats({0, 0, 4}, {})}},
                                  {.name = "TakesTheShapeFromAnAttributeInOldOpsets",
                                   .version = 1,
                                   .attributes = {integersAttribute("shape", {6})},
                                   .inputs = {grid},
                                   .outputs = {floats({6}, {1, 2, 3, 4, 5, 6})}}});
const OpCases slice(
    "Slice", {{.name = "StepsBackwards",
               .inputs = {grid, int64s({1}, {-1}), int64s({1}, {-4}), int64s({1}, {1}), int64s({1}, {-2})},
               .outputs = {floats({2, 2}, {3, 1, 6, 4})}},
              {.name = "DrawsBoundsIn",
               .inputs = {grid, int64s({1}, {1}), int64s({1}, {1000})},
               .outputs = {floats({1, 3}, {4, 5, 6})}},
              {.name = "TakesBoundsFromAttributesInOldOpsets",
               .version = 1,
               .attributes = {integersAttribute("axes", {1}), integersAttribute("starts", {0}),
                              integersAttribute("ends", {-1})},
               .inputs = {grid},
               .outputs = {floats({2, 2}, {1, 2, 4, 5})}}});
const OpCases transpose("Transpose", {{.name = "ReversesTheAxesByDefault",
                                       .inputs = {grid},
                                       .outputs = {floats({3, 2}, {1, 4, 2, 5, 3, 6})}},
                                      {.name = "PermutesAsTold",
                                       .attributes = {integersAttribute("perm", {1, 2, 0})},
                                       .inputs = {floats({2, 1, 2}, {1, 2, 3, 4})},
                                       .outputs = {floats({1, 2, 2}, {1, 3, 2, 4})}}});
const OpCases unsqueeze("Unsqueeze", {{.name = "TakesAxesFromAnAttributeInOldOpsets",
                                       .version = 11,
                                       .attributes = {integersAttribute("axes", {0})},
                                       .inputs = {floats({2}, {1, 2})},
                                       .outputs = {floats({1, 2}, {1, 2})}}});

// --- old forms of families that are tested elsewhere ---

const OpCases oldHardmax("Hardmax", {{.name = "TakesAllDimsFromTheAxisOnTogetherInOldOpsets",
                                      .version = 11,
                                      .inputs = {floats({1, 2, 2}, {1, 4, 2, 3})},
                                      .outputs = {floats({1, 2, 2}, {0, 1, 0, 0})}}});
const OpCases oldLogSoftmax("LogSoftmax", {{.name = "TakesAllDimsFromTheAxisOnTogetherInOldOpsets",
                                            .version = 11,
                                            .inputs = {floats({1, 2, 1}, {0, 1})},
                                            .outputs = {floats({1, 2, 1}, {-1.31326169F, -0.31326169F})}}});
const OpCases oldMax(
    "Max",
    {{.name = "TakesEqualShapesInOldOpsets", .version = 6, .inputs = {grid, grid}, .outputs = {grid}}});
const OpCases oldMin(
    "Min",
    {{.name = "TakesEqualShapesInOldOpsets", .version = 6, .inputs = {grid, grid}, .outputs = {grid}}});
const OpCases oldMean(
    "Mean",
    {{.name = "TakesEqualShapesInOldOpsets", .version = 6, .inputs = {grid, grid}, .outputs = {grid}}});
const OpCases oldSum("Sum", {{.name = "TakesEqualShapesInOldOpsets",
                              .version = 6,
                              .inputs = {grid, grid},
                              .outputs = {floats({2, 3}, {2, 4, 6, 8, 10, 12})}}});
const OpCases oldPow("Pow", {{.name = "AlignsAtAnAxisInOldOpsets",
                              .version = 1,
                              .attributes = {attribute("broadcast", 1), attribute("axis", 0)},
                              .inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2}, {1, 2})},
                              .outputs = {floats({2, 2}, {1, 2, 9, 16})}}});
const OpCases alignedPow("opscope", "Pow",
                         {{.name = "AlignsAtAnAxis",
                           .attributes = {attribute("axis", 0)},
                           .inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2}, {1, 2})},
                           .outputs = {floats({2, 2}, {1, 2, 9, 16})}}});

/// Reductions of [[1, 2]] along axis 1 with `axes` as an attribute.
std::vector<OpCase> axesAsAttribute(float result) {
    return {{.name = "TakesAxesFromAnAttributeInOldOpsets",
             .version = 11,
             .attributes = {integersAttribute("axes", {1})},
             .inputs = {floats({1, 2}, {1, 2})},
             .outputs = {floats({1, 1}, {result})}}};
}
const OpCases oldL1("ReduceL1", axesAsAttribute(3));
const OpCases oldL2("ReduceL2", axesAsAttribute(2.23606798F));
const OpCases oldLogSum("ReduceLogSum", axesAsAttribute(1.09861229F));
const OpCases oldLogSumExp("ReduceLogSumExp", axesAsAttribute(2.31326169F));
const OpCases oldReduceMax("ReduceMax", axesAsAttribute(2));
const OpCases oldReduceMin("ReduceMin", axesAsAttribute(1));
const OpCases oldProduct("ReduceProd", axesAsAttribute(2));
const OpCases oldSquares("ReduceSumSquare", axesAsAttribute(5));

}  // namespace
}  // namespace test
