#include "engine/core/dim.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace engine {

/// How googletest prints a dim.
static void PrintTo(const Dim& dim, std::ostream* stream) { *stream << dim; }

namespace {

const Dim h = Dim::symbol("h");
const Dim w = Dim::symbol("w");
const Dim batch = Dim::symbol("batch");
const Dim seq = Dim::symbol("seq");
constexpr int64_t largest = std::numeric_limits<int64_t>::max();
constexpr int64_t smallest = std::numeric_limits<int64_t>::min();

TEST(Dim, PrintsOrdinaryNotation) {
    EXPECT_EQ(Dim().text(), "?");
    EXPECT_EQ(Dim(224).text(), "224");
    EXPECT_EQ(batch.text(), "batch");
    EXPECT_EQ((floorDiv(h, 4) + 1).text(), "h/4+1");
    EXPECT_EQ((batch * 2 * seq).text(), "2*batch*seq");
    EXPECT_EQ((floorDiv(h, 2) * 2).text(), "2*(h/2)");
    EXPECT_EQ((batch * floorDiv(h + 1, 2)).text(), "batch*((h+1)/2)");
    EXPECT_EQ((h * h - w).text(), "h^2-w");
    EXPECT_EQ((w - h).text(), "w-h");
    EXPECT_EQ((0 - h).text(), "-h");
    EXPECT_EQ((1 - h).text(), "1-h");
    EXPECT_EQ((h - h).text(), "0");
    EXPECT_EQ(minimum(h, 5).text(), "min(h, 5)");
    EXPECT_EQ(floorDiv(h, w + 1).text(), "h/(w+1)");
    EXPECT_EQ(floorDiv(h * w, 7).text(), "h*w/7");
    EXPECT_EQ(floorDiv(batch, seq * h).text(), "batch/(h*seq)");
}

TEST(Dim, CancelsExactly) {
    EXPECT_EQ(h + w - h, w);
    EXPECT_EQ((h + 1) * (h - 1), h * h - 1);
    EXPECT_EQ((batch + seq) * (batch + seq), batch * batch + 2 * batch * seq + seq * seq);
    EXPECT_EQ(h - h, Dim(0));
    EXPECT_EQ(floorDiv(h, 2) - floorDiv(h, 2), Dim(0));
}

TEST(Dim, DividesPolynomialsExactly) {
    EXPECT_EQ(floorDiv(batch * seq * 768, 768), batch * seq);
    EXPECT_EQ(floorDiv(batch * seq * 768, batch * 12), seq * 64);
    EXPECT_EQ(floorDiv(h * h - 1, h + 1), h - 1);
    EXPECT_EQ(floorDiv(batch * floorDiv(h + 3, 4), floorDiv(h + 3, 4)), batch);
    EXPECT_EQ(floorDiv(2 * h * w, 4 * w), floorDiv(h, 2));
    EXPECT_EQ(floorDiv(h * w + w, 0 - w), -1 - h);
}

TEST(Dim, GivesEqualDivisionsOneForm) {
    EXPECT_EQ(floorDiv(h - 1, 2) + 1, floorDiv(h + 1, 2));
    EXPECT_EQ(floorDiv(2 * h + 1, 4), floorDiv(h, 2));
    EXPECT_EQ(floorDiv(5 * h, 4), h + floorDiv(h, 4));
    EXPECT_EQ(ceilDiv(h, 2), floorDiv(h + 1, 2));
    EXPECT_EQ(ceilDiv(h, w), floorDiv(h + w - 1, w));
    EXPECT_EQ(floorDiv(6 * h + 3, 6 * w), floorDiv(2 * h + 1, 2 * w));
}

TEST(Dim, FlattensDivisionsOfDivisions) {
    // Five convolutions of stride 2.
    Dim size = h;
    for (int i = 0; i < 5; ++i) size = floorDiv(size - 1, 2) + 1;
    EXPECT_EQ(size.text(), "(h+31)/32");
    EXPECT_EQ(floorDiv(floorDiv(h, 3) + w, 2), floorDiv(h + 3 * w, 6));
}

TEST(Dim, TakesModulo) {
    EXPECT_EQ(modulo(7, 4), Dim(3));
    EXPECT_EQ(modulo(-7, 4), Dim(1));
    EXPECT_EQ(modulo(7, -4), Dim(-1));
    EXPECT_EQ(modulo(4 * h + 3, 4), Dim(3));
    EXPECT_EQ(modulo(h * w, w), Dim(0));
    EXPECT_EQ(floorDiv(modulo(h, 4), 4), Dim(0));
    EXPECT_EQ(modulo(modulo(h, 4), 4), modulo(h, 4));
}

TEST(Dim, DropsMinimaAndMaximaThatAreDecided) {
    EXPECT_EQ(minimum(h, h + 1), h);
    EXPECT_EQ(maximum(h, 1), h);
    EXPECT_EQ(maximum(h - 1, 0), h - 1);
    EXPECT_EQ(minimum(h, 1), Dim(1));
    EXPECT_EQ(minimum(h * w, h), h);
    EXPECT_EQ(minimum(minimum(h, 5), 3).text(), "min(h, 3)");
    EXPECT_EQ(minimum(h, w), minimum(w, h));
    EXPECT_EQ(minimum(minimum(h, w), 9), minimum(minimum(9, w), h));
    EXPECT_EQ(maximum(minimum(h, 5), 7), Dim(7));
    EXPECT_EQ(minimum(floorDiv(h + 1, 2), h), floorDiv(h + 1, 2));
    EXPECT_EQ(floorDiv(minimum(h, 3), 4), Dim(0));
}

TEST(Dim, KnowsLowerBounds) {
    EXPECT_EQ(h.lowerBound(), 1);
    EXPECT_EQ((h * 3 + w - 1).lowerBound(), 3);
    EXPECT_EQ((h * w - h).lowerBound(), 0);
    EXPECT_EQ((h - w).lowerBound(), std::nullopt);
    EXPECT_EQ((0 - h).lowerBound(), std::nullopt);
    EXPECT_EQ(floorDiv(h - 8, 4).lowerBound(), -2);
    EXPECT_EQ((h - floorDiv(h, 2)).lowerBound(), 1);
    EXPECT_EQ((5 - minimum(h, 5)).lowerBound(), 0);
    EXPECT_EQ(maximum(h - w, 2).lowerBound(), 2);
    EXPECT_EQ(Dim(-3).lowerBound(), -3);
    EXPECT_EQ(Dim().lowerBound(), std::nullopt);
}

TEST(Dim, UnknownInGivesUnknownOut) {
    EXPECT_TRUE((h + Dim()).isUnknown());
    EXPECT_TRUE(minimum(Dim(), 3).isUnknown());
    EXPECT_TRUE(floorDiv(h, 0).isUnknown());
    EXPECT_TRUE(modulo(3, 0).isUnknown());
    EXPECT_EQ(Dim() * 0, Dim(0));
    EXPECT_FALSE(Dim() == Dim());
}

TEST(Dim, OverflowGivesUnknown) {
    EXPECT_TRUE((Dim(largest) + 1).isUnknown());
    EXPECT_TRUE((Dim(smallest) - 1).isUnknown());
    EXPECT_TRUE((Dim(largest) * 2).isUnknown());
    EXPECT_TRUE((h * largest * 2).isUnknown());
    EXPECT_TRUE(floorDiv(smallest, -1).isUnknown());
    EXPECT_EQ(floorDiv(smallest, largest), Dim(-2));
    EXPECT_TRUE((h * largest + h).isUnknown());
    EXPECT_EQ((h * largest).lowerBound(), largest);
    EXPECT_EQ((h * largest + largest).lowerBound(), std::nullopt);
    EXPECT_TRUE((h * 4).bind({{"h", largest}}).isUnknown());
}

TEST(Dim, GivesUpOnExpressionsPastAllUse) {
    Dim huge = 1;
    for (int i = 0; i < 20; ++i) huge *= Dim::symbol("s" + std::to_string(i)) + 1;
    EXPECT_TRUE(huge.isUnknown());
    Dim power = h;
    for (int i = 0; i < 10; ++i) power *= power;
    EXPECT_TRUE(power.isUnknown());
}

TEST(Dim, BindsSymbols) {
    const Dim dim = batch * floorDiv(h + 1, 2) + minimum(w, 10);
    EXPECT_EQ(dim.bind({{"batch", 3}, {"h", 224}, {"w", 20}}), Dim(346));
    EXPECT_EQ(dim.bind({{"h", 224}}), batch * 112 + minimum(w, 10));
    EXPECT_EQ(dim.bind({{"other", 1}}), dim);
    EXPECT_TRUE(floorDiv(h, w).bind({{"w", 0}}).isUnknown());
    EXPECT_EQ(dim.symbols(), (std::vector<std::string>{"batch", "h", "w"}));
}

TEST(Dim, KeepsSymbolsWithOddNamesApartFromExpressions) {
    EXPECT_FALSE(Dim::symbol("h+1") == h + 1);
    EXPECT_FALSE(floorDiv(Dim::symbol("h+1"), 2) == floorDiv(h + 1, 2));
}

TEST(Shape, CountsElements) {
    EXPECT_EQ(elementCount(Shape{}), Dim(1));
    EXPECT_EQ(elementCount(Shape{batch, 3, h}), 3 * batch * h);
    EXPECT_EQ(elementCount(Shape{Dim(), 0}), Dim(0));
    EXPECT_EQ(shapeText({batch, 3, floorDiv(h, 2), 224}), "[batch, 3, h/2, 224]");
    EXPECT_EQ(numbers(Shape{1, 2}), (Dims{1, 2}));
    EXPECT_EQ(numbers(Shape{1, h}), std::nullopt);
}

int64_t flooredQuotient(int64_t dividend, int64_t divisor) {
    return static_cast<int64_t>(std::floor(static_cast<double>(dividend) / static_cast<double>(divisor)));
}

/// A random expression beside its value at one binding.
struct Sample {
    Dim dim;
    int64_t value;
};

Sample randomSample(std::mt19937& random, const Bindings& bindings, int depth) {
    const auto pick = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    if (depth == 0 || pick(5) == 0) {
        const int number = pick(9) - 4;
        if (pick(2) == 0) return {.dim = number, .value = number};
        auto symbol = bindings.begin();
        std::advance(symbol, pick(static_cast<int>(bindings.size())));
        return {.dim = Dim::symbol(symbol->first), .value = symbol->second};
    }
    const Sample left = randomSample(random, bindings, depth - 1);
    const Sample right = randomSample(random, bindings, depth - 1);
    switch (pick(6)) {
        case 0:
            return {.dim = left.dim + right.dim, .value = left.value + right.value};
        case 1:
            return {.dim = left.dim - right.dim, .value = left.value - right.value};
        case 2:
            return {.dim = left.dim * right.dim, .value = left.value * right.value};
        case 3:
            return {.dim = minimum(left.dim, right.dim), .value = std::min(left.value, right.value)};
        case 4:
            return {.dim = maximum(left.dim, right.dim), .value = std::max(left.value, right.value)};
        default:
            break;
    }
    if (right.value == 0) return left;
    return {.dim = floorDiv(left.dim, right.dim), .value = flooredQuotient(left.value, right.value)};
}

TEST(Dim, SimplifiesWithoutChangingTheValue) {
    std::mt19937 random(7);
    size_t known = 0;
    for (int round = 0; round < 1000; ++round) {
        const Bindings bindings{{"a", 1 + random() % 9}, {"b", 1 + random() % 9}, {"c", 1 + random() % 30}};
        const Sample sample = randomSample(random, bindings, 4);
        const Dim bound = sample.dim.bind(bindings);
        if (sample.dim.isUnknown() || bound.isUnknown()) continue;
        ++known;
        ASSERT_TRUE(bound.isNumber()) << sample.dim;
        ASSERT_EQ(bound.number(), sample.value) << sample.dim;
        const auto lower = sample.dim.lowerBound();
        ASSERT_LE(lower.value_or(sample.value), sample.value) << sample.dim;
    }
    EXPECT_GT(known, 800U);
}

}  // namespace
}  // namespace engine
