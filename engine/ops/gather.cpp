#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis;
};

Attributes parse(const AttributeReader& reader) { return {.axis = reader.integer("axis", 0)}; }

/// `index` counted from the back if negative.
int64_t checkedIndex(int64_t index, int64_t length) {
    const int64_t position = index < 0 ? index + length : index;
    if (position < 0 || position >= length) {
        fail("indices: found ", index, ", expected -", length, " to ", length - 1);
    }
    return position;
}

void propagate(InferContext& context, const Shape& shape) {
    if (shape.size() > 1) return;
    const Tensor* indices = context.inputData(1);
    const auto data = context.inputElements(0);
    if (indices == nullptr || !data) return;
    std::vector<Dim> elements;
    for (const int64_t index : indices->toInt64()) {
        const int64_t position = checkedIndex(index, static_cast<int64_t>(data->size()));
        elements.push_back((*data)[static_cast<size_t>(position)]);
    }
    context.setOutputElements(0, std::move(elements));
}

void infer(InferContext& context) {
    const DataType element = context.inputElement(0);
    if (!isInteger(context.inputElement(1))) {
        fail("indices: found elements of type ", context.inputElement(1), ", expected integers");
    }
    const Shape* data = context.inputShape(0);
    const Shape* indices = context.inputShape(1);
    if (data == nullptr || indices == nullptr) return context.setOutput(0, element);
    const int64_t axis =
        normalizedAxis(context.attributes<Attributes>().axis, static_cast<int64_t>(data->size()));
    Shape output(data->begin(), data->begin() + axis);
    output.insert(output.end(), indices->begin(), indices->end());
    output.insert(output.end(), data->begin() + axis + 1, data->end());
    if (data->size() == 1) propagate(context, output);
    context.setOutput(0, element, std::move(output));
}

void reference(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Dims& dims = data.dims();
    const auto axis = static_cast<size_t>(normalizedAxis(context.attributes<Attributes>().axis, data.rank()));
    const std::vector<int64_t> indices = context.input(1).toInt64();
    Dims outputDims(dims.begin(), dims.begin() + static_cast<int64_t>(axis));
    outputDims.insert(outputDims.end(), context.input(1).dims().begin(), context.input(1).dims().end());
    outputDims.insert(outputDims.end(), dims.begin() + static_cast<int64_t>(axis) + 1, dims.end());

    int64_t blocks = 1;
    int64_t blockLength = 1;
    for (size_t i = 0; i < axis; ++i) blocks *= dims[i];
    for (size_t i = axis + 1; i < dims.size(); ++i) blockLength *= dims[i];
    Tensor& output = context.output(0, data.type(), outputDims);
    dispatchStorage(data.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(data);
        auto to = mutableElementsAs<T>(output).begin();
        Pace pace(context);
        for (int64_t block = 0; block < blocks; ++block) {
            for (const int64_t index : indices) {
                const int64_t start = (block * dims[axis] + checkedIndex(index, dims[axis])) * blockLength;
                to = std::copy_n(from.begin() + start, blockLength, to);
                pace.spend(blockLength + 4);
            }
        }
    });
}

const OpDef gather{
    .name = "Gather",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{gather};

}  // namespace
}  // namespace engine
