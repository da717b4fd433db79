#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases pad("com.microsoft", "Pad",
                  {{.name = "IsOnnxs",
                    .version = 1,
                    .inputs = {floats({2, 3}, {1, 2, 3, 4, 5, 6}), int64s({4}, {0, 1, 1, 0})},
                    .outputs = {floats({3, 4}, {0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0})}},
                   {.name = "HasModes",
                    .version = 1,
                    .attributes = {attribute("mode", "reflect")},
                    .inputs = {floats({2, 3}, {1, 2, 3, 4, 5, 6}), int64s({4}, {0, 1, 0, 1})},
                    .outputs = {floats({2, 5}, {2, 1, 2, 3, 2, 5, 4, 5, 6, 5})}}});

const OpCases trilu("com.microsoft", "Trilu",
                    {{.name = "IsOnnxs",
                      .version = 1,
                      .attributes = {attribute("upper", 0)},
                      .inputs = {floats({2, 3}, {1, 2, 3, 4, 5, 6})},
                      .outputs = {floats({2, 3}, {1, 0, 0, 4, 5, 0})}}});

const engine::Tensor left = floats({3, 2}, {1, 1.75F, 1, -1.75F, 0.25F, -0.25F});
const engine::Tensor right = floats({2, 3}, {1.25F, -1.5F, -0.25F, 1.5F, 0.5F, -2});

const OpCases transposeMatMul("com.microsoft", "TransposeMatMul",
                              {{.name = "IsFusedMatMul",
                                .attributes = {attribute("transA", 1), attribute("transB", 1)},
                                .inputs = {left, right},
                                .outputs = {floats({2, 2}, {-0.3125F, 1.5F, 4.875F, 2.25F})}}});

const OpCases fusedMatMulActivation(
    "com.microsoft", "FusedMatMulActivation",
    {{.name = "AppliesTheActivation",
      .attributes = {attribute("transA", 1), attribute("transB", 1), attribute("activation", "Relu")},
      .inputs = {left, right},
      .outputs = {floats({2, 2}, {0, 1.5F, 4.875F, 2.25F})}},
     {.name = "TakesTheActivationsParameters",
      .attributes = {attribute("transA", 1), attribute("transB", 1), attribute("activation", "LeakyRelu"),
                     attribute("activation_alpha", 0.5F)},
      .inputs = {left, right},
      .outputs = {floats({2, 2}, {-0.15625F, 1.5F, 4.875F, 2.25F})}}});

}  // namespace
}  // namespace test
