#include "engine/core/shared_library.h"

#include <filesystem>

#include <dlfcn.h>

#include "engine/core/error.h"

namespace engine {

void* librarySymbol(const std::string& path, const char* symbol) {
    // A name without a folder would be looked for in the system's folders.
    std::error_code problem;
    const std::filesystem::path absolute = std::filesystem::absolute(path, problem);
    if (problem || !std::filesystem::is_regular_file(absolute, problem))
        fail("library '", path, "': there is no such file");
    void* library = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) fail("library '", path, "' cannot be loaded: ", dlerror());
    void* address = dlsym(library, symbol);
    if (address == nullptr) fail("library '", path, "' does not export ", symbol);
    return address;
}

}  // namespace engine
