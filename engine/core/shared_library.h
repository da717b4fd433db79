#pragma once

#include <string>

namespace engine {

/// Loads the library at `path`, once per process and for its lifetime, and gives the address of what it
/// exports as `symbol`. Throws Error that names the path if the file is no library that can be loaded here,
/// or has no such symbol.
void* librarySymbol(const std::string& path, const char* symbol);

}  // namespace engine
