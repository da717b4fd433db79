#include <cmath>
#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const float infinity = std::numeric_limits<float>::infinity();
const engine::Tensor grid = floats({2, 3}, {1, -2, 3, 4, 5, -6});

engine::Tensor tenths(const engine::Dims& dims) {
    engine::Tensor tensor = engine::Tensor::allocate(engine::DataType::float32, dims);
    for (float& value : tensor.mutableValues<float>()) value = 0.1F;
    return tensor;
}

template <class T>
engine::Tensor ones(const engine::Dims& dims) {
    engine::Tensor tensor = engine::Tensor::allocate(engine::dataTypeOf<T>, dims);
    for (T& value : tensor.mutableValues<T>()) value = 1;
    return tensor;
}

const OpCases sum("ReduceSum", {
                                   {.name = "ReducesAllAxesWithoutAxes",
                                    .inputs = {grid},
                                    .outputs = {floats({1, 1}, {5})}},
                                   {.name = "ReducesOneAxisAndDropsIt",
                                    .attributes = {attribute("keepdims", 0)},
                                    .inputs = {grid, int64s({1}, {1})},
                                    .outputs = {floats({2}, {2, 3})}},
                                   {.name = "CountsNegativeAxesFromTheBack",
                                    .inputs = {grid, int64s({1}, {-2})},
                                    .outputs = {floats({1, 3}, {5, 3, -3})}},
                                   {.name = "HandsOnItsInputWhereEmptyAxesMeanNone",
                                    .attributes = {attribute("noop_with_empty_axes", 1)},
                                    .inputs = {grid, int64s({0}, {})},
                                    .outputs = {grid}},
                                   {.name = "TakesAxesFromAnAttributeInOldOpsets",
                                    .version = 11,
                                    .attributes = {integersAttribute("axes", {0})},
                                    .inputs = {grid},
                                    .outputs = {floats({1, 3}, {5, 3, -3})}},
                                   {.name = "OfNothingIsZero",
                                    .attributes = {attribute("keepdims", 0)},
                                    .inputs = {floats({2, 0}, {}), int64s({1}, {1})},
                                    .outputs = {floats({2}, {0, 0})}},
                                   {.name = "AddsIntegers",
                                    .attributes = {attribute("keepdims", 0)},
                                    .inputs = {int64s({3}, {1, 2, 4})},
                                    .outputs = {int64s({}, {7})}},
                                   {.name = "RefusesAnAxisThatIsNotThere",
                                    .inputs = {grid, int64s({1}, {2})},
                                    .error = "axis 2 is out of range for rank 2"},
                               });
const OpCases mean("ReduceMean", {{.name = "Averages",
                                   .inputs = {grid, int64s({1}, {0})},
                                   .outputs = {floats({1, 3}, {2.5F, 1.5F, -1.5F})}},
                                  {.name = "TakesAxesFromAnAttributeInOldOpsets",
                                   .version = 13,
                                   .attributes = {integersAttribute("axes", {1})},
                                   .inputs = {floats({1, 2}, {1, 2})},
                                   .outputs = {floats({1, 1}, {1.5F})}},
                                  // One long sum of floats would be off by 1e-4 of it.
                                  {.name = "KeepsItsDigitsOverManyRows",
                                   .inputs = {tenths({40000, 2}), int64s({1}, {0})},
                                   .outputs = {tenths({1, 2})}},
                                  {.name = "KeepsItsDigitsOverLongRows",
                                   .inputs = {tenths({1, 2000000}), int64s({1}, {1})},
                                   .outputs = {tenths({1, 1})}}});
const OpCases product("ReduceProd",
                      {{.name = "Multiplies", .inputs = {grid}, .outputs = {floats({1, 1}, {720})}},
                       {.name = "MultipliesShapeArithmetic",
                        .attributes = {attribute("keepdims", 0)},
                        .inputs = {int64s({3}, {2, 3, 4})},
                        .outputs = {int64s({}, {24})}}});
const OpCases maximum("ReduceMax", {{.name = "FindsTheLargest",
                                     .inputs = {grid, int64s({1}, {1})},
                                     .outputs = {floats({2, 1}, {3, 5})}},
                                    {.name = "OfBooleansIsAnyTrue",
                                     .inputs = {bools({2, 2}, {false, true, false, false}), int64s({1}, {1})},
                                     .outputs = {bools({2, 1}, {true, false})}},
                                    {.name = "OfNothingIsMinusInfinity",
                                     .attributes = {attribute("keepdims", 0)},
                                     .inputs = {floats({0}, {})},
                                     .outputs = {floats({}, {-infinity})}}});
const OpCases minimum("ReduceMin", {{.name = "FindsTheSmallest",
                                     .inputs = {grid, int64s({1}, {1})},
                                     .outputs = {floats({2, 1}, {-2, -6})}}});
const OpCases l1("ReduceL1",
                 {{.name = "AddsMagnitudes", .inputs = {grid}, .outputs = {floats({1, 1}, {21})}}});
const OpCases l2("ReduceL2", {{.name = "IsTheEuclideanNorm",
                               .attributes = {attribute("keepdims", 0)},
                               .inputs = {floats({2}, {3, 4})},
                               .outputs = {floats({}, {5})}},
                              {.name = "OfEachElementIsItsMagnitude",
                               .attributes = {attribute("noop_with_empty_axes", 1)},
                               .inputs = {numbers<int32_t>({2}, {-9, 4})},
                               .outputs = {numbers<int32_t>({2}, {9, 4})}}});
const OpCases integerMean("ReduceMean", {{.name = "HoldsSumsAndCountsThatItsTypeCannot",
                                          .inputs = {ones<uint8_t>({256})},
                                          .outputs = {numbers<uint8_t>({1}, {1})}}});
const OpCases integerSum("ReduceSum", {{.name = "WrapsAround",
                                        .inputs = {numbers<int32_t>({2}, {2147483647, 1})},
                                        .outputs = {numbers<int32_t>({1}, {-2147483648.0})}}});
const OpCases squares("ReduceSumSquare",
                      {{.name = "AddsSquares", .inputs = {grid}, .outputs = {floats({1, 1}, {91})}}});
const OpCases logSum("ReduceLogSum", {{.name = "IsTheLogarithmOfTheSum",
                                       .inputs = {floats({2}, {1, 3})},
                                       .outputs = {floats({1}, {1.38629436F})}}});
const OpCases logSumExp("ReduceLogSumExp", {{.name = "DoesNotOverflow",
                                             .inputs = {floats({2}, {1000, 1000})},
                                             .outputs = {floats({1}, {1000.69314718F})}},
                                            {.name = "StopsAtTheLargestOfAnIntegerType",
                                             .inputs = {numbers<uint8_t>({2}, {255, 254})},
                                             .outputs = {numbers<uint8_t>({1}, {255})}},
                                            {.name = "OfMinusInfinityIsMinusInfinity",
                                             .inputs = {floats({2}, {-infinity, -infinity})},
                                             .outputs = {floats({1}, {-infinity})}}});

const OpCases argMax(
    "ArgMax",
    {{.name = "TakesTheFirstOfEqualElements",
      .inputs = {floats({2, 2}, {1, 3, 1, 0})},
      .outputs = {int64s({1, 2}, {0, 0})}},
     {.name = "TakesTheLastIfToldTo",
      .attributes = {attribute("axis", -1), attribute("keepdims", 0), attribute("select_last_index", 1)},
      .inputs = {floats({2, 3}, {2, 2, 1, 0, 5, 5})},
      .outputs = {int64s({2}, {1, 2})}},
     {.name = "RefusesAnEmptyAxis", .inputs = {floats({0, 2}, {})}, .error = "axis 0 of [0, 2] is empty"}});
const OpCases argMin("ArgMin", {{.name = "FindsTheSmallest",
                                 .attributes = {attribute("axis", 1)},
                                 .inputs = {int32s({2, 2}, {1, -3, 0, 4})},
                                 .outputs = {int64s({2, 1}, {1, 0})}}});

}  // namespace
}  // namespace test
