#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace engine {
namespace detail {

/// A stream costs more than most messages: only what needs one pays for it.
template <class Part>
void appendText(std::string& whole, const Part& part) {
    if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
        whole += std::string_view(part);
    } else if constexpr (std::same_as<Part, char>) {
        whole += part;
    } else if constexpr (std::integral<Part> && sizeof(Part) > sizeof(char)) {
        whole += std::to_string(part);
    } else {
        std::ostringstream stream;
        stream << part;
        whole += std::move(stream).str();
    }
}

}  // namespace detail

/// Joins the parts as text, each as `operator<<` prints it.
template <class... Parts>
std::string text(const Parts&... parts) {
    std::string whole;
    (detail::appendText(whole, parts), ...);
    return whole;
}

/// The text, "" for null.
std::string orEmpty(const char* text);

/// "[1, 3, 224, 224]", the form in which every message prints a list of numbers.
std::string listText(std::span<const int64_t> numbers);

/// The parts with `separator` between them.
std::string join(std::span<const std::string> parts, const std::string& separator);

/// The candidate that is fewest edits away from `word`, or empty when none is close: for "did you mean …?".
std::string closestWord(const std::string& word, std::span<const std::string> candidates);

}  // namespace engine
