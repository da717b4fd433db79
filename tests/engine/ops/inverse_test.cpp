#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases inverse(
    "com.microsoft", "Inverse",
    {{.name = "InvertsEachMatrix",
      .inputs = {floats({2, 2, 2}, {1, 2, 3, 4, 0, 1, 2, 0})},
      .outputs = {floats({2, 2, 2}, {-2.0000002F, 1.0000001F, 1.5000001F, -0.50000006F, 0, 0.5F, 1, 0})}},
     {.name = "TakesDoubles",
      .inputs = {doubles({3, 3}, {2.875, 0.25, 1.875, 0.875, 1.75, -1.125, 1.875, -2, 0})},
      .outputs = {doubles({3, 3}, {0.13694721825962908, 0.22824536376604854, 0.21683309557774608,
                                   0.12838801711840228, 0.2139800285306705, -0.296718972895863,
                                   0.3062291963861151, -0.3785068949120305, -0.29291488349976225})}},
     {.name = "TakesNoRows", .inputs = {floats({2, 0, 0}, {})}, .outputs = {floats({2, 0, 0}, {})}},
     {.name = "RefusesASingularMatrix",
      .inputs = {floats({2, 2}, {1, 2, 2, 4})},
      .error = "X: found a matrix that has no inverse"},
     {.name = "RefusesMatricesThatAreNotSquare",
      .inputs = {floats({2, 3}, {0, 1, 2, 3, 4, 5})},
      .error = "rows and columns of X"}});

}  // namespace
}  // namespace test
