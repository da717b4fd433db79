// The expression is parsed into a tree, the tree becomes a program for a machine that follows all ways of
// matching at once (Thompson, "Regular Expression Search Algorithm", 1968).

#include "engine/ops/regular_expression.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/utf.h"

namespace engine {
namespace {

using Range = RegularExpression::Range;
using Place = RegularExpression::Place;
using Instruction = RegularExpression::Instruction;

constexpr char32_t lastPoint = 0x10FFFF;
constexpr int mostRepeats = 1000;
constexpr size_t longestProgram = 100000;
constexpr int deepestNesting = 200;

bool contains(const std::vector<Range>& ranges, char32_t letter) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const Range& range) { return range.first <= letter && letter <= range.last; });
}

std::vector<Range> complement(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
    std::vector<Range> result;
    char32_t next = 0;
    for (const Range& range : ranges) {
        if (range.first > next) result.push_back({next, range.first - 1});
        next = std::max<char32_t>(next, range.last + 1);
    }
    if (next <= lastPoint) result.push_back({next, lastPoint});
    return result;
}

/// Adds the other case of the letters of the ASCII alphabet.
void addOtherCase(std::vector<Range>& ranges) {
    const std::vector<Range> given = ranges;
    for (const Range& range : given) {
        for (char32_t letter = 'a'; letter <= 'z'; ++letter) {
            const char32_t capital = letter - 'a' + 'A';
            if (range.first <= letter && letter <= range.last) ranges.push_back({capital, capital});
            if (range.first <= capital && capital <= range.last) ranges.push_back({letter, letter});
        }
    }
}

const std::vector<Range> digits{{'0', '9'}};
const std::vector<Range> wordLetters{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const std::vector<Range> spaces{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};

struct NamedClass {
    const char32_t* name;
    std::vector<Range> ranges;
};
const NamedClass namedClasses[] = {
    {U"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
    {U"alpha", {{'A', 'Z'}, {'a', 'z'}}},
    {U"ascii", {{0, 0x7F}}},
    {U"blank", {{'\t', '\t'}, {' ', ' '}}},
    {U"cntrl", {{0, 0x1F}, {0x7F, 0x7F}}},
    {U"digit", digits},
    {U"graph", {{'!', '~'}}},
    {U"lower", {{'a', 'z'}}},
    {U"print", {{' ', '~'}}},
    {U"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
    {U"space", {{'\t', '\r'}, {' ', ' '}}},
    {U"upper", {{'A', 'Z'}}},
    {U"word", wordLetters},
    {U"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
};

struct Tree {
    enum class Kind : uint8_t { letter, place, sequence, choice, repeat } kind = Kind::sequence;
    std::vector<Range> ranges = {};
    Place place = Place::textStart;
    std::vector<Tree> parts = {};
    int fewest = 0;
    int most = -1;  ///< -1: any number
};

struct Flags {
    bool ignoresCase = false;
    bool isMultiLine = false;
    bool dotTakesNewline = false;
};

class Parser {
public:
    explicit Parser(const std::u32string& text) : text_(text) {}

    Tree parseAll() {
        Tree tree = choice(0);
        if (at_ != text_.size()) refuse("an unmatched ')'");
        return tree;
    }

private:
    [[noreturn]] void refuse(const std::string& what) const {
        fail("pattern: found ", what, " at position ", at_, " of '", utf8(text_), "'");
    }
    bool isOver() const { return at_ == text_.size(); }
    bool startsWith(const std::u32string& word) const { return text_.compare(at_, word.size(), word) == 0; }
    bool skip(const std::u32string& word) {
        if (!startsWith(word)) return false;
        at_ += word.size();
        return true;
    }
    char32_t take() {
        if (isOver()) refuse("its end too early");
        return text_[at_++];
    }

    Tree choice(int depth) {
        if (depth > deepestNesting) refuse("too many nested groups");
        const Flags outside = flags_;
        Tree result{.kind = Tree::Kind::choice, .parts = {sequence(depth)}};
        while (skip(U"|")) result.parts.push_back(sequence(depth));
        flags_ = outside;
        return result;
    }

    Tree sequence(int depth) {
        Tree result;
        while (!isOver() && text_[at_] != '|' && text_[at_] != ')') {
            if (skip(U"\\Q")) {
                quote(result);
                continue;
            }
            if (auto item = this->item(depth)) result.parts.push_back(repeated(std::move(*item)));
        }
        return result;
    }

    void quote(Tree& into) {
        while (!isOver() && !skip(U"\\E")) {
            const char32_t next = take();
            into.parts.push_back(letter({{next, next}}));
        }
    }

    Tree letter(std::vector<Range> ranges) const {
        if (flags_.ignoresCase) addOtherCase(ranges);
        return {.kind = Tree::Kind::letter, .ranges = std::move(ranges)};
    }
    static Tree placeOf(Place place) { return {.kind = Tree::Kind::place, .place = place}; }

    /// Nothing for flags, which only change what follows.
    std::optional<Tree> item(int depth) {
        const char32_t next = take();
        switch (next) {
            case '(':
                return group(depth);
            case '[':
                return letterClass();
            case '.':
                return letter(flags_.dotTakesNewline ? std::vector<Range>{{0, lastPoint}}
                                                     : complement({{'\n', '\n'}}));
            case '^':
                return placeOf(flags_.isMultiLine ? Place::lineStart : Place::textStart);
            case '$':
                return placeOf(flags_.isMultiLine ? Place::lineEnd : Place::textEnd);
            case '*':
            case '+':
            case '?':
                --at_;
                refuse("a repetition of nothing");
            case '\\':
                return escape();
            default:
                return letter({{next, next}});
        }
    }

    std::optional<Tree> group(int depth) {
        const Flags outside = flags_;
        if (skip(U"?P<") || skip(U"?<")) {
            while (take() != '>') {
            }
        } else if (skip(U"?")) {
            if (!flagsBefore(':')) return std::nullopt;
        }
        Tree inner = choice(depth + 1);
        if (!skip(U")")) refuse("no ')' for a '('");
        flags_ = outside;
        return inner;
    }

    /// Reads flags up to `end` or to ')', which is the end of a group that only sets them: then false.
    bool flagsBefore(char32_t end) {
        bool isOn = true;
        for (char32_t flag = take(); flag != end; flag = take()) {
            if (flag == ')') return false;
            if (flag == '-') {
                isOn = false;
            } else if (flag == 'i') {
                flags_.ignoresCase = isOn;
            } else if (flag == 'm') {
                flags_.isMultiLine = isOn;
            } else if (flag == 's') {
                flags_.dotTakesNewline = isOn;
            } else if (flag != 'U') {  // which matches are preferred does not matter here
                refuse("an unknown flag");
            }
        }
        return true;
    }

    Tree repeated(Tree item) {
        while (!isOver()) {
            int fewest = 0;
            int most = -1;
            if (skip(U"+")) {
                fewest = 1;
            } else if (skip(U"?")) {
                most = 1;
            } else if (!skip(U"*") && !counts(fewest, most)) {
                break;
            }
            skip(U"?");
            Tree outer{.kind = Tree::Kind::repeat, .fewest = fewest, .most = most};
            outer.parts.push_back(std::move(item));
            item = std::move(outer);
        }
        return item;
    }

    /// {n}, {n,} or {n,m}; what looks otherwise is text.
    bool counts(int& fewest, int& most) {
        const size_t start = at_;
        if (!skip(U"{")) return false;
        const auto first = number();
        std::optional<int> second = first;
        if (first && skip(U",")) {
            second = number();
            if (!second) second = -1;
        }
        if (!first || !skip(U"}")) {
            at_ = start;
            return false;
        }
        fewest = *first;
        most = *second;
        if (fewest > mostRepeats || most > mostRepeats || (most >= 0 && most < fewest)) {
            refuse("a repetition out of range");
        }
        return true;
    }

    std::optional<int> number() {
        if (isOver() || !contains(digits, text_[at_])) return std::nullopt;
        int value = 0;
        while (!isOver() && contains(digits, text_[at_])) {
            value = std::min(value * 10 + static_cast<int>(take() - '0'), mostRepeats + 1);
        }
        return value;
    }

    Tree escape() {
        if (skip(U"A")) return placeOf(Place::textStart);
        if (skip(U"z")) return placeOf(Place::textEnd);
        if (skip(U"b")) return placeOf(Place::wordBorder);
        if (skip(U"B")) return placeOf(Place::noWordBorder);
        return letter(escapedRanges());
    }

    /// What follows a backslash and means letters.
    std::vector<Range> escapedRanges() {
        const char32_t next = take();
        switch (next) {
            case 'd':
                return digits;
            case 'D':
                return complement(digits);
            case 'w':
                return wordLetters;
            case 'W':
                return complement(wordLetters);
            case 's':
                return spaces;
            case 'S':
                return complement(spaces);
            default:
                break;
        }
        const char32_t point = next == 'x' ? hexadecimal() : control(next);
        return {{point, point}};
    }

    char32_t control(char32_t letter) const {
        constexpr std::u32string_view names = U"aftnrv";
        constexpr std::u32string_view controls = U"\a\f\t\n\r\v";
        const size_t found = names.find(letter);
        if (found != std::u32string_view::npos) return controls[found];
        if (contains(wordLetters, letter) && letter != '_') refuse("an unknown escape");
        return letter;
    }

    char32_t hexadecimal() {
        const bool isBraced = skip(U"{");
        char32_t value = 0;
        for (int count = 0; isBraced ? !skip(U"}") : count < 2; ++count) {
            const char32_t digit = take();
            const bool isDigit = contains(digits, digit);
            const char32_t small = digit | 0x20U;
            if (!isDigit && (small < 'a' || small > 'f')) refuse("no hexadecimal number after \\x");
            value = value * 16 + (isDigit ? digit - '0' : small - 'a' + 10);
            if (value > lastPoint) refuse("a number beyond Unicode");
        }
        return value;
    }

    Tree letterClass() {
        const bool isNegative = skip(U"^");
        std::vector<Range> ranges;
        bool isFirst = true;
        while (isFirst || !startsWith(U"]")) {
            isFirst = false;
            if (skip(U"[:")) {
                const std::vector<Range> named = namedClass();
                ranges.insert(ranges.end(), named.begin(), named.end());
                continue;
            }
            std::vector<Range> next = classItem();
            const bool isRange =
                next.size() == 1 && startsWith(U"-") && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
            if (isRange) {
                skip(U"-");
                const std::vector<Range> last = classItem();
                if (last.size() != 1 || last[0].first < next[0].first) refuse("a range in the wrong order");
                next[0].last = last[0].last;
            }
            ranges.insert(ranges.end(), next.begin(), next.end());
        }
        skip(U"]");
        if (flags_.ignoresCase) addOtherCase(ranges);
        return {.kind = Tree::Kind::letter, .ranges = isNegative ? complement(std::move(ranges)) : ranges};
    }

    std::vector<Range> classItem() {
        const char32_t next = take();
        if (next == '\\') return escapedRanges();
        return {{next, next}};
    }

    std::vector<Range> namedClass() {
        const bool isNegative = skip(U"^");
        for (const NamedClass& each : namedClasses) {
            if (skip(std::u32string(each.name) + U":]"))
                return isNegative ? complement(each.ranges) : each.ranges;
        }
        refuse("an unknown class");
    }

    const std::u32string& text_;
    size_t at_ = 0;
    Flags flags_;
};

/// Writes a program backwards: each part is told where to go on.
class Compiler {
public:
    explicit Compiler(std::vector<Instruction>& program) : program_(program) {}

    size_t add(Instruction instruction) {
        if (program_.size() >= longestProgram) fail("pattern: its repetitions are too many");
        program_.push_back(std::move(instruction));
        return program_.size() - 1;
    }

    size_t compile(const Tree& tree, size_t next) {
        switch (tree.kind) {
            case Tree::Kind::letter:
                return add({.kind = Instruction::Kind::letter, .ranges = tree.ranges, .next = next});
            case Tree::Kind::place:
                return add({.kind = Instruction::Kind::place, .place = tree.place, .next = next});
            case Tree::Kind::sequence:
                for (size_t i = tree.parts.size(); i-- > 0;) next = compile(tree.parts[i], next);
                return next;
            case Tree::Kind::choice:
                return choice(tree, next);
            case Tree::Kind::repeat:
                return repeat(tree, next);
        }
        return next;
    }

private:
    size_t choice(const Tree& tree, size_t next) {
        size_t result = compile(tree.parts.back(), next);
        for (size_t i = tree.parts.size() - 1; i-- > 0;) {
            const size_t part = compile(tree.parts[i], next);
            result = add({.kind = Instruction::Kind::fork, .next = part, .other = result});
        }
        return result;
    }

    size_t repeat(const Tree& tree, size_t next) {
        const Tree& part = tree.parts[0];
        const size_t end = next;
        if (tree.most < 0) {
            const size_t loop = add({.kind = Instruction::Kind::fork, .other = next});
            const size_t body = compile(part, loop);
            program_[loop].next = body;
            next = loop;
        }
        for (int i = tree.fewest; i < tree.most; ++i) {
            const size_t body = compile(part, next);
            next = add({.kind = Instruction::Kind::fork, .next = body, .other = end});
        }
        for (int i = 0; i < tree.fewest; ++i) next = compile(part, next);
        return next;
    }

    std::vector<Instruction>& program_;
};

bool holds(Place place, std::u32string_view text, size_t at) {
    const bool isStart = at == 0;
    const bool isEnd = at == text.size();
    const bool isWordBefore = !isStart && contains(wordLetters, text[at - 1]);
    const bool isWordAfter = !isEnd && contains(wordLetters, text[at]);
    switch (place) {
        case Place::textStart:
            return isStart;
        case Place::textEnd:
            return isEnd;
        case Place::lineStart:
            return isStart || text[at - 1] == '\n';
        case Place::lineEnd:
            return isEnd || text[at] == '\n';
        case Place::wordBorder:
            return isWordBefore != isWordAfter;
        case Place::noWordBorder:
            return isWordBefore == isWordAfter;
    }
    return false;
}

}  // namespace

RegularExpression::RegularExpression(const std::string& expression) {
    const auto text = utf32(expression);
    if (!text) fail("pattern: found text that is no UTF-8");
    const Tree tree = Parser(*text).parseAll();
    Compiler compiler(program_);
    const size_t done = compiler.add({.kind = Instruction::Kind::done});
    start_ = compiler.compile(tree, done);
}

/// Adds the instructions reached from `from` without taking a letter.
void RegularExpression::follow(size_t from, std::u32string_view text, size_t at, std::vector<size_t>& threads,
                               std::vector<char>& isThere) const {
    std::vector<size_t> open{from};
    while (!open.empty()) {
        const size_t index = open.back();
        open.pop_back();
        if (isThere[index] != 0) continue;
        isThere[index] = 1;
        const Instruction& instruction = program_[index];
        if (instruction.kind == Instruction::Kind::fork) {
            open.push_back(instruction.other);
            open.push_back(instruction.next);
        } else if (instruction.kind == Instruction::Kind::place) {
            if (holds(instruction.place, text, at)) open.push_back(instruction.next);
        } else {
            threads.push_back(index);
        }
    }
}

bool RegularExpression::matchesWhole(std::string_view text) const {
    const auto letters = utf32(text);
    if (!letters) return false;
    std::vector<size_t> threads;
    std::vector<char> isThere(program_.size(), 0);
    follow(start_, *letters, 0, threads, isThere);
    for (size_t at = 0; at < letters->size() && !threads.empty(); ++at) {
        std::vector<size_t> after;
        std::fill(isThere.begin(), isThere.end(), 0);
        for (const size_t index : threads) {
            const Instruction& instruction = program_[index];
            const bool takes =
                instruction.kind == Instruction::Kind::letter && contains(instruction.ranges, (*letters)[at]);
            if (takes) follow(instruction.next, *letters, at + 1, after, isThere);
        }
        threads = std::move(after);
    }
    return std::any_of(threads.begin(), threads.end(),
                       [&](size_t index) { return program_[index].kind == Instruction::Kind::done; });
}

}  // namespace engine
