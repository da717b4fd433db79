#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace engine::onnx {

/// A regular file mapped read-only into memory. Tensors that are views of it share its ownership, so the
/// mapping lives as long as any of them.
class MappedFile {
public:
    /// Throws Error, naming the path and the reason, for what cannot be opened or is no regular file.
    static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
    /// The same for a file descriptor, which is closed in any case; `path` is for messages only.
    static std::shared_ptr<const MappedFile> fromDescriptor(int descriptor,
                                                            const std::filesystem::path& path);

    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

private:
    MappedFile(void* data, size_t size) : data_(data), size_(size) {}

    void* data_;
    size_t size_;
};

}  // namespace engine::onnx
