#pragma once

#include <string>
#include <string_view>

namespace engine {

/// Text that is safe inside an element or a quoted attribute of HTML and SVG. Bytes that are no UTF-8, and
/// control characters, become U+FFFD.
std::string escaped(std::string_view text);

/// At most `most` characters, with an ellipsis in the middle.
std::string elided(const std::string& text, size_t most);

/// A number with up to two decimals, always with a point.
std::string coordinate(double number);

/// The CSS class that gives an element the colour of a provider: "p-cpu"; "p-none" for nobody, "p-other" for
/// one without a colour of its own.
std::string providerClass(const std::string& provider);

/// The letter that goes with the colour: "C", "G", "R"; "!" for nobody.
std::string providerLetter(const std::string& provider);

}  // namespace engine
