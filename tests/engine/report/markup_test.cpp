#include "engine/report/markup.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Markup, EscapesWhatWouldBeMarkup) {
    EXPECT_EQ(escaped("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
}

TEST(Markup, ReplacesControlCharactersAndBrokenUtf8) {
    EXPECT_EQ(escaped(std::string("a\x01z")), "a\xEF\xBF\xBDz");
    EXPECT_EQ(escaped("\xFFö"), "\xEF\xBF\xBDö");
    EXPECT_EQ(escaped("line\nline"), "line\nline");
}

TEST(Markup, ElidesInTheMiddleByCharacters) {
    EXPECT_EQ(elided("abcdefghij", 10), "abcdefghij");
    EXPECT_EQ(elided("abcdefghijk", 7), "abc…ijk");
    EXPECT_EQ(elided("äöüäöüäöü", 5), "äö…öü");
}

TEST(Markup, WritesCoordinatesShortly) {
    EXPECT_EQ(coordinate(1.0), "1");
    EXPECT_EQ(coordinate(-0.001), "0");
    EXPECT_EQ(coordinate(12.345), "12.35");
    EXPECT_EQ(coordinate(0.1 + 0.2), "0.3");
}

}  // namespace
}  // namespace engine
