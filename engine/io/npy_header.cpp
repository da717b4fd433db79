#include "engine/io/npy_header.h"

#include <cctype>
#include <charconv>
#include <string_view>

#include "engine/core/error.h"

namespace engine {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

size_t littleEndian(std::string_view bytes) {
    size_t number = 0;
    for (size_t i = bytes.size(); i-- > 0;) number = number << 8U | static_cast<unsigned char>(bytes[i]);
    return number;
}

/// Reads the Python literal of a header: a dictionary of three known keys.
class HeaderText {
public:
    explicit HeaderText(std::string_view text) : text_(text) {}

    NpyHeader parse() {
        NpyHeader header;
        unsigned seen = 0;
        expect('{');
        while (!accept('}')) {
            const std::string_view key = quoted();
            expect(':');
            if (key == "descr") {
                readDescription(header);
                seen |= 1U;
            } else if (key == "fortran_order") {
                header.isColumnMajor = readBoolean();
                seen |= 2U;
            } else if (key == "shape") {
                header.dims = readTuple();
                seen |= 4U;
            } else {
                fail("header has the key '", key, "', expected descr, fortran_order and shape");
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (seen != 7U) fail("header lacks one of descr, fortran_order and shape");
        return header;
    }

private:
    void skipSpace() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }
    bool accept(char wanted) {
        skipSpace();
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted)) fail("header is damaged: expected '", wanted, "' at its byte ", at_);
    }
    std::string_view quoted() {
        skipSpace();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote == '[') fail("records (structured arrays) are not supported, expected a plain array");
        if (quote != '\'' && quote != '"')
            fail("header is damaged: expected a quoted word at its byte ", at_);
        const size_t begin = at_ + 1;
        const size_t end = text_.find(quote, begin);
        if (end == std::string_view::npos) fail("header is damaged: a quote is not closed");
        at_ = end + 1;
        return text_.substr(begin, end - begin);
    }
    bool readBoolean() {
        skipSpace();
        for (const bool value : {true, false}) {
            const std::string_view word = value ? "True" : "False";
            if (text_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return value;
            }
        }
        fail("header is damaged: fortran_order is neither True nor False");
    }
    Dims readTuple() {
        Dims dims;
        expect('(');
        while (!accept(')')) {
            skipSpace();
            int64_t dim = 0;
            const char* begin = text_.data() + at_;
            const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), dim);
            if (problem != std::errc() || dim < 0) {
                fail("header is damaged: expected a dimension at its byte ", at_);
            }
            at_ += static_cast<size_t>(end - begin);
            accept('L');  // as Python 2 wrote long integers
            dims.push_back(dim);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return dims;
    }
    void readDescription(NpyHeader& header);

    std::string_view text_;
    size_t at_ = 0;
};

struct TypeRow {
    char kind;
    size_t bytes;
    DataType type;
};

constexpr TypeRow typeRows[] = {
    {'b', 1, DataType::boolean},   {'i', 1, DataType::int8},        {'i', 2, DataType::int16},
    {'i', 4, DataType::int32},     {'i', 8, DataType::int64},       {'u', 1, DataType::uint8},
    {'u', 2, DataType::uint16},    {'u', 4, DataType::uint32},      {'u', 8, DataType::uint64},
    {'f', 2, DataType::float16},   {'f', 4, DataType::float32},     {'f', 8, DataType::float64},
    {'c', 8, DataType::complex64}, {'c', 16, DataType::complex128}, {'V', 1, DataType::uint8},
    {'V', 2, DataType::uint16},
};

void HeaderText::readDescription(NpyHeader& header) {
    const std::string_view word = quoted();
    const size_t kindAt = !word.empty() && std::string_view("<>|=").find(word[0]) != std::string_view::npos;
    if (word.size() <= kindAt) fail("element type '", word, "' is not one of numpy's");
    header.isBigEndian = word[0] == '>';
    header.kind = word[kindAt];
    if (header.kind == 'O') fail("holds Python objects (pickled), expected numbers or fixed-width strings");
    size_t size = 0;
    const char* end = word.data() + word.size();
    const auto [stopped, problem] = std::from_chars(word.data() + kindAt + 1, end, size);
    constexpr size_t longestText = size_t{1} << 28U;
    if (problem == std::errc() && stopped == end && size <= longestText) {
        if (header.kind == 'U' || header.kind == 'S') {
            header.type = DataType::string;
            header.itemBytes = header.kind == 'U' ? 4 * size : size;
            return;
        }
        for (const TypeRow& row : typeRows) {
            if (row.kind != header.kind || row.bytes != size) continue;
            header.type = row.type;
            header.itemBytes = size;
            return;
        }
    }
    fail("element type '", word, "' is not supported");
}

}  // namespace

NpyHeader parseNpyHeader(std::span<const std::byte> file) {
    const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
    if (bytes.size() < 10 || bytes.substr(0, magic.size()) != magic) fail("is no .npy file");
    const int version = bytes[6];
    if (version < 1 || version > 3) fail(".npy format version ", version, " is not known, expected 1 to 3");
    const size_t lengthBytes = version == 1 ? 2 : 4;
    const size_t begin = 8 + lengthBytes;
    if (bytes.size() < begin) fail("is cut off in its header");
    const size_t length = littleEndian(bytes.substr(8, lengthBytes));
    if (length > bytes.size() - begin) fail("is cut off in its header");
    NpyHeader header = HeaderText(bytes.substr(begin, length)).parse();
    header.dataOffset = begin + length;
    return header;
}

}  // namespace engine
