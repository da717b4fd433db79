#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases binarizer("ai.onnx.ml", "Binarizer",
                        {{.name = "IsOneBeyondTheThreshold",
                          .attributes = {attribute("threshold", 0.5)},
                          .inputs = {floats({3}, {0.25F, 0.5F, 0.75F})},
                          .outputs = {floats({3}, {0, 0, 1})}},
                         {.name = "HasAThresholdOfZeroByDefault",
                          .inputs = {floats({3}, {-1, 0, 1})},
                          .outputs = {floats({3}, {0, 0, 1})}},
                         {.name = "TakesIntegers",
                          .attributes = {attribute("threshold", 1.5)},
                          .inputs = {int64s({2}, {1, 2})},
                          .outputs = {int64s({2}, {0, 1})}},
                         {.name = "RefusesStrings",
                          .inputs = {strings({1}, {"a"})},
                          .error = "element type string is not supported"}});

}  // namespace
}  // namespace test
