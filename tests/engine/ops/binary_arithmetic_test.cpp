#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::BFloat16;
using engine::Float16;

constexpr int64_t smallest = std::numeric_limits<int64_t>::min();
constexpr int64_t largest = std::numeric_limits<int64_t>::max();

const OpCases add("Add", {
                             {.name = "AddsEqualShapes",
                              .inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {10, 20, 30, 40})},
                              .outputs = {floats({2, 2}, {11, 22, 33, 44})}},
                             {.name = "BroadcastsBothSides",
                              .inputs = {floats({2, 1}, {10, 20}), floats({3}, {1, 2, 3})},
                              .outputs = {floats({2, 3}, {11, 12, 13, 21, 22, 23})}},
                             {.name = "BroadcastsAScalar",
                              .inputs = {floats({}, {1}), floats({2, 2}, {1, 2, 3, 4})},
                              .outputs = {floats({2, 2}, {2, 3, 4, 5})}},
                             {.name = "BroadcastsAMiddleAxis",
                              .inputs = {floats({2, 1, 2}, {1, 2, 3, 4}), floats({1, 2, 1}, {10, 20})},
                              .outputs = {floats({2, 2, 2}, {11, 12, 21, 22, 13, 14, 23, 24})}},
                             {.name = "WrapsIntegers",
                              .inputs = {numbers<uint8_t>({2}, {250, 1}), numbers<uint8_t>({2}, {10, 1})},
                              .outputs = {numbers<uint8_t>({2}, {4, 2})}},
                             {.name = "WrapsTheLargestInteger",
                              .inputs = {int64s({1}, {largest}), int64s({1}, {1})},
                              .outputs = {int64s({1}, {smallest})}},
                             {.name = "RoundsHalfOnce",
                              .inputs = {numbers<Float16>({1}, {2048}), numbers<Float16>({1}, {1})},
                              .outputs = {numbers<Float16>({1}, {2048})}},
                             {.name = "WorksInBFloat16",
                              .inputs = {numbers<BFloat16>({1}, {1.5}), numbers<BFloat16>({1}, {2.5})},
                              .outputs = {numbers<BFloat16>({1}, {4})}},
                             {.name = "KeepsEmptyWhatIsEmpty",
                              .inputs = {floats({0, 2}, {}), floats({1, 2}, {1, 2})},
                              .outputs = {floats({0, 2}, {})}},
                             {.name = "AddsRowsAndColumnsOfIntegers",
                              .inputs = {int64s({2, 1}, {10, 20}), int64s({1, 3}, {1, 2, 3})},
                              .outputs = {int64s({2, 3}, {11, 12, 13, 21, 22, 23})}},
                             {.name = "BroadcastsAMiddleAxisOfIntegers",
                              .inputs = {numbers<int32_t>({2, 1, 2}, {1, 2, 3, 4}),
                                         numbers<int32_t>({1, 2, 1}, {10, 20})},
                              .outputs = {numbers<int32_t>({2, 2, 2}, {11, 12, 21, 22, 13, 14, 23, 24})}},
                             {.name = "AddsShapeArithmetic",
                              .inputs = {int64s({3}, {2, 3, 4}), int64s({1}, {5})},
                              .outputs = {int64s({3}, {7, 8, 9})}},
                             {.name = "RefusesShapesThatDoNotBroadcast",
                              .inputs = {floats({2}, {1, 2}), floats({3}, {1, 2, 3})},
                              .error = "dims 2 and 3 cannot be broadcast"},
                             {.name = "RefusesDifferentTypes",
                              .inputs = {floats({1}, {1}), doubles({1}, {1})},
                              .error = "found elements of type float and double"},
                             {.name = "RefusesStrings",
                              .inputs = {strings({1}, {"a"}), strings({1}, {"b"})},
                              .error = "element type string"},
                             {.name = "AlignsAtAnAxisInOldOpsets",
                              .version = 6,
                              .attributes = {attribute("broadcast", 1), attribute("axis", 0)},
                              .inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2}, {10, 20})},
                              .outputs = {floats({2, 2}, {11, 12, 23, 24})}},
                             {.name = "AlignsAtTheEndInOldOpsets",
                              .version = 1,
                              .attributes = {attribute("broadcast", 1), attribute("axis", 1)},
                              .inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2}, {10, 20})},
                              .outputs = {floats({2, 2}, {11, 22, 13, 24})}},
                             {.name = "BroadcastsWithoutAnAxisInOldOpsets",
                              .version = 6,
                              .attributes = {attribute("broadcast", 1)},
                              .inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({1}, {10})},
                              .outputs = {floats({2, 2}, {11, 12, 13, 14})}},
                         });
const OpCases alignedAdd("opscope", "Add",
                         {
                             {.name = "AlignsAtAnAxis",
                              .attributes = {attribute("axis", 1)},
                              .inputs = {floats({1, 2, 2}, {1, 2, 3, 4}), floats({2}, {10, 20})},
                              .outputs = {floats({1, 2, 2}, {11, 12, 23, 24})}},
                             {.name = "RefusesWhatDoesNotFit",
                              .attributes = {attribute("axis", 1)},
                              .inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {1, 2, 3, 4})},
                              .error = "does not fit into"},
                         });

/// The old form and the form that replaces it, for operators whose own cases show the rest.
std::vector<OpCase> alignedCases(engine::Tensor left, engine::Tensor right, engine::Tensor result) {
    return {{.name = "AlignsAtAnAxis",
             .attributes = {attribute("axis", 0)},
             .inputs = {left, right},
             .outputs = {result}}};
}
std::vector<OpCase> oldCases(engine::Tensor left, engine::Tensor right, engine::Tensor result) {
    return {{.name = "AlignsAtAnAxisInOldOpsets",
             .version = 1,
             .attributes = {attribute("broadcast", 1), attribute("axis", 0)},
             .inputs = {left, right},
             .outputs = {result}}};
}

const OpCases logicalAnd("And", {
                                    {.name = "HoldsWhereBothDo",
                                     .inputs = {bools({4}, {false, false, true, true}),
                                                bools({4}, {false, true, false, true})},
                                     .outputs = {bools({4}, {false, false, false, true})}},
                                    {.name = "Broadcasts",
                                     .inputs = {bools({2, 1}, {false, true}), bools({2}, {false, true})},
                                     .outputs = {bools({2, 2}, {false, false, false, true})}},
                                    {.name = "RefusesNumbers",
                                     .inputs = {floats({1}, {1}), floats({1}, {1})},
                                     .error = "element type float"},
                                });
const engine::Tensor claims = bools({2, 1}, {false, true});
const engine::Tensor otherClaims = bools({2}, {true, true});
const OpCases oldAnd("And", oldCases(claims, otherClaims, claims));
const OpCases alignedAnd("opscope", "And", alignedCases(claims, otherClaims, claims));
const OpCases logicalOr("Or", {
                                  {.name = "HoldsWhereOneDoes",
                                   .inputs = {bools({4}, {false, false, true, true}),
                                              bools({4}, {false, true, false, true})},
                                   .outputs = {bools({4}, {false, true, true, true})}},
                              });
const OpCases oldOr("Or", oldCases(claims, otherClaims, bools({2, 1}, {true, true})));
const OpCases alignedOr("opscope", "Or", alignedCases(claims, otherClaims, bools({2, 1}, {true, true})));
const OpCases logicalXor("Xor", {
                                    {.name = "HoldsWhereTheyDiffer",
                                     .inputs = {bools({4}, {false, false, true, true}),
                                                bools({4}, {false, true, false, true})},
                                     .outputs = {bools({4}, {false, true, true, false})}},
                                });
const OpCases oldXor("Xor", oldCases(claims, otherClaims, bools({2, 1}, {true, false})));
const OpCases alignedXor("opscope", "Xor", alignedCases(claims, otherClaims, bools({2, 1}, {true, false})));

const OpCases bitwiseAnd("BitwiseAnd",
                         {
                             {.name = "TakesBitsInBoth",
                              .inputs = {int32s({2}, {12, -1}), int32s({1}, {10})},
                              .outputs = {int32s({2}, {8, 10})}},
                             {.name = "WorksOnBytes",
                              .inputs = {numbers<uint8_t>({1}, {255}), numbers<uint8_t>({1}, {16})},
                              .outputs = {numbers<uint8_t>({1}, {16})}},
                         });
const OpCases bitwiseOr("BitwiseOr", {
                                         {.name = "TakesBitsInEither",
                                          .inputs = {int32s({2}, {12, 0}), int32s({1}, {10})},
                                          .outputs = {int32s({2}, {14, 10})}},
                                     });
const OpCases bitwiseXor("BitwiseXor", {
                                           {.name = "TakesBitsInOneOnly",
                                            .inputs = {int32s({2}, {12, 0}), int32s({1}, {10})},
                                            .outputs = {int32s({2}, {6, 10})}},
                                       });

const OpCases div("Div", {
                             {.name = "DividesFloats",
                              .inputs = {floats({3}, {1, -1, 0}), floats({3}, {4, 0, 0})},
                              .outputs = {floats({3}, {0.25F, -std::numeric_limits<float>::infinity(),
                                                       std::numeric_limits<float>::quiet_NaN()})}},
                             {.name = "RoundsIntegersTowardsZero",
                              .inputs = {int32s({4}, {7, -7, 7, -7}), int32s({4}, {2, 2, -2, -2})},
                              .outputs = {int32s({4}, {3, -3, -3, 3})}},
                             {.name = "WrapsTheSmallestIntegerOverMinusOne",
                              .inputs = {int64s({1}, {smallest}), int64s({1}, {-1})},
                              .outputs = {int64s({1}, {smallest})}},
                             {.name = "RefusesAZeroAmongManyDivisors",
                              .inputs = {int64s({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), int64s({4}, {1, 2, 3, 0})},
                              .error = "division by zero"},
                             {.name = "DividesNothingByZero",
                              .inputs = {int64s({0, 2}, {}), int64s({2}, {0, 0})},
                              .outputs = {int64s({0, 2}, {})}},
                             {.name = "RefusesAnIntegerDivisionByZero",
                              .inputs = {int32s({1}, {1}), int32s({1}, {0})},
                              .error = "division by zero"},
                             {.name = "DividesShapeArithmetic",
                              .inputs = {int64s({3}, {8, 9, -9}), int64s({}, {2})},
                              .outputs = {int64s({3}, {4, 4, -4})}},
                         });
const OpCases mul("Mul", {
                             {.name = "Multiplies",
                              .inputs = {floats({2, 1}, {2, 3}), floats({1, 2}, {5, 7})},
                              .outputs = {floats({2, 2}, {10, 14, 15, 21})}},
                             {.name = "WrapsIntegers",
                              .inputs = {numbers<int8_t>({1}, {100}), numbers<int8_t>({1}, {3})},
                              .outputs = {numbers<int8_t>({1}, {44})}},
                             {.name = "MultipliesShapeArithmetic",
                              .inputs = {int64s({2}, {2, 3}), int64s({2}, {5, 7})},
                              .outputs = {int64s({2}, {10, 21})}},
                         });
const OpCases sub("Sub", {
                             {.name = "Subtracts",
                              .inputs = {floats({2, 1}, {2, 3}), floats({1, 2}, {5, 7})},
                              .outputs = {floats({2, 2}, {-3, -5, -2, -4})}},
                             {.name = "WrapsUnsigned",
                              .inputs = {numbers<uint32_t>({1}, {1}), numbers<uint32_t>({1}, {2})},
                              .outputs = {numbers<uint32_t>({1}, {4294967295})}},
                             {.name = "SubtractsShapeArithmetic",
                              .inputs = {int64s({2}, {2, 3}), int64s({1}, {1})},
                              .outputs = {int64s({2}, {1, 2})}},
                         });
const engine::Tensor grid = floats({2, 2}, {1, 2, 3, 4});
const engine::Tensor pair = floats({2}, {2, 4});
const OpCases oldDiv("Div", oldCases(grid, pair, floats({2, 2}, {0.5F, 1, 0.75F, 1})));
const OpCases alignedDiv("opscope", "Div", alignedCases(grid, pair, floats({2, 2}, {0.5F, 1, 0.75F, 1})));
const OpCases oldMul("Mul", oldCases(grid, pair, floats({2, 2}, {2, 4, 12, 16})));
const OpCases alignedMul("opscope", "Mul", alignedCases(grid, pair, floats({2, 2}, {2, 4, 12, 16})));
const OpCases oldSub("Sub", oldCases(grid, pair, floats({2, 2}, {-1, 0, -1, 0})));
const OpCases alignedSub("opscope", "Sub", alignedCases(grid, pair, floats({2, 2}, {-1, 0, -1, 0})));

const OpCases prelu("PRelu", {
                                 {.name = "ScalesNegativeNumbersPerChannel",
                                  .inputs = {floats({2, 2}, {-1, -2, 3, -4}), floats({2}, {0.5F, 2})},
                                  .outputs = {floats({2, 2}, {-0.5F, -4, 3, -8})}},
                                 {.name = "WorksOnIntegers",
                                  .inputs = {int32s({2}, {-3, 3}), int32s({1}, {2})},
                                  .outputs = {int32s({2}, {-6, 3})}},
                                 {.name = "AlignsTheSlopeWithChannelsInOldOpsets",
                                  .version = 6,
                                  .inputs = {floats({1, 2, 2}, {-1, -2, -3, -4}), floats({2}, {0.5F, 2})},
                                  .outputs = {floats({1, 2, 2}, {-0.5F, -1, -6, -8})}},
                                 {.name = "TakesOneSlopeInOldOpsets",
                                  .version = 1,
                                  .inputs = {floats({1, 2}, {-1, -2}), floats({1}, {0.5F})},
                                  .outputs = {floats({1, 2}, {-0.5F, -1})}},
                             });
const OpCases alignedPRelu("opscope", "PRelu",
                           alignedCases(floats({2, 1}, {-1, -2}), floats({2}, {0.5F, 2}),
                                        floats({2, 1}, {-0.5F, -4})));

}  // namespace
}  // namespace test
