#include <algorithm>
#include <clocale>
#include <cwctype>
#include <set>

#include "engine/core/error.h"
#include "engine/core/utf.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

enum class Letters : uint8_t { kept, lower, upper };

struct Attributes {
    Letters action = Letters::kept;
    bool isCaseSensitive = false;
    std::set<std::string> stopwords = {};  ///< in lower case unless case-sensitive
};

/// Unicode's letters, whatever the process's locale is.
locale_t unicode() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
}

char32_t lowered(char32_t letter) {
    return static_cast<char32_t>(towlower_l(static_cast<wint_t>(letter), unicode()));
}
char32_t raised(char32_t letter) {
    return static_cast<char32_t>(towupper_l(static_cast<wint_t>(letter), unicode()));
}

std::string mapped(const std::string& text, Letters action) {
    if (action == Letters::kept) return text;
    std::optional<std::u32string> letters = utf32(text);
    if (!letters) fail("found text that is no UTF-8");
    std::transform(letters->begin(), letters->end(), letters->begin(),
                   action == Letters::lower ? lowered : raised);
    return utf8(*letters);
}

Attributes parse(const AttributeReader& reader) {
    const std::string action = reader.choice("case_change_action", "NONE", {"NONE", "LOWER", "UPPER"});
    Attributes attributes{.action = action == "LOWER"   ? Letters::lower
                                    : action == "UPPER" ? Letters::upper
                                                        : Letters::kept,
                          .isCaseSensitive = reader.integer("is_case_sensitive", 0) != 0};
    for (const std::string& word : reader.strings("stopwords")) {
        attributes.stopwords.insert(attributes.isCaseSensitive ? word : mapped(word, Letters::lower));
    }
    return attributes;
}

// A list of strings, or one row of them; what is left if nothing is left is one empty string.
void infer(InferContext& context) {
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return context.setOutput(0, DataType::string);
    if (input->size() != 1 && input->size() != 2) {
        fail("X: found rank ", input->size(), ", expected 1 or 2");
    }
    Shape output = *input;
    output.back() = context.attributes<Attributes>().stopwords.empty() ? maximum(input->back(), 1) : Dim();
    context.setOutput(0, DataType::string, std::move(output));
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    const bool isRow = input.rank() == 2 && input.dims()[0] == 1;
    if (input.rank() != 1 && !isRow) {
        fail("X: found shape ", listText(input.dims()), ", expected [n] or [1, n]");
    }
    std::vector<String> kept;
    for (const String& element : checkedValues<String>(input, "X")) {
        const std::string word(element);
        const std::string compared = attributes.isCaseSensitive ? word : mapped(word, Letters::lower);
        if (!attributes.stopwords.contains(compared)) kept.emplace_back(mapped(word, attributes.action));
    }
    if (kept.empty()) kept.emplace_back();
    Dims dims{static_cast<int64_t>(kept.size())};
    if (isRow) dims.insert(dims.begin(), 1);
    Tensor& output = context.output(0, DataType::string, dims);
    std::move(kept.begin(), kept.end(), output.mutableValues<String>().begin());
}

const OpDef stringNormalizer{
    .name = "StringNormalizer",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{stringNormalizer};

}  // namespace
}  // namespace engine
