#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases featureVectorizer(
    "ai.onnx.ml", "FeatureVectorizer",
    {{.name = "PutsFeaturesSideBySide",
      .attributes = {integersAttribute("inputdimensions", {2, 1})},
      .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1}), floats({3, 1}, {7, 8, 9})},
      .outputs = {floats({3, 3}, {0.5F, 1, 7, -1, 0.3F, 8, 2, -1, 9})}},
     {.name = "CutsAndFills",
      .attributes = {integersAttribute("inputdimensions", {1, 2})},
      .inputs = {floats({1, 2}, {1, 2}), floats({1, 1}, {3})},
      .outputs = {floats({1, 3}, {1, 3, 0})}},
     {.name = "TakesSizesAsTheyAre",
      .inputs = {floats({1, 2}, {1, 2}), floats({1, 1}, {3})},
      .outputs = {floats({1, 3}, {1, 2, 3})}},
     {.name = "RefusesOtherNumbersOfRows",
      .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1}), floats({1, 1}, {1})},
      .error = "rows of the inputs"},
     {.name = "RefusesAnotherNumberOfSizes",
      .attributes = {integersAttribute("inputdimensions", {2})},
      .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1}), floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1})},
      .error = "inputdimensions: found 1 values for 2 inputs"}});

}  // namespace
}  // namespace test
