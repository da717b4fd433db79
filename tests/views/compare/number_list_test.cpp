#include "views/compare/number_list.h"

#include <gtest/gtest.h>

namespace views {
namespace {

using Numbers = std::vector<int64_t>;

TEST(NumberList, TakesCommasBlanksAndRanges) {
    EXPECT_EQ(parseNumberList("1, 2,4"), (Numbers{1, 2, 4}));
    EXPECT_EQ(parseNumberList(" 8 16 "), (Numbers{8, 16}));
    EXPECT_EQ(parseNumberList("1-4, 640"), (Numbers{1, 2, 3, 4, 640}));
}

TEST(NumberList, RefusesWhatIsNoListOfSizes) {
    for (const char* text : {"", " , ", "0", "-1", "a", "1.5", "4-1", "1-1000", "99999999999"}) {
        EXPECT_FALSE(parseNumberList(text)) << text;
    }
}

TEST(NumberList, WritesWhatItReads) {
    EXPECT_EQ(parseNumberList(numberListText({1, 2, 4})), (Numbers{1, 2, 4}));
}

}  // namespace
}  // namespace views
