#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Float16;

const OpCases layerNormalization(
    "LayerNormalization",
    {
        {.name = "NormalizesTheLastAxis",
         .inputs = {floats({2, 3}, {-1.25F, 0.25F, 0.25F, -0.5F, 0.5F, -1}),
                    floats({3}, {0.5F, 1.25F, -1.75F}), floats({3}, {-0.25F, 0.75F, -2})},
         .outputs = {floats({2, 3},
                            {-0.9570997F, 1.6338747F, -3.2374244F, -0.3836289F, 2.4203613F, -0.12919557F})}},
        {.name = "DoesWithoutBias",
         .inputs = {floats({2, 3}, {-1.25F, 0.25F, 0.25F, -0.5F, 0.5F, -1}),
                    floats({3}, {0.5F, 1.25F, -1.75F})},
         .outputs = {floats({2, 3},
                            {-0.7070997F, 0.8838746F, -1.2374244F, -0.13362889F, 1.6703613F, 1.8708044F})}},
        {.name = "NormalizesSeveralAxes",
         .attributes = {attribute("axis", 1), attribute("epsilon", 0.25)},
         .inputs = {floats({2, 2, 2}, {0.5F, 1.75F, 1.5F, 0.75F, 1.25F, -0.5F, -0.75F, -1.75F}),
                    floats({2, 2}, {1, -0.75F, 1.5F, -0.25F}), floats({2, 2}, {1.75F, -1.5F, -1.5F, -0.75F})},
         .outputs = {floats({2, 2, 2}, {0.87961173F, -2.1527913F, -0.7166506F, -0.61944175F, 3.1671324F,
                                        -1.4606352F, -1.8936479F, -0.47444648F})}},
        {.name = "GivesStatistics",
         .inputs = {floats({2, 2, 3},
                           {-2, 0, 0.75F, 0.75F, -1.25F, -1.5F, 0.25F, 0.5F, 2, 1.75F, -0.5F, -1.5F}),
                    floats({3}, {0.5F, 1.25F, -1.75F}), floats({3}, {-0.25F, 0.75F, -2})},
         .outputs = {floats({2, 2, 3},
                            {-0.9320576F, 1.1987221F, -3.758991F, 0.45346153F, 0.025848329F, -0.5516968F,
                             -0.6813275F, 0.07605076F, -4.453175F, 0.42445135F, 0.36678895F, -0.17591536F}),
                     floats({2, 2, 1}, {-0.4166667F, -0.6666666F, 0.9166667F, -0.08333331F}),
                     floats({2, 2, 1}, {0.8615465F, 0.99312216F, 1.2939825F, 0.73576516F})}},
        {.name = "BroadcastsTheScale",
         .inputs = {floats({2, 3}, {-1, 1.5F, -0.25F, 2, 0.75F, 0.5F}), floats({2, 1}, {-1.75F, 0.5F})},
         .outputs = {floats({2, 3},
                            {1.8098845F, -2.366772F, 0.5568875F, 0.6984925F, -0.25399733F, -0.4444953F})}},
        {.name = "KeepsLargeHalfsApart",
         .inputs = {numbers<Float16>({1, 4}, {400, -400, 399.5, 0}), numbers<Float16>({4}, {1, 1, 1, 1})},
         .outputs = {numbers<Float16>({1, 4}, {0.9052734375, -1.5078125, 0.90380859375, -0.30126953125})}},
        {.name = "RefusesAxesOutOfRange",
         .attributes = {attribute("axis", 2)},
         .inputs = {floats({2, 3}, {-1.25F, 0.25F, 0.25F, -0.5F, 0.5F, -1}),
                    floats({3}, {0.5F, 1.25F, -1.75F})},
         .error = "axis 2 is out of range for rank 2"},
        {.name = "RefusesAScaleThatDoesNotBroadcast",
         .inputs = {floats({2, 3}, {-1.25F, 0.25F, 0.25F, -0.5F, 0.5F, -1}), floats({2}, {-0.5F, 1.5F})},
         .error = "Scale: found shape [2], expected one that broadcasts to [2, 3]"},
    });

}  // namespace
}  // namespace test
