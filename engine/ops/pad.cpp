#include <algorithm>
#include <numeric>

#include "engine/core/dispatch.h"
#include "engine/ops/pace.h"
#include "engine/ops/view.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

enum class Mode : uint8_t { constant, reflect, edge, wrap };

struct Attributes {
    Mode mode;
    std::optional<std::vector<int64_t>> pads;  ///< before opset 11
    float value;
};

Attributes parse(const AttributeReader& reader) {
    const std::string mode = reader.choice("mode", "constant", {"constant", "reflect", "edge", "wrap"});
    Attributes attributes{.mode = mode == "constant"  ? Mode::constant
                                  : mode == "reflect" ? Mode::reflect
                                  : mode == "edge"    ? Mode::edge
                                                      : Mode::wrap,
                          .pads = reader.maybeIntegers("pads"),
                          .value = reader.number("value", 0)};
    if (!attributes.pads) attributes.pads = reader.maybeIntegers("paddings");
    return attributes;
}

/// What is added before and after each axis, in order of axes.
template <class Number>
struct Margins {
    std::vector<Number> before;
    std::vector<Number> after;
};

template <class Number>
Margins<Number> margins(const std::vector<Number>& pads, std::vector<int64_t> axes, int64_t rank) {
    if (axes.empty()) {
        axes.resize(static_cast<size_t>(rank));
        std::iota(axes.begin(), axes.end(), int64_t{0});
    }
    if (pads.size() != 2 * axes.size())
        fail("pads has ", pads.size(), " numbers, expected ", 2 * axes.size());
    Margins<Number> result{std::vector<Number>(static_cast<size_t>(rank), Number(0)),
                           std::vector<Number>(static_cast<size_t>(rank), Number(0))};
    axes = distinctAxes(axes, rank);
    for (size_t i = 0; i < axes.size(); ++i) {
        const auto axis = static_cast<size_t>(axes[i]);
        result.before[axis] = pads[i];
        result.after[axis] = pads[axes.size() + i];
    }
    return result;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const DataType element = context.inputElement(0);
    const Shape* shape = context.inputShape(0);
    if (shape == nullptr) return context.setOutput(0, element);
    std::optional<std::vector<Dim>> pads;
    if (attributes.pads) {
        pads.emplace(attributes.pads->begin(), attributes.pads->end());
    } else {
        pads = context.inputElements(1);
    }
    const Tensor* axes = context.hasInput(3) ? context.inputData(3) : nullptr;
    Shape result(shape->size());
    if (pads && (!context.hasInput(3) || axes != nullptr)) {
        const auto margin = margins<Dim>(*pads, axes != nullptr ? axes->toInt64() : std::vector<int64_t>(),
                                         static_cast<int64_t>(shape->size()));
        for (size_t i = 0; i < result.size(); ++i)
            result[i] = (*shape)[i] + margin.before[i] + margin.after[i];
    }
    context.setOutput(0, element, std::move(result));
}

/// Where along an axis of `length` the element at `position` (negative: before it) comes from; -1: from
/// nowhere.
int64_t source(Mode mode, int64_t position, int64_t length) {
    if (position >= 0 && position < length) return position;
    switch (mode) {
        case Mode::constant:
            return -1;
        case Mode::edge:
            return std::clamp<int64_t>(position, 0, length - 1);
        case Mode::wrap:
            return (position % length + length) % length;
        case Mode::reflect: {
            if (length == 1) return 0;
            const int64_t period = 2 * (length - 1);
            const int64_t inPeriod = (position % period + period) % period;
            return inPeriod < length ? inPeriod : period - inPeriod;
        }
    }
    return -1;
}

/// Per axis, for each place in the output: where in the input it comes from.
std::vector<std::vector<int64_t>> sources(Mode mode, const Dims& input, const Dims& output,
                                          const std::vector<int64_t>& before) {
    std::vector<std::vector<int64_t>> result(input.size());
    for (size_t axis = 0; axis < input.size(); ++axis) {
        if (input[axis] == 0 && output[axis] > 0 && mode != Mode::constant) {
            fail("axis ", axis, " of ", listText(input), " is empty; only constants can be padded to it");
        }
        for (int64_t i = 0; i < output[axis]; ++i)
            result[axis].push_back(source(mode, i - before[axis], input[axis]));
    }
    return result;
}

template <class T>
T fillValue(const KernelContext& context, const Tensor& input) {
    const auto& attributes = context.attributes<Attributes>();
    if (context.hasInput(2)) {
        const Tensor& value = context.input(2);
        if (value.type() != input.type() || value.elements() != 1) {
            fail("the constant value is ", value.type(), listText(value.dims()), ", expected a single ",
                 input.type());
        }
        return elementsAs<T>(value)[0];
    }
    Tensor zero = Tensor::allocate(input.type(), {});
    if (input.type() == DataType::string) return T();
    std::fill_n(static_cast<uint8_t*>(zero.mutableData()), zero.bytes(), uint8_t{0});
    if (attributes.value != 0) {
        dispatchFloat(input.type(), [&]<typename F>(std::type_identity<F>) {
            zero.mutableValues<F>()[0] = static_cast<F>(attributes.value);
        });
    }
    return elementsAs<T>(zero)[0];
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    const std::vector<int64_t> pads = attributes.pads ? *attributes.pads : context.input(1).toInt64();
    const std::vector<int64_t> axes =
        context.hasInput(3) ? context.input(3).toInt64() : std::vector<int64_t>();
    const auto margin = margins<int64_t>(pads, axes, input.rank());
    Dims dims = input.dims();
    for (size_t i = 0; i < dims.size(); ++i) {
        if (__builtin_add_overflow(dims[i], margin.before[i], &dims[i]) ||
            __builtin_add_overflow(dims[i], margin.after[i], &dims[i]) || dims[i] < 0) {
            fail("pads ", listText(pads), " do not fit the dims ", listText(input.dims()));
        }
    }
    Tensor& output = context.output(0, input.type(), dims);
    const auto from = sources(attributes.mode, input.dims(), dims, margin.before);
    const Dims strides = rowMajorStrides(input.dims());
    dispatchStorage(input.type(), [&]<typename T>(std::type_identity<T>) {
        const T fill = fillValue<T>(context, input);
        const auto values = elementsAs<T>(input);
        const auto to = mutableElementsAs<T>(output);
        Pace pace(context);
        Dims index(dims.size(), 0);
        for (size_t i = 0; i < to.size(); ++i) {
            int64_t position = 0;
            for (size_t axis = 0; axis < dims.size() && position >= 0; ++axis) {
                const int64_t at = from[axis][static_cast<size_t>(index[axis])];
                position = at < 0 ? -1 : position + at * strides[axis];
            }
            to[i] = position < 0 ? fill : values[static_cast<size_t>(position)];
            pace.spend(1);
            for (size_t axis = dims.size(); axis-- > 0;) {
                if (++index[axis] < dims[axis]) break;
                index[axis] = 0;
            }
        }
    });
}

const OpDef pad{
    .name = "Pad",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = noWork,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{pad};

}  // namespace
}  // namespace engine
