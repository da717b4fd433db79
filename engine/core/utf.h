#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engine {

/// The code points of UTF-8 text, or nothing if it is none.
std::optional<std::u32string> utf32(std::string_view text);

/// UTF-8 of code points; what is none becomes U+FFFD.
std::string utf8(std::u32string_view points);

/// The text as UTF-8 that no terminal takes for a command: control characters become '?', bytes that are no
/// UTF-8 the characters of those numbers.
std::string printable(std::string_view text);

}  // namespace engine
