#include "tests/support/op_case.h"
#include "tests/support/tensors.h"

namespace test {
namespace {

const engine::Tensor texts = strings({2}, {"ab c, d", "xyz"});

std::vector<engine::Attribute> with(std::vector<engine::Attribute> more, int mark = 0, int shortest = 1) {
    more.push_back(attribute("mark", mark));
    more.push_back(attribute("mincharnum", shortest));
    more.push_back(attribute("pad_value", "#"));
    return more;
}

const OpCases tokenizer(
    "com.microsoft", "Tokenizer",
    {
        {.name = "CutsAtSeparators",
         .attributes = with({stringsAttribute("separators", {" ", ","})}),
         .inputs = {texts},
         .outputs = {strings({2, 3}, {"ab", "c", "d", "xyz", "#", "#"})}},
        {.name = "MarksBeginAndEnd",
         .attributes = with({stringsAttribute("separators", {"[ ,]+"})}, 1),
         .inputs = {texts},
         .outputs = {strings({2, 5}, {"\x02", "ab", "c", "d", "\x03", "\x02", "xyz", "\x03", "#", "#"})}},
        {.name = "LeavesOutShortTokens",
         .attributes = with({stringsAttribute("separators", {" "})}, 0, 2),
         .inputs = {texts},
         .outputs = {strings({2, 2}, {"ab", "c,", "xyz", "#"})}},
        {.name = "FindsTokens",
         .attributes = with({attribute("tokenexp", "[a-z]+")}),
         .inputs = {texts},
         .outputs = {strings({2, 3}, {"ab", "c", "d", "xyz", "#", "#"})}},
        {.name = "TakesLettersApart",
         .attributes = with({stringsAttribute("separators", {""})}),
         .inputs = {strings({1, 1}, {"h\xC3\xA9 o"})},
         .outputs = {strings({1, 1, 4}, {"h", "\xC3\xA9", " ", "o"})}},
        {.name = "MarksNothingWhereNothingIsLeft",
         .attributes = with({stringsAttribute("separators", {" "})}, 1, 9),
         .inputs = {texts},
         .outputs = {strings({2, 0}, {})}},
        {.name = "KeepsAnEmptyTensorEmpty",
         .attributes = with({stringsAttribute("separators", {" "})}),
         .inputs = {strings({3, 0}, {})},
         .outputs = {strings({3, 0}, {})}},
        {.name = "RefusesBothWays",
         .attributes = with({stringsAttribute("separators", {" "}), attribute("tokenexp", "a")}),
         .inputs = {texts},
         .error = "separators and tokenexp: expected one of them"},
    });

}  // namespace
}  // namespace test
