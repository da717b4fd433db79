#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/indices.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    int64_t batchDims;
};

Attributes parse(const AttributeReader& reader) {
    const int64_t batchDims = reader.integer("batch_dims", 0);
    if (batchDims < 0) fail("batch_dims: found ", batchDims, ", expected 0 or more");
    return {.batchDims = batchDims};
}

/// `length` is that of the tuples in the last axis of `indices`.
Shape gathered(const Shape& data, const Shape& indices, int64_t length, int64_t batchDims) {
    const auto rank = static_cast<int64_t>(data.size());
    if (indices.empty() || batchDims >= static_cast<int64_t>(indices.size()) || batchDims > rank ||
        length > rank - batchDims) {
        fail("found data of shape ", shapeText(data), " and indices of shape ", shapeText(indices),
             " with batch_dims ", batchDims, ": the tuples are longer than the data's axes");
    }
    Shape output(indices.begin(), indices.end() - 1);
    output.insert(output.end(), data.begin() + batchDims + length, data.end());
    return output;
}

void infer(InferContext& context) {
    const Shape* data = context.inputShape(0);
    const Shape* indices = context.inputShape(1);
    const DataType element = context.inputElement(0);
    if (data == nullptr || indices == nullptr || (!indices->empty() && !indices->back().isNumber())) {
        return context.setOutput(0, element);
    }
    const int64_t length = indices->empty() ? 0 : indices->back().number();
    const int64_t batchDims = context.attributes<Attributes>().batchDims;
    context.setOutput(0, element, gathered(*data, *indices, length, batchDims));
}

void reference(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Tensor& indices = context.input(1);
    const int64_t batchDims = context.attributes<Attributes>().batchDims;
    const int64_t length = indices.rank() == 0 ? 0 : indices.dims().back();
    const Dims dims = *numbers(gathered(shapeOf(data.dims()), shapeOf(indices.dims()), length, batchDims));
    for (int64_t i = 0; i < batchDims; ++i) {
        const auto axis = static_cast<size_t>(i);
        if (data.dims()[axis] != indices.dims()[axis]) fail("the batch dims of data and indices differ");
    }
    const std::vector<int64_t> starts = sliceStarts(indices, data.dims(), static_cast<size_t>(batchDims));
    int64_t batches = 1;
    for (int64_t i = 0; i < batchDims; ++i) batches *= data.dims()[static_cast<size_t>(i)];
    const int64_t batchLength = batches == 0 ? 0 : data.elements() / batches;
    const int64_t perBatch = batches == 0 ? 0 : static_cast<int64_t>(starts.size()) / batches;
    Tensor& output = context.output(0, data.type(), dims);
    const int64_t sliceLength = starts.empty() ? 0 : output.elements() / static_cast<int64_t>(starts.size());
    dispatchStorage(data.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(data);
        auto to = mutableElementsAs<T>(output).begin();
        Pace pace(context);
        for (size_t i = 0; i < starts.size(); ++i) {
            const int64_t start = static_cast<int64_t>(i) / perBatch * batchLength + starts[i];
            to = std::copy_n(from.begin() + start, sliceLength, to);
            pace.spend(sliceLength + 4);
        }
    });
}

const OpDef gatherNd{
    .name = "GatherND",
    .sinceVersion = 11,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{gatherNd};

}  // namespace
}  // namespace engine
