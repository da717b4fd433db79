#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace engine {

/// The content of a regular file. Throws Error with the reason, without the path.
std::vector<std::byte> readFile(const std::filesystem::path& path);

}  // namespace engine
