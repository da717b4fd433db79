#include "views/theme.h"

#include <cmath>

#include <gtest/gtest.h>

namespace views {
namespace {

double luminance(const QColor& colour) {
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

/// WCAG's contrast ratio.
double contrast(const QColor& a, const QColor& b) {
    const double light = std::max(luminance(a), luminance(b));
    const double dark = std::min(luminance(a), luminance(b));
    return (light + 0.05) / (dark + 0.05);
}

class Theme : public testing::TestWithParam<const Colours*> {};

TEST_P(Theme, TextCanBeReadOnEveryGround) {
    const Colours& colours = *GetParam();
    for (const QColor& ground :
         {colours.canvas, colours.surface, colours.raised, colours.node, colours.nodeHeader}) {
        EXPECT_GE(contrast(colours.text, ground), 7) << ground.name().toStdString();
        EXPECT_GE(contrast(colours.muted, ground), 4.5) << ground.name().toStdString();
    }
}

TEST_P(Theme, TextCanBeReadOnProvidersFamiliesAndHeat) {
    const Colours& colours = *GetParam();
    for (const char* provider : {"cpu", "cuda", "reference", "other", ""}) {
        const QColor colour = colours.provider(provider);
        EXPECT_GE(contrast(Colours::textOn(colour), colour), 3.5) << provider;
    }
    for (int family = 0; family <= static_cast<int>(Family::unknown); ++family) {
        const QColor colour = colours.family(static_cast<Family>(family));
        EXPECT_GE(contrast(Colours::textOn(colour), colour), 4.5)
            << nameOf(static_cast<Family>(family)).toStdString();
    }
    for (double heat = 0; heat <= 1; heat += 0.1) {
        EXPECT_GE(contrast(Colours::textOn(colours.heat(heat)), colours.heat(heat)), 4) << heat;
    }
}

TEST_P(Theme, HeatGrowsLighterAllTheWay) {
    const Colours& colours = *GetParam();
    for (int step = 1; step <= 20; ++step) {
        EXPECT_GT(luminance(colours.heat(step / 20.0)), luminance(colours.heat((step - 1) / 20.0)));
    }
}

TEST_P(Theme, EveryProviderHasALetterBesideItsColour) {
    EXPECT_EQ(letterOf("cpu"), "C");
    EXPECT_EQ(letterOf("cuda"), "G");
    EXPECT_EQ(letterOf("reference"), "R");
    EXPECT_EQ(letterOf("openvino"), "O");
    EXPECT_EQ(letterOf(""), "!");
}

INSTANTIATE_TEST_SUITE_P(Both, Theme, testing::Values(&lightColours(), &darkColours()),
                         [](const auto& given) { return given.param->isDark ? "Dark" : "Light"; });

TEST(Family, IsTheOneThatPeopleKnowAnOperatorBy) {
    EXPECT_EQ(familyOf("", "Conv"), Family::layer);
    EXPECT_EQ(familyOf("", "Relu"), Family::activation);
    EXPECT_EQ(familyOf("", "MaxPool"), Family::pooling);
    EXPECT_EQ(familyOf("", "BatchNormalization"), Family::normalization);
    EXPECT_EQ(familyOf("", "Reshape"), Family::shape);
    EXPECT_EQ(familyOf("", "QuantizeLinear"), Family::quantization);
    EXPECT_EQ(familyOf("com.microsoft", "Attention"), Family::attention);
    EXPECT_EQ(familyOf("", "If"), Family::control);
    EXPECT_EQ(familyOf("", "Add"), Family::arithmetic);
    EXPECT_EQ(familyOf("nobody.knows", "Thing"), Family::unknown);
}

}  // namespace
}  // namespace views
