#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/arithmetic.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    int64_t axis;
    bool largest;
};

Attributes parse(const AttributeReader& reader) {
    return {.axis = reader.integer("axis", -1), .largest = reader.integer("largest", 1) != 0};
}

void infer(InferContext& context) {
    const Shape* input = context.inputShape(0);
    const auto count = context.inputElements(1);
    if (input == nullptr) {
        context.setOutput(0, context.inputElement(0));
        return context.setOutput(1, DataType::int64);
    }
    const int64_t axis =
        normalizedAxis(context.attributes<Attributes>().axis, static_cast<int64_t>(input->size()));
    Shape output = *input;
    output[static_cast<size_t>(axis)] = count && count->size() == 1 ? (*count)[0] : Dim();
    context.setOutput(0, context.inputElement(0), output);
    context.setOutput(1, DataType::int64, std::move(output));
}

/// NaN counts as larger than everything, so that the order is one.
template <class T>
bool isLess(T left, T right) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(right)) return !std::isnan(left);
    }
    return left < right;
}

/// The positions of the k first in order: by value, equal ones by index. Sorted, which covers unsorted.
template <class T>
std::vector<int64_t> firstK(const std::vector<T>& line, size_t k, bool largest) {
    std::vector<int64_t> order(line.size());
    std::iota(order.begin(), order.end(), 0);
    const auto stands = [&](int64_t a, int64_t b) {
        const T& left = line[static_cast<size_t>(a)];
        const T& right = line[static_cast<size_t>(b)];
        if (isLess(left, right)) return !largest;
        if (isLess(right, left)) return largest;
        return a < b;
    };
    std::partial_sort(order.begin(), order.begin() + static_cast<int64_t>(k), order.end(), stands);
    order.resize(k);
    return order;
}

template <class T>
void select(KernelContext& context, size_t axis, int64_t k) {
    const Tensor& input = context.input(0);
    Dims dims = input.dims();
    const int64_t length = dims[axis];
    int64_t inner = 1;
    for (size_t i = axis + 1; i < dims.size(); ++i) inner *= dims[i];
    const int64_t outer = length * inner == 0 ? 0 : input.elements() / (length * inner);
    dims[axis] = k;
    const auto from = input.values<T>();
    const auto values = context.output(0, dims).template mutableValues<T>();
    const auto indices = context.output(1, DataType::int64, dims).template mutableValues<int64_t>();
    const bool largest = context.attributes<Attributes>().largest;
    std::vector<ComputeType<T>> line(static_cast<size_t>(length));
    Pace pace(context);
    for (int64_t i = 0; i < outer * inner; ++i) {
        const int64_t start = i / inner * length * inner + i % inner;
        for (int64_t n = 0; n < length; ++n) {
            line[static_cast<size_t>(n)] =
                static_cast<ComputeType<T>>(from[static_cast<size_t>(start + n * inner)]);
        }
        const std::vector<int64_t> order = firstK(line, static_cast<size_t>(k), largest);
        for (int64_t n = 0; n < k; ++n) {
            const auto to = static_cast<size_t>(i / inner * k * inner + i % inner + n * inner);
            indices[to] = order[static_cast<size_t>(n)];
            values[to] = from[static_cast<size_t>(start + indices[to] * inner)];
        }
        pace.spend(length * 8);
    }
}

void reference(KernelContext& context) {
    const Tensor& input = context.input(0);
    const auto axis =
        static_cast<size_t>(normalizedAxis(context.attributes<Attributes>().axis, input.rank()));
    const std::vector<int64_t> count = context.input(1).toInt64();
    if (count.size() != 1 || count[0] < 0 || count[0] > input.dims()[axis]) {
        fail("K: found ", listText(count), ", expected one number up to ", input.dims()[axis]);
    }
    dispatchNumeric(input.type(),
                    [&]<typename T>(std::type_identity<T>) { select<T>(context, axis, count[0]); });
}

Work work(const WorkContext& context) { return {.otherFlops = context.inputElements(0)}; }

const OpDef topK{
    .name = "TopK",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{topK};

void countToInput(NodeRewriter& node) {
    node.setInput(1, Tensor::of<int64_t>({1}, {node.attributes().integer("k")}));
    node.removeAttribute("k");
    node.setVersion(10);
}
const OpUpgrade upgrade{"TopK", 1, countToInput};
const Register<OpUpgrade> registeredUpgrade{upgrade};

}  // namespace
}  // namespace engine
