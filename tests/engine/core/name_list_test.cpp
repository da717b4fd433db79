#include "engine/core/name_list.h"

#include <vector>

#include <gtest/gtest.h>

using engine::listNames;

TEST(NameList, HasAllOfAFew) {
    EXPECT_EQ(listNames({}), "");
    EXPECT_EQ(listNames(std::vector<std::string>{"a", "b"}), "a, b");
}

TEST(NameList, CountsWhatItLeavesOut) {
    const std::string list = listNames(std::vector<std::string>(1000, "x"));
    EXPECT_TRUE(list.starts_with("x, x, ")) << list;
    EXPECT_TRUE(list.ends_with("x and 980 more")) << list;
}
