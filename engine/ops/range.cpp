#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"

namespace engine {
namespace {

constexpr int64_t mostKnownElements = 4096;

/// max(0, ceil((limit - start) / delta)).
int64_t lengthOf(const Tensor& start, const Tensor& limit, const Tensor& delta) {
    for (const Tensor* input : {&start, &limit, &delta}) {
        if (input->elements() != 1)
            fail("start, limit and delta must be single numbers, found ", listText(input->dims()));
    }
    if (isInteger(start.type())) {
        const int64_t step = delta.toInt64()[0];
        int64_t distance = 0;
        if (step == 0) fail("delta is 0");
        if (__builtin_sub_overflow(limit.toInt64()[0], start.toInt64()[0], &distance))
            fail("the range overflows");
        if ((distance > 0) != (step > 0) || distance == 0) return 0;
        return distance / step + (distance % step != 0 ? 1 : 0);
    }
    const double step = delta.toDouble()[0];
    if (step == 0) fail("delta is 0");
    const double count = std::ceil((limit.toDouble()[0] - start.toDouble()[0]) / step);
    if (!(count < 1e15)) fail("the range would have ", count, " elements");
    return count > 0 ? static_cast<int64_t>(count) : 0;
}

void infer(InferContext& context) {
    const DataType element = context.inputElement(0);
    const Tensor* start = context.inputData(0);
    const Tensor* limit = context.inputData(1);
    const Tensor* delta = context.inputData(2);
    if (start != nullptr && limit != nullptr && delta != nullptr) {
        return context.setOutput(0, element, {lengthOf(*start, *limit, *delta)});
    }
    const auto first = context.inputElements(0);
    const auto last = context.inputElements(1);
    const auto step = context.inputElements(2);
    const bool isKnown =
        first && last && step && first->size() == 1 && last->size() == 1 && step->size() == 1;
    context.setOutput(0, element,
                      {isKnown ? maximum(0, ceilDiv((*last)[0] - (*first)[0], (*step)[0])) : Dim()});
}

void reference(KernelContext& context) {
    const Tensor& start = context.input(0);
    const Tensor& delta = context.input(2);
    checkElement(context.input(1), start.type(), "limit");
    checkElement(delta, start.type(), "delta");
    const int64_t length = lengthOf(start, context.input(1), delta);
    Tensor& output = context.output(0, start.type(), {length});
    dispatchAmong<float, double, Float16, BFloat16, int16_t, int32_t, int64_t, int8_t, uint8_t, uint16_t,
                  uint32_t, uint64_t>(start.type(), [&]<typename T>(std::type_identity<T>) {
        const auto to = output.mutableValues<T>();
        const T first = start.values<T>()[0];
        const T step = delta.values<T>()[0];
        for (size_t i = 0; i < to.size(); ++i) {
            if (i % mostKnownElements == 0) context.checkpoint();
            if constexpr (std::is_integral_v<T>) {
                to[i] = static_cast<T>(static_cast<uint64_t>(first) + i * static_cast<uint64_t>(step));
            } else {
                to[i] = static_cast<T>(first + static_cast<decltype(first + step)>(i) * step);
            }
        }
    });
}

const OpDef range{
    .name = "Range",
    .sinceVersion = 11,
    .attributes = noAttributes,
    .infer = infer,
    .work = onePerOutput,
    .reference = reference,
};
const Register<OpDef> registered{range};

}  // namespace
}  // namespace engine
