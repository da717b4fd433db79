#include "engine/ops/regular_expression.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace engine {
namespace {

bool matches(const std::string& expression, const std::string& text) {
    return RegularExpression(expression).matchesWhole(text);
}

std::string problemOf(const std::string& expression) {
    try {
        const RegularExpression pattern(expression);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(RegularExpression, MatchesLettersAndClasses) {
    EXPECT_TRUE(matches("a.c", "abc"));
    EXPECT_FALSE(matches("a.c", "a\nc"));
    EXPECT_FALSE(matches("abc", "abcd"));
    EXPECT_TRUE(matches("[a-c_]+", "ab_c"));
    EXPECT_FALSE(matches("[^a-c]", "b"));
    EXPECT_TRUE(matches("[]a-]+", "a]-"));
    EXPECT_TRUE(matches(R"([\d.]+)", "1.5"));
    EXPECT_TRUE(matches(R"(\w+\s\S\D\W)", "ab_1 .x-"));
    EXPECT_TRUE(matches("[[:alpha:]]+[[:^digit:]]", "abc-"));
}

TEST(RegularExpression, Repeats) {
    EXPECT_TRUE(matches("ab*c+d?", "acc"));
    EXPECT_TRUE(matches("a{2}", "aa"));
    EXPECT_FALSE(matches("a{2}", "aaa"));
    EXPECT_TRUE(matches("(ab){1,2}", "abab"));
    EXPECT_FALSE(matches("(ab){1,2}", "ababab"));
    EXPECT_TRUE(matches("a{2,}", "aaaaa"));
    EXPECT_FALSE(matches("a{2,}", "a"));
    EXPECT_TRUE(matches("a*?b+?", "ab"));
    EXPECT_TRUE(matches("a{,2}", "a{,2}"));
    EXPECT_TRUE(matches("(a{0})", ""));
}

TEST(RegularExpression, Chooses) {
    EXPECT_TRUE(matches("cat|dog", "dog"));
    EXPECT_FALSE(matches("cat|dog", "catdog"));
    EXPECT_TRUE(matches("(?:a|b|)c", "c"));
    EXPECT_TRUE(matches("(?P<name>a)(?<other>b)", "ab"));
}

TEST(RegularExpression, KnowsPlaces) {
    EXPECT_TRUE(matches("^a$", "a"));
    EXPECT_FALSE(matches("a^b", "ab"));
    EXPECT_TRUE(matches("(?m)a$\n^b", "a\nb"));
    EXPECT_FALSE(matches("a$\n^b", "a\nb"));
    EXPECT_TRUE(matches(R"(\Aa\b \Bb?\z)", "a "));
}

TEST(RegularExpression, TakesFlags) {
    EXPECT_TRUE(matches("(?i)hello", "HeLLo"));
    EXPECT_TRUE(matches("(?i:a)b", "Ab"));
    EXPECT_FALSE(matches("(?i:a)b", "AB"));
    EXPECT_TRUE(matches("((?i)a)b", "Ab"));
    EXPECT_FALSE(matches("((?i)a)b", "AB"));
    EXPECT_TRUE(matches("(?s).", "\n"));
    EXPECT_TRUE(matches("(?i)[^k]", "x"));
    EXPECT_FALSE(matches("(?i)[^k]", "K"));
}

TEST(RegularExpression, IsOverUnicode) {
    EXPECT_TRUE(matches(".", "é"));
    EXPECT_TRUE(matches("[а-я]+", "привет"));
    EXPECT_TRUE(matches(R"(\x41\x{1F600})", "A😀"));
    EXPECT_FALSE(matches(".*", "\xFF"));
}

TEST(RegularExpression, TakesQuotedAndEscapedText) {
    EXPECT_TRUE(matches(R"(\Qa.b*\E.)", "a.b*c"));
    EXPECT_TRUE(matches(R"(\.\*\\\t)", ".*\\\t"));
}

TEST(RegularExpression, TakesTimeInProportionToTheText) {
    // A backtracking matcher would need 2^40 steps.
    EXPECT_FALSE(matches("(a*)*b", std::string(40, 'a')));
    EXPECT_TRUE(matches("(a?){40}a{40}", std::string(40, 'a')));
}

TEST(RegularExpression, SaysWhatIsWrong) {
    EXPECT_EQ(problemOf("(a"), "pattern: found no ')' for a '(' at position 2 of '(a'");
    EXPECT_EQ(problemOf("a)"), "pattern: found an unmatched ')' at position 1 of 'a)'");
    EXPECT_EQ(problemOf("*a"), "pattern: found a repetition of nothing at position 0 of '*a'");
    EXPECT_NE(problemOf("[a").find("its end too early"), std::string::npos);
    EXPECT_NE(problemOf("[b-a]").find("a range in the wrong order"), std::string::npos);
    EXPECT_NE(problemOf("a{2,1}").find("a repetition out of range"), std::string::npos);
    EXPECT_NE(problemOf("(((a{1000}){1000}){1000})").find("its repetitions are too many"), std::string::npos);
    EXPECT_NE(problemOf(R"(\pL)").find("an unknown escape"), std::string::npos);
    EXPECT_NE(problemOf("[[:nonsense:]]").find("an unknown class"), std::string::npos);
    EXPECT_NE(problemOf("(?x)a").find("an unknown flag"), std::string::npos);
    EXPECT_NE(problemOf(std::string(100000, '(')).find("too many nested groups"), std::string::npos);
}

}  // namespace
}  // namespace engine
