#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace test {

/// A new, empty folder that goes away with it.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Writes a file into it, and gives its path.
    std::filesystem::path write(const std::string& name, std::string_view content) const;

private:
    std::filesystem::path path_;
};

/// The content of a file.
std::string readFile(const std::filesystem::path& path);

}  // namespace test
