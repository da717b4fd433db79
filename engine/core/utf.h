#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engine {

/// The code points of UTF-8 text, or nothing if it is none.
std::optional<std::u32string> utf32(std::string_view text);

/// UTF-8 of code points; what is none becomes U+FFFD.
std::string utf8(std::u32string_view points);

}  // namespace engine
