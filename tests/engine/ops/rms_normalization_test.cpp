#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Float16;

const OpCases rmsNormalization(
    "RMSNormalization",
    {
        {.name = "NormalizesTheLastAxis",
         .inputs = {floats({2, 3}, {-1.5F, -1.25F, 0.75F, 0.75F, 1.5F, 0}),
                    floats({3}, {-0.5F, -0.75F, -0.5F})},
         .outputs = {floats({2, 3}, {0.6210569F, 0.7763212F, -0.31052846F, -0.38729626F, -1.1618888F, 0})}},
        {.name = "NormalizesSeveralAxes",
         .attributes = {attribute("axis", 1), attribute("epsilon", 0.25)},
         .inputs = {floats({2, 2, 2}, {0.75F, 0.25F, -0.75F, -1.25F, 1, -1, -1.25F, -0.75F}),
                    floats({2, 2}, {1.5F, -0.25F, 0.5F, -1.75F})},
         .outputs = {floats({2, 2, 2}, {1.161895F, -0.06454972F, -0.38729835F, 2.2592402F, 1.3251783F,
                                        0.22086304F, -0.55215764F, 1.159531F})}},
        {.name = "TakesHalfs",
         .inputs = {numbers<Float16>({1, 2}, {300, -400}), numbers<Float16>({2}, {1, 1})},
         .outputs = {numbers<Float16>({1, 2}, {0.8486328125, -1.1318359375})}},
        {.name = "GivesTheTypeOfTheScale",
         .inputs = {numbers<Float16>({1, 2}, {300, -400}), floats({2}, {1, 1})},
         .outputs = {floats({1, 2}, {0.84852814F, -1.1313709F})}},
        {.name = "RefusesAScaleThatDoesNotBroadcast",
         .inputs = {floats({2, 3}, {-0.75F, 1, 1.25F, 0.25F, 1.5F, -0.75F}), floats({2}, {-1.5F, -1.75F})},
         .error = "scale: found shape [2], expected one that broadcasts to [2, 3]"},
    });

const OpCases simplifiedLayerNormalization(
    "SimplifiedLayerNormalization",
    {
        {.name = "GivesTheInverseDeviation",
         .inputs = {floats({2, 3}, {-1.25F, 1, 1.75F, -1.5F, 0, -1.5F}), floats({3}, {1.5F, -1.5F, 0.5F})},
         .outputs = {floats({2, 3}, {-1.3693027F, -1.0954422F, 0.6390079F, -1.8371112F, 0, -0.6123704F}),
                     floats({2, 1}, {0.7302948F, 0.81649387F})}},
    });

}  // namespace
}  // namespace test
