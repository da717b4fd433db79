#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases affineGrid(
    "AffineGrid",
    {{.name = "SpansPixelsByDefault",
      .inputs = {floats({1, 2, 3}, {1, 0, 0.5F, 0, 2, -0.25F}), int64s({4}, {1, 3, 2, 3})},
      .outputs = {floats({1, 2, 3, 2}, {-0.16666667F, -1.25F, 0.5F, -1.25F, 1.1666666F, -1.25F, -0.16666667F,
                                        0.75F, 0.5F, 0.75F, 1.1666666F, 0.75F})}},
     {.name = "AlignsCorners",
      .attributes = {attribute("align_corners", 1)},
      .inputs = {floats({1, 2, 3}, {1, 0, 0.5F, 0, 2, -0.25F}), int64s({4}, {1, 3, 2, 3})},
      .outputs = {floats({1, 2, 3, 2}, {-0.5F, -2.25F, 0.5F, -2.25F, 1.5F, -2.25F, -0.5F, 1.75F, 0.5F, 1.75F,
                                        1.5F, 1.75F})}},
     {.name = "TakesVolumes",
      .inputs = {floats({1, 3, 4}, {0, 0.25F, 0.5F, 0.75F, 1, 1.25F, 1.5F, 1.75F, 2, 2.25F, 2.5F, 2.75F}),
                 int64s({5}, {1, 1, 1, 2, 2})},
      .outputs = {floats({1, 1, 2, 2, 3}, {0.625F, 0.625F, 0.625F, 0.625F, 1.625F, 2.625F, 0.875F, 1.875F,
                                           2.875F, 0.875F, 2.875F, 4.875F})}},
     {.name = "TakesSeveralImages",
      .inputs = {floats({2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), int64s({4}, {2, 1, 1, 2})},
      .outputs = {floats({2, 1, 2, 2}, {2, 3.5F, 2, 6.5F, 5, 6.5F, 11, 15.5F})}},
     {.name = "GivesNothingForNoPixels",
      .inputs = {floats({1, 2, 3}, {1, 0, 0.5F, 0, 2, -0.25F}), int64s({4}, {1, 1, 0, 2})},
      .outputs = {floats({1, 0, 2, 2}, {})}},
     {.name = "RefusesASizeOfThreeValues",
      .inputs = {floats({1, 2, 3}, {1, 0, 0.5F, 0, 2, -0.25F}), int64s({3}, {1, 3, 2})},
      .error = "size: found 3 values, expected 4 or 5"},
     {.name = "RefusesThetaOfAnotherShape",
      .inputs = {floats({1, 2, 2}, {0, 1, 2, 3}), int64s({4}, {1, 3, 2, 3})},
      .error = "theta: found shape [1, 2, 2], expected [1, 2, 3]"}});

}  // namespace
}  // namespace test
