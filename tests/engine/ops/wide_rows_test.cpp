// Rows long enough for the loops of vectors, what is left over behind them, and several threads.

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

/// A picture without much order in it.
struct Picture {
    int64_t rows;
    int64_t columns;

    float at(int64_t row, int64_t column) const {
        return static_cast<float>((row * 37 + column * 53 + row * column) % 101 - 50);
    }
    engine::Tensor tensor(engine::Dims dims) const {
        return counted<float>(std::move(dims),
                              [&](int64_t i) { return at(i / columns % rows, i % columns); });
    }
};

/// Square windows that slide over a picture.
struct Windows {
    Picture picture;
    int64_t kernel;
    int64_t stride;
    int64_t dilation;
    int64_t pad;

    int64_t output(int64_t input) const {
        return (input + 2 * pad - (kernel - 1) * dilation - 1) / stride + 1;
    }
    /// Calls f(number) for what the window covers.
    template <class F>
    void cover(int64_t window, const F& f) const {
        const int64_t width = output(picture.columns);
        for (int64_t tap = 0; tap < kernel * kernel; ++tap) {
            const int64_t row = window / width * stride + tap / kernel * dilation - pad;
            const int64_t column = window % width * stride + tap % kernel * dilation - pad;
            const bool isInside = row >= 0 && row < picture.rows && column >= 0 && column < picture.columns;
            if (isInside) f(picture.at(row, column));
        }
    }
    engine::Tensor pooled(bool isMaximum) const {
        return counted<float>({1, 1, output(picture.rows), output(picture.columns)}, [&](int64_t window) {
            float most = -1000;
            float sum = 0;
            float count = 0;
            cover(window, [&](float number) {
                most = std::max(most, number);
                sum += number;
                ++count;
            });
            return isMaximum ? most : sum / count;
        });
    }
    OpCase poolCase(const char* name, bool isMaximum) const {
        return {.name = name,
                .attributes = {integersAttribute("kernel_shape", {kernel, kernel}),
                               integersAttribute("strides", {stride, stride}),
                               integersAttribute("dilations", {dilation, dilation}),
                               integersAttribute("pads", {pad, pad, pad, pad})},
                .inputs = {picture.tensor({1, 1, picture.rows, picture.columns})},
                .outputs = {pooled(isMaximum)}};
    }
};

std::vector<OpCase> poolCases(bool isMaximum) {
    return {Windows{{9, 69}, 3, 1, 1, 1}.poolCase("SlidesAlongWideRows", isMaximum),
            Windows{{11, 85}, 3, 2, 1, 1}.poolCase("SlidesBySecondPixelsOfWideRows", isMaximum),
            Windows{{12, 97}, 4, 3, 1, 2}.poolCase("SlidesByThirdPixelsOfWideRows", isMaximum),
            Windows{{10, 70}, 2, 2, 2, 0}.poolCase("SlidesApartOverWideRows", isMaximum),
            Windows{{8, 41}, 5, 1, 1, 2}.poolCase("SlidesLargeWindowsOverWideRows", isMaximum)};
}
const OpCases maxPool("MaxPool", poolCases(true));
const OpCases averagePool("AveragePool", poolCases(false));

/// Between corners, from `from` numbers to `to`: how far along the first each of the second is.
double along(int64_t at, double from, double to) { return static_cast<double>(at) * (from - 1) / (to - 1); }

const OpCases resize(
    "Resize",
    {
        {.name = "KeepsASlopeInWideRows",
         .attributes = {attribute("mode", "linear"),
                        attribute("coordinate_transformation_mode", "align_corners")},
         .inputs = {counted<float>({2, 1, 5, 23}, [](int64_t i) { return i % 23 + 100 * (i / 23 % 5); }),
                    {},
                    {},
                    int64s({4}, {2, 1, 13, 89})},
         .outputs = {counted<float>({2, 1, 13, 89},
                                    [](int64_t i) {
                                        return along(i % 89, 23, 89) + 100 * along(i / 89 % 13, 5, 13);
                                    })}},
        {.name = "KeepsASlopeInWideRowsThatShrink",
         .attributes = {attribute("mode", "linear"),
                        attribute("coordinate_transformation_mode", "align_corners")},
         .inputs = {counted<float>({1, 3, 111}, [](int64_t i) { return i % 111 - 10 * (i / 111); }),
                    {},
                    {},
                    int64s({3}, {1, 3, 37})},
         .outputs = {counted<float>({1, 3, 37},
                                    [](int64_t i) {
                                        return along(i % 37, 111, 37) - 10 * static_cast<double>(i / 37);
                                    })}},
        {.name = "RepeatsPixelsOfWideRows",
         .attributes = {attribute("mode", "nearest"), attribute("nearest_mode", "floor"),
                        attribute("coordinate_transformation_mode", "asymmetric")},
         .inputs = {counted<float>({1, 3, 7, 45}, [](int64_t i) { return i; }),
                    {},
                    {},
                    int64s({4}, {1, 3, 14, 90})},
         .outputs = {counted<float>({1, 3, 14, 90},
                                    [](int64_t i) {
                                        return i / (14 * 90) * 7 * 45 + i / 90 % 14 / 2 * 45 + i % 90 / 2;
                                    })}},
    });

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

/// Numbers of which 16 bits hold each.
double half(int64_t i) { return static_cast<double>(i % 256 - 128) / 8; }

template <class From, class To, class Value>
OpCase castCase(const char* name, const Value& value) {
    return {.name = name,
            .attributes = {attribute("to", static_cast<int>(engine::dataTypeOf<To>))},
            .inputs = {counted<From>({3, 151}, [&](int64_t i) { return From(value(i)); })},
            .outputs = {counted<To>({3, 151}, [&](int64_t i) { return To(value(i)); })}};
}
float halfFloat(int64_t i) { return static_cast<float>(half(i)); }
int64_t wholeNumber(int64_t i) { return i * 7 % 101; }

const OpCases cast(
    "Cast",
    {
        castCase<float, engine::Float16>("MakesALongRowOfFloat16", halfFloat),
        castCase<engine::Float16, float>("TakesALongRowOfFloat16", halfFloat),
        castCase<float, engine::BFloat16>("MakesALongRowOfBfloat16", halfFloat),
        castCase<engine::BFloat16, float>("TakesALongRowOfBfloat16", halfFloat),
        castCase<engine::BFloat16, engine::Float16>("GoesAlongARowBetweenTypesOf16Bits", halfFloat),
        castCase<float, int64_t>("CutsALongRowToInt64", halfFloat),
        castCase<float, int32_t>("CutsALongRowToInt32", halfFloat),
        castCase<float, int8_t>("CutsALongRowToInt8", halfFloat),
        castCase<float, uint8_t>("CutsALongRowToUint8", wholeNumber),
        castCase<float, bool>("FindsZerosInALongRow", [](int64_t i) { return i % 3 == 0; }),
        castCase<int64_t, bool>("FindsZerosInALongRowOfWholeNumbers", [](int64_t i) { return i % 5 == 0; }),
        castCase<bool, int64_t>("CountsTruthsOfALongRow", [](int64_t i) { return i % 7 == 0; }),
        castCase<bool, float>("MakesNumbersOfALongRowOfTruths", [](int64_t i) { return i % 4 == 0; }),
        castCase<int64_t, int32_t>("ShortensALongRow", wholeNumber),
        castCase<int32_t, float>("MakesFloatsOfALongRow", wholeNumber),
        {.name = "CutsTheEndsOfTheRangeWithinALongRow",
         .attributes = {attribute("to", 7)},
         .inputs = {counted<float>({67}, [](int64_t i) { return i % 2 == 0 ? -1e30 : 1e30; })},
         .outputs = {counted<int64_t>({67}, [](int64_t i) { return i % 2 == 0 ? INT64_MIN : INT64_MAX; })}},
    });

const OpCases convTranspose(
    "ConvTranspose",
    {
        {.name = "PutsBlocksOfManyPixels",
         .attributes = {integersAttribute("strides", {2, 2})},
         .inputs = {counted<float>({1, 2, 9, 11}, [](int64_t i) { return i % 13; }),
                    floats({2, 1, 2, 2}, {1, 2, 3, 4, 10, 20, 30, 40}), floats({1}, {0.5F})},
         .outputs = {counted<float>({1, 1, 18, 22},
                                    [](int64_t i) {
                                        const int64_t pixel = i / 22 / 2 * 11 + i % 22 / 2;
                                        const double tap = static_cast<double>(i / 22 % 2 * 2 + i % 2 + 1);
                                        return 0.5 + tap * static_cast<double>(pixel % 13 +
                                                                               10 * ((pixel + 99) % 13));
                                    })}},
        {.name = "PutsStretchesOfManyPixels",
         .attributes = {integersAttribute("strides", {3})},
         .inputs = {counted<float>({1, 1, 70}, [](int64_t i) { return i; }),
                    floats({1, 2, 3}, {1, 2, 3, 4, 5, 6})},
         .outputs = {counted<float>({1, 2, 210},
                                    [](int64_t i) { return i % 210 / 3 * (i / 210 * 3 + i % 3 + 1); })}},
    });

const OpCases reduceSum(
    "ReduceSum", {
                     {.name = "AddsLongRowsOfWholeNumbers",
                      .attributes = {attribute("keepdims", 0)},
                      .inputs = {counted<int64_t>({5, 201}, [](int64_t i) { return i % 201 + i / 201; }),
                                 int64s({1}, {1})},
                      .outputs = {int64s({5}, {20100, 20301, 20502, 20703, 20904})}},
                     {.name = "AddsWideColumnsOfWholeNumbers",
                      .attributes = {attribute("keepdims", 0)},
                      .inputs = {counted<int32_t>({3, 141}, [](int64_t i) { return i; }), int64s({1}, {0})},
                      .outputs = {counted<int32_t>({141}, [](int64_t i) { return 3 * i + 423; })}},
                 });
const OpCases reduceMax(
    "ReduceMax", {
                     {.name = "FindsTheLargestOfLongRowsOfWholeNumbers",
                      .inputs = {counted<int32_t>({4, 133}, [](int64_t i) { return i * 29 % 133 + i / 133; }),
                                 int64s({1}, {-1})},
                      .outputs = {int32s({4, 1}, {132, 133, 134, 135})}},
                     {.name = "FindsTheLargestOfLongRows",
                      .inputs = {counted<float>({4, 133}, [](int64_t i) { return i * 29 % 133 + i / 133; }),
                                 int64s({1}, {-1})},
                      .outputs = {floats({4, 1}, {132, 133, 134, 135})}},
                 });
const OpCases reduceMin(
    "ReduceMin", {{.name = "FindsTheLeastOfWideColumnsOfWholeNumbers",
                   .inputs = {counted<int64_t>({3, 77}, [](int64_t i) { return 77 - i; }), int64s({1}, {0})},
                   .outputs = {counted<int64_t>({1, 77}, [](int64_t i) { return -77 - i; })}}});

/// A row that rises to its largest number at `top` and has it once more at `top` + 40.
engine::Tensor peaks(engine::Dims dims, int64_t length, int64_t inner, int64_t top, float sign) {
    return counted<float>(std::move(dims), [=](int64_t i) {
        const int64_t place = i / inner % length;
        return sign * static_cast<float>(place == top || place == top + 40 ? 1000 : place);
    });
}
const OpCases argMax("ArgMax", {
                                   {.name = "TakesTheFirstOfALongRow",
                                    .attributes = {attribute("axis", 1), attribute("keepdims", 0)},
                                    .inputs = {peaks({3, 203}, 203, 1, 150, 1)},
                                    .outputs = {int64s({3}, {150, 150, 150})}},
                                   {.name = "TakesTheLastOfALongRow",
                                    .attributes = {attribute("axis", 1), attribute("select_last_index", 1)},
                                    .inputs = {peaks({2, 203}, 203, 1, 9, 1)},
                                    .outputs = {int64s({2, 1}, {49, 49})}},
                                   {.name = "TakesTheFirstOfWideColumns",
                                    .attributes = {attribute("axis", 0), attribute("keepdims", 0)},
                                    .inputs = {peaks({71, 35}, 71, 35, 20, 1)},
                                    .outputs = {counted<int64_t>({35}, [](int64_t) { return 20; })}},
                                   {.name = "TakesTheLastOfWideColumns",
                                    .attributes = {attribute("axis", 0), attribute("keepdims", 0),
                                                   attribute("select_last_index", 1)},
                                    .inputs = {peaks({71, 35}, 71, 35, 20, 1)},
                                    .outputs = {counted<int64_t>({35}, [](int64_t) { return 60; })}},
                               });
const OpCases argMin("ArgMin", {{.name = "TakesTheFirstOfALongRow",
                                 .attributes = {attribute("axis", -1), attribute("keepdims", 0)},
                                 .inputs = {peaks({2, 131}, 131, 1, 70, -1)},
                                 .outputs = {int64s({2}, {70, 70})}}});

const OpCases scatterNd(
    "ScatterND",
    {
        {.name = "PutsLongSlices",
         .inputs = {counted<float>({6, 91}, [](int64_t i) { return i; }), int64s({2, 1}, {4, -6}),
                    counted<float>({2, 91}, [](int64_t i) { return -i; })},
         .outputs = {counted<float>({6, 91},
                                    [](int64_t i) {
                                        const int64_t row = i / 91;
                                        return row == 4 ? -(i % 91) : row == 0 ? -(91 + i) : i;
                                    })}},
        {.name = "KeepsTheLastOfSlicesAtOnePlace",
         .inputs = {counted<int64_t>({3, 70}, [](int64_t) { return 0; }), int64s({3, 1}, {1, 1, 1}),
                    counted<int64_t>({3, 70}, [](int64_t i) { return i; })},
         .outputs = {counted<int64_t>({3, 70}, [](int64_t i) { return i / 70 == 1 ? 70 + i : 0; })}},
    });

/// Halves and other parts of quantized numbers, of both signs and beyond their range.
double parts(int64_t i) { return static_cast<double>(i % 1203 - 601) / 4; }
/// Half to even.
double rounded(double number) {
    const double down = std::floor(number);
    const double rest = number - down;
    if (rest != 0.5) return rest < 0.5 ? down : down + 1;
    return std::fmod(down, 2) == 0 ? down : down + 1;
}
template <class T>
double quantized(double number, double zero) {
    return std::clamp<double>(rounded(number) + zero, std::numeric_limits<T>::min(),
                              std::numeric_limits<T>::max());
}

const OpCases quantizeLinear(
    "QuantizeLinear",
    {
        {.name = "RoundsALongRow",
         .inputs = {counted<float>({3, 401}, parts), floats({}, {1}), numbers<uint8_t>({}, {100})},
         .outputs = {counted<uint8_t>({3, 401},
                                      [](int64_t i) { return quantized<uint8_t>(parts(i), 100); })}},
        {.name = "RoundsALongRowToSignedNumbers",
         .inputs = {counted<float>({1203}, parts), floats({}, {0.5F}), numbers<int8_t>({}, {-20})},
         .outputs = {counted<int8_t>({1203},
                                     [](int64_t i) { return quantized<int8_t>(2 * parts(i), -20); })}},
        {.name = "RoundsByAScaleForEachElementOfALongRow",
         .attributes = {attribute("axis", 1)},
         .inputs = {counted<float>({3, 85}, parts),
                    counted<float>({85}, [](int64_t i) { return i % 2 == 0 ? 0.25 : 2; }),
                    counted<uint8_t>({85}, [](int64_t i) { return i; })},
         .outputs = {counted<uint8_t>({3, 85},
                                      [](int64_t i) {
                                          const int64_t place = i % 85;
                                          const double scale = place % 2 == 0 ? 0.25 : 2;
                                          return quantized<uint8_t>(parts(i) / scale,
                                                                    static_cast<double>(place));
                                      })}},
        {.name = "RoundsLongRowsByAScaleEach",
         .attributes = {attribute("axis", 0)},
         .inputs = {counted<float>({4, 131}, parts), floats({4}, {0.5F, 1, 2, 4}),
                    numbers<int8_t>({4}, {0, 5, -7, 127})},
         .outputs = {counted<int8_t>({4, 131},
                                     [](int64_t i) {
                                         const double scales[] = {0.5, 1, 2, 4};
                                         const double zeros[] = {0, 5, -7, 127};
                                         return quantized<int8_t>(parts(i) / scales[i / 131], zeros[i / 131]);
                                     })}},
        {.name = "GivesTheZeroPointForNansOfALongRow",
         .inputs = {counted<float>({99}, [](int64_t i) { return i % 2 == 0 ? std::nan("") : i * 1e30; }),
                    floats({}, {1}), numbers<uint8_t>({}, {7})},
         .outputs = {counted<uint8_t>({99}, [](int64_t i) { return i % 2 == 0 ? 7 : 255; })}},
    });

const OpCases dequantizeLinear(
    "DequantizeLinear",
    {
        {.name = "ScalesALongRow",
         .inputs = {counted<uint8_t>({3, 401}, [](int64_t i) { return i; }), floats({}, {0.5F}),
                    numbers<uint8_t>({}, {100})},
         .outputs = {counted<float>({3, 401},
                                    [](int64_t i) { return (static_cast<double>(i % 256) - 100) / 2; })}},
        {.name = "ScalesEachElementOfALongRow",
         .attributes = {attribute("axis", 1)},
         .inputs = {counted<int8_t>({3, 85}, [](int64_t i) { return i % 100 - 50; }),
                    counted<float>({85}, [](int64_t i) { return i % 2 == 0 ? 0.25 : 2; }),
                    counted<int8_t>({85}, [](int64_t i) { return i - 40; })},
         .outputs = {counted<float>({3, 85},
                                    [](int64_t i) {
                                        const int64_t place = i % 85;
                                        const auto number = static_cast<double>(i % 100 - 50 - (place - 40));
                                        return number * (place % 2 == 0 ? 0.25 : 2);
                                    })}},
        {.name = "ScalesLongRowsByAScaleEach",
         .attributes = {attribute("axis", 0)},
         .inputs = {counted<int8_t>({2, 131}, [](int64_t i) { return i % 131 - 65; }),
                    floats({2}, {0.5F, 4})},
         .outputs = {counted<float>(
             {2, 131}, [](int64_t i) { return static_cast<double>(i % 131 - 65) * (i < 131 ? 0.5 : 4); })}},
    });

/// Each number from 0 to `length` - 1 once, out of order; `length` shares no factor with 389.
int64_t shuffled(int64_t i, int64_t length) { return i % length * 389 % length; }
/// Where shuffled() has that number.
int64_t placeIn(int64_t number, int64_t length) {
    int64_t place = 0;
    while (shuffled(place, length) != number) ++place;
    return place;
}

const OpCases topK(
    "TopK",
    {
        {.name = "TakesTheLargestOfLongRows",
         .inputs = {counted<float>({2, 1001}, [](int64_t i) { return shuffled(i, 1001); }), int64s({1}, {7})},
         .outputs = {counted<float>({2, 7}, [](int64_t i) { return 1000 - i % 7; }),
                     counted<int64_t>({2, 7}, [](int64_t i) { return placeIn(1000 - i % 7, 1001); })}},
        {.name = "TakesTheSmallestOfLongRows",
         .attributes = {attribute("largest", 0)},
         .inputs = {counted<float>({3, 1001}, [](int64_t i) { return shuffled(i, 1001); }),
                    int64s({1}, {40})},
         .outputs = {counted<float>({3, 40}, [](int64_t i) { return i % 40; }),
                     counted<int64_t>({3, 40}, [](int64_t i) { return placeIn(i % 40, 1001); })}},
        {.name = "TakesTheFirstOfManyEqualNumbers",
         .inputs = {counted<float>({1, 523}, [](int64_t i) { return i % 4 == 3 ? 1 : -1; }),
                    int64s({1}, {6})},
         .outputs = {floats({1, 6}, {1, 1, 1, 1, 1, 1}), int64s({1, 6}, {3, 7, 11, 15, 19, 23})}},
        {.name = "PutsNansOfALongRowFirst",
         .inputs = {counted<float>({1, 300}, [](int64_t i) { return i % 100 == 99 ? std::nan("") : i; }),
                    int64s({1}, {4})},
         .outputs = {floats({1, 4}, {std::nanf(""), std::nanf(""), std::nanf(""), 298}),
                     int64s({1, 4}, {99, 199, 299, 298})}},
        {.name = "TakesTheLargestAlongWideColumns",
         .attributes = {attribute("axis", 0)},
         .inputs = {counted<float>({101, 37}, [](int64_t i) { return shuffled(i / 37, 101); }),
                    int64s({1}, {3})},
         .outputs = {counted<float>({3, 37}, [](int64_t i) { return 100 - i / 37; }),
                     counted<int64_t>({3, 37}, [](int64_t i) { return placeIn(100 - i / 37, 101); })}},
    });

const OpCases gatherElements(
    "GatherElements",
    {
        {.name = "PicksAlongLongRows",
         .attributes = {attribute("axis", 1)},
         .inputs = {counted<float>({3, 211}, [](int64_t i) { return i; }),
                    counted<int64_t>({3, 150}, [](int64_t i) { return i * 31 % 422 - 211; })},
         .outputs = {counted<float>({3, 150},
                                    [](int64_t i) { return i / 150 * 211 + (i * 31 % 422 + 211) % 211; })}},
        {.name = "PicksAcrossWideRows",
         .attributes = {attribute("axis", 0)},
         .inputs = {counted<int64_t>({5, 90}, [](int64_t i) { return i; }),
                    counted<int32_t>({2, 83}, [](int64_t i) { return i % 5 - (i % 3 == 0 ? 5 : 0); })},
         .outputs = {counted<int64_t>({2, 83}, [](int64_t i) { return i % 5 * 90 + i % 83; })}},
    });

const OpCases transpose(
    "Transpose",
    {
        {.name = "TakesPixelsOfBytesApart",
         .attributes = {integersAttribute("perm", {0, 3, 1, 2})},
         .inputs = {counted<uint8_t>({1, 9, 23, 3}, [](int64_t i) { return i % 251; })},
         .outputs = {counted<uint8_t>({1, 3, 9, 23},
                                      [](int64_t i) { return (i % 207 * 3 + i / 207) % 251; })}},
        {.name = "TakesPairsOfBytesApart",
         .attributes = {integersAttribute("perm", {1, 0})},
         .inputs = {counted<int8_t>({201, 2}, [](int64_t i) { return i % 127; })},
         .outputs = {counted<int8_t>({2, 201}, [](int64_t i) { return (i % 201 * 2 + i / 201) % 127; })}},
        {.name = "TakesPixelsOfFourBytesApart",
         .attributes = {integersAttribute("perm", {1, 0})},
         .inputs = {counted<uint8_t>({133, 4}, [](int64_t i) { return i % 251; })},
         .outputs = {counted<uint8_t>({4, 133}, [](int64_t i) { return (i % 133 * 4 + i / 133) % 251; })}},
    });

const OpCases concat("Concat", {
                                   {.name = "PutsManyShortRowsSideBySide",
                                    .attributes = {attribute("axis", -1)},
                                    .inputs = {counted<float>({700, 28}, [](int64_t i) { return i; }),
                                               counted<float>({700, 5}, [](int64_t i) { return -i; })},
                                    .outputs = {counted<float>({700, 33},
                                                               [](int64_t i) {
                                                                   const int64_t row = i / 33;
                                                                   const int64_t column = i % 33;
                                                                   return column < 28
                                                                              ? row * 28 + column
                                                                              : -(row * 5 + column - 28);
                                                               })}},
                               });
const OpCases split(
    "Split", {{.name = "TakesManyShortRowsApart",
               .attributes = {attribute("axis", 1)},
               .inputs = {counted<float>({700, 33}, [](int64_t i) { return i; }), int64s({2}, {28, 5})},
               .outputs = {counted<float>({700, 28}, [](int64_t i) { return i / 28 * 33 + i % 28; }),
                           counted<float>({700, 5}, [](int64_t i) { return i / 5 * 33 + 28 + i % 5; })}}});

}  // namespace
}  // namespace test
