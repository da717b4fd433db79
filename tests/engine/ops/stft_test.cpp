#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases sTFT(
    "STFT",
    {{.name = "TransformsFrames",
      .inputs = {floats({1, 8, 1}, {1.625F, -0.625F, 1.25F, -1.875F, -1.625F, 0.375F, 0.125F, -0.375F}),
                 int64s({}, {2}),
                 {},
                 int64s({}, {4})},
      .outputs = {floats({1, 3, 3, 2}, {0.375F, 0, 0.375F, -1.25F, 5.375F, 0, -1.875F, 0, 2.875F, 2.25F,
                                        1.125F, 0, -1.5F, 0, -1.75F, -0.75F, -1.5F, 0})}},
     {.name = "WeighsByAWindow",
      .inputs = {floats({1, 8, 1}, {1.625F, -0.625F, 1.25F, -1.875F, -1.625F, 0.375F, 0.125F, -0.375F}),
                 int64s({}, {3}), floats({4}, {0.5F, 1, 1, 0.5F})},
      .outputs = {floats({1, 2, 3, 2},
                         {0.5F, 0, -0.4375F, -0.3125F, 3.625F, 0, -2.125F, 0, -1.3125F, 1.6875F, 1, 0})}},
     {.name = "GivesBothSides",
      .attributes = {attribute("onesided", 0)},
      .inputs = {floats({1, 8, 1}, {1.625F, -0.625F, 1.25F, -1.875F, -1.625F, 0.375F, 0.125F, -0.375F}),
                 int64s({}, {4}), floats({4}, {0.5F, 1, 1, 0.5F}), int64s({}, {4})},
      .outputs = {floats({1, 2, 4, 2}, {0.5F, 0, -0.4375F, -0.3125F, 3.625F, 0, -0.4375F, 0.3125F, -0.5F, 0,
                                        -0.9375F, -0.5625F, -0.875F, 0, -0.9375F, 0.5625F})}},
     {.name = "TakesComplexNumbers",
      .attributes = {attribute("onesided", 0)},
      .inputs = {floats({1, 6, 2}, {-1.75F, 1.125F, -0.25F, 0.875F, 1.875F, 0.125F, 0, -1.75F, -0.875F, -0.0F,
                                    0.75F, 1.25F}),
                 int64s({}, {3}),
                 {},
                 int64s({}, {3})},
      .outputs = {floats({1, 2, 3, 2}, {-0.125F, 2.125F, -1.9129809F, 2.465304F, -3.212019F, -1.215304F,
                                        -0.125F, -0.5F, -1.0200318F, -0.9677087F, 1.1450318F, -3.7822912F})}},
     {.name = "RefusesComplexNumbersForOneSide",
      .inputs = {floats({1, 6, 2}, {-1.75F, 1.125F, -0.25F, 0.875F, 1.875F, 0.125F, 0, -1.75F, -0.875F, -0.0F,
                                    0.75F, 1.25F}),
                 int64s({}, {3}),
                 {},
                 int64s({}, {3})},
      .error = "found complex numbers, expected real ones"},
     {.name = "RefusesAFrameLongerThanTheSignal",
      .inputs = {floats({1, 8, 1}, {1.625F, -0.625F, 1.25F, -1.875F, -1.625F, 0.375F, 0.125F, -0.375F}),
                 int64s({}, {1}),
                 {},
                 int64s({}, {9})},
      .error = "signal: found 8 samples, expected at least a frame of 9"},
     {.name = "RefusesAWindowOfAnotherLength",
      .inputs = {floats({1, 8, 1}, {1.625F, -0.625F, 1.25F, -1.875F, -1.625F, 0.375F, 0.125F, -0.375F}),
                 int64s({}, {1}), floats({4}, {0.5F, 1, 1, 0.5F}), int64s({}, {3})},
      .error = "window: found 4 weights, expected 3"},
     {.name = "RefusesAStepOfZero",
      .inputs = {floats({1, 8, 1}, {1.625F, -0.625F, 1.25F, -1.875F, -1.625F, 0.375F, 0.125F, -0.375F}),
                 int64s({}, {0}), floats({4}, {0.5F, 1, 1, 0.5F})},
      .error = "frame_step: found 0, expected at least 1"}});

}  // namespace
}  // namespace test
