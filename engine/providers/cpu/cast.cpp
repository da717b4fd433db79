#include <cmath>
#include <limits>

#include "engine/core/dispatch.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/element_loops.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

constexpr std::initializer_list<DataType> types = {DataType::float32, DataType::float64, DataType::int32,
                                                   DataType::int64,   DataType::boolean, DataType::uint8,
                                                   DataType::int8,    DataType::float16, DataType::bfloat16};

Support accepts(const NodeView& node) { return acceptTypes(node, types); }

/// As the reference: towards zero; what is out of range keeps the low bits of the nearest int64.
template <class To>
To toInteger(double value) {
    if (std::isnan(value)) return static_cast<To>(std::numeric_limits<int64_t>::min());
    if (value >= 9223372036854775808.0) return static_cast<To>(std::numeric_limits<int64_t>::max());
    if (value <= -9223372036854775808.0) return static_cast<To>(std::numeric_limits<int64_t>::min());
    return static_cast<To>(static_cast<int64_t>(value));
}

template <class T>
constexpr bool isShort = std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

template <class From, class To>
To converted(From value) {
    constexpr bool isFromFloating = !std::is_integral_v<From>;
    if constexpr (std::is_same_v<To, bool>) {
        if constexpr (isShort<From>)
            return static_cast<float>(value) != 0;
        else
            return value != From{};
    } else if constexpr (std::is_integral_v<To> && isFromFloating) {
        return toInteger<To>(static_cast<double>(value));
    } else if constexpr (isShort<To>) {
        return To(static_cast<float>(value));
    } else {
        return static_cast<To>(value);
    }
}

template <class From, class To>
void castLoop(const void* from, void* to, int64_t count, int threads) {
    const auto* x = static_cast<const From*>(from);
    auto* y = static_cast<To*>(to);
    parallelRange(threadsFor(threads, count * 8), count, [&](int64_t begin, int64_t end, int) {
        for (int64_t index = begin; index < end; ++index) y[index] = converted<From, To>(x[index]);
    });
}

template <class Function>
void dispatchType(DataType type, const Function& function) {
    dispatchAmong<float, double, int32_t, int64_t, bool, uint8_t, int8_t, Float16, BFloat16>(type, function);
}

using Loop = void (*)(const void*, void*, int64_t, int);

Loop loopFor(DataType from, DataType to) {
    Loop loop = nullptr;
    dispatchType(from, [&]<class From>(std::type_identity<From>) {
        dispatchType(to, [&]<class To>(std::type_identity<To>) {
            if constexpr (!hasConversion(dataTypeOf<From>, dataTypeOf<To>)) loop = castLoop<From, To>;
        });
    });
    return loop;
}

void convertInParts(DataType from, DataType to, const char* x, char* y, int64_t count, int threads) {
    const auto width = static_cast<int64_t>(bytesInMemory(from));
    const auto resultWidth = static_cast<int64_t>(bytesInMemory(to));
    parallelRange(threadsFor(threads, count * (width + resultWidth)), count,
                  [&](int64_t begin, int64_t end, int) {
                      convertStretch(from, to, x + begin * width, y + begin * resultWidth, end - begin);
                  });
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    const Order order = builder.orderOf(input);
    const DataType from = builder.element(input);
    const DataType to = builder.element(output);
    Step step{.kernel = text("cast ", from, " to ", to),
              .nodes = {node.id()},
              .inputs = {builder.take(input, order)},
              .outputs = {builder.define(output, order)}};
    const int64_t count = builder.elements(input);
    const int threads = builder.threads();
    if (hasConversion(from, to)) {
        step.code = [from, to, count, threads](StepContext& context) {
            convertInParts(from, to, context.input<char>(0), context.output<char>(0), count, threads);
        };
    } else {
        step.code = [loop = loopFor(from, to), count, threads](StepContext& context) {
            loop(context.input<void>(0), context.output<void>(0), count, threads);
        };
    }
    builder.add(std::move(step));
}

const CpuKernel cast{"Cast", "", accepts, prepare};
const Register<CpuKernel> registered{cast};

}  // namespace
}  // namespace engine::cpu
