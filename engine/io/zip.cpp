#include "engine/io/zip.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include <zlib.h>

#include "engine/core/error.h"

namespace engine {
namespace {

constexpr uint32_t localHeader = 0x04034B50;
constexpr uint32_t centralHeader = 0x02014B50;
constexpr uint32_t endRecord = 0x06054B50;
constexpr uint32_t end64Record = 0x06064B50;
constexpr uint32_t end64Locator = 0x07064B50;
constexpr size_t endRecordBytes = 22;
constexpr size_t centralHeaderBytes = 46;
constexpr size_t localHeaderBytes = 30;

/// Little-endian numbers at checked places.
class Bytes {
public:
    explicit Bytes(std::span<const std::byte> data) : data_(data) {}

    uint64_t number(uint64_t offset, size_t width) const {
        if (offset > data_.size() || width > data_.size() - offset) fail("the zip archive is cut off");
        uint64_t result = 0;
        for (size_t i = width; i-- > 0;) result = result << 8U | static_cast<uint8_t>(data_[offset + i]);
        return result;
    }
    uint16_t u16(uint64_t offset) const { return static_cast<uint16_t>(number(offset, 2)); }
    uint32_t u32(uint64_t offset) const { return static_cast<uint32_t>(number(offset, 4)); }
    uint64_t u64(uint64_t offset) const { return number(offset, 8); }
    std::span<const std::byte> part(uint64_t offset, uint64_t bytes) const {
        if (offset > data_.size() || bytes > data_.size() - offset) fail("the zip archive is cut off");
        return data_.subspan(offset, bytes);
    }
    size_t size() const { return data_.size(); }

private:
    std::span<const std::byte> data_;
};

struct Directory {
    uint64_t offset = 0;
    uint64_t entries = 0;
};

Directory findDirectory(const Bytes& archive) {
    constexpr size_t longestComment = 0xFFFF;
    if (archive.size() < endRecordBytes) fail("is no zip archive");
    const size_t last = archive.size() - endRecordBytes;
    for (size_t at = last + 1; at-- > 0 && last - at <= longestComment;) {
        if (archive.u32(at) != endRecord) continue;
        Directory found{.offset = archive.u32(at + 16), .entries = archive.u16(at + 10)};
        constexpr size_t locatorBytes = 20;
        if (at >= locatorBytes && archive.u32(at - locatorBytes) == end64Locator) {
            const uint64_t record = archive.u64(at - locatorBytes + 8);
            if (archive.u32(record) != end64Record) fail("the zip archive's directory is damaged");
            found = {.offset = archive.u64(record + 48), .entries = archive.u64(record + 32)};
        }
        return found;
    }
    fail("is no zip archive, or one that is cut off");
}

/// Sizes and offset that did not fit into 32 bits stand in an extra field, those only, in this order.
void readExtra(const Bytes& archive, uint64_t offset, uint64_t bytes, ZipEntry& entry) {
    constexpr uint16_t zip64 = 1;
    const uint64_t end = offset + bytes;
    while (offset + 4 <= end) {
        const uint16_t kind = archive.u16(offset);
        uint64_t field = offset + 4;
        const uint64_t next = field + archive.u16(offset + 2);
        if (next > end) fail("the zip archive's directory is damaged");
        if (kind == zip64) {
            for (uint64_t* value : {&entry.bytes, &entry.storedBytes, &entry.headerOffset}) {
                if (*value != 0xFFFFFFFFU) continue;
                if (field + 8 > next) fail("the zip archive's directory is damaged");
                *value = archive.u64(field);
                field += 8;
            }
        }
        offset = next;
    }
}

std::vector<std::byte> inflateAll(std::span<const std::byte> from, uint64_t bytes) {
    std::vector<std::byte> result(bytes);
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail("zlib cannot be started");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> closing(&stream, inflateEnd);
    constexpr uint64_t most = 1U << 30U;
    uint64_t taken = 0;
    uint64_t given = 0;
    int state = Z_OK;
    while (state == Z_OK) {
        const uint64_t in = std::min<uint64_t>(from.size() - taken, most);
        const uint64_t out = std::min<uint64_t>(result.size() - given, most);
        // zlib's interface is not const, but it does not write here.
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data()) + taken);
        stream.avail_in = static_cast<uInt>(in);
        stream.next_out = reinterpret_cast<Bytef*>(result.data()) + given;
        stream.avail_out = static_cast<uInt>(out);
        state = inflate(&stream, Z_NO_FLUSH);
        taken += in - stream.avail_in;
        given += out - stream.avail_out;
        if (state == Z_OK && in == stream.avail_in && out == stream.avail_out) break;
    }
    if (state != Z_STREAM_END || given != bytes) fail("its compressed data is damaged");
    return result;
}

}  // namespace

std::vector<ZipEntry> zipEntries(std::span<const std::byte> archive) {
    const Bytes bytes(archive);
    const Directory directory = findDirectory(bytes);
    std::vector<ZipEntry> entries;
    uint64_t at = directory.offset;
    for (uint64_t i = 0; i < directory.entries; ++i) {
        if (bytes.u32(at) != centralHeader) fail("the zip archive's directory is damaged");
        ZipEntry entry{.method = bytes.u16(at + 10),
                       .flags = bytes.u16(at + 8),
                       .checksum = bytes.u32(at + 16),
                       .storedBytes = bytes.u32(at + 20),
                       .bytes = bytes.u32(at + 24),
                       .headerOffset = bytes.u32(at + 42)};
        const uint16_t nameBytes = bytes.u16(at + 28);
        const uint16_t extraBytes = bytes.u16(at + 30);
        const std::span<const std::byte> name = bytes.part(at + centralHeaderBytes, nameBytes);
        entry.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
        readExtra(bytes, at + centralHeaderBytes + nameBytes, extraBytes, entry);
        at += centralHeaderBytes + nameBytes + extraBytes + bytes.u16(at + 32);
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<std::byte> unzip(std::span<const std::byte> archive, const ZipEntry& entry) {
    const Bytes bytes(archive);
    if ((entry.flags & 1U) != 0) fail("is encrypted");
    if (bytes.u32(entry.headerOffset) != localHeader) fail("the zip archive is damaged");
    const uint64_t content = entry.headerOffset + localHeaderBytes + bytes.u16(entry.headerOffset + 26) +
                             bytes.u16(entry.headerOffset + 28);
    const std::span<const std::byte> stored = bytes.part(content, entry.storedBytes);
    std::vector<std::byte> result;
    if (entry.method == 0) {
        if (entry.bytes != stored.size()) fail("the zip archive is damaged");
        result.assign(stored.begin(), stored.end());
    } else if (entry.method == Z_DEFLATED) {
        constexpr uint64_t largestRatio = 1040;  // deflate cannot do better
        if (entry.bytes / largestRatio > stored.size()) fail("its compressed data is damaged");
        result = inflateAll(stored, entry.bytes);
    } else {
        fail("is compressed by method ", entry.method, ", expected stored or deflated");
    }
    const auto* begin = reinterpret_cast<const Bytef*>(result.data());
    if (crc32_z(crc32_z(0, nullptr, 0), begin, result.size()) != entry.checksum) {
        fail("its checksum is wrong: the archive is damaged");
    }
    return result;
}

}  // namespace engine
