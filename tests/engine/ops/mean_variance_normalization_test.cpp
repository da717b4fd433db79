#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases meanVarianceNormalization(
    "MeanVarianceNormalization",
    {
        {.name = "NormalizesEachChannel",
         .inputs = {floats({2, 2, 1, 2}, {-1, 1.75F, 0.75F, -1, -1.75F, -0.5F, 1, -1.25F})},
         .outputs = {floats({2, 2, 1, 2}, {-0.47891313F, 1.6283047F, 0.86824316F, -0.86824316F, -1.0536089F,
                                           -0.09578263F, 1.1163126F, -1.1163126F})}},
        {.name = "HasOtherAxes",
         .attributes = {integersAttribute("axes", {-1})},
         .inputs = {floats({2, 3}, {0, -1.5F, -0.25F, -2, 2, 0})},
         .outputs = {floats({2, 3}, {0.88900083F, -1.3970014F, 0.5080005F, -1.2247448F, 1.2247448F, 0})}},
        {.name = "RefusesAxesOutOfRange",
         .inputs = {floats({2, 3}, {1.5F, -1.5F, -1.5F, -1.5F, 0.25F, 1.5F})},
         .error = "axis 2 is out of range for rank 2"},
    });

}  // namespace
}  // namespace test
