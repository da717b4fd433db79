#include "engine/io/file_bytes.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "engine/core/error.h"

namespace engine {

std::vector<std::byte> readFile(const std::filesystem::path& path) {
    std::error_code problem;
    const std::filesystem::file_status status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status)) fail("no such file");
    if (!std::filesystem::is_regular_file(status)) fail("is no regular file");
    std::ifstream stream(path, std::ios::binary);
    if (!stream) fail("cannot be read: ", std::strerror(errno));
    std::vector<std::byte> bytes(std::filesystem::file_size(path));
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (static_cast<size_t>(stream.gcount()) != bytes.size()) fail("cannot be read to its end");
    return bytes;
}

}  // namespace engine
