// ScatterElements and ScatterND: a copy of the data with updates put in, or added, at given places.

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/arithmetic.h"
#include "engine/ops/indices.h"
#include "engine/ops/op.h"
#include "engine/ops/view.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

enum class Reduction { none, add, multiply, minimum, maximum };

struct Attributes {
    int64_t axis;
    Reduction reduction;
};

Attributes parse(const AttributeReader& reader) {
    static const std::vector<std::string> names{"none", "add", "mul", "min", "max"};
    const std::string name = reader.choice("reduction", "none", names);
    const auto place = std::find(names.begin(), names.end(), name) - names.begin();
    return {.axis = reader.integer("axis", 0), .reduction = static_cast<Reduction>(place)};
}

template <class T>
T combined(Reduction reduction, const T& old, const T& update) {
    if constexpr (!std::is_arithmetic_v<ComputeType<T>>) {
        return update;
    } else {
        using C = ComputeType<T>;
        const auto a = static_cast<C>(old);
        const auto b = static_cast<C>(update);
        switch (reduction) {
            case Reduction::none:
                return update;
            case Reduction::add:
                return static_cast<T>(wrappedAdd<C>(a, b));
            case Reduction::multiply:
                return static_cast<T>(wrappedMultiply<C>(a, b));
            case Reduction::minimum:
                return b < a ? update : old;
            case Reduction::maximum:
                return a < b ? update : old;
        }
        return update;
    }
}

/// Starts output 0 as a copy of the data, then calls put(T of the arithmetic or of the storage).
template <class Put>
void copyThenPut(KernelContext& context, Reduction reduction, Put put) {
    const Tensor& data = context.input(0);
    if (context.input(2).type() != data.type()) {
        fail("updates: found elements of type ", context.input(2).type(), ", expected ", data.type());
    }
    copyUnderDims(context, data.dims());
    if (reduction == Reduction::none) {
        dispatchStorage(data.type(), put);
    } else {
        dispatchAmong<float, double, Float16, BFloat16, int64_t, int32_t, int16_t, int8_t, uint8_t, uint16_t,
                      uint32_t, uint64_t, bool>(data.type(), put);
    }
}

void inferElements(InferContext& context) {
    if (const auto rank = context.inputRank(0)) {
        normalizedAxis(context.attributes<Attributes>().axis, *rank);
        context.checkRank(1, *rank, "indices");
        context.checkRank(2, *rank, "updates");
    }
    inferSameAsInput(context);
}

void scatterElements(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Dims dims = context.input(0).dims();
    const Tensor& indices = context.input(1);
    const auto axis = static_cast<size_t>(normalizedAxis(attributes.axis, static_cast<int64_t>(dims.size())));
    checkWithin(indices.dims(), dims, axis, "indices");
    if (context.input(2).dims() != indices.dims()) {
        fail("updates: found shape ", listText(context.input(2).dims()), ", expected ",
             listText(indices.dims()), " as indices have");
    }
    const std::vector<int64_t> positions = indices.toInt64();
    Dims strides = rowMajorStrides(dims);
    const int64_t stride = std::exchange(strides[axis], 0);
    copyThenPut(context, attributes.reduction, [&]<typename T>(std::type_identity<T>) {
        const auto updates = elementsAs<T>(context.input(2));
        const auto to = mutableElementsAs<T>(context.output(0, context.input(0).type(), dims));
        Walk<1>(indices.dims(), {strides}).forEach(context, [&](size_t i, const auto& at) {
            T& place = to[static_cast<size_t>(at[0] + countedIndex(positions[i], dims[axis]) * stride)];
            place = combined<T>(attributes.reduction, place, updates[i]);
        });
    });
}

void scatterNd(KernelContext& context) {
    const Reduction reduction = context.attributes<Attributes>().reduction;
    const Dims dims = context.input(0).dims();
    const Tensor& indices = context.input(1);
    const std::vector<int64_t> starts = sliceStarts(indices, dims, 0);
    Dims expected(indices.dims().begin(), indices.dims().end() - 1);
    expected.insert(expected.end(), dims.begin() + indices.dims().back(), dims.end());
    if (context.input(2).dims() != expected) {
        fail("updates: found shape ", listText(context.input(2).dims()), ", expected ", listText(expected));
    }
    const size_t length =
        starts.empty() ? 0 : static_cast<size_t>(context.input(2).elements()) / starts.size();
    copyThenPut(context, reduction, [&]<typename T>(std::type_identity<T>) {
        const auto updates = elementsAs<T>(context.input(2));
        const auto to = mutableElementsAs<T>(context.output(0, context.input(0).type(), dims));
        Pace pace(context);
        for (size_t i = 0; i < starts.size(); ++i) {
            for (size_t k = 0; k < length; ++k) {
                T& place = to[static_cast<size_t>(starts[i]) + k];
                place = combined<T>(reduction, place, updates[i * length + k]);
            }
            pace.spend(static_cast<int64_t>(length) + 4);
        }
    });
}

const OpDef elements{
    .name = "ScatterElements",
    .sinceVersion = 11,
    .attributes = parsed<parse>,
    .infer = inferElements,
    .work = noWork,
    .reference = scatterElements,
};
const Register<OpDef> registeredElements{elements};

const OpDef nd{
    .name = "ScatterND",
    .sinceVersion = 11,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = noWork,
    .reference = scatterNd,
};
const Register<OpDef> registeredNd{nd};

void rename(NodeRewriter& node) {
    node.node().operatorType = "ScatterElements";
    node.setVersion(11);
}
const OpUpgrade upgrade{"Scatter", 9, rename};
const Register<OpUpgrade> registeredUpgrade{upgrade};

}  // namespace
}  // namespace engine
