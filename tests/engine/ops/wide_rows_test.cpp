// Rows long enough for the loops of vectors, what is left over behind them, and several threads.

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases range(
    "Range",
    {
        {.name = "CountsFarInWholeNumbers",
         .inputs = {int64s({}, {5}), int64s({}, {-3000}), int64s({}, {-3})},
         .outputs = {counted<int64_t>({1002}, [](int64_t i) { return 5 - 3 * i; })}},
        {.name = "CountsFarIn32Bits",
         .inputs = {int32s({}, {-7}), int32s({}, {1013}), int32s({}, {2})},
         .outputs = {counted<int32_t>({510}, [](int64_t i) { return 2 * i - 7; })}},
        {.name = "CountsFarIn16Bits",
         .inputs = {numbers<int16_t>({}, {-32768}), numbers<int16_t>({}, {32767}),
                    numbers<int16_t>({}, {100})},
         .outputs = {counted<int16_t>({656}, [](int64_t i) { return 100 * i - 32768; })}},
        {.name = "CountsFarInFloats",
         .inputs = {floats({}, {-1}), floats({}, {249.25F}), floats({}, {0.25F})},
         .outputs = {counted<float>({1001}, [](int64_t i) { return 0.25 * static_cast<double>(i) - 1; })}},
        {.name = "CountsFarInDoubles",
         .inputs = {doubles({}, {1}), doubles({}, {-62}), doubles({}, {-0.125})},
         .outputs = {counted<double>({504}, [](int64_t i) { return 1 - 0.125 * static_cast<double>(i); })}},
    });

const OpCases constantOfShape("ConstantOfShape",
                              {
                                  {.name = "FillsLongRows",
                                   .attributes = {attribute("value", floats({1}, {1.5F}))},
                                   .inputs = {int64s({2}, {3, 335})},
                                   .outputs = {counted<float>({3, 335}, [](int64_t) { return 1.5; })}},
                                  {.name = "FillsLongRowsOfWholeNumbers",
                                   .attributes = {attribute("value", int64s({1}, {-9}))},
                                   .inputs = {int64s({1}, {517})},
                                   .outputs = {counted<int64_t>({517}, [](int64_t) { return -9; })}},
                                  {.name = "FillsLongRowsOfTruths",
                                   .attributes = {attribute("value", bools({1}, {true}))},
                                   .inputs = {int64s({2}, {1, 1111})},
                                   .outputs = {counted<bool>({1, 1111}, [](int64_t) { return true; })}},
                              });

const OpCases expand(
    "Expand",
    {
        {.name = "RepeatsALongRow",
         .inputs = {counted<int64_t>({1, 1, 77}, [](int64_t i) { return i; }), int64s({3}, {5, 41, 77})},
         .outputs = {counted<int64_t>({5, 41, 77}, [](int64_t i) { return i % 77; })}},
        {.name = "RepeatsARowWithinEachOfSeveral",
         .inputs = {counted<uint8_t>({3, 1, 129}, [](int64_t i) { return i % 251; }),
                    int64s({3}, {3, 37, 129})},
         .outputs = {counted<uint8_t>({3, 37, 129},
                                      [](int64_t i) { return (i / (37 * 129) * 129 + i % 129) % 251; })}},
        {.name = "RepeatsEachElementAlongARow",
         .inputs = {counted<int32_t>({1, 19, 1}, [](int64_t i) { return i; }), int64s({3}, {7, 19, 67})},
         .outputs = {counted<int32_t>({7, 19, 67}, [](int64_t i) { return i / 67 % 19; })}},
        {.name = "RepeatsALongRowOfTruths",
         .inputs = {counted<bool>({1, 65}, [](int64_t i) { return i % 3 == 0; }), int64s({3}, {4, 9, 65})},
         .outputs = {counted<bool>({4, 9, 65}, [](int64_t i) { return i % 65 % 3 == 0; })}},
    });

}  // namespace
}  // namespace test
