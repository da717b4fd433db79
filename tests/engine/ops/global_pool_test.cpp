#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Float16;

const OpCases globalAveragePool("GlobalAveragePool",
                                {
                                    {.name = "AveragesEachPlane",
                                     .inputs = {floats({1, 2, 2, 3}, {-1.25F, 1, -1.75F, 0.75F, -0.5F, -2, 1,
                                                                      0.75F, 1.25F, 1.75F, 1, 1.5F})},
                                     .outputs = {floats({1, 2, 1, 1}, {-0.625F, 1.2083334F})}},
                                    {.name = "HasOneAxis",
                                     .inputs = {floats({2, 1, 3}, {-1.75F, 1.75F, 1.75F, 0.75F, 1.25F, 1})},
                                     .outputs = {floats({2, 1, 1}, {0.5833333F, 1})}},
                                    {.name = "SumsHalfsWide",
                                     .inputs = {numbers<Float16>({1, 1, 2, 2}, {60000, 60000, 60000, 60000})},
                                     .outputs = {numbers<Float16>({1, 1, 1, 1}, {60000})}},
                                    {.name = "RefusesRanksBelowTwo",
                                     .inputs = {floats({3}, {1.5F, 1.75F, 0})},
                                     .error = "X: found rank 1"},
                                });

const OpCases globalMaxPool(
    "GlobalMaxPool",
    {
        {.name = "KeepsTheLargestOfEachPlane",
         .inputs = {floats({1, 2, 2, 3}, {1.25F, 1.75F, -0.75F, -2, -1.5F, -2, -0.25F, -2, -1, -1, 1, -1})},
         .outputs = {floats({1, 2, 1, 1}, {1.75F, 1})}},
        {.name = "HasThreeAxes",
         .inputs = {floats({1, 1, 2, 1, 2}, {2, -1.25F, 2, 0.25F})},
         .outputs = {floats({1, 1, 1, 1, 1}, {2})}},
        {.name = "RefusesEmptyPlanes",
         .inputs = {floats({1, 1, 0}, {})},
         .error = "found no spatial elements"},
    });

const OpCases globalLpPool(
    "GlobalLpPool",
    {
        {.name = "TakesTheRootOfSquares",
         .inputs = {floats({1, 2, 2, 2}, {-1, -2, -0.75F, 0.5F, -1.75F, -1.5F, -1.75F, 0.75F})},
         .outputs = {floats({1, 2, 1, 1}, {2.4109128F, 2.9895651F})}},
        {.name = "HasAnotherExponent",
         .attributes = {attribute("p", 1)},
         .inputs = {floats({1, 2, 2, 2}, {-1.75F, -2, -0.25F, -0.75F, 0.25F, 1.75F, 1.5F, 0.25F})},
         .outputs = {floats({1, 2, 1, 1}, {4.75F, 3.75F})}},
        {.name = "TakesAFloatExponentInItsFirstOpset",
         .version = 1,
         .attributes = {attribute("p", 1.0)},
         .inputs = {floats({1, 1, 2}, {3, -4})},
         .outputs = {floats({1, 1, 1}, {7})}},
    });

}  // namespace
}  // namespace test
