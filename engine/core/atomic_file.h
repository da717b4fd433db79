#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace engine {

/// A file that appears whole or not at all: written without a name where the file system can, else beside its
/// place under another one, and put in place by commit(). Whatever stood there before stays until then, and
/// for good if commit() is never called. Where the file has no name, nothing of it is left even if the
/// process is killed. All functions throw Error naming the path and the reason.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    /// Bytes written so far.
    uint64_t size() const { return size_; }

    void commit();

private:
    void makeNamed();
    void giveName();
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path path_;
    std::filesystem::path temporary_;  ///< empty: the file has no name yet
    int descriptor_ = -1;
    uint64_t size_ = 0;
};

}  // namespace engine
