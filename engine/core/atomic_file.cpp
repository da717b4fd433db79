#include "engine/core/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace engine {
namespace {

std::filesystem::path folderOf(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : ".";
}

/// A file without a name vanishes with the process, however that ends. -1 where the file system has none.
int openNameless(const std::filesystem::path& folder) {
    return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
    struct stat before = {};
    const bool replaces = ::stat(path_.c_str(), &before) == 0;
    if (replaces && S_ISDIR(before.st_mode)) {
        errno = EISDIR;
        fail("cannot be written");
    }
    descriptor_ = openNameless(folderOf(path_));
    if (descriptor_ < 0) makeNamed();
    ::fchmod(descriptor_, replaces ? before.st_mode & 0777 : 0644);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::makeNamed() {
    std::string name = path_.string() + ".part-XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot be written");
    temporary_ = name;
}

/// Renaming replaces what has the name already, giving a name to what has none does not.
void AtomicFile::giveName() {
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor_);
    for (int attempt = 0; attempt < 100; ++attempt) {
        const std::string name = text(path_.string(), ".part-", ::getpid(), "-", attempt);
        if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
            temporary_ = name;
            return;
        }
        if (errno != EEXIST) break;
    }
    fail("cannot be put in place");
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
    if (temporary_.empty()) giveName();
    if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot be written");
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be put in place");
    temporary_.clear();
    // The rename itself is on disk once the folder is.
    const int descriptor = ::open(folderOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

}  // namespace engine
