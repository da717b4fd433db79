#include "engine/core/data_type.h"

#include <array>
#include <ostream>
#include <string>

namespace engine {
namespace {

enum class Family : uint8_t { none, floating, signedInteger, unsignedInteger, other };

struct Row {
    std::string_view name;
    size_t bitsInFile;
    size_t bytesInMemory;
    Family family;
};

constexpr std::array<Row, 29> rows{{
    {"undefined", 0, 0, Family::none},
    {"float", 32, 4, Family::floating},
    {"uint8", 8, 1, Family::unsignedInteger},
    {"int8", 8, 1, Family::signedInteger},
    {"uint16", 16, 2, Family::unsignedInteger},
    {"int16", 16, 2, Family::signedInteger},
    {"int32", 32, 4, Family::signedInteger},
    {"int64", 64, 8, Family::signedInteger},
    {"string", 0, sizeof(std::string), Family::other},
    {"bool", 8, 1, Family::other},
    {"float16", 16, 2, Family::floating},
    {"double", 64, 8, Family::floating},
    {"uint32", 32, 4, Family::unsignedInteger},
    {"uint64", 64, 8, Family::unsignedInteger},
    {"complex64", 64, 8, Family::other},
    {"complex128", 128, 16, Family::other},
    {"bfloat16", 16, 2, Family::floating},
    {"float8e4m3fn", 8, 1, Family::floating},
    {"float8e4m3fnuz", 8, 1, Family::floating},
    {"float8e5m2", 8, 1, Family::floating},
    {"float8e5m2fnuz", 8, 1, Family::floating},
    {"uint4", 4, 1, Family::unsignedInteger},
    {"int4", 4, 1, Family::signedInteger},
    {"float4e2m1", 4, 1, Family::floating},
    {"float8e8m0", 8, 1, Family::floating},
    {"uint2", 2, 1, Family::unsignedInteger},
    {"int2", 2, 1, Family::signedInteger},
    {"float6e2m3", 6, 1, Family::floating},
    {"float6e3m2", 6, 1, Family::floating},
}};

const Row& row(DataType type) {
    const auto index = static_cast<size_t>(type);
    return rows[index < rows.size() ? index : 0];
}

}  // namespace

std::string_view name(DataType type) { return row(type).name; }

std::optional<DataType> dataTypeNamed(std::string_view name) {
    for (size_t i = 1; i < rows.size(); ++i) {
        if (rows[i].name == name) return static_cast<DataType>(i);
    }
    return std::nullopt;
}

size_t bitsInFile(DataType type) { return row(type).bitsInFile; }
size_t bytesInMemory(DataType type) { return row(type).bytesInMemory; }
bool isFloatingPoint(DataType type) { return row(type).family == Family::floating; }
bool isInteger(DataType type) {
    return row(type).family == Family::signedInteger || row(type).family == Family::unsignedInteger;
}
bool isSigned(DataType type) {
    return row(type).family == Family::signedInteger || row(type).family == Family::floating;
}

std::ostream& operator<<(std::ostream& stream, DataType type) { return stream << name(type); }

}  // namespace engine
