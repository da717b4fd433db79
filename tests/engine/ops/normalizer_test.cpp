#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases normalizer("ai.onnx.ml", "Normalizer",
                         {{.name = "DividesByTheLargestMagnitude",
                           .attributes = {attribute("norm", "MAX")},
                           .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1})},
                           .outputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 1, -0.5F})}},
                          {.name = "DividesByTheSumOfMagnitudes",
                           .attributes = {attribute("norm", "L1")},
                           .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1})},
                           .outputs = {floats({3, 2}, {0.33333334F, 0.6666667F, -0.7692308F, 0.23076925F,
                                                       0.6666667F, -0.33333334F})}},
                          {.name = "DividesByTheLength",
                           .attributes = {attribute("norm", "L2")},
                           .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1})},
                           .outputs = {floats({3, 2}, {0.4472136F, 0.8944272F, -0.95782626F, 0.28734788F,
                                                       0.8944272F, -0.4472136F})}},
                          {.name = "LeavesRowsOfZeroes",
                           .attributes = {attribute("norm", "L2")},
                           .inputs = {floats({2, 2}, {0, 0, 3, 4})},
                           .outputs = {floats({2, 2}, {0, 0, 0.6F, 0.8F})}},
                          {.name = "TakesIntegers",
                           .attributes = {attribute("norm", "L1")},
                           .inputs = {int64s({1, 2}, {1, -3})},
                           .outputs = {floats({1, 2}, {0.25F, -0.75F})}},
                          {.name = "RefusesAnUnknownNorm",
                           .attributes = {attribute("norm", "L3")},
                           .inputs = {floats({3, 2}, {0.5F, 1, -1, 0.3F, 2, -1})},
                           .error = "attribute 'norm' is 'L3'"}});

}  // namespace
}  // namespace test
