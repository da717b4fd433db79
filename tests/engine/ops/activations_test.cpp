#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Float16;

const OpCases celu("Celu", {
                               {.name = "BendsBelowZero",
                                .attributes = {attribute("alpha", 2.0)},
                                .inputs = {floats({3}, {-2, 0, 3})},
                                .outputs = {floats({3}, {-1.2642411F, 0, 3})}},
                               {.name = "HasAlphaOneByDefault",
                                .version = 12,
                                .inputs = {floats({2}, {-1, 1})},
                                .outputs = {floats({2}, {-0.63212056F, 1})}},
                           });
const OpCases elu("Elu", {
                             {.name = "BendsBelowZero",
                              .attributes = {attribute("alpha", 2.0)},
                              .inputs = {floats({3}, {-2, 0, 3})},
                              .outputs = {floats({3}, {-1.7293294F, 0, 3})}},
                             {.name = "HasAlphaOneByDefault",
                              .version = 1,
                              .inputs = {floats({2}, {-1, 1})},
                              .outputs = {floats({2}, {-0.63212056F, 1})}},
                             {.name = "RefusesAnAttributeOfAnotherKind",
                              .attributes = {attribute("alpha", "one")},
                              .inputs = {floats({1}, {1})},
                              .error = "alpha"},
                         });
const OpCases hardSigmoid("HardSigmoid", {
                                             {.name = "IsALineBetweenZeroAndOne",
                                              .inputs = {floats({5}, {-3, -1, 0, 1, 3})},
                                              .outputs = {floats({5}, {0, 0.3F, 0.5F, 0.7F, 1})}},
                                             {.name = "TakesSlopeAndOffset",
                                              .attributes = {attribute("alpha", 0.5), attribute("beta", 0.6)},
                                              .inputs = {floats({3}, {-1, 0, 1})},
                                              .outputs = {floats({3}, {0.1F, 0.6F, 1})}},
                                         });
const OpCases hardSwish("HardSwish", {
                                         {.name = "IsZeroBelowMinusThreeAndTheInputAboveThree",
                                          .inputs = {floats({4}, {-4, -1, 1, 4})},
                                          .outputs = {floats({4}, {0, -0.33333334F, 0.6666667F, 4})}},
                                         {.name = "WorksInHalf",
                                          .inputs = {numbers<Float16>({2}, {-1, 1})},
                                          .outputs = {numbers<Float16>({2}, {-0.33333334, 0.6666667})}},
                                     });
const OpCases leakyRelu("LeakyRelu", {
                                         {.name = "ScalesNegativeNumbers",
                                          .attributes = {attribute("alpha", 0.1)},
                                          .inputs = {floats({3}, {-1, 0, 1})},
                                          .outputs = {floats({3}, {-0.1F, 0, 1})}},
                                         {.name = "HasASlopeOfOneHundredthByDefault",
                                          .version = 1,
                                          .inputs = {floats({1}, {-1})},
                                          .outputs = {floats({1}, {-0.01F})}},
                                     });
const OpCases selu("Selu", {
                               {.name = "BendsBelowZero",
                                .attributes = {attribute("alpha", 2.0), attribute("gamma", 3.0)},
                                .inputs = {floats({3}, {-1, 0, 1})},
                                .outputs = {floats({3}, {-3.7927234F, 0, 3})}},
                               {.name = "HasItsOwnConstantsByDefault",
                                .inputs = {floats({2}, {-1, 1})},
                                .outputs = {floats({2}, {-1.1113307F, 1.050701F})}},
                               {.name = "HadFewerDigitsInTheFirstOpset",
                                .version = 1,
                                .inputs = {floats({2}, {-1, 1})},
                                .outputs = {floats({2}, {-1.1112886F, 1.0507F})}},
                           });
const OpCases shrink("Shrink", {
                                   {.name = "ZeroesTheMiddle",
                                    .attributes = {attribute("lambd", 1.5)},
                                    .inputs = {floats({5}, {-2, -1, 0, 1, 2})},
                                    .outputs = {floats({5}, {-2, 0, 0, 0, 2})}},
                                   {.name = "MovesTheRestTowardsZero",
                                    .attributes = {attribute("lambd", 1.5), attribute("bias", 1.5)},
                                    .inputs = {floats({5}, {-2, -1, 0, 1, 2})},
                                    .outputs = {floats({5}, {-0.5F, 0, 0, 0, 0.5F})}},
                                   {.name = "WorksOnIntegers",
                                    .attributes = {attribute("lambd", 1.5), attribute("bias", 1.0)},
                                    .inputs = {numbers<int32_t>({4}, {-3, -1, 1, 3})},
                                    .outputs = {numbers<int32_t>({4}, {-2, 0, 0, 2})}},
                               });
const OpCases swish("Swish", {
                                 {.name = "WeighsByTheSigmoid",
                                  .inputs = {floats({3}, {-1, 0, 2})},
                                  .outputs = {floats({3}, {-0.26894143F, 0, 1.7615942F})}},
                                 {.name = "ScalesInsideTheSigmoid",
                                  .attributes = {attribute("alpha", 2.0)},
                                  .inputs = {floats({2}, {-1, 1})},
                                  .outputs = {floats({2}, {-0.11920292F, 0.880797F})}},
                                 {.name = "IsZeroFarBelow",
                                  .inputs = {floats({2}, {-3e38F, 3e38F})},
                                  .outputs = {floats({2}, {0, 3e38F})}},
                             });
const OpCases thresholdedRelu("ThresholdedRelu", {
                                                     {.name = "KeepsWhatIsAboveAlpha",
                                                      .attributes = {attribute("alpha", 2.0)},
                                                      .inputs = {floats({3}, {1.5F, 2, 2.5F})},
                                                      .outputs = {floats({3}, {0, 0, 2.5F})}},
                                                     {.name = "HasAThresholdOfOneByDefault",
                                                      .version = 10,
                                                      .inputs = {floats({2}, {1, 1.5F})},
                                                      .outputs = {floats({2}, {0, 1.5F})}},
                                                     {.name = "IsZeroOfNan",
                                                      .inputs = {floats({2}, {NAN, 2})},
                                                      .outputs = {floats({2}, {0, 2})}},
                                                 });

}  // namespace
}  // namespace test
