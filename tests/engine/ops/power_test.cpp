#include <limits>

#include <gtest/gtest.h>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const float nan = std::numeric_limits<float>::quiet_NaN();
const float infinity = std::numeric_limits<float>::infinity();

// Values by numpy.
const OpCases pow("Pow", {{.name = "TakesExponentsOfAnotherType",
                           .inputs = {floats({3}, {2, 3, 4}), int64s({}, {2})},
                           .outputs = {floats({3}, {4, 9, 16})}},
                          {.name = "OfIntegersIsExact",
                           .inputs = {int64s({2}, {3, -2}), int64s({2}, {39, 3})},
                           .outputs = {int64s({2}, {4052555153018976267, -8})}},
                          {.name = "OfANegativeNumberToAFractionIsNan",
                           .inputs = {floats({2}, {-1, 4}), floats({}, {0.5F})},
                           .outputs = {floats({2}, {nan, 2})}}});

const OpCases mod("Mod", {{.name = "HasTheSignOfTheDivisor",
                           .inputs = {int64s({4}, {-4, 7, 5, -4}), int64s({4}, {2, -3, 8, 3})},
                           .outputs = {int64s({4}, {0, -2, 5, 2})}},
                          {.name = "HasTheSignOfTheDividendIfFmod",
                           .attributes = {attribute("fmod", 1)},
                           .inputs = {floats({3}, {-4.3F, 7.2F, 5}), floats({3}, {2.1F, -3.4F, 8})},
                           .outputs = {floats({3}, {-0.1F, 0.4F, 5})}},
                          {.name = "RefusesIntegerDivisionByZero",
                           .inputs = {int32s({1}, {1}), int32s({1}, {0})},
                           .error = "division by zero"}});

const OpCases clip("Clip", {{.name = "KeepsBetweenItsBounds",
                             .inputs = {floats({3}, {-2, 0, 2}), floats({}, {-1}), floats({}, {1})},
                             .outputs = {floats({3}, {-1, 0, 1})}},
                            {.name = "ABoundMayBeMissing",
                             .inputs = {int32s({3}, {-2, 0, 2}), {}, int32s({}, {1})},
                             .outputs = {int32s({3}, {-2, 0, 1})}},
                            {.name = "TheUpperBoundWinsOverALargerLowerOne",
                             .inputs = {floats({2}, {-2, 6}), floats({}, {2}), floats({}, {1})},
                             .outputs = {floats({2}, {1, 1})}},
                            {.name = "HandsNanOn",
                             .inputs = {floats({1}, {nan}), floats({}, {0}), floats({}, {1})},
                             .outputs = {floats({1}, {nan})}},
                            {.name = "RefusesABoundForEachElement",
                             .inputs = {floats({3}, {-2, 0, 2}), floats({3}, {-1, 0, 1})},
                             .error = "min: found shape [3], expected a single element"},
                            {.name = "RefusesABoundOfMoreAxes",
                             .inputs = {floats({2}, {-2, 2}), floats({1, 2, 2}, {-1, 0, 1, 2})},
                             .error = "min: found shape [1, 2, 2], expected a single element"},
                            {.name = "TakesBoundsFromAttributesInOldOpsets",
                             .version = 6,
                             .attributes = {attribute("min", -1.0), attribute("max", 1.0)},
                             .inputs = {floats({2}, {-2, 2})},
                             .outputs = {floats({2}, {-1, 1})}}});
const OpCases oldClip("opscope", "Clip",
                      {{.name = "TakesBoundsFromAttributes",
                        .attributes = {attribute("max", 1.0)},
                        .inputs = {doubles({2}, {-2, 2})},
                        .outputs = {doubles({2}, {-2, 1})}}});

const OpCases max("Max", {{.name = "BroadcastsAllItsInputs",
                           .inputs = {floats({2, 1}, {1, 4}), floats({2}, {2, 3}), floats({}, {2.5F})},
                           .outputs = {floats({2, 2}, {2.5F, 3, 4, 4})}},
                          {.name = "NanWins",
                           .inputs = {floats({2}, {nan, 1}), floats({2}, {1, nan})},
                           .outputs = {floats({2}, {nan, nan})}},
                          {.name = "ComparesShapeArithmetic",
                           .inputs = {int64s({2}, {1, 5}), int64s({1}, {3})},
                           .outputs = {int64s({2}, {3, 5})}}});
const OpCases min("Min", {{.name = "TakesASingleInput",
                           .inputs = {floats({1}, {infinity})},
                           .outputs = {floats({1}, {infinity})}},
                          {.name = "ComparesUnsigned",
                           .inputs = {numbers<uint8_t>({2}, {200, 3}), numbers<uint8_t>({2}, {100, 4})},
                           .outputs = {numbers<uint8_t>({2}, {100, 3})}}});
const OpCases sum("Sum", {{.name = "AddsAllItsInputs",
                           .inputs = {floats({2}, {1, 2}), floats({2}, {3, 4}), floats({}, {10})},
                           .outputs = {floats({2}, {14, 16})}}});
const OpCases mean("Mean", {{.name = "Averages",
                             .inputs = {floats({2}, {1, 2}), floats({2}, {3, 6})},
                             .outputs = {floats({2}, {2, 4})}}});

const OpCases dropout("Dropout", {{.name = "HandsItsInputOnOutsideOfTraining",
                                   .inputs = {floats({2}, {1, 2}), floats({}, {0.5F})},
                                   .outputs = {floats({2}, {1, 2}), bools({2}, {true, true})}},
                                  {.name = "TakesFloatsOfEightBits",
                                   .inputs = {numbers<engine::Float8E5M2>({2}, {1, 2})},
                                   .outputs = {numbers<engine::Float8E5M2>({2}, {1, 2})}},
                                  {.name = "TakesItsRatioFromAnAttributeInOldOpsets",
                                   .version = 10,
                                   .attributes = {attribute("ratio", 0.25)},
                                   .inputs = {floats({2}, {1, 2})},
                                   .outputs = {floats({2}, {1, 2})}},
                                  // numpy.random.seed(7); numpy.random.uniform(size=(2, 4)) >= 0.5
                                  {.name = "DropsWhatOnnxDropsForASeed",
                                   .attributes = {attribute("seed", 7)},
                                   .inputs = {floats({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7}), floats({}, {0.5F}),
                                              bools({}, {true})},
                                   .check =
                                       [](const std::vector<engine::Datum>& outputs) {
                                           const auto kept = outputs.at(0).tensor().values<float>();
                                           const std::vector<float> found(kept.begin(), kept.end());
                                           EXPECT_EQ(found, (std::vector<float>{0, 2, 0, 6, 8, 10, 12, 0}));
                                       }},
                                  {.name = "RefusesARatioOfOneInTraining",
                                   .inputs = {floats({2}, {1, 2}), floats({}, {1}), bools({}, {true})},
                                   .error = "the ratio is 1"}});

}  // namespace
}  // namespace test
