#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases fusedMatMul("opscope", "FusedMatMul",
                          {
                              {.name = "TransposesAndScales",
                               .attributes = {attribute("transB", 1), attribute("alpha", 0.5)},
                               .inputs = {floats({2, 3}, {0.5F, -0.75F, -1.25F, -2, -1.25F, -1}),
                                          floats({2, 3}, {1.5F, 0, -1.25F, 1, -0.25F, 1.5F})},
                               .outputs = {floats({2, 2}, {1.15625F, -0.59375F, -0.875F, -1.59375F})}},
                              {.name = "AppliesTheActivation",
                               .attributes = {attribute("transB", 1), attribute("activation", "Relu")},
                               .inputs = {floats({2, 3}, {0.5F, -0.75F, -1.25F, -2, -1.25F, -1}),
                                          floats({2, 3}, {1.5F, 0, -1.25F, 1, -0.25F, 1.5F})},
                               .outputs = {floats({2, 2}, {2.3125F, 0, 0, 0})}},
                          });

const OpCases microsoftFusedMatMul(
    "com.microsoft", "FusedMatMul",
    {
        {.name = "TransposesBoth",
         .attributes = {attribute("transA", 1), attribute("transB", 1)},
         .inputs = {floats({3, 2}, {1, 1.75F, 1, -1.75F, 0.25F, -0.25F}),
                    floats({2, 3}, {1.25F, -1.5F, -0.25F, 1.5F, 0.5F, -2})},
         .outputs = {floats({2, 2}, {-0.3125F, 1.5F, 4.875F, 2.25F})}},
        {.name = "TransposesStacks",
         .attributes = {attribute("transB", 1), attribute("alpha", 2.0)},
         .inputs = {floats({2, 1, 3}, {1.25F, -0.5F, 0.75F, 0.75F, 0.5F, -0.25F}),
                    floats({2, 2, 3}, {-0.5F, -1.75F, 0.25F, -1, -0.5F, -1.5F, 1, 1.75F, -0.5F, -0.25F,
                                       -0.25F, -1.75F})},
         .outputs = {floats({2, 1, 2}, {0.875F, -4.25F, 3.5F, 0.25F})}},
        {.name = "TakesTheStackFromTheMiddle",
         .attributes = {attribute("transBatchA", 1)},
         .inputs = {floats({2, 3, 2},
                           {1, 1.5F, 0, -1.75F, -0.75F, -1.5F, 1.5F, 1.25F, -0.5F, -0.5F, 1.5F, -1.75F}),
                    floats({3, 2, 1}, {1.25F, 2, -0.25F, 1, 1, 1.75F})},
         .outputs = {floats({3, 2, 1}, {4.25F, 4.375F, -1.75F, -0.375F, -3.375F, -1.5625F})}},
        {.name = "TakesBothStacksFromTheMiddle",
         .attributes = {attribute("transBatchA", 1), attribute("transBatchB", 1)},
         .inputs = {floats({2, 3, 2}, {-2, 0.75F, -0.5F, 1.5F, 1.5F, -1, 0.25F, 0, 0.25F, 1.5F, 0.75F, 1}),
                    floats({2, 3, 2},
                           {0.75F, -1, 0.25F, -0.5F, -0.25F, -1.75F, -1.25F, -0.75F, -1, 0.5F, -1, -1})},
         .outputs = {floats({3, 2, 2}, {-2.4375F, 1.4375F, 0.1875F, -0.25F, -1.625F, 1, -1.4375F, 0.625F,
                                        0.625F, -1.625F, -1.1875F, -2.3125F})}},
    });

}  // namespace
}  // namespace test
