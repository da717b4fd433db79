#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace engine {

/// A file inside a zip archive.
struct ZipEntry {
    std::string name = {};
    uint16_t method = 0;  ///< 0 stored, 8 deflated
    uint16_t flags = 0;
    uint32_t checksum = 0;
    uint64_t storedBytes = 0;
    uint64_t bytes = 0;
    uint64_t headerOffset = 0;
};

/// What an archive holds, in its order. Throws Error if it is none, or damaged.
std::vector<ZipEntry> zipEntries(std::span<const std::byte> archive);

/// The content of an entry, checked against its length and checksum. Throws Error for other methods than
/// stored and deflated, for encrypted entries and for damaged ones.
std::vector<std::byte> unzip(std::span<const std::byte> archive, const ZipEntry& entry);

}  // namespace engine
