#include <memory>

#include <re2/re2.h>

#include "engine/core/error.h"
#include "engine/core/utf.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

using Pattern = std::shared_ptr<const RE2>;

struct Attributes {
    bool isMarked = false;
    std::string padding;
    size_t shortest = 1;
    bool splitsLetters = false;
    std::vector<Pattern> separators;
    Pattern token;  ///< null: separators count
};

Pattern compiled(const std::string& pattern, const char* attribute) {
    RE2::Options options(RE2::Quiet);
    options.set_longest_match(true);
    auto result = std::make_shared<const RE2>(pattern, options);
    if (!result->ok()) {
        fail("attribute '", attribute, "': found '", pattern,
             "', expected a regular expression in RE2's syntax: ", result->error());
    }
    return result;
}

Attributes parse(const AttributeReader& reader) {
    const int64_t shortest = reader.integer("mincharnum");
    if (shortest < 1) fail("mincharnum: found ", shortest, ", expected at least 1");
    Attributes attributes{.isMarked = reader.integer("mark") != 0,
                          .padding = reader.string("pad_value"),
                          .shortest = static_cast<size_t>(shortest)};
    const std::vector<std::string> separators = reader.strings("separators");
    const std::string token = reader.string("tokenexp", "");
    if (separators.empty() == token.empty()) fail("separators and tokenexp: expected one of them");
    attributes.splitsLetters = token == "." || (separators.size() == 1 && separators[0].empty());
    if (attributes.splitsLetters) return attributes;
    for (const std::string& each : separators) attributes.separators.push_back(compiled(each, "separators"));
    if (!token.empty()) attributes.token = compiled(token, "tokenexp");
    return attributes;
}

void infer(InferContext& context) {
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return context.setOutput(0, DataType::string);
    if (input->size() != 1 && input->size() != 2) fail("X: found rank ", input->size(), ", expected 1 or 2");
    Shape output = *input;
    if (!(input->back() == Dim(0))) output.emplace_back();
    if (!input->back().isNumber()) return context.setOutput(0, DataType::string);
    context.setOutput(0, DataType::string, std::move(output));
}

size_t lettersIn(std::string_view text) {
    const std::optional<std::u32string> letters = utf32(text);
    if (!letters) fail("found text that is no UTF-8");
    return letters->size();
}

using Tokens = std::vector<String>;

Tokens lettersOf(std::string_view text) {
    const std::optional<std::u32string> letters = utf32(text);
    if (!letters) fail("found text that is no UTF-8");
    Tokens tokens;
    for (const char32_t letter : *letters) tokens.emplace_back(utf8(std::u32string(1, letter)));
    return tokens;
}

Tokens piecesBetween(const RE2& separator, std::string_view text) {
    Tokens pieces;
    re2::StringPiece match;
    size_t start = 0;
    size_t from = 0;
    while (from <= text.size() && separator.Match(text, from, text.size(), RE2::UNANCHORED, &match, 1)) {
        const auto at = static_cast<size_t>(match.data() - text.data());
        if (match.empty()) {
            from = at + 1;
            continue;
        }
        pieces.emplace_back(text.substr(start, at - start));
        start = from = at + match.size();
    }
    pieces.emplace_back(text.substr(start));
    return pieces;
}

Tokens matchesOf(const RE2& token, std::string_view text) {
    Tokens matches;
    re2::StringPiece match;
    size_t from = 0;
    while (from <= text.size() && token.Match(text, from, text.size(), RE2::UNANCHORED, &match, 1)) {
        const auto at = static_cast<size_t>(match.data() - text.data());
        if (!match.empty()) matches.emplace_back(match.data(), match.size());
        from = at + std::max<size_t>(match.size(), 1);
    }
    return matches;
}

/// The separators cut one after the other, each what the ones before it left.
Tokens tokensOf(const Attributes& attributes, std::string_view text) {
    Tokens tokens;
    if (attributes.splitsLetters) {
        tokens = lettersOf(text);
    } else if (attributes.token) {
        tokens = matchesOf(*attributes.token, text);
    } else {
        tokens.emplace_back(text);
        for (const Pattern& separator : attributes.separators) {
            Tokens finer;
            for (const String& each : tokens) {
                for (String& piece : piecesBetween(*separator, each)) finer.push_back(std::move(piece));
            }
            tokens = std::move(finer);
        }
    }
    std::erase_if(tokens, [&](const String& each) { return lettersIn(each) < attributes.shortest; });
    return tokens;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    if (input.rank() != 1 && input.rank() != 2) fail("X: found rank ", input.rank(), ", expected 1 or 2");
    std::vector<Tokens> rows;
    size_t most = 0;
    for (const String& text : checkedValues<String>(input, "X")) {
        rows.push_back(tokensOf(attributes, text));
        most = std::max(most, rows.back().size());
        context.checkpoint();
    }
    Dims dims = input.dims();
    if (rows.empty()) {
        context.output(0, DataType::string, dims);
        return;
    }
    // Where nothing is left of any text, nothing is marked either.
    const bool isMarked = attributes.isMarked && most > 0;
    const size_t width = most + (isMarked ? 2 : 0);
    dims.push_back(static_cast<int64_t>(width));
    auto to = context.output(0, DataType::string, dims).mutableValues<String>().begin();
    for (Tokens& row : rows) {
        size_t written = row.size();
        if (isMarked) *to++ = "\x02";
        to = std::move(row.begin(), row.end(), to);
        if (isMarked) *to++ = "\x03";
        for (; written < most; ++written) *to++ = attributes.padding;
    }
}

const OpDef tokenizer{
    .name = "Tokenizer",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .domain = "com.microsoft",
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{tokenizer};

}  // namespace
}  // namespace engine
