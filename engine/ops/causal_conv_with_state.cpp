#include <algorithm>
#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// Each channel of the input [batch, channels, length] is convolved with its own weights [channels, 1, size],
// looking back only; what it looked at last is the state [batch, channels, size - 1] to begin with next time.
struct Attributes {
    bool isSwish = false;
};

Attributes parse(const AttributeReader& reader) {
    return {reader.choice("activation", "none", {"none", "silu", "swish"}) != "none"};
}

void infer(InferContext& context) {
    context.checkRank(0, 3, "input");
    context.checkRank(1, 3, "weight");
    if (context.hasInput(2)) context.checkRank(2, 1, "bias");
    if (context.hasInput(3)) context.checkRank(3, 3, "past_state");
    const Shape* input = context.inputShape(0);
    const Shape* weight = context.inputShape(1);
    Shape output = input != nullptr ? *input : Shape(3);
    Shape state = context.hasInput(3) && context.inputShape(3) != nullptr ? *context.inputShape(3) : Shape(3);
    if (weight != nullptr) {
        output[1] = agreed(output[1], (*weight)[0], "channels of input and weight");
        state[2] = agreed(state[2], (*weight)[2] - 1, "length of past_state and size of weight less 1");
    }
    output[0] = agreed(output[0], state[0], "batch of input and past_state");
    state[0] = output[0];
    state[1] = agreed(output[1], state[1], "channels of input and past_state");
    context.setOutput(0, context.inputElement(0), std::move(output));
    context.setOutput(1, context.inputElement(0), std::move(state));
}

Work work(const WorkContext& context) {
    return {
        .multiplyAdds = context.outputElements(0) * context.inputDim(1, 2),
        .specialFunctions = context.attributes<Attributes>().isSwish ? context.outputElements(0) : Dim(0)};
}

void checkShapes(const KernelContext& context) {
    checkRank(context.input(0), 3, "input");
    const Dims& x = context.input(0).dims();
    checkRank(context.input(1), 3, "weight");
    const int64_t size = context.input(1).dims()[2];
    if (size < 1) fail("weight: found shape ", listText(context.input(1).dims()), ", expected some weights");
    checkDims(context.input(1), {x[1], 1, size}, "weight");
    if (context.hasInput(2)) checkDims(context.input(2), {x[1]}, "bias");
    if (context.hasInput(3)) checkDims(context.input(3), {x[0], x[1], size - 1}, "past_state");
}

template <class T>
void convolve(KernelContext& context) {
    checkShapes(context);
    const Dims& dims = context.input(0).dims();
    const auto channels = static_cast<size_t>(dims[1]);
    const auto length = static_cast<size_t>(dims[2]);
    const std::vector<double> weights = context.input(1).toDouble();
    const auto size = static_cast<size_t>(context.input(1).dims()[2]);
    const std::vector<double> bias =
        context.hasInput(2) ? context.input(2).toDouble() : std::vector<double>(channels, 0);
    const auto input = context.input(0).values<T>();
    const auto past =
        context.hasInput(3) ? checkedValues<T>(context.input(3), "past_state") : std::span<const T>();
    const auto output = context.output(0, dims).template mutableValues<T>();
    const Dims stateDims{dims[0], dims[1], static_cast<int64_t>(size) - 1};
    const auto state = context.output(1, context.input(0).type(), stateDims).template mutableValues<T>();
    const bool isSwish = context.attributes<Attributes>().isSwish;
    std::vector<T> line(size - 1 + length);
    Pace pace(context);
    for (size_t row = 0; row < static_cast<size_t>(dims[0]) * channels; ++row) {
        std::fill(line.begin(), line.end(), static_cast<T>(0.0F));
        if (!past.empty())
            std::copy_n(past.begin() + static_cast<ptrdiff_t>(row * (size - 1)), size - 1, line.begin());
        std::copy_n(input.begin() + static_cast<ptrdiff_t>(row * length), length,
                    line.begin() + static_cast<ptrdiff_t>(size - 1));
        const double* own = weights.data() + row % channels * size;
        for (size_t i = 0; i < length; ++i) {
            double sum = bias[row % channels];
            for (size_t k = 0; k < size; ++k) sum += own[k] * static_cast<double>(line[i + k]);
            output[row * length + i] = static_cast<T>(isSwish ? sum / (1 + std::exp(-sum)) : sum);
        }
        std::copy(line.end() - static_cast<ptrdiff_t>(size - 1), line.end(),
                  state.begin() + static_cast<ptrdiff_t>(row * (size - 1)));
        pace.spend(static_cast<int64_t>(length * size));
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { convolve<T>(context); });
}

const OpDef causalConvWithState{
    .name = "CausalConvWithState",
    .sinceVersion = 27,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{causalConvWithState};

}  // namespace
}  // namespace engine
