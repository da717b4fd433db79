#include <algorithm>
#include <numeric>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// Outputs: the slices along an axis (or elements, without one) that differ; where each stands first; for each
// slice of the input its place in the output; how often each occurs.
struct Attributes {
    std::optional<int64_t> axis;
    bool isSorted = true;
};

Attributes parse(const AttributeReader& reader) {
    return {.axis = reader.maybeInteger("axis"), .isSorted = reader.integer("sorted", 1) != 0};
}

void infer(InferContext& context) {
    const auto& axis = context.attributes<Attributes>().axis;
    const Shape* input = context.inputShape(0);
    const DataType element = context.inputElement(0);
    Dim slices;
    if (input != nullptr) slices = elementCount(*input);
    if (!axis) {
        context.setOutput(0, element, Shape{Dim()});
    } else if (input == nullptr) {
        context.setOutput(0, element);
    } else {
        Shape output = *input;
        Dim& length = output[static_cast<size_t>(normalizedAxis(*axis, static_cast<int64_t>(output.size())))];
        slices = length;
        length = Dim();
        context.setOutput(0, element, std::move(output));
    }
    context.setOutput(1, DataType::int64, Shape{Dim()});
    context.setOutput(2, DataType::int64, Shape{slices});
    context.setOutput(3, DataType::int64, Shape{Dim()});
}

Work work(const WorkContext& context) { return {.otherFlops = context.inputElements(0) * Dim(16)}; }

template <class T>
bool isNan(const T& value) {
    if constexpr (std::is_same_v<T, String>) return false;
    return value != value;
}

/// A total order in which NaNs are equal and come last.
template <class T>
bool isLess(const T& a, const T& b) {
    if (isNan(a) || isNan(b)) return !isNan(a);
    return a < b;
}
template <class T>
bool isLess(const std::complex<T>& a, const std::complex<T>& b) {
    if (isLess(a.real(), b.real()) || isLess(b.real(), a.real())) return isLess(a.real(), b.real());
    return isLess(a.imag(), b.imag());
}

/// The slices along an axis as things to compare.
template <class T>
class Slices {
public:
    Slices(std::span<const T> values, const Dims& dims, int64_t axis)
        : values_(values),
          count_(dims[static_cast<size_t>(axis)]),
          outer_(elementCount(Dims(dims.begin(), dims.begin() + axis))),
          inner_(elementCount(Dims(dims.begin() + axis + 1, dims.end()))) {}

    int64_t count() const { return count_; }

    bool isLess(int64_t a, int64_t b) const {
        for (int64_t block = 0; block < outer_; ++block) {
            const T* left = slice(block, a);
            const T* right = slice(block, b);
            for (int64_t i = 0; i < inner_; ++i) {
                if (engine::isLess(left[i], right[i])) return true;
                if (engine::isLess(right[i], left[i])) return false;
            }
        }
        return false;
    }

    void copy(const std::vector<int64_t>& chosen, std::span<T> into) const {
        auto to = into.begin();
        for (int64_t block = 0; block < outer_; ++block) {
            for (const int64_t index : chosen) to = std::copy_n(slice(block, index), inner_, to);
        }
    }

private:
    const T* slice(int64_t block, int64_t index) const {
        return values_.data() + (block * count_ + index) * inner_;
    }

    std::span<const T> values_;
    int64_t count_;
    int64_t outer_;
    int64_t inner_;
};

struct Groups {
    std::vector<int64_t> first = {};    ///< per group: its first slice
    std::vector<int64_t> groupOf = {};  ///< per slice
    std::vector<int64_t> sizes = {};
};

template <class T>
Groups grouped(const Slices<T>& slices, bool isSorted, Pace& pace) {
    std::vector<int64_t> order(static_cast<size_t>(slices.count()));
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        pace.spend(4);
        return slices.isLess(a, b);
    });
    std::vector<std::vector<int64_t>> members;
    for (size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || slices.isLess(order[i - 1], order[i])) members.emplace_back();
        members.back().push_back(order[i]);
    }
    if (!isSorted) {
        std::sort(members.begin(), members.end(),
                  [](const auto& a, const auto& b) { return a.front() < b.front(); });
    }
    Groups groups{.groupOf = std::vector<int64_t>(order.size())};
    for (size_t group = 0; group < members.size(); ++group) {
        groups.first.push_back(members[group].front());
        groups.sizes.push_back(static_cast<int64_t>(members[group].size()));
        for (const int64_t slice : members[group]) {
            groups.groupOf[static_cast<size_t>(slice)] = static_cast<int64_t>(group);
        }
    }
    return groups;
}

void setIndices(KernelContext& context, size_t output, const std::vector<int64_t>& values) {
    Tensor& tensor = context.output(output, DataType::int64, {static_cast<int64_t>(values.size())});
    std::copy(values.begin(), values.end(), tensor.mutableValues<int64_t>().begin());
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    Dims dims = attributes.axis ? input.dims() : Dims{input.elements()};
    const int64_t axis = attributes.axis ? normalizedAxis(*attributes.axis, input.rank()) : 0;
    dispatchAmong<float, double, Float16, BFloat16, bool, int64_t, int32_t, uint8_t, int8_t, uint16_t,
                  int16_t, uint32_t, uint64_t, String, std::complex<float>, std::complex<double>>(
        input.type(), [&]<typename T>(std::type_identity<T>) {
            const Slices<T> slices(input.values<T>(), dims, axis);
            Pace pace(context);
            const Groups groups = grouped(slices, attributes.isSorted, pace);
            dims[static_cast<size_t>(axis)] = static_cast<int64_t>(groups.first.size());
            slices.copy(groups.first, context.output(0, input.type(), dims).template mutableValues<T>());
            setIndices(context, 1, groups.first);
            setIndices(context, 2, groups.groupOf);
            setIndices(context, 3, groups.sizes);
        });
}

const OpDef unique{
    .name = "Unique",
    .sinceVersion = 11,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{unique};

}  // namespace
}  // namespace engine
