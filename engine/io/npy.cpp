#include "engine/io/npy.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "engine/core/atomic_file.h"
#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/core/utf.h"
#include "engine/io/file_bytes.h"
#include "engine/io/npy_header.h"

namespace engine {
namespace {

/// Reverses each item of `width` bytes.
void swapBytes(std::span<std::byte> bytes, size_t width) {
    for (size_t at = 0; at + width <= bytes.size(); at += width) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                     bytes.begin() + static_cast<std::ptrdiff_t>(at + width));
    }
}

/// Elements stored with the first index running fastest, put in row-major order.
template <class T>
void fromColumnMajor(std::span<const T> from, std::span<T> to, const Dims& dims) {
    const size_t rank = dims.size();
    Dims index(rank, 0);
    std::vector<size_t> strides;
    size_t step = 1;
    for (const int64_t dim : dims) {
        strides.push_back(step);
        step *= static_cast<size_t>(dim);
    }
    size_t source = 0;
    for (T& element : to) {
        element = from[source];
        for (size_t axis = rank; axis-- > 0;) {
            source += strides[axis];
            if (++index[axis] < dims[axis]) break;
            source -= strides[axis] * static_cast<size_t>(dims[axis]);
            index[axis] = 0;
        }
    }
}

Tensor rowMajor(const Tensor& tensor, const NpyHeader& header) {
    if (!header.isColumnMajor || header.dims.size() < 2) return tensor;
    Tensor result = Tensor::allocate(tensor.type(), header.dims);
    dispatchStorage(tensor.type(), [&]<typename T>(std::type_identity<T>) {
        fromColumnMajor(elementsAs<T>(tensor), mutableElementsAs<T>(result), header.dims);
    });
    return result;
}

std::string elementText(const NpyHeader& header, std::vector<std::byte> item) {
    if (header.kind == 'S') {
        const std::string text(reinterpret_cast<const char*>(item.data()), item.size());
        return text.substr(0, text.find_last_not_of('\0') + 1);
    }
    if (header.isBigEndian) swapBytes(item, 4);
    std::u32string points(item.size() / 4, U'\0');
    if (!item.empty()) std::memcpy(points.data(), item.data(), item.size());
    return utf8(points.substr(0, points.find_last_not_of(U'\0') + 1));
}

Tensor readStrings(const NpyHeader& header, std::span<const std::byte> data) {
    Tensor tensor = Tensor::allocate(DataType::string, header.dims);
    const std::span<String> elements = tensor.mutableValues<String>();
    for (size_t i = 0; i < elements.size(); ++i) {
        const auto item = data.subspan(i * header.itemBytes, header.itemBytes);
        elements[i] = elementText(header, std::vector(item.begin(), item.end()));
    }
    return rowMajor(tensor, header);
}

std::u32string pointsOf(std::string_view text) {
    const std::optional<std::u32string> points = utf32(text);
    if (!points) fail("a string is not valid UTF-8; .npy cannot hold it");
    return *points;
}

size_t longestString(const Tensor& tensor) {
    size_t longest = 1;
    for (const String& text : tensor.values<String>()) {
        longest = std::max(longest, pointsOf(text).size());
    }
    return longest;
}

/// numpy's name for the element type.
std::string description(const Tensor& tensor) {
    switch (tensor.type()) {
        case DataType::boolean:
            return "|b1";
        case DataType::string:
            return text("<U", longestString(tensor));
        case DataType::float16:
            return "<f2";
        case DataType::float32:
            return "<f4";
        case DataType::float64:
            return "<f8";
        case DataType::complex64:
            return "<c8";
        case DataType::complex128:
            return "<c16";
        default:
            break;
    }
    const size_t bytes = bytesInMemory(tensor.type());
    const char kind = isInteger(tensor.type()) && isSigned(tensor.type()) ? 'i' : 'u';
    return text(bytes == 1 ? '|' : '<', kind, bytes);
}

}  // namespace

Tensor parseNpy(std::span<const std::byte> file) {
    const NpyHeader header = parseNpyHeader(file);
    const auto elements = static_cast<size_t>(elementCount(header.dims));
    const std::span<const std::byte> data = file.subspan(header.dataOffset);
    if (header.itemBytes > 0 && elements > data.size() / header.itemBytes) {
        fail("found ", data.size(), " bytes of elements, expected ", elements, " of ", header.itemBytes,
             " bytes each");
    }
    if (header.kind == 'U' || header.kind == 'S') return readStrings(header, data);
    Tensor tensor = Tensor::allocate(header.type, header.dims);
    const std::span<std::byte> bytes(static_cast<std::byte*>(tensor.mutableData()), tensor.bytes());
    if (!bytes.empty()) std::memcpy(bytes.data(), data.data(), bytes.size());
    if (header.isBigEndian) swapBytes(bytes, header.kind == 'c' ? header.itemBytes / 2 : header.itemBytes);
    if (header.type == DataType::boolean) {
        for (std::byte& value : bytes) value = value == std::byte{0} ? std::byte{0} : std::byte{1};
    }
    return rowMajor(tensor, header);
}

Tensor readNpy(const std::filesystem::path& path) {
    try {
        return parseNpy(readFile(path));
    } catch (Error& error) {
        error.addContext(path.string());
        throw;
    }
}

std::string npyHeader(const Tensor& tensor) {
    std::string shape = "(";
    for (const int64_t dim : tensor.dims()) shape += std::to_string(dim) + ",";
    std::string dictionary =
        text("{'descr': '", description(tensor), "', 'fortran_order': False, 'shape': ", shape, "), }");
    constexpr size_t preamble = 10;
    constexpr size_t alignment = 64;
    const size_t used = preamble + dictionary.size() + 1;
    dictionary.append((alignment - used % alignment) % alignment, ' ');
    dictionary += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(dictionary.size() & 0xFFU);
    header += static_cast<char>(dictionary.size() >> 8U);
    return header + dictionary;
}

void writeNpy(const std::filesystem::path& path, const Tensor& tensor) {
    AtomicFile file(path);
    file.write(npyHeader(tensor));
    if (tensor.type() == DataType::string) {
        const size_t longest = longestString(tensor);
        for (const String& element : tensor.values<String>()) {
            std::u32string points = pointsOf(element);
            points.resize(longest, U'\0');
            file.write(std::as_bytes(std::span(points)));
        }
    } else {
        file.write(std::span(static_cast<const std::byte*>(tensor.data()), tensor.bytes()));
    }
    file.commit();
}

Tensor restoredFromNpy(const Tensor& tensor, DataType wanted) {
    const DataType found = tensor.type();
    const size_t bytes = bytesInMemory(wanted);
    const bool numpyLacksIt = wanted == DataType::bfloat16 || wanted >= DataType::float8e4m3fn;
    const bool isItsCarrier = isInteger(found) && found < DataType::uint4 && bytesInMemory(found) == bytes;
    if (!numpyLacksIt || !isItsCarrier) return tensor;
    return Tensor::view(wanted, tensor.dims(), tensor.data(), tensor.owner());
}

}  // namespace engine
