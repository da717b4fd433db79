#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases maxUnpool(
    "MaxUnpool",
    {{.name = "PutsEachElementBack",
      .attributes = {integersAttribute("kernel_shape", {2, 2}), integersAttribute("strides", {2, 2})},
      .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4}), int64s({1, 1, 2, 2}, {5, 7, 13, 15})},
      .outputs = {floats({1, 1, 4, 4}, {0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4})}},
     {.name = "TakesTheShapeAskedFor",
      .attributes = {integersAttribute("kernel_shape", {2, 2}), integersAttribute("strides", {2, 2})},
      .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4}), int64s({1, 1, 2, 2}, {5, 7, 13, 15}),
                 int64s({4}, {1, 1, 5, 5})},
      .outputs = {floats({1, 1, 5, 5},
                         {0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0})}},
     {.name = "HasPads",
      .attributes = {integersAttribute("kernel_shape", {2, 2}), integersAttribute("strides", {2, 2}),
                     integersAttribute("pads", {0, 0, 1, 1})},
      .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4}), int64s({1, 1, 2, 2}, {0, 2, 6, 8})},
      .outputs = {floats({1, 1, 3, 3}, {1, 0, 2, 0, 0, 0, 3, 0, 4})}},
     {.name = "StepsByOneByDefault",
      .attributes = {integersAttribute("kernel_shape", {2})},
      .inputs = {floats({1, 1, 2}, {5, 6}), int64s({1, 1, 2}, {0, 2})},
      .outputs = {floats({1, 1, 3}, {5, 0, 6})}},
     {.name = "RefusesAnIndexOutside",
      .attributes = {integersAttribute("kernel_shape", {2, 2}), integersAttribute("strides", {2, 2})},
      .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4}), int64s({1, 1, 2, 2}, {5, 7, 13, 16})},
      .error = "I: found index 16, expected 0 to 15"},
     {.name = "RefusesAShapeThatIsTooSmall",
      .attributes = {integersAttribute("kernel_shape", {2, 2}), integersAttribute("strides", {2, 2})},
      .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4}), int64s({1, 1, 2, 2}, {5, 7, 13, 15}),
                 int64s({4}, {1, 1, 3, 4})},
      .error = "output_shape: found [1, 1, 3, 4], expected at least [1, 1, 4, 4]"},
     {.name = "NeedsAKernelShape",
      .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4}), int64s({1, 1, 2, 2}, {5, 7, 13, 15})},
      .error = "kernel_shape is missing"}});

}  // namespace
}  // namespace test
