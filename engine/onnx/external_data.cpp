#include "engine/onnx/external_data.h"

#include <cerrno>
#include <charconv>
#include <cstring>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "engine/core/utf.h"

namespace engine::onnx {
namespace {

uint64_t parseCount(const char* what, const std::string& text) {
    uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || text.empty()) {
        fail(what, " is '", text, "', expected a number from 0 to 2^64 - 1");
    }
    return value;
}

void checkLocation(const std::string& location) {
    if (location.empty()) fail("the location is empty");
    if (location.find('\0') != std::string::npos) fail("the location has a NUL in it");
    const std::filesystem::path path(location);
    if (path.is_absolute()) fail("the path is absolute; it must be relative to the model's folder");
    for (const std::filesystem::path& part : path) {
        if (part == "..") fail("the path contains '..', which may lead out of the model's folder");
    }
}

[[noreturn]] void failToOpen(int error) {
    if (error == EXDEV) fail("a symbolic link on the path leads out of the model's folder");
    if (error == ELOOP) fail("a symbolic link on the path leads nowhere or out of the model's folder");
    fail("cannot be opened: ", std::strerror(error));
}

constexpr int openFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

/// For kernels (and sandboxes) without openat2: resolves the path, then checks where it ends.
int openResolved(const std::filesystem::path& folder, const std::filesystem::path& location) {
    std::error_code error;
    const std::filesystem::path root = std::filesystem::canonical(folder, error);
    if (error) failToOpen(error.value());
    const std::filesystem::path target = std::filesystem::canonical(root / location, error);
    if (error) failToOpen(error.value());
    const std::filesystem::path inside = target.lexically_relative(root);
    if (inside.empty() || *inside.begin() == "..") failToOpen(EXDEV);
    return ::open(target.c_str(), openFlags | O_NOFOLLOW);
}

/// The kernel itself keeps the path below the folder, links included.
int openBeneath(const std::filesystem::path& folder, const std::filesystem::path& location) {
    const int folderDescriptor =
        ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folderDescriptor < 0) failToOpen(errno);
    open_how how = {};
    how.flags = openFlags;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    const long descriptor = ::syscall(SYS_openat2, folderDescriptor, location.c_str(), &how, sizeof how);
    const int error = errno;
    ::close(folderDescriptor);
    errno = error;
    return static_cast<int>(descriptor);
}

}  // namespace

std::shared_ptr<const MappedFile> ExternalFiles::open(const std::string& location) {
    const auto known = files_.find(location);
    if (known != files_.end()) return known->second;
    checkLocation(location);
    if (!folder_) fail("the model comes from no file, so there is no folder to look in");
    int descriptor = openBeneath(*folder_, location);
    if (descriptor < 0 && (errno == ENOSYS || errno == EPERM || errno == EINVAL || errno == E2BIG)) {
        descriptor = openResolved(folder_->empty() ? "." : *folder_, location);
    }
    if (descriptor < 0) failToOpen(errno);
    auto file = MappedFile::fromDescriptor(descriptor, location);
    files_.emplace(location, file);
    return file;
}

ExternalBytes ExternalFiles::read(const ExternalLocation& where, uint64_t expected) {
    try {
        const uint64_t offset = where.offset ? parseCount("the offset", *where.offset) : 0;
        const uint64_t length = where.length ? parseCount("the length", *where.length) : expected;
        if (length != expected) {
            fail("the length is ", length, " bytes, but the tensor's type and dims need ", expected);
        }
        const auto file = open(where.location);
        const uint64_t size = file->bytes().size();
        if (offset > size || length > size - offset) {
            fail("the elements should lie at byte ", offset, " + ", length, ", but the file has ", size,
                 " bytes");
        }
        return {file->bytes().subspan(offset, length), file};
    } catch (Error& error) {
        error.addContext("external data '" + printable(where.location) + "'");
        throw;
    }
}

}  // namespace engine::onnx
