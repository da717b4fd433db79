#include "engine/onnx/mapped_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/error.h"

namespace engine::onnx {
namespace {

const char* kindOfFile(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a named pipe";
    if (S_ISSOCK(mode)) return "a socket";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
    return "something else";
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { ::close(number_); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

private:
    int number_;
};

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) fail(path.string(), ": cannot be opened: ", std::strerror(errno));
    return fromDescriptor(descriptor, path);
}

std::shared_ptr<const MappedFile> MappedFile::fromDescriptor(int descriptor,
                                                             const std::filesystem::path& path) {
    const Descriptor file(descriptor);
    struct stat status = {};
    if (::fstat(file.number(), &status) != 0) fail(path.string(), ": ", std::strerror(errno));
    if (!S_ISREG(status.st_mode)) {
        fail(path.string(), ": found ", kindOfFile(status.st_mode), ", expected a regular file");
    }
    const auto size = static_cast<size_t>(status.st_size);
    void* data = nullptr;
    if (size > 0) {
        data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
        if (data == MAP_FAILED) {
            fail(path.string(), ": its ", size, " bytes cannot be mapped: ", std::strerror(errno));
        }
    }
    return std::shared_ptr<const MappedFile>(new MappedFile(data, size));
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace engine::onnx
