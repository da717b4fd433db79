#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// A regular expression in RE2's syntax, over Unicode. Matching takes time proportional to the length of the
/// text, whatever the expression. Not understood: Unicode classes (\pL) and single bytes (\C).
class RegularExpression {
public:
    /// Throws Error, saying where, if the expression is none.
    explicit RegularExpression(const std::string& expression);

    /// Whether all of the text, which is UTF-8, matches. Text that is no UTF-8 does not.
    bool matchesWhole(std::string_view text) const;

    /// Code points from `first` to `last`, both included.
    struct Range {
        char32_t first = 0;
        char32_t last = 0;
    };
    enum class Place : uint8_t { textStart, textEnd, lineStart, lineEnd, wordBorder, noWordBorder };
    struct Instruction {
        enum class Kind : uint8_t { letter, fork, place, done } kind = Kind::done;
        std::vector<Range> ranges = {};  ///< of letter
        Place place = Place::textStart;
        size_t next = 0;
        size_t other = 0;  ///< of fork
    };

private:
    void follow(size_t from, std::u32string_view text, size_t at, std::vector<size_t>& threads,
                std::vector<char>& isThere) const;

    std::vector<Instruction> program_;
    size_t start_ = 0;
};

}  // namespace engine
