#include "engine/ops/copy.h"

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"

namespace engine {

void copyTo(KernelContext& context, size_t index, const Tensor& tensor, const Dims& dims) {
    Tensor& output = context.output(index, tensor.type(), dims);
    if (output.elements() != tensor.elements()) {
        fail("found ", tensor.elements(), " elements, expected ", output.elements(), " for shape ",
             listText(dims));
    }
    dispatchStorage(tensor.type(), [&]<typename T>(std::type_identity<T>) {
        const auto from = elementsAs<T>(tensor);
        std::copy(from.begin(), from.end(), mutableElementsAs<T>(output).begin());
    });
}

void copyAs(KernelContext& context, const Dims& dims) { copyTo(context, 0, context.input(0), dims); }

void keepElements(InferContext& context) {
    if (auto elements = context.inputElements(0)) context.setOutputElements(0, std::move(*elements));
}

}  // namespace engine
