#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases upsample(
    "Upsample", {
                    {.name = "TakesScalesAsAnInput",
                     .version = 9,
                     .attributes = {attribute("mode", "nearest")},
                     .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4}), floats({4}, {1, 1, 2, 2})},
                     .outputs = {floats({1, 1, 4, 4}, {1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4})}},
                    {.name = "TakesScalesAsAnAttribute",
                     .version = 7,
                     .attributes = {attribute("mode", "nearest"), numbersAttribute("scales", {1, 1, 1, 3})},
                     .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4})},
                     .outputs = {floats({1, 1, 2, 6}, {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4})}},
                    {.name = "TakesHeightAndWidth",
                     .version = 1,
                     .attributes = {attribute("mode", "nearest"), attribute("height_scale", 2.0),
                                    attribute("width_scale", 1.0)},
                     .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4})},
                     .outputs = {floats({1, 1, 4, 2}, {1, 2, 1, 2, 3, 4, 3, 4})}},
                    {.name = "InterpolatesLinearly",
                     .version = 9,
                     .attributes = {attribute("mode", "linear")},
                     .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4}), floats({4}, {1, 1, 1, 2})},
                     .outputs = {floats({1, 1, 2, 4}, {1, 1.5F, 2, 2, 3, 3.5F, 4, 4})}},
                    {.name = "CallsLinearBilinearInItsFirstOpset",
                     .version = 1,
                     .attributes = {attribute("mode", "bilinear"), attribute("height_scale", 1.0),
                                    attribute("width_scale", 2.0)},
                     .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4})},
                     .outputs = {floats({1, 1, 2, 4}, {1, 1.5F, 2, 2, 3, 3.5F, 4, 4})}},
                    {.name = "RefusesNoScales",
                     .version = 7,
                     .inputs = {floats({1, 1, 2, 2}, {1, 2, 3, 4})},
                     .error = "'scales' is missing"},
                });

}  // namespace
}  // namespace test
