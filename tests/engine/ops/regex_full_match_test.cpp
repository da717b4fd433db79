#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const OpCases regexFullMatch("RegexFullMatch",
                             {{.name = "MatchesAllOfTheText",
                               .attributes = {attribute("pattern", "(https?://)?www\\.[a-z]+\\.com")},
                               .inputs = {strings({3}, {"www.a.com", "https://www.ab.com", "www.a.com/"})},
                               .outputs = {bools({3}, {true, true, false})}},
                              {.name = "KeepsTheShape",
                               .attributes = {attribute("pattern", "a+")},
                               .inputs = {strings({2, 2}, {"a", "b", "aa", ""})},
                               .outputs = {bools({2, 2}, {true, false, true, false})}},
                              {.name = "MatchesNothingByTheEmptyPattern",
                               .attributes = {attribute("pattern", "")},
                               .inputs = {strings({2}, {"", "a"})},
                               .outputs = {bools({2}, {true, false})}},
                              {.name = "TakesNoElements",
                               .attributes = {attribute("pattern", "a")},
                               .inputs = {strings({0}, {})},
                               .outputs = {bools({0}, {})}},
                              {.name = "RefusesNumbers",
                               .attributes = {attribute("pattern", "a")},
                               .inputs = {int64s({1}, {1})},
                               .error = "X: found elements of type int64, expected string"},
                              {.name = "RefusesAPatternThatIsNone",
                               .attributes = {attribute("pattern", "(a")},
                               .inputs = {strings({1}, {"a"})},
                               .error = "'pattern': found '(a', expected a regular expression"},
                              {.name = "MatchesLettersNotBytes",
                               .attributes = {attribute("pattern", "\\p{L}.")},
                               .inputs = {strings({2}, {"äö", "ä"})},
                               .outputs = {bools({2}, {true, false})}},
                              {.name = "TakesNoLongerForANestedPattern",
                               .attributes = {attribute("pattern", "((a*)*)*b")},
                               .inputs = {strings({1}, {std::string(20000, 'a')})},
                               .outputs = {bools({1}, {false})}}});

}  // namespace
}  // namespace test
