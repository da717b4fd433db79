#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases melWeightMatrix(
    "MelWeightMatrix",
    {{.name = "SpreadsTriangles",
      .inputs = {int64s({}, {3}), int64s({}, {16}), int64s({}, {8000}), floats({}, {0}), floats({}, {4000})},
      .outputs = {floats({9, 3}, {1,    0, 0, 0, 1, 0, 0, 0.5F, 0.5F, 0, 0, 1, 0, 0,
                                  0.5F, 0, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0, 0})}},
     {.name = "GivesTheTypeAskedFor",
      .attributes = {attribute("output_datatype", 11)},
      .inputs = {int32s({}, {2}), int32s({}, {8}), int32s({}, {8000}), floats({}, {100}), floats({}, {3000})},
      .outputs = {doubles({5, 2}, {1, 0, 0, 1, 0, 0, 0, 0, 0, 0})}},
     {.name = "RefusesBandsBeyondHalfTheRate",
      .inputs = {int64s({}, {3}), int64s({}, {16}), int64s({}, {8000}), floats({}, {0}), floats({}, {9000})},
      .error = "upper_edge_hertz: found 9000"},
     {.name = "RefusesEdgesInTheWrongOrder",
      .inputs = {int64s({}, {3}), int64s({}, {16}), int64s({}, {8000}), floats({}, {500}), floats({}, {400})},
      .error = "lower_edge_hertz: found 500, expected at most the upper edge 400"},
     {.name = "RefusesNoBands",
      .inputs = {int64s({}, {0}), int64s({}, {16}), int64s({}, {8000}), floats({}, {0}), floats({}, {4000})},
      .error = "num_mel_bins: found 0, expected at least 1"}});

}  // namespace
}  // namespace test
