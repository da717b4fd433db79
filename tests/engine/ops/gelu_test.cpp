#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases gelu(
    "Gelu",
    {{.name = "IsExactByDefault",
      .inputs = {floats({5}, {-2, -0.5F, 0, 1, 3})},
      .outputs = {floats({5}, {-0.04550028F, -0.15426877F, 0, 0.8413447F, 2.9959502F})}},
     {.name = "ApproximatesByTanh",
      .attributes = {attribute("approximate", "tanh")},
      .inputs = {floats({5}, {-2, -0.5F, 0, 1, 3})},
      .outputs = {floats({5}, {-0.045402348F, -0.154286F, 0, 0.841192F, 2.9963627F})}},
     {.name = "TakesHalves",
      .inputs = {numbers<engine::Float16>({1, 2}, {-1, 0.5})},
      .outputs = {numbers<engine::Float16>({1, 2}, {-0.15869140625, 0.345703125})}},
     {.name = "TakesDoubles",
      .inputs = {doubles({2}, {-1, 0.5})},
      .outputs = {doubles({2}, {-0.15865525393145707, 0.34573123063700656})}},
     {.name = "KeepsAnEmptyTensorEmpty", .inputs = {floats({0, 3}, {})}, .outputs = {floats({0, 3}, {})}},
     {.name = "RefusesAnUnknownApproximation",
      .attributes = {attribute("approximate", "erf")},
      .inputs = {floats({5}, {-2, -0.5F, 0, 1, 3})},
      .error = "attribute 'approximate' is 'erf'"}});

const OpCases microsoftGelu("com.microsoft", "Gelu",
                            {{.name = "IsExact",
                              .inputs = {floats({5}, {-2, -0.5F, 0, 1, 3})},
                              .outputs = {
                                  floats({5}, {-0.04550028F, -0.15426877F, 0, 0.8413447F, 2.9959502F})}}});

const OpCases biasGelu(
    "com.microsoft", "BiasGelu",
    {{.name = "AddsABiasAlongTheLastAxis",
      .inputs = {floats({2, 3}, {-1, -0.5F, 0, 0.5F, 1, 1.5F}), floats({3}, {1, -1, 0.5F})},
      .outputs = {floats({2, 3}, {0, -0.100210816F, 0.34573123F, 1.3997892F, 0, 1.9544997F})}},
     {.name = "RefusesABiasOfAnotherLength",
      .inputs = {floats({2, 3}, {0, 1, 2, 3, 4, 5}), floats({2}, {1, 2})},
      .error = "bias: found shape [2], expected [3]"}});

const OpCases fastGelu(
    "com.microsoft", "FastGelu",
    {{.name = "AddsABiasAlongTheLastAxis",
      .inputs = {floats({2, 3}, {-1, -0.5F, 0, 0.5F, 1, 1.5F}), floats({3}, {1, -1, 0.5F})},
      .outputs = {floats({2, 3}, {0, -0.10042843F, 0.345714F, 1.3995715F, 0, 1.9545977F})}},
     {.name = "RefusesABiasOfAnotherLength",
      .inputs = {floats({2, 3}, {0, 1, 2, 3, 4, 5}), floats({2}, {1, 2})},
      .error = "bias: found shape [2], expected [3]"},
     {.name = "NeedsNoBias",
      .inputs = {floats({5}, {-2, -0.5F, 0, 1, 3})},
      .outputs = {floats({5}, {-0.045402348F, -0.154286F, 0, 0.841192F, 2.9963627F})}}});

const OpCases quickGelu("com.microsoft", "QuickGelu",
                        {{.name = "WeighsTheSigmoidBy1702ByDefault",
                          .inputs = {floats({5}, {-2, -0.5F, 0, 1, 3})},
                          .outputs = {floats({5}, {-0.06434137F, -0.14961158F, 0, 0.84579575F, 2.9819288F})}},
                         {.name = "TakesAnyAlpha",
                          .attributes = {attribute("alpha", -0.5)},
                          .inputs = {floats({5}, {-2, -0.5F, 0, 1, 3})},
                          .outputs = {floats({5}, {-1.4621172F, -0.28108823F, 0, 0.3775407F, 0.5472767F})}}});

}  // namespace
}  // namespace test
