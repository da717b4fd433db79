#include "engine/ops/type_union.h"

#include <algorithm>

namespace engine {
namespace {

bool sameDim(const Dim& left, const Dim& right) {
    return left == right || (left.isUnknown() && right.isUnknown());
}

std::optional<Shape> shapeUnion(const std::optional<Shape>& left, const std::optional<Shape>& right) {
    if (!left || !right || left->size() != right->size()) return std::nullopt;
    Shape shape = *left;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (!sameDim(shape[i], (*right)[i])) shape[i] = Dim();
    }
    return shape;
}

}  // namespace

Type typeUnion(const Type& left, const Type& right) {
    if (left.kind == Type::Kind::unknown) return right;
    if (right.kind == Type::Kind::unknown) return left;
    if (left.kind != right.kind) return {};
    Type result = left;
    if (left.element == DataType::undefined) result.element = right.element;
    if (right.element != DataType::undefined && right.element != result.element) return {};
    result.shape = shapeUnion(left.shape, right.shape);
    if (left.inner && right.inner) {
        result.inner = std::make_shared<const Type>(typeUnion(*left.inner, *right.inner));
    } else if (right.inner) {
        result.inner = right.inner;
    }
    return result;
}

bool sameType(const Type& left, const Type& right) {
    if (left.kind != right.kind || left.element != right.element || left.key != right.key) return false;
    if (left.shape.has_value() != right.shape.has_value()) return false;
    if (left.shape && !std::equal(left.shape->begin(), left.shape->end(), right.shape->begin(),
                                  right.shape->end(), sameDim)) {
        return false;
    }
    if ((left.inner == nullptr) != (right.inner == nullptr)) return false;
    return left.inner == nullptr || sameType(*left.inner, *right.inner);
}

}  // namespace engine
