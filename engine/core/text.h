#pragma once

#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace engine {

/// Joins the parts as text, each as `operator<<` prints it.
template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream stream;
    (stream << ... << parts);
    return stream.str();
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
