#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases lpPool(
    "LpPool",
    {
        {.name = "TakesTheRootOfSquares",
         .attributes = {integersAttribute("kernel_shape", {2, 2})},
         .inputs = {floats({1, 1, 3, 3}, {0.5F, 1.75F, 2, -0.75F, -0.75F, 0.5F, -0.5F, 1, -1.25F})},
         .outputs = {floats({1, 1, 2, 2}, {2.1065373F, 2.806243F, 1.5411035F, 1.8371173F})}},
        {.name = "HasAnotherExponent",
         .attributes = {integersAttribute("kernel_shape", {2, 2}), attribute("p", 3),
                        integersAttribute("pads", {1, 0, 0, 1})},
         .inputs = {floats({1, 1, 3, 3}, {-1.5F, -2, -0.25F, -1.25F, -0.75F, 1.75F, 1.25F, 1.5F, 0.5F})},
         .outputs = {floats({1, 1, 3, 3}, {2.2489707F, 2.0013013F, 0.24999999F, 2.39571F, 2.3984294F,
                                           1.7516991F, 1.9749479F, 2.1015296F, 1.763501F})}},
        {.name = "HasStridesAndDilations",
         .attributes = {integersAttribute("kernel_shape", {2, 2}), integersAttribute("strides", {1, 2}),
                        integersAttribute("dilations", {2, 1})},
         .inputs = {floats({1, 1, 5, 4},
                           {-1.75F, 1,     0.5F, 1.75F, 0,      -1.5F,  0.5F, -0.25F, 0.75F, -0.5F,
                            -0.75F, -1.5F, 2,    1,     -0.25F, -1.25F, 0.5F, -0.25F, 0.5F,  -1.75F})},
         .outputs = {floats({1, 1, 3, 2},
                            {2.20794F, 2.4748738F, 2.6925824F, 1.3919411F, 1.0606601F, 2.4748738F})}},
        {.name = "TakesAFloatExponentInItsFirstOpset",
         .version = 1,
         .attributes = {integersAttribute("kernel_shape", {2}), attribute("p", 1.0)},
         .inputs = {floats({1, 1, 3}, {3, 4, -2})},
         .outputs = {floats({1, 1, 2}, {7, 6})}},
        {.name = "RefusesNegativeExponents",
         .attributes = {integersAttribute("kernel_shape", {2}), attribute("p", -1)},
         .inputs = {floats({1, 1, 3}, {3, 4, -2})},
         .error = "p: found -1, expected a positive number"},
    });

}  // namespace
}  // namespace test
