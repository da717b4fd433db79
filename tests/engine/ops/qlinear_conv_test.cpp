#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases qlinearConv(
    "QLinearConv",
    {
        {.name = "Requantizes",
         .inputs = {numbers<uint8_t>({1, 2, 3, 3},
                                     {4, 12, 4, 4, 15, 12, 7, 0, 4, 16, 9, 20, 18, 17, 0, 1, 12, 7}),
                    floats({}, {0.02F}), numbers<uint8_t>({}, {7}),
                    numbers<uint8_t>({2, 2, 2, 2}, {17, 6, 3, 2, 6, 13, 2, 16, 6, 6, 13, 18, 9, 16, 6, 2}),
                    floats({}, {0.03F}), numbers<uint8_t>({}, {5}), floats({}, {0.05F}),
                    numbers<uint8_t>({}, {100})},
         .outputs = {numbers<uint8_t>({1, 2, 2, 2}, {101, 100, 102, 101, 101, 104, 101, 99})}},
        {.name = "AddsTheBias",
         .inputs = {numbers<uint8_t>({1, 2, 3, 3},
                                     {4, 12, 4, 4, 15, 12, 7, 0, 4, 16, 9, 20, 18, 17, 0, 1, 12, 7}),
                    floats({}, {0.02F}), numbers<uint8_t>({}, {7}),
                    numbers<uint8_t>({2, 2, 2, 2}, {17, 6, 3, 2, 6, 13, 2, 16, 6, 6, 13, 18, 9, 16, 6, 2}),
                    floats({}, {0.03F}), numbers<uint8_t>({}, {5}), floats({}, {0.05F}),
                    numbers<uint8_t>({}, {100}), int32s({2}, {40, -70})},
         .outputs = {numbers<uint8_t>({1, 2, 2, 2}, {101, 101, 102, 101, 101, 103, 100, 98})}},
        {.name = "HasAScaleForEachChannel",
         .attributes = {integersAttribute("pads", {1, 0, 0, 1})},
         .inputs = {numbers<uint8_t>({1, 2, 3, 3},
                                     {4, 12, 4, 4, 15, 12, 7, 0, 4, 16, 9, 20, 18, 17, 0, 1, 12, 7}),
                    floats({}, {0.02F}), numbers<uint8_t>({}, {7}),
                    numbers<int8_t>({2, 2, 2, 2}, {7, -4, -7, -8, -4, 3, -8, 6, -4, -4, 3, 8, -1, 6, -4, -8}),
                    floats({2}, {0.03F, 0.01F}), numbers<int8_t>({2}, {0, 0}), floats({}, {0.05F}),
                    numbers<uint8_t>({}, {100})},
         .outputs = {numbers<uint8_t>({1, 2, 3, 3}, {99, 101, 99, 98, 98, 99, 101, 100, 101, 100, 100, 100,
                                                     100, 101, 100, 100, 99, 100})}},
        {.name = "RefusesScalesOfOtherSize",
         .inputs = {numbers<uint8_t>({1, 2, 3, 3},
                                     {4, 12, 4, 4, 15, 12, 7, 0, 4, 16, 9, 20, 18, 17, 0, 1, 12, 7}),
                    floats({}, {0.02F}), numbers<uint8_t>({}, {7}),
                    numbers<uint8_t>({2, 2, 2, 2}, {17, 6, 3, 2, 6, 13, 2, 16, 6, 6, 13, 18, 9, 16, 6, 2}),
                    floats({3}, {1, 1, 1}), numbers<uint8_t>({}, {5}), floats({}, {0.05F}),
                    numbers<uint8_t>({}, {100})},
         .error = "w_scale: found shape [3], expected [2]"},
    });

const OpCases microsoftQlinearConv(
    "com.microsoft", "QLinearConv",
    {
        {.name = "TakesChannelsLast",
         .attributes = {attribute("channels_last", 1)},
         .inputs = {numbers<uint8_t>({1, 3, 3, 2},
                                     {4, 16, 12, 9, 4, 20, 4, 18, 15, 17, 12, 0, 7, 1, 0, 12, 4, 7}),
                    floats({}, {0.02F}), numbers<uint8_t>({}, {7}),
                    numbers<uint8_t>({2, 2, 2, 2}, {17, 6, 3, 2, 6, 13, 2, 16, 6, 6, 13, 18, 9, 16, 6, 2}),
                    floats({}, {0.03F}), numbers<uint8_t>({}, {5}), floats({}, {0.05F}),
                    numbers<uint8_t>({}, {100})},
         .outputs = {numbers<uint8_t>({1, 2, 2, 2}, {101, 101, 100, 104, 102, 101, 101, 99})}},
    });

}  // namespace
}  // namespace test
