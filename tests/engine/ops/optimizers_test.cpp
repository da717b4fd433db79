#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases adagrad(
    "ai.onnx.preview.training", "Adagrad",
    {{.name = "StepsDownTheGradient",
      .attributes = {attribute("norm_coefficient", 0.001), attribute("epsilon", 1e-05),
                     attribute("decay_factor", 0.1)},
      .inputs = {floats({}, {0.1F}), int64s({}, {0}), floats({2}, {1, 2.8F}), floats({2}, {-1, -2.5F}),
                 floats({2}, {2, 0.1F})},
      .outputs = {floats({2}, {1.0576962F, 2.8992074F}), floats({2}, {2.998001F, 6.3360076F})}},
     {.name = "StepsLessAndLess",
      .attributes = {attribute("decay_factor", 0.1)},
      .inputs = {floats({}, {0.1F}), int64s({}, {3}), floats({2}, {1, 2.8F}), floats({2}, {-1, -2.5F}),
                 floats({2}, {2, 0.1F})},
      .outputs = {floats({2}, {1.0444115F, 2.8763149F}), floats({2}, {3, 6.35F})}},
     {.name = "TakesSeveralTensors",
      .inputs = {floats({}, {0.1F}), int64s({}, {0}), floats({2}, {1, 2.8F}), floats({1}, {1}),
                 floats({2}, {-1, -2.5F}), floats({1}, {-1}), floats({2}, {2, 0.1F}), floats({1}, {2})},
      .outputs = {floats({2}, {1.057735F, 2.8992095F}), floats({1}, {1.057735F}), floats({2}, {3, 6.35F}),
                  floats({1}, {3})}},
     {.name = "RefusesAStateOfAnotherShape",
      .inputs = {floats({}, {0.1F}), int64s({}, {0}), floats({2}, {1, 2.8F}), floats({2}, {-1, -2.5F}),
                 floats({1}, {2})},
      .error = "a gradient or a state: found shape [1], expected [2]"},
     {.name = "RefusesAnIncompleteGroup",
      .inputs = {floats({}, {0.1F}), int64s({}, {0}), floats({2}, {1, 2.8F}), floats({2}, {-1, -2.5F})},
      .error = "found 4 inputs, expected the rate, the count of steps and 3"}});

const OpCases adam(
    "ai.onnx.preview.training", "Adam",
    {{.name = "StepsByRunningMeans",
      .attributes = {attribute("norm_coefficient", 0.001), attribute("alpha", 0.95), attribute("beta", 0.1),
                     attribute("epsilon", 1e-07)},
      .inputs = {floats({}, {0.1F}), int64s({}, {0}), floats({2}, {1, 2.8F}), floats({2}, {-1, -2.5F}),
                 floats({2}, {2, 0.1F}), floats({2}, {0.5F, 0.25F})},
      .outputs = {floats({2}, {0.8100089F, 2.8012576F}), floats({2}, {1.85005F, -0.029860035F}),
                  floats({2}, {0.94820094F, 5.637407F})}},
     {.name = "CorrectsTheFirstSteps",
      .attributes = {attribute("alpha", 0.95), attribute("beta", 0.85)},
      .inputs = {floats({}, {0.1F}), int64s({}, {3}), floats({2}, {1, 2.8F}), floats({2}, {-1, -2.5F}),
                 floats({2}, {2, 0.1F}), floats({2}, {0.5F, 0.25F})},
      .outputs = {floats({2}, {-0.06258763F, 2.8121843F}), floats({2}, {1.8499999F, -0.030000031F}),
                  floats({2}, {0.575F, 1.1499999F})}},
     {.name = "ShrinksAfterwards",
      .attributes = {attribute("norm_coefficient_post", 0.25)},
      .inputs = {floats({}, {0.1F}), int64s({}, {0}), doubles({2}, {1, 2.799999952316284}),
                 doubles({2}, {-1, -2.5}), doubles({2}, {2, 0.10000000149011612}), doubles({2}, {0.5, 0.25})},
      .outputs = {doubles({2}, {0.5697781178342725, 2.123717012735167}),
                  doubles({2}, {1.6999999284744263, -0.1600000606477261}),
                  doubles({2}, {0.5004999935626984, 0.25599992275238037})}},
     {.name = "ShrinksDoublesByAttributesAsDoubles",
      .attributes = {attribute("norm_coefficient_post", 0.01)},
      .inputs = {doubles({}, {0}), int64s({}, {0}), doubles({1}, {1000}), doubles({1}, {0}),
                 doubles({1}, {0}), doubles({1}, {1})},
      .outputs = {doubles({1}, {990.0000002235174}), doubles({1}, {0}),
                  doubles({1}, {0.9990000128746033})}}});

const OpCases momentum("ai.onnx.preview.training", "Momentum",
                       {{.name = "StepsByMomentum",
                         .attributes = {attribute("norm_coefficient", 0.001), attribute("alpha", 0.95),
                                        attribute("beta", 0.1), attribute("mode", "standard")},
                         .inputs = {floats({}, {0.1F}), int64s({}, {0}), floats({2}, {1, 2.8F}),
                                    floats({2}, {-1, -2.5F}), floats({2}, {2, 0.1F})},
                         .outputs = {floats({2}, {0.9099F, 3.04022F}), floats({2}, {0.90099996F, -2.4022F})}},
                        {.name = "LooksAheadByNesterov",
                         .attributes = {attribute("norm_coefficient", 0.001), attribute("alpha", 0.95),
                                        attribute("beta", 0.1), attribute("mode", "nesterov")},
                         .inputs = {floats({}, {0.1F}), int64s({}, {3}), floats({2}, {1, 2.8F}),
                                    floats({2}, {-1, -2.5F}), floats({2}, {2, 0.1F})},
                         .outputs = {floats({2}, {0.9288905F, 3.0644183F}),
                                     floats({2}, {1.8001F, -0.15472001F})}},
                        {.name = "RefusesAnUnknownMode",
                         .attributes = {attribute("norm_coefficient", 0.001), attribute("alpha", 0.95),
                                        attribute("beta", 0.1), attribute("mode", "fast")},
                         .inputs = {floats({}, {0.1F}), int64s({}, {0}), floats({2}, {1, 2.8F}),
                                    floats({2}, {-1, -2.5F}), floats({2}, {2, 0.1F})},
                         .error = "mode: found 'fast', expected standard or nesterov"}});

}  // namespace
}  // namespace test
