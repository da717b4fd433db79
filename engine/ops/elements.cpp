#include "engine/ops/elements.h"

#include <algorithm>

namespace engine {

namespace {

/// Narrower integers wrap around, expressions do not.
bool isWide(DataType type) {
    return type == DataType::int64 || type == DataType::int32 || type == DataType::boolean;
}

}  // namespace

void propagateElements(InferContext& context, ElementFunction function) {
    if (!isWide(context.inputElement(0)) || !isWide(context.inputElement(1))) return;
    const auto left = context.inputElements(0);
    const auto right = context.inputElements(1);
    if (!left || !right) return;
    const size_t count = left->size() == 1 ? right->size() : left->size();
    if (left->size() != count && left->size() != 1) return;
    if (right->size() != count && right->size() != 1) return;
    std::vector<Dim> elements;
    for (size_t i = 0; i < count; ++i) {
        const Dim& l = (*left)[left->size() == 1 ? 0 : i];
        const Dim& r = (*right)[right->size() == 1 ? 0 : i];
        elements.push_back(l.isUnknown() || r.isUnknown() ? Dim() : function(l, r));
    }
    context.setOutputElements(0, std::move(elements));
}

namespace {

bool isSurelyPositive(const Dim& dim) {
    const auto bound = dim.lowerBound();
    return bound && *bound > 0;
}

bool isSurelyNotNegative(const Dim& dim) {
    const auto bound = dim.lowerBound();
    return bound && *bound >= 0;
}

}  // namespace

Dim surelyEqual(const Dim& left, const Dim& right) {
    if (left == right) return 1;
    return isSurelyPositive(left - right) || isSurelyPositive(right - left) ? Dim(0) : Dim();
}

Dim surelyLess(const Dim& left, const Dim& right) {
    if (isSurelyPositive(right - left)) return 1;
    return isSurelyNotNegative(left - right) ? Dim(0) : Dim();
}

}  // namespace engine
