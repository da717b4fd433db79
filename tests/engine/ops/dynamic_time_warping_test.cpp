#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases dynamicTimeWarping("com.microsoft", "DynamicTimeWarping",
                                 {
                                     {.name = "FindsTheCheapestWay",
                                      .inputs = {floats({3, 3}, {1, 2, 3, 2, 1, 1, 5, 1, 0})},
                                      .outputs = {int32s({2, 3}, {0, 1, 2, 0, 1, 2})}},
                                     {.name = "GoesAlongColumnsWhereAllCostTheSame",
                                      .inputs = {floats({1, 2, 3}, {1, 1, 1, 1, 1, 1})},
                                      .outputs = {int32s({2, 3}, {0, 1, 1, 0, 1, 2})}},
                                     {.name = "RefusesNoCosts",
                                      .inputs = {floats({0, 3}, {})},
                                      .error = "input: found shape [0, 3], expected a matrix of costs"},
                                 });

}  // namespace
}  // namespace test
