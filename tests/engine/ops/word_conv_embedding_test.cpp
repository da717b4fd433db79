#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const engine::Tensor filters = floats({2, 1, 2, 2}, {-1, -0.75F, -0.5F, -0.25F, 0, 0.25F, 0.5F, 0.75F});
const engine::Tensor letters = floats({3, 2}, {0, 0, 1, 0.5F, -0.5F, 2});

const OpCases wordConvEmbedding(
    "com.microsoft", "WordConvEmbedding",
    {
        {.name = "TakesTheLargestOfEachFeature",
         .inputs = {int32s({3, 3}, {1, 2, 0, 2, 2, 1, 1, 0, 0}), filters, floats({2}, {0.5F, -0.25F}),
                    letters},
         .outputs = {floats({3, 2},
                            {-0.809301F, 0.809301F, -0.635149F, 0.9051482F, -0.70390564F, -0.124353F})}},
        {.name = "GivesNothingForAnEmptyWord",
         .inputs = {int32s({1, 2}, {0, 1}), filters, floats({2}, {0.5F, -0.25F}), letters},
         .outputs = {floats({1, 2}, {0, 0})}},
        {.name = "RefusesAWindowWiderThanTheWords",
         .inputs = {int32s({1, 1}, {1}), filters, floats({2}, {0.5F, -0.25F}), letters},
         .error = "W: found a window of 2, expected 1 to the 1 letters of a word"},
    });

}  // namespace
}  // namespace test
