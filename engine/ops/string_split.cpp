#include <algorithm>
#include <limits>

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

std::vector<std::string> splitAt(const std::string& text, const std::string& delimiter, size_t mostSplits) {
    std::vector<std::string> parts;
    size_t start = 0;
    while (parts.size() < mostSplits) {
        const size_t end = text.find(delimiter, start);
        if (end == std::string::npos) break;
        parts.push_back(text.substr(start, end - start));
        start = end + delimiter.size();
    }
    parts.push_back(text.substr(start));
    return parts;
}

std::vector<std::string> splitAtSpace(const std::string& text, size_t mostSplits) {
    constexpr const char* space = " \t\n\v\f\r";
    std::vector<std::string> parts;
    size_t start = text.find_first_not_of(space);
    while (start != std::string::npos) {
        const size_t end =
            parts.size() < mostSplits ? text.find_first_of(space, start) : text.find_last_not_of(space) + 1;
        parts.push_back(text.substr(start, end - start));
        start = text.find_first_not_of(space, end);
    }
    return parts;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    std::vector<std::vector<std::string>> rows;
    size_t most = 0;
    for (const std::string& text : checkedValues<std::string>(input, "X")) {
        rows.push_back(attributes.delimiter.empty()
                           ? splitAtSpace(text, attributes.mostSplits)
                           : splitAt(text, attributes.delimiter, attributes.mostSplits));
        most = std::max(most, rows.back().size());
        context.checkpoint();
    }
    Dims dims = input.dims();
    const auto counts = context.output(1, DataType::int64, dims).mutableValues<int64_t>();
    dims.push_back(static_cast<int64_t>(most));
    const auto parts = context.output(0, DataType::string, dims).mutableValues<std::string>();
    for (size_t i = 0; i < rows.size(); ++i) {
        counts[i] = static_cast<int64_t>(rows[i].size());
        rows[i].resize(most);
        std::move(rows[i].begin(), rows[i].end(), parts.begin() + static_cast<ptrdiff_t>(i * most));
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
