#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases fusedGemm(
    "opscope", "FusedGemm",
    {
        {.name = "AppliesTheActivation",
         .attributes = {attribute("activation", "Relu")},
         .inputs = {floats({2, 2}, {-1, -1, 0, -1.25F}), floats({2, 2}, {0, 1.75F, 0.5F, -1.5F}),
                    floats({2}, {-1.25F, -1.75F})},
         .outputs = {floats({2, 2}, {0, 0, 0, 0.125F})}},
        {.name = "TakesParameters",
         .attributes = {attribute("activation", "Clip"),
                        numbersAttribute("activation_params", {-0.5F, 0.5F})},
         .inputs = {floats({2, 2}, {-1, -1, 0, -1.25F}), floats({2, 2}, {0, 1.75F, 0.5F, -1.5F}),
                    floats({2}, {-1.25F, -1.75F})},
         .outputs = {floats({2, 2}, {-0.5F, -0.5F, -0.5F, 0.125F})}},
    });

const OpCases microsoftFusedGemm(
    "com.microsoft", "FusedGemm",
    {
        {.name = "AppliesTheActivation",
         .attributes = {attribute("activation", "LeakyRelu"), attribute("activation_alpha", 0.5),
                        attribute("alpha", 0.25)},
         .inputs = {floats({2, 2}, {-1, -1, 0, -1.25F}), floats({2, 2}, {0, 1.75F, 0.5F, -1.5F}),
                    floats({2}, {-1.25F, -1.75F})},
         .outputs = {floats({2, 2}, {-0.6875F, -0.90625F, -0.703125F, -0.640625F})}},
        {.name = "RefusesAnUnknownActivation",
         .attributes = {attribute("activation", "Mystery")},
         .inputs = {floats({2, 2}, {-1, -1, 0, -1.25F}), floats({2, 2}, {0, 1.75F, 0.5F, -1.5F}),
                    floats({2}, {-1.25F, -1.75F})},
         .error = "activation: found 'Mystery'"},
    });

}  // namespace
}  // namespace test
