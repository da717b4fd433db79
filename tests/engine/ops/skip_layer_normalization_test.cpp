#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases skipLayerNormalization(
    "com.microsoft", "SkipLayerNormalization",
    {
        {.name = "NormalizesTheSum",
         .attributes = {attribute("epsilon", 0.01)},
         .inputs = {floats({1, 2, 3}, {-1.75F, 1, 1.75F, 1, -1, 1.5F}),
                    floats({1, 2, 3}, {-0.75F, 1, 1.5F, 0, 0.5F, 1.5F}), floats({3}, {-1.25F, -2, -0.25F}),
                    floats({3}, {-1.25F, 1.75F, 1.5F}), floats({3}, {-0.5F, -0.75F, 1})},
         .outputs = {floats({1, 2, 3},
                            {0.36004436F, 1.4699923F, 1.2129921F, -0.91627353F, 3.8858495F, 1.1662736F})}},
        {.name = "DoesWithoutBetaAndBias",
         .attributes = {attribute("epsilon", 0.01)},
         .inputs = {floats({1, 2, 3}, {-1.75F, 1, 1.75F, 1, -1, 1.5F}),
                    floats({1, 2, 3}, {-0.75F, 1, 1.5F, 0, 0.5F, 1.5F}), floats({3}, {-1.25F, -2, -0.25F})},
         .outputs = {floats({1, 2, 3},
                            {1.7281868F, -0.8767388F, -0.23604508F, 0.14495744F, 2.319318F, -0.31890622F})}},
        {.name = "GivesTheSum",
         .attributes = {attribute("epsilon", 0.01)},
         .inputs = {floats({1, 2, 3}, {-1.75F, 1, 1.75F, 1, -1, 1.5F}),
                    floats({1, 2, 3}, {-0.75F, 1, 1.5F, 0, 0.5F, 1.5F}), floats({3}, {-1.25F, -2, -0.25F}),
                    floats({3}, {-1.25F, 1.75F, 1.5F}), floats({3}, {-0.5F, -0.75F, 1})},
         .outputs = {floats({1, 2, 3},
                            {0.36004436F, 1.4699923F, 1.2129921F, -0.91627353F, 3.8858495F, 1.1662736F}),
                     {},
                     {},
                     floats({1, 2, 3}, {-3, 1.25F, 4.25F, 0.5F, -1.25F, 4})}},
        {.name = "RefusesASkipOfAnotherShape",
         .inputs = {floats({1, 2, 3}, {-1.75F, 1, 1.75F, 1, -1, 1.5F}),
                    floats({1, 2, 2}, {-0.25F, -1.75F, 0.75F, 1}), floats({3}, {-1.25F, -2, -0.25F})},
         .error = "skip: found shape [1, 2, 2], expected one that broadcasts to [1, 2, 3]"},
    });

const OpCases skipSimplifiedLayerNormalization(
    "com.microsoft", "SkipSimplifiedLayerNormalization",
    {
        {.name = "NormalizesTheSum",
         .attributes = {attribute("epsilon", 0.01)},
         .inputs = {floats({1, 2, 3}, {-1.75F, 1, 1.75F, 1, -1, 1.5F}),
                    floats({1, 2, 3}, {-0.75F, 1, 1.5F, 0, 0.5F, 1.5F}), floats({3}, {-1.25F, -2, -0.25F}),
                    floats({3}, {-0.5F, -0.75F, 1})},
         .outputs = {floats({1, 2, 3},
                            {1.2133657F, -0.8089104F, -0.34378693F, -0.25627884F, 1.0251154F, -0.41004616F}),
                     {},
                     {},
                     floats({1, 2, 3}, {-3, 1.25F, 4.25F, 0.5F, -1.25F, 4})}},
    });

}  // namespace
}  // namespace test
