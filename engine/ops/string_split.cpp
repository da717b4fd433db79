#include <algorithm>
#include <limits>
#include <string_view>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    std::string delimiter = {};  ///< empty: runs of white space
    size_t mostSplits = std::numeric_limits<size_t>::max();
};

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{.delimiter = reader.string("delimiter", "")};
    if (const auto most = reader.maybeInteger("maxsplit")) {
        if (*most >= 0) attributes.mostSplits = static_cast<size_t>(*most);
    }
    return attributes;
}

// Outputs: the parts along a new last axis, filled up with empty strings, and how many there are.
void infer(InferContext& context) {
    const Shape* input = context.inputShape(0);
    Type counts = context.inputType(0);
    counts.element = DataType::int64;
    context.setOutput(1, std::move(counts));
    if (input == nullptr) return context.setOutput(0, DataType::string);
    Shape output = *input;
    output.emplace_back();
    context.setOutput(0, DataType::string, std::move(output));
}

template <class Take>
void splitAt(std::string_view text, const std::string& delimiter, size_t mostSplits, const Take& take) {
    size_t start = 0;
    for (size_t splits = 0; splits < mostSplits; ++splits) {
        const size_t end = text.find(delimiter, start);
        if (end == std::string_view::npos) break;
        take(text.substr(start, end - start));
        start = end + delimiter.size();
    }
    take(text.substr(start));
}

template <class Take>
void splitAtSpace(std::string_view text, size_t mostSplits, const Take& take) {
    constexpr const char* space = " \t\n\v\f\r";
    size_t start = text.find_first_not_of(space);
    for (size_t splits = 0; start != std::string_view::npos; ++splits) {
        const size_t end =
            splits < mostSplits ? text.find_first_of(space, start) : text.find_last_not_of(space) + 1;
        take(text.substr(start, end - start));
        start = text.find_first_not_of(space, end);
    }
}

/// Calls take(part) for each part of a text; returns how many there are.
template <class Take>
size_t eachPart(std::string_view text, const Attributes& attributes, const Take& take) {
    size_t count = 0;
    const auto counted = [&](std::string_view part) {
        take(part);
        ++count;
    };
    attributes.delimiter.empty() ? splitAtSpace(text, attributes.mostSplits, counted)
                                 : splitAt(text, attributes.delimiter, attributes.mostSplits, counted);
    return count;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    const auto texts = checkedValues<String>(input, "X");
    Dims dims = input.dims();
    const auto counts = context.output(1, DataType::int64, dims).mutableValues<int64_t>();
    size_t most = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
        const size_t count = eachPart(texts[i], attributes, [](std::string_view) {});
        counts[i] = static_cast<int64_t>(count);
        most = std::max(most, count);
        context.checkpoint();
    }
    dims.push_back(static_cast<int64_t>(most));
    const auto parts = context.output(0, DataType::string, dims).mutableValues<String>();
    for (size_t i = 0; i < texts.size(); ++i) {
        String* to = parts.data() + i * most;
        eachPart(texts[i], attributes, [&](std::string_view part) { *to++ = part; });
        context.checkpoint();
    }
}

const OpDef stringSplit{
    .name = "StringSplit",
    .sinceVersion = 20,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{stringSplit};

}  // namespace
}  // namespace engine
