#include "engine/ops/checks.h"

#include "engine/core/error.h"
#include "engine/ops/infer_context.h"

namespace engine {

void checkElement(const Tensor& tensor, DataType expected, const char* what) {
    if (tensor.type() != expected) {
        fail(what, ": found elements of type ", tensor.type(), ", expected ", expected);
    }
}

void checkDims(const Tensor& tensor, const Dims& expected, const char* what) {
    if (tensor.dims() != expected) {
        fail(what, ": found shape ", listText(tensor.dims()), ", expected ", listText(expected));
    }
}

void checkRank(const Tensor& tensor, int64_t expected, const char* what) {
    if (tensor.rank() != expected) {
        fail(what, ": found rank ", tensor.rank(), ", expected ", expected);
    }
}

void checkRankAtLeast(const Tensor& tensor, int64_t smallest, const char* what) {
    if (tensor.rank() < smallest) {
        fail(what, ": found rank ", tensor.rank(), ", expected at least ", smallest);
    }
}

std::optional<Dims> knownDims(const InferContext& context, size_t index) {
    const Shape* shape = context.hasInput(index) ? context.inputShape(index) : nullptr;
    return shape != nullptr ? numbers(*shape) : std::nullopt;
}

void failNotSingle(const Tensor& tensor, const char* what) {
    fail(what, ": found shape ", listText(tensor.dims()), ", expected a single element");
}

Dim agreed(const Dim& left, const Dim& right, const char* what) {
    if (left.isNumber() && right.isNumber() && left.number() != right.number()) {
        fail(what, ": found ", left, " and ", right, ", expected the same");
    }
    return left.isNumber() || right.isUnknown() ? left : right;
}

}  // namespace engine
