#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/tensor.h"

namespace engine {

/// The names of the arrays that numpy.savez or savez_compressed put into a file, in its order.
std::vector<std::string> npzNames(const std::filesystem::path& path);

/// One array of it. Throws Error that says what is wrong, naming the file.
Tensor readNpz(const std::filesystem::path& path, const std::string& name);

}  // namespace engine
