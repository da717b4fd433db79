#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

using engine::Datum;

struct Moments {
    double mean = 0;
    double deviation = 0;
};

Moments momentsOf(const Datum& datum) {
    const std::vector<double> values = datum.tensor().toDouble();
    Moments moments;
    for (const double value : values) moments.mean += value / static_cast<double>(values.size());
    for (const double value : values) {
        moments.deviation +=
            (value - moments.mean) * (value - moments.mean) / static_cast<double>(values.size());
    }
    moments.deviation = std::sqrt(moments.deviation);
    return moments;
}

/// 10,000 draws: the mean is within 5 standard errors of its own.
void expectMoments(const std::vector<Datum>& outputs, double mean, double deviation) {
    const Moments found = momentsOf(outputs.at(0));
    EXPECT_NEAR(found.mean, mean, 0.05 * deviation);
    EXPECT_NEAR(found.deviation, deviation, 0.05 * deviation);
}

const std::vector<int64_t> dims{100, 100};
const engine::Tensor like = engine::Tensor::of<float>({10000}, std::vector<float>(10000, 0.25F));

const OpCases uniform("RandomUniform",
                      {{.name = "FillsTheRangeEvenly",
                        .attributes = {integersAttribute("shape", dims), attribute("low", 2.0),
                                       attribute("high", 6.0), attribute("seed", 1.0)},
                        .check = [](const std::vector<Datum>& out) {
                            expectMoments(out, 4, 4 / std::sqrt(12));
                        }}});
const OpCases normal("RandomNormal",
                     {{.name = "HasItsMeanAndDeviation",
                       .attributes = {integersAttribute("shape", dims), attribute("mean", 3.0),
                                      attribute("scale", 2.0), attribute("seed", 1.0)},
                       .check = [](const std::vector<Datum>& out) { expectMoments(out, 3, 2); }}});
const OpCases uniformLike("RandomUniformLike", {{.name = "TakesShapeAndTypeOfItsInput",
                                                 .attributes = {attribute("seed", 1.0)},
                                                 .inputs = {like},
                                                 .check = [](const std::vector<Datum>& out) {
                                                     expectMoments(out, 0.5, 1 / std::sqrt(12));
                                                 }}});
const OpCases normalLike("RandomNormalLike",
                         {{.name = "TakesShapeAndTypeOfItsInput",
                           .attributes = {attribute("seed", 1.0)},
                           .inputs = {like},
                           .check = [](const std::vector<Datum>& out) { expectMoments(out, 0, 1); }}});
const OpCases bernoulli("Bernoulli", {{.name = "IsOneAsOftenAsItsInputSays",
                                       .attributes = {attribute("seed", 1.0)},
                                       .inputs = {like},
                                       .check = [](const std::vector<Datum>& out) {
                                           expectMoments(out, 0.25, std::sqrt(0.1875));
                                       }}});

/// Classes of weights 1, 3 and 0.
const engine::Tensor logits = floats({1, 3}, {0, std::log(3.0F), -1e30F});

const OpCases multinomial(
    "Multinomial",
    {{.name = "DrawsClassesByTheirWeights",
      .attributes = {attribute("sample_size", 10000), attribute("seed", 1.0)},
      .inputs = {logits},
      .check =
          [](const std::vector<Datum>& out) {
              EXPECT_EQ(out.at(0).tensor().type(), engine::DataType::int32);
              EXPECT_EQ(out.at(0).tensor().dims(), (engine::Dims{1, 10000}));
              expectMoments(out, 0.75, std::sqrt(0.1875));
          }},
     {.name = "GivesWideIntegersIfTold",
      .attributes = {attribute("dtype", 7)},
      .inputs = {floats({2, 1}, {-5, 5})},
      .outputs = {int64s({2, 1}, {0, 0})}},
     {.name = "RefusesNoClasses", .inputs = {floats({1, 0}, {})}, .error = "input: found no classes"},
     {.name = "RefusesOtherTypes",
      .attributes = {attribute("dtype", 1)},
      .inputs = {logits},
      .error = "element type float is not supported"}});

}  // namespace
}  // namespace test
