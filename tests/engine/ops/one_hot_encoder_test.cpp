#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases oneHotEncoder("ai.onnx.ml", "OneHotEncoder",
                            {{.name = "IsHotAtTheCategory",
                              .attributes = {integersAttribute("cats_int64s", {3, 5, 9})},
                              .inputs = {int64s({3}, {5, 3, 4})},
                              .outputs = {floats({3, 3}, {0, 1, 0, 1, 0, 0, 0, 0, 0})}},
                             {.name = "TakesStrings",
                              .attributes = {stringsAttribute("cats_strings", {"a", "b"})},
                              .inputs = {strings({1, 2}, {"b", "c"})},
                              .outputs = {floats({1, 2, 2}, {0, 1, 0, 0})}},
                             {.name = "TakesFloats",
                              .attributes = {integersAttribute("cats_int64s", {3, 5})},
                              .inputs = {floats({2}, {5, 3.5F})},
                              .outputs = {floats({2, 2}, {0, 1, 1, 0})}},
                             {.name = "RefusesUnknownCategoriesIfTold",
                              .attributes = {integersAttribute("cats_int64s", {3}), attribute("zeros", 0)},
                              .inputs = {int64s({1}, {4})},
                              .error = "X: found '4', which is no category"},
                             {.name = "RefusesStringsForIntegers",
                              .attributes = {integersAttribute("cats_int64s", {3})},
                              .inputs = {strings({1}, {"a"})},
                              .error = "X: found strings, the categories are integers"}});

}  // namespace
}  // namespace test
