#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases groupNormalization(
    "GroupNormalization",
    {
        {.name = "NormalizesGroupsOfChannels",
         .attributes = {attribute("num_groups", 2)},
         .inputs = {floats({1, 4, 2}, {-0.5F, -0.75F, 0.5F, -1.25F, -1.25F, 1.5F, 1, 0.5F}),
                    floats({4}, {1, -0.75F, 1, -1.25F}), floats({4}, {-0.25F, -1.5F, -0.5F, -0.75F})},
         .outputs = {floats({1, 4, 2}, {-0.25F, -0.6422274F, -2.6766825F, -0.6174883F, -2.1281538F,
                                        0.52513385F, -1.4283974F, -0.82537746F})}},
        {.name = "HasOneGroup",
         .attributes = {attribute("num_groups", 1), attribute("epsilon", 0.5)},
         .inputs = {floats({2, 2, 2}, {-0.25F, 0, -2, -0.75F, 1.5F, -0.25F, 0.25F, -1.75F}),
                    floats({2}, {-0.5F, 2}), floats({2}, {0.25F, -2})},
         .outputs = {floats({2, 2, 2}, {0.010954276F, -0.10856858F, -4.390457F, -2, -0.32353932F, 0.3188247F,
                                        -1.5411686F, -4.4776897F})}},
        {.name = "ScalesGroupsInItsFirstOpset",
         .version = 18,
         .attributes = {attribute("num_groups", 2)},
         .inputs = {floats({1, 4, 2}, {1, 1.25F, -0.5F, -2, 1.5F, -1, 1.75F, -0.5F}),
                    floats({2}, {-0.5F, 1.25F}), floats({2}, {-1.5F, -2})},
         .outputs = {floats({1, 4, 2}, {-1.9075426F, -2.0034351F, -1.3321884F, -0.75683403F, -0.8967588F,
                                        -3.4926205F, -0.6371726F, -2.9734483F})}},
        {.name = "RefusesGroupsThatDoNotDivide",
         .attributes = {attribute("num_groups", 2)},
         .inputs = {floats({1, 3, 2}, {1, 1.75F, 2, -1.5F, -1.5F, -0.75F}), floats({3}, {1, 1.75F, 1.5F}),
                    floats({3}, {-0.5F, 1.75F, -1})},
         .error = "X: found 3 channels, expected a multiple of num_groups 2"},
        {.name = "RefusesNoGroups",
         .attributes = {attribute("num_groups", 0)},
         .inputs = {floats({1, 3, 2}, {-1.5F, -0.25F, -1.75F, 0.75F, 2, -1.75F}),
                    floats({3}, {-1.75F, -1.25F, -1.25F}), floats({3}, {0.25F, 0.25F, 2})},
         .error = "num_groups: found 0"},
    });

}  // namespace
}  // namespace test
