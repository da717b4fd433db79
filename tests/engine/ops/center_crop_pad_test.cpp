#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases centerCropPad(
    "CenterCropPad",
    {{.name = "CropsAroundTheMiddle",
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({2}, {1, 2})},
      .outputs = {floats({1, 2}, {2, 3})}},
     {.name = "PadsAroundTheMiddle",
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({2}, {3, 8})},
      .outputs = {floats({3, 8}, {0, 1, 2, 3, 4, 5, 0, 0, 0, 6, 7, 8, 9, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})}},
     {.name = "CropsOneAxisAndPadsAnother",
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({2}, {4, 2})},
      .outputs = {floats({4, 2}, {0, 0, 2, 3, 7, 8, 0, 0})}},
     {.name = "TakesSomeAxes",
      .attributes = {integersAttribute("axes", {-1})},
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({1}, {3})},
      .outputs = {floats({2, 3}, {2, 3, 4, 7, 8, 9})}},
     {.name = "TakesAxesInAnyOrder",
      .attributes = {integersAttribute("axes", {1, 0})},
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({2}, {4, 3})},
      .outputs = {floats({3, 4}, {1, 2, 3, 4, 6, 7, 8, 9, 0, 0, 0, 0})}},
     {.name = "TakesNarrowIntegers",
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int32s({2}, {2, 7})},
      .outputs = {floats({2, 7}, {0, 1, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9, 10, 0})}},
     {.name = "PadsStringsByEmptyOnes",
      .inputs = {strings({1}, {"a"}), int64s({1}, {3})},
      .outputs = {strings({3}, {"", "a", ""})}},
     {.name = "MayCropAll",
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({2}, {0, 5})},
      .outputs = {floats({0, 5}, {})}},
     {.name = "RefusesAnotherNumberOfValues",
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({1}, {3})},
      .error = "shape: found 1 values, expected 2"},
     {.name = "RefusesAnAxisTwice",
      .attributes = {integersAttribute("axes", {0, 0})},
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({2}, {3, 3})},
      .error = "axes [0, 0] name an axis twice"},
     {.name = "RefusesANegativeSize",
      .inputs = {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({2}, {-1, 5})},
      .error = "-1 is negative"}});

}  // namespace
}  // namespace test
