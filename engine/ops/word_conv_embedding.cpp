#include <cmath>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// Inputs: words [n, letters] of letter numbers, 0 after a word's end; filters [features, 1, window, size];
// bias [features]; what each letter becomes [letters, size].
void infer(InferContext& context) {
    Shape output(2);
    if (const Shape* words = context.inputShape(0); words != nullptr && !words->empty())
        output[0] = (*words)[0];
    if (const Shape* filters = context.inputShape(1); filters != nullptr && !filters->empty()) {
        output[1] = (*filters)[0];
    }
    context.setOutput(0, DataType::float32, std::move(output));
}

Work work(const WorkContext& context) {
    return {.multiplyAdds = context.inputElements(0) * context.inputElements(1),
            .specialFunctions = context.inputElements(0) * context.inputDim(1, 0)};
}

/// How many letters a word has; one that begins with 0 has none.
int64_t lengthOf(std::span<const int32_t> word) {
    if (word.empty() || word[0] <= 0) return 0;
    return std::count_if(word.begin(), word.end(), [](int32_t letter) { return letter > 0; });
}

/// Of each feature the largest tanh over the windows of the word; those of an empty word are 0.
void reference(KernelContext& context) {
    const Tensor& words = context.input(0);
    const Tensor& filters = context.input(1);
    const Tensor& letters = context.input(3);
    checkRank(words, 2, "Sequence");
    checkRank(filters, 4, "W");
    checkRank(letters, 2, "C");
    const int64_t features = filters.dims()[0];
    const int64_t window = filters.dims()[2];
    const int64_t size = letters.dims()[1];
    checkDims(filters, {features, 1, window, size}, "W");
    checkDims(context.input(2), {features}, "B");
    const int64_t letterCount = words.dims()[1];
    if (window < 1 || window > letterCount) {
        fail("W: found a window of ", window, ", expected 1 to the ", letterCount, " letters of a word");
    }
    const auto ids = checkedValues<int32_t>(words, "Sequence");
    const auto taps = checkedValues<float>(filters, "W");
    const auto bias = checkedValues<float>(context.input(2), "B");
    const auto table = checkedValues<float>(letters, "C");
    const auto output = context.output(0, {words.dims()[0], features}).mutableValues<float>();
    Pace pace(context);
    for (int64_t w = 0; w < words.dims()[0]; ++w) {
        const auto word = ids.subspan(static_cast<size_t>(w * letterCount), static_cast<size_t>(letterCount));
        const int64_t length = lengthOf(word);
        const int64_t windows = length == 0 ? 0 : std::max(length, window) - window + 1;
        for (int64_t f = 0; f < features; ++f) {
            float best = windows == 0 ? 0 : -2;
            for (int64_t start = 0; start < windows; ++start) {
                double sum = static_cast<double>(bias[static_cast<size_t>(f)]);
                for (int64_t k = 0; k < window; ++k) {
                    const int64_t letter = word[static_cast<size_t>(start + k)];
                    if (letter < 0 || letter >= letters.dims()[0]) {
                        fail("Sequence: found letter ", letter, ", C has ", letters.dims()[0]);
                    }
                    for (int64_t i = 0; i < size; ++i) {
                        sum += static_cast<double>(taps[static_cast<size_t>((f * window + k) * size + i)]) *
                               static_cast<double>(table[static_cast<size_t>(letter * size + i)]);
                    }
                }
                best = std::max(best, static_cast<float>(std::tanh(sum)));
                pace.spend(window * size);
            }
            output[static_cast<size_t>(w * features + f)] = best;
        }
    }
}

const OpDef wordConvEmbedding{
    .name = "WordConvEmbedding",
    .sinceVersion = 1,
    .attributes = noAttributes,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{wordConvEmbedding};

}  // namespace
}  // namespace engine
