#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases scaler("ai.onnx.ml", "Scaler",
                     {{.name = "ScalesEachFeature",
                       .attributes = {numbersAttribute("offset", {1, 2}),
                                      numbersAttribute("scale", {0.5F, -2})},
                       .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1})},
                       .outputs = {floats({3, 2}, {-0.25F, 2, -1, 3.4F, 0.5F, 6})}},
                      {.name = "ScalesAllAlike",
                       .attributes = {numbersAttribute("offset", {1}), numbersAttribute("scale", {0.5F})},
                       .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1})},
                       .outputs = {floats({3, 2}, {-0.25F, 0, -1, -0.35F, 0.5F, -1})}},
                      {.name = "TakesIntegers",
                       .attributes = {numbersAttribute("offset", {1}), numbersAttribute("scale", {0.5F})},
                       .inputs = {int64s({1, 3}, {1, 2, 3})},
                       .outputs = {floats({1, 3}, {0, 0.5F, 1})}},
                      {.name = "RefusesAnotherNumberOfOffsets",
                       .attributes = {numbersAttribute("offset", {1, 2, 3}), numbersAttribute("scale", {1})},
                       .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1})},
                       .error = "offset: found 3 values, expected one or 2"}});

}  // namespace
}  // namespace test
