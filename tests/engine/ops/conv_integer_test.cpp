#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases convInteger(
    "ConvInteger",
    {
        {.name = "ConvolvesBytes",
         .inputs = {numbers<uint8_t>({1, 2, 3, 3},
                                     {4, 12, 4, 4, 15, 12, 7, 0, 4, 16, 9, 20, 18, 17, 0, 1, 12, 7}),
                    numbers<uint8_t>({2, 2, 2, 2}, {17, 6, 3, 2, 6, 13, 2, 16, 6, 6, 13, 18, 9, 16, 6, 2})},
         .outputs = {int32s({1, 2, 2, 2}, {703, 645, 702, 573, 848, 1010, 669, 473})}},
        {.name = "TakesZeroPoints",
         .inputs = {numbers<uint8_t>({1, 2, 3, 3},
                                     {4, 12, 4, 4, 15, 12, 7, 0, 4, 16, 9, 20, 18, 17, 0, 1, 12, 7}),
                    numbers<uint8_t>({2, 2, 2, 2}, {17, 6, 3, 2, 6, 13, 2, 16, 6, 6, 13, 18, 9, 16, 6, 2}),
                    numbers<uint8_t>({}, {3}), numbers<uint8_t>({}, {5})},
         .outputs = {int32s({1, 2, 2, 2}, {153, 125, 257, 163, 265, 457, 191, 30})}},
        {.name = "PadsWithTheZeroPoint",
         .attributes = {integersAttribute("pads", {1, 1, 0, 0})},
         .inputs = {numbers<uint8_t>({1, 1, 3, 3}, {4, 12, 4, 4, 15, 12, 7, 0, 4}),
                    numbers<uint8_t>({1, 1, 2, 2}, {17, 6, 3, 2}), numbers<uint8_t>({}, {3})},
         .outputs = {int32s({1, 1, 3, 3}, {2, 21, 29, 8, 98, 213, 14, 95, 251})}},
        {.name = "HasAZeroPointForEachChannel",
         .inputs = {numbers<uint8_t>({1, 2, 3, 3},
                                     {4, 12, 4, 4, 15, 12, 7, 0, 4, 16, 9, 20, 18, 17, 0, 1, 12, 7}),
                    numbers<uint8_t>({2, 2, 2, 2}, {17, 6, 3, 2, 6, 13, 2, 16, 6, 6, 13, 18, 9, 16, 6, 2}),
                    numbers<uint8_t>({}, {0}), numbers<uint8_t>({2}, {3, 5})},
         .outputs = {int32s({1, 2, 2, 2}, {418, 378, 480, 372, 373, 565, 299, 138})}},
        {.name = "RefusesZeroPointsOfOtherSize",
         .inputs = {numbers<uint8_t>({1, 2, 3, 3},
                                     {4, 12, 4, 4, 15, 12, 7, 0, 4, 16, 9, 20, 18, 17, 0, 1, 12, 7}),
                    numbers<uint8_t>({2, 2, 2, 2}, {17, 6, 3, 2, 6, 13, 2, 16, 6, 6, 13, 18, 9, 16, 6, 2}),
                    numbers<uint8_t>({}, {0}), numbers<uint8_t>({3}, {1, 2, 3})},
         .error = "w_zero_point: found shape [3], expected [2]"},
    });

}  // namespace
}  // namespace test
