#include <cmath>
#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const float nan = std::numeric_limits<float>::quiet_NaN();
const engine::Tensor grid = floats({2, 3}, {1, 2, 3, 4, 5, 6});

const OpCases gather(
    "Gather",
    {
        {.name = "TakesRows",
         .inputs = {grid, int64s({2}, {1, 0})},
         .outputs = {floats({2, 3}, {4, 5, 6, 1, 2, 3})}},
        {.name = "TakesRowsByBytes",
         .inputs = {grid, numbers<uint8_t>({3}, {1, 0, 1})},
         .outputs = {floats({3, 3}, {4, 5, 6, 1, 2, 3, 4, 5, 6})}},
        {.name = "TakesColumnsCountedFromTheBack",
         .attributes = {attribute("axis", 1)},
         .inputs = {grid, int32s({1, 2}, {-1, 0})},
         .outputs = {floats({2, 1, 2}, {3, 1, 6, 4})}},
        {.name = "DropsTheAxisForAScalar",
         .version = 1,
         .inputs = {grid, int64s({}, {-1})},
         .outputs = {floats({3}, {4, 5, 6})}},
        {.name = "TakesShapeArithmetic",
         .inputs = {int64s({3}, {2, 3, 4}), int64s({}, {1})},
         .outputs = {int64s({}, {3})}},
        {.name = "TakesStrings",
         .inputs = {strings({2}, {"a", "b"}), int64s({3}, {1, 1, 0})},
         .outputs = {strings({3}, {"b", "b", "a"})}},
        {.name = "TakesNothing", .inputs = {grid, int64s({0}, {})}, .outputs = {floats({0, 3}, {})}},
        {.name = "RefusesAnIndexOutOfRange",
         .inputs = {grid, int64s({1}, {2})},
         .error = "indices: found 2, expected -2 to 1"},
        {.name = "RefusesAnAxisOutOfRange",
         .attributes = {attribute("axis", 2)},
         .inputs = {grid, int64s({1}, {0})},
         .error = "axis 2 is out of range for rank 2"},
        {.name = "RefusesFractions", .inputs = {grid, floats({1}, {0})}, .error = "expected integers"},
    });
const OpCases gatherElements("GatherElements", {
                                                   {.name = "TakesAlongRows",
                                                    .attributes = {attribute("axis", 1)},
                                                    .inputs = {grid, int64s({2, 2}, {0, -1, 1, 0})},
                                                    .outputs = {floats({2, 2}, {1, 3, 5, 4})}},
                                                   {.name = "TakesAlongColumns",
                                                    .inputs = {grid, int32s({1, 3}, {1, 0, 1})},
                                                    .outputs = {floats({1, 3}, {4, 2, 6})}},
                                                   {.name = "RefusesAnIndexOutOfRange",
                                                    .inputs = {grid, int64s({1, 3}, {2, 0, 0})},
                                                    .error = "expected -2 to 1"},
                                                   {.name = "RefusesIndicesOfAnotherRank",
                                                    .inputs = {grid, int64s({3}, {0, 0, 0})},
                                                    .error = "rank"},
                                               });
const OpCases gatherNd("GatherND", {
                                       {.name = "TakesElements",
                                        .inputs = {grid, int64s({2, 2}, {0, 0, 1, -1})},
                                        .outputs = {floats({2}, {1, 6})}},
                                       {.name = "TakesSlices",
                                        .inputs = {grid, int64s({1, 1}, {1})},
                                        .outputs = {floats({1, 3}, {4, 5, 6})}},
                                       {.name = "TakesWithinBatches",
                                        .attributes = {attribute("batch_dims", 1)},
                                        .inputs = {grid, int64s({2, 1}, {2, 0})},
                                        .outputs = {floats({2}, {3, 4})}},
                                       {.name = "RefusesTuplesThatAreTooLong",
                                        .inputs = {grid, int64s({1, 3}, {0, 0, 0})},
                                        .error = "longer than the data's axes"},
                                       {.name = "RefusesAnIndexOutOfRange",
                                        .inputs = {grid, int64s({1, 2}, {0, 3})},
                                        .error = "expected -3 to 2"},
                                       {.name = "RefusesMoreBatchDimsThanIntegersCount",
                                        .attributes = {attribute("batch_dims",
                                                                 engine::AttributeValue(int64_t{INT64_MAX}))},
                                        .inputs = {grid, int64s({1, 2}, {0, 1})},
                                        .error = "longer than the data's axes"},
                                   });
const OpCases scatterElements("ScatterElements",
                              {
                                  {.name = "PutsAlongRows",
                                   .attributes = {attribute("axis", 1)},
                                   .inputs = {grid, int64s({2, 1}, {0, -1}), floats({2, 1}, {10, 60})},
                                   .outputs = {floats({2, 3}, {10, 2, 3, 4, 5, 60})}},
                                  {.name = "AddsRepeatedly",
                                   .attributes = {attribute("axis", 1), attribute("reduction", "add")},
                                   .inputs = {grid, int64s({1, 2}, {0, 0}), floats({1, 2}, {10, 100})},
                                   .outputs = {floats({2, 3}, {111, 2, 3, 4, 5, 6})}},
                                  {.name = "KeepsTheLargest",
                                   .attributes = {attribute("reduction", "max")},
                                   .inputs = {int32s({2}, {5, 1}), int64s({2}, {0, 1}), int32s({2}, {3, 4})},
                                   .outputs = {int32s({2}, {5, 4})}},
                                  {.name = "KeepsTheSmallest",
                                   .attributes = {attribute("reduction", "min")},
                                   .inputs = {int32s({2}, {5, 1}), int64s({2}, {0, 1}), int32s({2}, {3, 4})},
                                   .outputs = {int32s({2}, {3, 1})}},
                                  {.name = "Multiplies",
                                   .attributes = {attribute("reduction", "mul")},
                                   .inputs = {int32s({2}, {5, 1}), int64s({2}, {0, 1}), int32s({2}, {3, 4})},
                                   .outputs = {int32s({2}, {15, 4})}},
                                  {.name = "RefusesUpdatesOfAnotherShape",
                                   .inputs = {grid, int64s({1, 1}, {0}), floats({1, 2}, {1, 2})},
                                   .error = "updates: found shape [1, 2], expected [1, 1]"},
                              });
const OpCases scatter("Scatter", {
                                     {.name = "IsScatterElements",
                                      .version = 9,
                                      .inputs = {grid, int64s({1, 1}, {1}), floats({1, 1}, {40})},
                                      .outputs = {floats({2, 3}, {1, 2, 3, 40, 5, 6})}},
                                 });
const OpCases scatterNd("ScatterND",
                        {
                            {.name = "PutsElements",
                             .inputs = {grid, int64s({2, 2}, {0, 1, 1, -1}), floats({2}, {20, 60})},
                             .outputs = {floats({2, 3}, {1, 20, 3, 4, 5, 60})}},
                            {.name = "PutsSlices",
                             .inputs = {grid, int64s({1, 1}, {1}), floats({1, 3}, {7, 8, 9})},
                             .outputs = {floats({2, 3}, {1, 2, 3, 7, 8, 9})}},
                            {.name = "AddsSlices",
                             .attributes = {attribute("reduction", "add")},
                             .inputs = {grid, int64s({2, 1}, {1, 1}), floats({2, 3}, {1, 1, 1, 1, 1, 1})},
                             .outputs = {floats({2, 3}, {1, 2, 3, 6, 7, 8})}},
                            {.name = "RefusesUpdatesOfAnotherShape",
                             .inputs = {grid, int64s({1, 1}, {0}), floats({2}, {1, 2})},
                             .error = "expected [1, 3]"},
                        });
const OpCases nonZero(
    "NonZero",
    {
        {.name = "ListsIndicesPerAxis",
         .inputs = {floats({2, 2}, {1, 0, 0, nan})},
         .outputs = {int64s({2, 2}, {0, 1, 0, 1})}},
        {.name = "TakesAScalarAsAVector", .inputs = {bools({}, {true})}, .outputs = {int64s({1, 1}, {0})}},
        {.name = "FindsNothing", .inputs = {int32s({3}, {0, 0, 0})}, .outputs = {int64s({1, 0}, {})}},
    });
const OpCases topK("TopK", {
                               {.name = "TakesTheLargest",
                                .inputs = {floats({2, 3}, {1, 3, 2, 6, 4, 5}), int64s({1}, {2})},
                                .outputs = {floats({2, 2}, {3, 2, 6, 5}), int64s({2, 2}, {1, 2, 0, 2})}},
                               {.name = "TakesTheSmallestAlongAnAxis",
                                .attributes = {attribute("axis", 0), attribute("largest", 0)},
                                .inputs = {grid, int64s({1}, {1})},
                                .outputs = {floats({1, 3}, {1, 2, 3}), int64s({1, 3}, {0, 0, 0})}},
                               {.name = "OrdersEqualOnesByIndex",
                                .inputs = {int32s({4}, {7, 9, 9, 7}), int64s({1}, {3})},
                                .outputs = {int32s({3}, {9, 9, 7}), int64s({3}, {1, 2, 0})}},
                               {.name = "HadItsCountAsAnAttribute",
                                .version = 1,
                                .attributes = {attribute("k", 1)},
                                .inputs = {grid},
                                .outputs = {floats({2, 1}, {3, 6}), int64s({2, 1}, {2, 2})}},
                               {.name = "RefusesMoreThanThereAre",
                                .inputs = {grid, int64s({1}, {4})},
                                .error = "K: found [4]"},
                           });
const OpCases oneHot("OneHot",
                     {
                         {.name = "HeatsOnePlace",
                          .inputs = {int64s({3}, {0, 2, -1}), int64s({1}, {3}), floats({2}, {0, 5})},
                          .outputs = {floats({3, 3}, {5, 0, 0, 0, 0, 5, 0, 0, 5})}},
                         {.name = "LeavesRowsOfIndicesOutOfRangeCold",
                          .attributes = {attribute("axis", 0)},
                          .inputs = {floats({2}, {1, 9}), floats({}, {2}), int32s({2}, {0, 1})},
                          .outputs = {int32s({2, 2}, {0, 0, 1, 0})}},
                         {.name = "RefusesANegativeDepth",
                          .inputs = {int64s({1}, {0}), int64s({1}, {-1}), floats({2}, {0, 1})},
                          .error = "depth"},
                     });
const OpCases trilu(
    "Trilu",
    {
        {.name = "KeepsTheUpperTriangle", .inputs = {grid}, .outputs = {floats({2, 3}, {1, 2, 3, 0, 5, 6})}},
        {.name = "KeepsTheLowerTriangleFromADiagonal",
         .attributes = {attribute("upper", 0)},
         .inputs = {grid, int64s({}, {1})},
         .outputs = {floats({2, 3}, {1, 2, 0, 4, 5, 6})}},
        {.name = "RefusesAVector", .inputs = {floats({2}, {1, 2})}, .error = "rank 1"},
    });
const OpCases cumSum("CumSum", {
                                   {.name = "SumsAlongAnAxis",
                                    .inputs = {grid, int32s({}, {1})},
                                    .outputs = {floats({2, 3}, {1, 3, 6, 4, 9, 15})}},
                                   {.name = "LeavesTheElementItselfOut",
                                    .attributes = {attribute("exclusive", 1)},
                                    .inputs = {grid, int64s({}, {0})},
                                    .outputs = {floats({2, 3}, {0, 0, 0, 1, 2, 3})}},
                                   {.name = "SumsFromTheEnd",
                                    .attributes = {attribute("reverse", 1)},
                                    .inputs = {int32s({3}, {1, 2, 3}), int64s({}, {-1})},
                                    .outputs = {int32s({3}, {6, 5, 3})}},
                                   {.name = "SumsFromTheEndWithoutTheElement",
                                    .attributes = {attribute("reverse", 1), attribute("exclusive", 1)},
                                    .inputs = {int32s({3}, {1, 2, 3}), int64s({}, {0})},
                                    .outputs = {int32s({3}, {5, 3, 0})}},
                               });
const OpCases cumProd("CumProd", {
                                     {.name = "MultipliesAlongAnAxis",
                                      .inputs = {grid, int32s({}, {1})},
                                      .outputs = {floats({2, 3}, {1, 2, 6, 4, 20, 120})}},
                                     {.name = "LeavesTheElementItselfOut",
                                      .attributes = {attribute("exclusive", 1)},
                                      .inputs = {floats({3}, {2, 3, 4}), int64s({}, {0})},
                                      .outputs = {floats({3}, {1, 2, 6})}},
                                 });
const OpCases isNan("IsNaN", {
                                 {.name = "FindsNan",
                                  .inputs = {floats({3}, {nan, 1, INFINITY})},
                                  .outputs = {bools({3}, {true, false, false})}},
                                 {.name = "WorksInHalf",
                                  .inputs = {numbers<engine::Float16>({2}, {NAN, 1})},
                                  .outputs = {bools({2}, {true, false})}},
                             });
const OpCases isInf("IsInf", {
                                 {.name = "FindsBothInfinities",
                                  .inputs = {floats({3}, {-INFINITY, nan, INFINITY})},
                                  .outputs = {bools({3}, {true, false, true})}},
                                 {.name = "FindsOneSideOnly",
                                  .attributes = {attribute("detect_negative", 0)},
                                  .inputs = {doubles({2}, {-INFINITY, INFINITY})},
                                  .outputs = {bools({2}, {false, true})}},
                             });
const OpCases bitShift("BitShift",
                       {
                           {.name = "ShiftsLeft",
                            .attributes = {attribute("direction", "LEFT")},
                            .inputs = {numbers<uint8_t>({3}, {16, 4, 255}), numbers<uint8_t>({3}, {1, 2, 9})},
                            .outputs = {numbers<uint8_t>({3}, {32, 16, 0})}},
                           {.name = "ShiftsRight",
                            .attributes = {attribute("direction", "RIGHT")},
                            .inputs = {numbers<uint32_t>({2}, {16, 4}), numbers<uint32_t>({1}, {2})},
                            .outputs = {numbers<uint32_t>({2}, {4, 1})}},
                           {.name = "NeedsADirection",
                            .inputs = {numbers<uint8_t>({1}, {1}), numbers<uint8_t>({1}, {1})},
                            .error = "direction"},
                       });

}  // namespace
}  // namespace test
