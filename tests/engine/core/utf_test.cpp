#include "engine/core/utf.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(Printable, LeavesTextAndItsLines) { EXPECT_EQ(printable("größe → 2\n"), "größe → 2\n"); }

TEST(Printable, TakesOutWhatDrivesATerminal) {
    EXPECT_EQ(printable("a\x1b[2Jb\r\a\x7f"), "a?[2Jb???");
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a?b");
    EXPECT_EQ(printable("\xC2\x9B"), "?") << "a control character beyond ASCII";
    EXPECT_EQ(printable("\xE2\x80\xAE"
                        "txt"),
              "?txt")
        << "what turns the direction of writing";
}

TEST(Printable, ShowsBytesThatAreNoText) {
    EXPECT_EQ(printable("\xFF"
                        "a"),
              "\xC3\xBF"
              "a");
}

}  // namespace
}  // namespace engine
