#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis;
};

Attributes parse(const AttributeReader& reader) { return {.axis = reader.integer("axis", -1)}; }

/// Depth and indices may be of any numeric type.
int64_t depthOf(const Tensor& tensor) {
    const std::vector<double> values = tensor.toDouble();
    if (values.size() != 1 || !(values[0] >= 0) || values[0] > 9e15) {
        fail("depth: found ", values.empty() ? "nothing" : text(values[0]),
             ", expected one number of 0 or more");
    }
    return static_cast<int64_t>(values[0]);
}

void infer(InferContext& context) {
    const DataType element = context.inputElement(2);
    const Shape* indices = context.inputShape(0);
    if (indices == nullptr) return context.setOutput(0, element);
    const auto rank = static_cast<int64_t>(indices->size()) + 1;
    const int64_t axis = normalizedAxis(context.attributes<Attributes>().axis, rank);
    const Tensor* depth = context.inputData(1);
    const auto symbolic = context.inputElements(1);
    Shape output = *indices;
    const Dim length = depth != nullptr                    ? Dim(depthOf(*depth))
                       : symbolic && symbolic->size() == 1 ? (*symbolic)[0]
                                                           : Dim();
    output.insert(output.begin() + axis, length);
    context.setOutput(0, element, std::move(output));
}

void reference(KernelContext& context) {
    const Tensor& indices = context.input(0);
    const Tensor& values = context.input(2);
    const int64_t depth = depthOf(context.input(1));
    if (values.elements() != 2) fail("values: found ", values.elements(), " elements, expected two");
    const int64_t axis = normalizedAxis(context.attributes<Attributes>().axis, indices.rank() + 1);
    Dims dims = indices.dims();
    dims.insert(dims.begin() + axis, depth);
    int64_t inner = 1;
    for (size_t i = static_cast<size_t>(axis) + 1; i < dims.size(); ++i) inner *= dims[i];
    Tensor& output = context.output(0, values.type(), dims);
    const std::vector<double> hot = indices.toDouble();
    dispatchStorage(values.type(), [&]<typename T>(std::type_identity<T>) {
        const auto offOn = elementsAs<T>(values);
        const auto to = mutableElementsAs<T>(output);
        std::ranges::fill(to, offOn[0]);
        for (size_t i = 0; i < hot.size(); ++i) {
            const double index = hot[i] < 0 ? hot[i] + static_cast<double>(depth) : hot[i];
            if (!(index >= 0 && index < static_cast<double>(depth))) continue;
            const int64_t outer = static_cast<int64_t>(i) / inner;
            const int64_t place = (outer * depth + static_cast<int64_t>(index)) * inner;
            to[static_cast<size_t>(place + static_cast<int64_t>(i) % inner)] = offOn[1];
        }
    });
}

const OpDef oneHot{
    .name = "OneHot",
    .sinceVersion = 9,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{oneHot};

}  // namespace
}  // namespace engine
