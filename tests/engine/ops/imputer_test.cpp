#include <cmath>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases imputer("ai.onnx.ml", "Imputer",
                      {{.name = "ReplacesNan",
                        .attributes = {numbersAttribute("imputed_value_floats", {7}),
                                       attribute("replaced_value_float", double{NAN})},
                        .inputs = {floats({1, 3}, {1, NAN, 3})},
                        .outputs = {floats({1, 3}, {1, 7, 3})}},
                       {.name = "HasAValueForEachFeature",
                        .attributes = {numbersAttribute("imputed_value_floats", {7, 8}),
                                       attribute("replaced_value_float", -1.0)},
                        .inputs = {floats({2, 2}, {-1, 2, 3, -1})},
                        .outputs = {floats({2, 2}, {7, 2, 3, 8})}},
                       {.name = "ReplacesIntegers",
                        .attributes = {integersAttribute("imputed_value_int64s", {9}),
                                       attribute("replaced_value_int64", 0)},
                        .inputs = {int64s({1, 2}, {0, 1})},
                        .outputs = {int64s({1, 2}, {9, 1})}},
                       {.name = "RefusesFloatsForIntegers",
                        .attributes = {numbersAttribute("imputed_value_floats", {7})},
                        .inputs = {int64s({2}, {0, 1})},
                        .error = "X: found int64, the imputed values are of another type"},
                       {.name = "RefusesNoValues",
                        .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1})},
                        .error = "found neither of imputed_value_floats and imputed_value_int64s"}});

}  // namespace
}  // namespace test
