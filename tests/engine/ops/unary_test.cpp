#include <cmath>
#include <limits>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::BFloat16;
using engine::Float16;

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

/// A function's values at three places, in two element types, and its opset of old.
std::vector<OpCase> functionCases(int firstVersion, std::initializer_list<double> at,
                                  std::initializer_list<double> values) {
    const engine::Dims dims{static_cast<int64_t>(at.size())};
    return {
        {.name = "GivesKnownValues",
         .inputs = {numbers<float>(dims, at)},
         .outputs = {numbers<float>(dims, values)}},
        {.name = "GivesKnownValuesInDouble",
         .inputs = {numbers<double>(dims, at)},
         .outputs = {numbers<double>(dims, values)}},
        {.name = "GivesKnownValuesInHalf",
         .inputs = {numbers<Float16>(dims, at)},
         .outputs = {numbers<Float16>(dims, values)}},
        {.name = "GivesKnownValuesInItsFirstOpset",
         .version = firstVersion,
         .inputs = {numbers<float>(dims, at)},
         .outputs = {numbers<float>(dims, values)}},
        {.name = "KeepsAnEmptyTensorEmpty", .inputs = {floats({2, 0}, {})}, .outputs = {floats({2, 0}, {})}},
        {.name = "TakesAScalar",
         .inputs = {numbers<float>({}, {*at.begin()})},
         .outputs = {numbers<float>({}, {*values.begin()})}},
    };
}

const OpCases abs(
    "Abs", {
               {.name = "DropsTheSign",
                .inputs = {floats({2, 2}, {-1.5F, 0, 2, -inf})},
                .outputs = {floats({2, 2}, {1.5F, 0, 2, inf})}},
               {.name = "WrapsTheSmallestInteger",
                .inputs = {numbers<int8_t>({3}, {-128, -5, 7})},
                .outputs = {numbers<int8_t>({3}, {-128, 5, 7})}},
               {.name = "KeepsUnsigned",
                .inputs = {numbers<uint8_t>({2}, {0, 200})},
                .outputs = {numbers<uint8_t>({2}, {0, 200})}},
               {.name = "TakesOldAttributes",
                .version = 1,
                .attributes = {integersAttribute("consumed_inputs", {0})},
                .inputs = {floats({1}, {-3})},
                .outputs = {floats({1}, {3})}},
               {.name = "RefusesStrings", .inputs = {strings({1}, {"a"})}, .error = "element type string"},
           });
const OpCases acos("Acos", functionCases(7, {0.5, -1, 1}, {1.0471975511965979, 3.141592653589793, 0}));
const OpCases acosh("Acosh", functionCases(9, {2, 1, 3}, {1.3169578969248166, 0, 1.762747174039086}));
const OpCases asin("Asin", functionCases(7, {0.5, -1, 0}, {0.5235987755982989, -1.5707963267948966, 0}));
const OpCases asinh("Asinh", functionCases(9, {2, -1, 0}, {1.4436354751788103, -0.881373587019543, 0}));
const OpCases atan("Atan", functionCases(7, {1, -1, 0}, {0.7853981633974483, -0.7853981633974483, 0}));
const OpCases atanh("Atanh", functionCases(9, {0.5, -0.5, 0}, {0.5493061443340549, -0.5493061443340549, 0}));
const OpCases bitwiseNot(
    "BitwiseNot", {
                      {.name = "FlipsEveryBit",
                       .inputs = {numbers<int32_t>({3}, {0, -1, 5})},
                       .outputs = {numbers<int32_t>({3}, {-1, 0, -6})}},
                      {.name = "FlipsUnsignedBits",
                       .inputs = {numbers<uint8_t>({2}, {0, 1})},
                       .outputs = {numbers<uint8_t>({2}, {255, 254})}},
                      {.name = "RefusesFloats", .inputs = {floats({1}, {1})}, .error = "element type float"},
                  });
const OpCases ceil("Ceil", functionCases(1, {1.5, -1.5, 2}, {2, -1, 2}));
const OpCases cos("Cos", functionCases(7, {1, 0, -2}, {0.5403023058681398, 1, -0.4161468365471424}));
const OpCases cosh("Cosh", functionCases(9, {1, 0, -2}, {1.5430806348152437, 1, 3.7621956910836314}));
const OpCases erf("Erf", functionCases(9, {0.5, -1, 0}, {0.5204998778130465, -0.8427007929497149, 0}));
const OpCases exp("Exp", functionCases(1, {1, 0, -2}, {2.718281828459045, 1, 0.1353352832366127}));
const OpCases floor("Floor", functionCases(1, {1.5, -1.5, 2}, {1, -2, 2}));
const OpCases log("Log", functionCases(1, {2, 1, 10}, {0.6931471805599453, 0, 2.302585092994046}));
const OpCases logOfZero("Log", {
                                   {.name = "IsMinusInfinityAtZero",
                                    .inputs = {floats({2}, {0, -1})},
                                    .outputs = {floats({2}, {-inf, nan})}},
                               });
const OpCases mish("Mish", functionCases(18, {1, 0, -2}, {0.8650983882673103, 0, -0.2525014826957088}));
const OpCases mishFarOut("Mish", {
                                     {.name = "IsZeroFarBelow",
                                      .inputs = {floats({2}, {-3e38F, 3e38F})},
                                      .outputs = {floats({2}, {0, 3e38F})}},
                                 });
const OpCases neg("Neg", {
                             {.name = "TurnsTheSign",
                              .inputs = {floats({3}, {1, -2, inf})},
                              .outputs = {floats({3}, {-1, 2, -inf})}},
                             {.name = "WrapsTheSmallestInteger",
                              .inputs = {int64s({2}, {std::numeric_limits<int64_t>::min(), 3})},
                              .outputs = {int64s({2}, {std::numeric_limits<int64_t>::min(), -3})}},
                             {.name = "WorksInBFloat16",
                              .inputs = {numbers<BFloat16>({2}, {1.5, -2})},
                              .outputs = {numbers<BFloat16>({2}, {-1.5, 2})}},
                         });
const OpCases logicalNot(
    "Not", {
               {.name = "TurnsTheClaim",
                .inputs = {bools({2}, {true, false})},
                .outputs = {bools({2}, {false, true})}},
               {.name = "RefusesNumbers", .inputs = {floats({1}, {1})}, .error = "element type float"},
           });
const OpCases reciprocal("Reciprocal", functionCases(1, {2, -4, 1}, {0.5, -0.25, 1}));
const OpCases relu(
    "Relu",
    {
        {.name = "ZeroesNegativeNumbers",
         .inputs = {floats({2, 2}, {-1, 0, 2, -inf})},
         .outputs = {floats({2, 2}, {0, 0, 2, 0})}},
        {.name = "KeepsNan", .inputs = {floats({2}, {nan, inf})}, .outputs = {floats({2}, {nan, inf})}},
        {.name = "WorksOnIntegers",
         .inputs = {numbers<int8_t>({3}, {-128, 0, 127})},
         .outputs = {numbers<int8_t>({3}, {0, 0, 127})}},
        {.name = "WorksInHalf",
         .inputs = {numbers<Float16>({2}, {-1, 0.5})},
         .outputs = {numbers<Float16>({2}, {0, 0.5})}},
        {.name = "KeepsAnEmptyTensorEmpty", .inputs = {floats({0, 3}, {})}, .outputs = {floats({0, 3}, {})}},
        {.name = "TakesOldAttributes",
         .version = 1,
         .attributes = {integersAttribute("consumed_inputs", {0})},
         .inputs = {floats({1}, {-3})},
         .outputs = {floats({1}, {0})}},
    });
const OpCases round("Round", functionCases(11, {0.5, 1.5, -2.5}, {0, 2, -2}));
const OpCases sigmoid("Sigmoid",
                      functionCases(1, {1, 0, -2}, {0.7310585786300049, 0.5, 0.11920292202211755}));
const OpCases sigmoidFarOut("Sigmoid", {
                                           {.name = "ReachesItsEnds",
                                            .inputs = {floats({2}, {-200, 200})},
                                            .outputs = {floats({2}, {0, 1})}},
                                       });
const OpCases sign("Sign", {
                               {.name = "IsMinusOneZeroOrOne",
                                .inputs = {floats({4}, {-3, 0, inf, nan})},
                                .outputs = {floats({4}, {-1, 0, 1, nan})}},
                               {.name = "WorksOnIntegers",
                                .inputs = {numbers<int16_t>({3}, {-7, 0, 7})},
                                .outputs = {numbers<int16_t>({3}, {-1, 0, 1})}},
                               {.name = "WorksOnUnsigned",
                                .inputs = {numbers<uint64_t>({2}, {0, 7})},
                                .outputs = {numbers<uint64_t>({2}, {0, 1})}},
                           });
const OpCases sin("Sin", functionCases(7, {1, 0, -2}, {0.8414709848078965, 0, -0.9092974268256817}));
const OpCases sinh("Sinh", functionCases(9, {1, 0, -2}, {1.1752011936438014, 0, -3.626860407847019}));
const OpCases softplus("Softplus",
                       functionCases(1, {1, 0, -2},
                                     {1.3132616875182228, 0.6931471805599453, 0.12692801104297263}));
const OpCases softplusFarOut("Softplus", {
                                             {.name = "DoesNotOverflow",
                                              .inputs = {floats({2}, {1000, -1000})},
                                              .outputs = {floats({2}, {1000, 0})}},
                                         });
const OpCases softsign("Softsign", functionCases(1, {1, 0, -3}, {0.5, 0, -0.75}));
const OpCases sqrt("Sqrt", functionCases(1, {4, 0, 2}, {2, 0, 1.4142135623730951}));
const OpCases sqrtOfNegative(
    "Sqrt", {
                {.name = "IsNanBelowZero", .inputs = {floats({1}, {-1})}, .outputs = {floats({1}, {nan})}},
            });
const OpCases tan("Tan", functionCases(7, {1, 0, -2}, {1.5574077246549023, 0, 2.185039863261519}));
const OpCases tanh("Tanh", functionCases(1, {1, 0, -2}, {0.7615941559557649, 0, -0.9640275800758169}));

}  // namespace
}  // namespace test
