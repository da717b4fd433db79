#include "engine/core/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/error.h"

namespace engine {
AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
    std::string name = path_.string() + ".part-XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot be written");
    temporary_ = name;
    struct stat before = {};
    const bool replaces = ::stat(path_.c_str(), &before) == 0;
    ::fchmod(descriptor_, replaces ? before.st_mode & 0777 : 0644);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const {
    engine::fail(path_.string(), ": ", what, ": ", std::strerror(errno));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    constexpr size_t most = size_t{1} << 30;
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), most));
        if (written < 0) {
            if (errno == EINTR) continue;
            fail("cannot be written");
        }
        bytes = bytes.subspan(static_cast<size_t>(written));
        size_ += static_cast<uint64_t>(written);
    }
}

void AtomicFile::commit() {
    if (::fsync(descriptor_) != 0) fail("cannot be written");
    if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot be written");
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be put in place");
    temporary_.clear();
    // The rename itself is on disk once the folder is.
    const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

}  // namespace engine
