#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases instanceNormalization(
    "InstanceNormalization",
    {
        {.name = "NormalizesEachPlane",
         .inputs = {floats({2, 2, 3},
                           {-1.75F, 1.25F, 0.25F, 1.5F, 1.5F, 0.75F, -0.75F, -0.5F, 1, -1.75F, -1.25F, 0}),
                    floats({2}, {2, 1}), floats({2}, {1.25F, -1.25F})},
         .outputs = {floats({2, 2, 3},
                            {-1.422604F, 3.388083F, 1.7845207F, -0.54292154F, -0.54292154F, -2.664157F,
                             -0.47530985F, 0.17168128F, 4.0536284F, -2.2690399F, -1.58968F, 0.108719826F})}},
        {.name = "HasTwoAxes",
         .attributes = {attribute("epsilon", 0.5)},
         .inputs = {floats({1, 2, 2, 2}, {-1, -1, 1, 0.25F, -1.25F, 1, 0.5F, 1.75F}),
                    floats({2}, {0.25F, -1.5F}), floats({2}, {1.75F, -1.25F})},
         .outputs = {floats({1, 2, 2, 2}, {1.5668832F, 1.5668832F, 2.017632F, 1.8486013F, 0.7522713F,
                                           -1.8220775F, -1.25F, -2.6801937F})}},
        {.name = "RefusesAScaleOfOtherChannels",
         .inputs = {floats({1, 2, 2}, {-2, 1.25F, -0.25F, 0.5F}), floats({3}, {-1.5F, 1, -0.5F}),
                    floats({2}, {2, 0.5F})},
         .error = "scale: found shape [3], expected [2]"},
        {.name = "RefusesRanksBelowTwo",
         .inputs = {floats({2}, {1.75F, 1.25F}), floats({2}, {1.5F, -1.75F}), floats({2}, {1.25F, 0.5F})},
         .error = "input: found rank 1, expected at least 2"},
    });

}  // namespace
}  // namespace test
