#include "app/options.h"

#include <gtest/gtest.h>

namespace app {
namespace {

ParsedOptions parse(const QStringList& arguments) { return parseOptions(QStringList{"opscope"} + arguments); }

TEST(Options, OpenTheModelsNamed) {
    const ParsedOptions parsed = parse({"a.onnx", "b.onnx"});
    EXPECT_FALSE(parsed.exitCode);
    EXPECT_EQ(parsed.options.models, (QStringList{"a.onnx", "b.onnx"}));
    EXPECT_FALSE(parsed.options.screenshot);
}

TEST(Options, DescribeAScreenshot) {
    const ParsedOptions parsed = parse({"--screenshot", "out.png", "--workspace", "profile", "--size",
                                        "800x600", "--theme", "dark", "m.onnx"});
    ASSERT_FALSE(parsed.exitCode);
    EXPECT_EQ(parsed.options.screenshot, "out.png");
    EXPECT_EQ(parsed.options.workspace, Workspace::profile);
    EXPECT_EQ(parsed.options.size, QSize(800, 600));
    EXPECT_EQ(parsed.options.theme, Theme::dark);
}

TEST(Options, NameLibrariesOfOperators) {
    EXPECT_EQ(parse({"--custom-ops", "a.so", "--custom-ops", "b.so", "m.onnx"}).options.customOperators,
              (QStringList{"a.so", "b.so"}));
}

TEST(Options, SayWhatIsWrongWithAnArgument) {
    const std::pair<QStringList, const char*> wrong[] = {{{"--workspace", "kitchen", "m.onnx"}, "kitchen"},
                                                         {{"--size", "large", "m.onnx"}, "large"},
                                                         {{"--size", "1x1", "m.onnx"}, "1x1"},
                                                         {{"--theme", "pink", "m.onnx"}, "pink"},
                                                         {{"--screenshot", "out.png"}, "one model"},
                                                         {{"--colour-by", "mood", "m.onnx"}, "mood"},
                                                         {{"--scale", "0", "m.onnx"}, "--scale"},
                                                         {{"--unknown"}, "unknown"}};
    for (const auto& [arguments, part] : wrong) {
        const ParsedOptions parsed = parse(arguments);
        EXPECT_EQ(parsed.exitCode, 2) << part;
        EXPECT_TRUE(parsed.message.contains(part)) << parsed.message.toStdString();
    }
}

TEST(Options, HelpAndVersionEndWell) {
    EXPECT_EQ(parse({"--help"}).exitCode, 0);
    EXPECT_TRUE(parse({"--help"}).message.contains("--screenshot"));
    EXPECT_EQ(parse({"--version"}).exitCode, 0);
}

}  // namespace
}  // namespace app
