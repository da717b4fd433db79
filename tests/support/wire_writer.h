#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace test {

/// Writes protobuf's wire format by hand, so that tests can also write what no library would.
class WireWriter {
public:
    WireWriter& varint(uint32_t field, uint64_t value) {
        tag(field, 0);
        raw(value);
        return *this;
    }
    WireWriter& bytes(uint32_t field, std::string_view content) {
        return bytesOfLength(field, content.size(), content);
    }
    WireWriter& message(uint32_t field, const WireWriter& content) { return bytes(field, content.data()); }
    /// Says another length than it has.
    WireWriter& bytesOfLength(uint32_t field, uint64_t length, std::string_view content) {
        tag(field, 2);
        raw(length);
        data_.append(content);
        return *this;
    }
    /// Bytes as they are.
    WireWriter& append(std::string_view content) {
        data_.append(content);
        return *this;
    }

    const std::string& data() const { return data_; }

private:
    void tag(uint32_t field, uint32_t type) { raw((uint64_t{field} << 3) | type); }
    void raw(uint64_t value) {
        for (; value >= 0x80; value >>= 7) data_.push_back(static_cast<char>(value | 0x80));
        data_.push_back(static_cast<char>(value));
    }

    std::string data_;
};

}  // namespace test
