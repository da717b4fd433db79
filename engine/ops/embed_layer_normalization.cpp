#include <algorithm>
#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/normalization.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

// Inputs: input_ids, segment_ids, word, position and segment embeddings, gamma, beta, mask, position_ids.
// Outputs: the normalized sum of embeddings, how many of each row's mask are set, the sum.
struct Attributes {
    float epsilon = 1e-12F;
};

Attributes parse(const AttributeReader& reader) { return {reader.number("epsilon", 1e-12F)}; }

void infer(InferContext& context) {
    context.checkRank(0, 2, "input_ids");
    const Shape* ids = context.inputShape(0);
    const Shape* words = context.inputShape(2);
    Shape output(3);
    if (ids != nullptr) std::copy(ids->begin(), ids->end(), output.begin());
    if (words != nullptr && words->size() == 2) output[2] = (*words)[1];
    const DataType element = context.inputElement(2);
    context.setOutput(1, DataType::int32, Shape{output[0]});
    context.setOutput(2, element, output);
    context.setOutput(0, element, std::move(output));
}

Work work(const WorkContext& context) { return {.otherFlops = context.outputElements(0) * Dim(8)}; }

/// Rows of a table of embeddings.
class Embedding {
public:
    Embedding(const Tensor& tensor, int64_t hidden, const char* what)
        : rows_(tensor.dims().empty() ? 0 : tensor.dims()[0]),
          hidden_(hidden),
          values_(tensor.toDouble()),
          what_(what) {
        checkDims(tensor, {rows_, hidden}, what);
    }

    void addRow(int64_t row, std::span<double> to) const {
        if (row < 0 || row >= rows_) fail(what_, ": found row ", row, ", there are ", rows_);
        for (size_t i = 0; i < to.size(); ++i) to[i] += values_[static_cast<size_t>(row * hidden_) + i];
    }

private:
    int64_t rows_;
    int64_t hidden_;
    std::vector<double> values_;
    const char* what_;
};

void setMaskCounts(KernelContext& context, int64_t batch, int64_t length) {
    const auto counts = context.output(1, DataType::int32, {batch}).mutableValues<int32_t>();
    std::fill(counts.begin(), counts.end(), 0);
    if (!context.hasInput(7)) return;
    checkDims(context.input(7), {batch, length}, "mask");
    const std::vector<int64_t> mask = context.input(7).toInt64();
    for (size_t i = 0; i < mask.size(); ++i) {
        if (mask[i] == 1) ++counts[i / static_cast<size_t>(length)];
    }
}

/// The position of each step: its place, or as told for all rows at once or for each.
std::vector<int64_t> positionsOf(const KernelContext& context, int64_t batch, int64_t length) {
    std::vector<int64_t> positions(static_cast<size_t>(batch * length));
    std::vector<int64_t> given;
    if (context.hasInput(8)) {
        given = context.input(8).toInt64();
        const Dims& dims = context.input(8).dims();
        if (dims != Dims{1, length}) checkDims(context.input(8), {batch, length}, "position_ids");
    }
    for (size_t i = 0; i < positions.size(); ++i) {
        positions[i] = given.empty() ? static_cast<int64_t>(i) % length : given[i % given.size()];
    }
    return positions;
}

template <class T>
void normalize(KernelContext& context) {
    const Tensor& ids = context.input(0);
    checkRank(ids, 2, "input_ids");
    checkRank(context.input(2), 2, "word_embedding");
    const int64_t batch = ids.dims()[0];
    const int64_t length = ids.dims()[1];
    const int64_t hidden = context.input(2).dims()[1];
    const Embedding words(context.input(2), hidden, "word_embedding");
    const Embedding places(context.input(3), hidden, "position_embedding");
    std::optional<Embedding> segments;
    std::vector<int64_t> segmentIds;
    if (context.hasInput(1) && context.hasInput(4)) {
        checkDims(context.input(1), ids.dims(), "segment_ids");
        segments.emplace(context.input(4), hidden, "segment_embedding");
        segmentIds = context.input(1).toInt64();
    }
    checkDims(context.input(5), {hidden}, "gamma");
    checkDims(context.input(6), {hidden}, "beta");
    const std::vector<double> gamma = context.input(5).toDouble();
    const std::vector<double> beta = context.input(6).toDouble();
    const std::vector<int64_t> wordIds = ids.toInt64();
    const std::vector<int64_t> positions = positionsOf(context, batch, length);
    const Dims dims{batch, length, hidden};
    const auto output = context.output(0, context.input(2).type(), dims).template mutableValues<T>();
    const auto sums = context.output(2, context.input(2).type(), dims).template mutableValues<T>();
    std::vector<double> row(static_cast<size_t>(hidden));
    for (size_t step = 0; step < wordIds.size(); ++step) {
        context.checkpoint();
        std::fill(row.begin(), row.end(), 0.0);
        words.addRow(wordIds[step], row);
        places.addRow(positions[step], row);
        if (segments) segments->addRow(segmentIds[step], row);
        const Moments moments = momentsOf(std::span<const double>(row),
                                          static_cast<double>(context.attributes<Attributes>().epsilon));
        for (size_t i = 0; i < row.size(); ++i) {
            const size_t at = step * row.size() + i;
            sums[at] = static_cast<T>(row[i]);
            output[at] =
                static_cast<T>((row[i] - moments.mean) * moments.inverseDeviation * gamma[i] + beta[i]);
        }
    }
    setMaskCounts(context, batch, length);
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(2).type(), [&]<typename T>(std::type_identity<T>) { normalize<T>(context); });
}

const OpDef embedLayerNormalization{
    .name = "EmbedLayerNormalization",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{embedLayerNormalization};

}  // namespace
}  // namespace engine
