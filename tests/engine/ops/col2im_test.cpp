#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases col2Im(
    "Col2Im",
    {{.name = "AddsWhereBlocksOverlap",
      .inputs = {floats({1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}),
                 int64s({2}, {3, 3}), int64s({2}, {2, 2})},
      .outputs = {floats({1, 1, 3, 3}, {1, 7, 6, 12, 34, 22, 11, 27, 16})}},
     {.name = "PutsDistinctBlocksSideBySide",
      .attributes = {integersAttribute("strides", {1, 2})},
      .inputs = {floats({1, 2, 2}, {0, 1, 2, 3}), int64s({2}, {1, 4}), int64s({2}, {1, 2})},
      .outputs = {floats({1, 1, 1, 4}, {0, 2, 1, 3})}},
     {.name = "DropsWhatFallsIntoPads",
      .attributes = {integersAttribute("pads", {1, 1, 1, 1})},
      .inputs = {floats({1, 9, 9}, {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
                                    18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,
                                    35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51,
                                    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68,
                                    69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81}),
                 int64s({2}, {3, 3}), int64s({2}, {3, 3})},
      .outputs = {floats({1, 1, 3, 3}, {84, 156, 124, 216, 369, 276, 204, 336, 244})}},
     {.name = "AddsComplexNumbers",
      .inputs = {engine::Tensor::of<std::complex<float>>({1, 1, 2}, {{1, 2}, {3, 4}}), int64s({1}, {2}),
                 int64s({1}, {1})},
      .outputs = {engine::Tensor::of<std::complex<float>>({1, 1, 2}, {{1, 2}, {3, 4}})}},
     {.name = "OfBooleansSaysWhetherAnyIsSet",
      .inputs = {bools({1, 2, 2}, {false, true, true, false}), int64s({1}, {3}), int64s({1}, {2})},
      .outputs = {bools({1, 1, 3}, {false, true, false})}},
     {.name = "Dilates",
      .attributes = {integersAttribute("dilations", {2, 2})},
      .inputs = {floats({1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}),
                 int64s({2}, {4, 4}), int64s({2}, {2, 2})},
      .outputs = {floats({1, 1, 4, 4}, {1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 13, 14, 11, 12, 15, 16})}},
     {.name = "TakesOneSpatialAxis",
      .inputs = {floats({2, 4, 3}, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                    12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}),
                 int64s({1}, {4}), int64s({1}, {2})},
      .outputs = {floats({2, 2, 4}, {0, 4, 6, 5, 6, 16, 18, 11, 12, 28, 30, 17, 18, 40, 42, 23})}},
     {.name = "TakesHalves",
      .inputs = {numbers<engine::Float16>({1, 4, 1}, {0, 1, 2, 3}), int64s({2}, {2, 2}), int64s({2}, {2, 2})},
      .outputs = {numbers<engine::Float16>({1, 1, 2, 2}, {0, 1, 2, 3})}},
     {.name = "RefusesColumnsThatDoNotFit",
      .inputs = {floats({1, 4, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}),
                 int64s({2}, {3, 3}), int64s({2}, {2, 2})},
      .error = "input: found shape [1, 4, 5], expected [batch, channels * 4, 4]"},
     {.name = "RefusesABlockOfAnotherRank",
      .inputs = {floats({1, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
                 int64s({2}, {3, 3}), int64s({1}, {2})},
      .error = "found image_shape [3, 3] and block_shape [2]"}});

}  // namespace
}  // namespace test
