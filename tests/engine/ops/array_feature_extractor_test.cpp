#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases arrayFeatureExtractor(
    "ai.onnx.ml", "ArrayFeatureExtractor",
    {{.name = "TakesFeatures",
      .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1}), int64s({3}, {1, 0, 1})},
      .outputs = {floats({3, 3}, {1, 0.5F, 1, 0.3F, -1, 0.3F, -1, 2, -1})}},
     {.name = "MakesARowOfAVector",
      .inputs = {floats({3}, {5, 6, 7}), int64s({1}, {2})},
      .outputs = {floats({1, 1}, {7})}},
     {.name = "TakesStrings",
      .inputs = {strings({1, 2}, {"a", "b"}), int64s({1}, {1})},
      .outputs = {strings({1, 1}, {"b"})}},
     {.name = "RefusesAFeatureThatIsNotThere",
      .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1}), int64s({1}, {2})},
      .error = "Y: found 2, expected 0 to 1"}});

}  // namespace
}  // namespace test
