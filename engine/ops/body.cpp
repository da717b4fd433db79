#include "engine/ops/body.h"

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/type_union.h"

namespace engine {

Body readBody(const AttributeReader& reader, const std::string& name) {
    Body body{.graph = reader.graph(name)};
    const auto all = subgraphs(reader.node());
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.first == name; });
    body.index = static_cast<size_t>(found - all.begin());
    return body;
}

std::vector<Type> inferRepeated(const InferContext& context, const Graph& body, const Carried& carried,
                                std::vector<Type>& inputs) {
    // Each round but the last loses a dim, a rank or a kind, so there is an end to it.
    for (;;) {
        std::vector<Type> outputs = context.inferBody(body, inputs);
        if (outputs.size() < carried.firstOutput + carried.count ||
            inputs.size() < carried.firstInput + carried.count) {
            fail("its body has ", inputs.size(), " inputs and ", outputs.size(), " outputs, too few");
        }
        bool isStable = true;
        for (size_t i = 0; i < carried.count; ++i) {
            Type& input = inputs[carried.firstInput + i];
            const Type widened = typeUnion(input, outputs[carried.firstOutput + i]);
            if (sameType(widened, input)) continue;
            isStable = widened.kind == Type::Kind::unknown && input.kind == Type::Kind::unknown;
            input = widened;
        }
        if (isStable) return outputs;
    }
}

namespace {

// A tensor as [outer][size][inner] about an axis.
struct Sections {
    size_t outer = 1;
    size_t inner = 1;
};

Sections sectionsOf(const Dims& dims, int64_t axis, int64_t firstInner) {
    return {.outer = static_cast<size_t>(elementCount(Dims(dims.begin(), dims.begin() + axis))),
            .inner = static_cast<size_t>(elementCount(Dims(dims.begin() + firstInner, dims.end())))};
}

}  // namespace

Tensor sliceAt(const Tensor& tensor, int64_t axis, int64_t index) {
    Dims dims = tensor.dims();
    const auto size = static_cast<size_t>(dims[static_cast<size_t>(axis)]);
    const Sections sections = sectionsOf(dims, axis, axis + 1);
    dims.erase(dims.begin() + axis);
    Tensor result = Tensor::allocate(tensor.type(), dims);
    dispatchStorage(tensor.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(tensor);
        const auto to = mutableElementsAs<T>(result);
        for (size_t outer = 0; outer < sections.outer; ++outer) {
            const auto first =
                from.begin() +
                static_cast<std::ptrdiff_t>((outer * size + static_cast<size_t>(index)) * sections.inner);
            std::copy_n(first, sections.inner,
                        to.begin() + static_cast<std::ptrdiff_t>(outer * sections.inner));
        }
    });
    return result;
}

Tensor stacked(const std::vector<Tensor>& tensors, int64_t axis, const std::string& what) {
    if (tensors.empty()) fail(what, ": there is nothing to stack");
    const Tensor& first = tensors.front();
    for (const Tensor& tensor : tensors) {
        if (tensor.type() == first.type() && tensor.dims() == first.dims()) continue;
        fail(what, ": found ", tensor.type(), listText(tensor.dims()), ", expected ", first.type(),
             listText(first.dims()), " as in the first turn");
    }
    Dims dims = first.dims();
    const Sections sections = sectionsOf(dims, axis, axis);
    dims.insert(dims.begin() + axis, static_cast<int64_t>(tensors.size()));
    Tensor result = Tensor::allocate(first.type(), dims);
    dispatchStorage(first.type(), [&]<typename T>(std::type_identity<T>) {
        auto to = mutableElementsAs<T>(result).begin();
        for (size_t outer = 0; outer < sections.outer; ++outer) {
            for (const Tensor& tensor : tensors) {
                to = std::copy_n(
                    elementsAs<T>(tensor).begin() + static_cast<std::ptrdiff_t>(outer * sections.inner),
                    sections.inner, to);
            }
        }
    });
    return result;
}

Tensor stackOfNone(const Graph& body, size_t output, DataType element, int64_t axis) {
    Dims dims;
    const ValueId id = output < body.outputs.size() ? body.outputs[output] : ValueId();
    if (id.isValid() && body.value(id).type.shape) {
        for (const Dim& dim : *body.value(id).type.shape) dims.push_back(dim.isNumber() ? dim.number() : 0);
    }
    dims.insert(dims.begin() + std::min<int64_t>(axis, static_cast<int64_t>(dims.size())), 0);
    return Tensor::allocate(element, dims);
}

}  // namespace engine
