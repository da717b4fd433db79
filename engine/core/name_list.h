#pragma once

#include <span>
#include <string>

namespace engine {

/// The names with commas between them, for messages: of many the first, and how many more there are.
std::string listNames(std::span<const std::string> names);

}  // namespace engine
