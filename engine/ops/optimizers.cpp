// The optimizers of ONNX's training preview: a step of gradient descent on any number of tensors. Inputs are
// the learning rate, the count of steps so far, then all tensors, all their gradients, and all of each of
// their states; outputs are the new tensors and the new states in the same order.

#include <array>
#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

constexpr const char* trainingDomain = "ai.onnx.preview.training";

struct Attributes {
    double alpha = 0;
    double beta = 0;
    double epsilon = 0;
    double decay = 0;
    double regularization = 0;
    double regularizationAfter = 0;
    bool isNesterov = false;
};

// One element's tensor value, gradient and states, of which the gradient alone stays.
struct Element {
    double value = 0;
    double gradient = 0;
    double first = 0;
    double second = 0;
};

struct Step {
    double rate = 0;
    int64_t count = 0;
};

using Update = void (*)(const Attributes& attributes, const Step& step, Element& element);

// Number of tensors, from the inputs and how many states each has.
size_t tensorCount(size_t inputs, size_t states) {
    const size_t each = states + 2;
    if (inputs < 2 + each || (inputs - 2) % each != 0) {
        fail("found ", inputs, " inputs, expected the rate, the count of steps and ", each,
             " for each tensor");
    }
    return (inputs - 2) / each;
}

template <size_t states>
void infer(InferContext& context) {
    const size_t count = tensorCount(context.inputCount(), states);
    for (size_t i = 0; i < count * (states + 1); ++i) {
        const bool isTensor = i < count;
        context.setOutput(i, context.inputType(2 + (isTensor ? i : i + count)));
    }
}

template <size_t states>
Work work(const WorkContext& context) {
    Dim elements = 0;
    const size_t count = context.inputCount() < 2 ? 0 : (context.inputCount() - 2) / (states + 2);
    for (size_t i = 0; i < count; ++i) elements += context.inputElements(2 + i);
    return {.otherFlops = elements * Dim(8), .specialFunctions = elements};
}

template <size_t states, Update update, class T>
void updateTensor(KernelContext& context, size_t index, size_t count, const Step& step) {
    const Tensor& tensor = context.input(2 + index);
    std::array<std::span<const T>, states + 2> from;
    for (size_t part = 0; part < from.size(); ++part) {
        const Tensor& input = context.input(2 + part * count + index);
        checkDims(input, tensor.dims(), "a gradient or a state");
        from[part] = checkedValues<T>(input, "a tensor, gradient or state");
    }
    std::array<std::span<T>, states + 1> to;
    for (size_t part = 0; part < to.size(); ++part) {
        to[part] =
            context.output(part * count + index, tensor.type(), tensor.dims()).template mutableValues<T>();
    }
    const auto& attributes = context.attributes<Attributes>();
    Pace pace(context);
    for (size_t i = 0; i < from[0].size(); ++i) {
        Element element{.value = static_cast<double>(from[0][i]),
                        .gradient = static_cast<double>(from[1][i]),
                        .first = static_cast<double>(from[2][i])};
        if constexpr (states > 1) element.second = static_cast<double>(from[3][i]);
        update(attributes, step, element);
        to[0][i] = static_cast<T>(element.value);
        to[1][i] = static_cast<T>(element.first);
        if constexpr (states > 1) to[2][i] = static_cast<T>(element.second);
        pace.spend(8);
    }
}

template <size_t states, Update update>
void reference(KernelContext& context) {
    const size_t count = tensorCount(context.inputCount(), states);
    const std::vector<double> rate = context.input(0).toDouble();
    if (rate.size() != 1) failNotSingle(context.input(0), "R");
    const Step step{.rate = rate[0], .count = onlyElement<int64_t>(context.input(1), "T")};
    for (size_t i = 0; i < count; ++i) {
        dispatchAmong<float, double>(context.input(2 + i).type(), [&]<typename T>(std::type_identity<T>) {
            updateTensor<states, update, T>(context, i, count, step);
        });
    }
}

Attributes parseAdagrad(const AttributeReader& reader) {
    return {.epsilon = reader.number("epsilon", 1e-6F),
            .decay = reader.number("decay_factor", 0),
            .regularization = reader.number("norm_coefficient", 0)};
}

// The state is the sum of squared gradients.
void adagradUpdate(const Attributes& attributes, const Step& step, Element& element) {
    const double rate = step.rate / (1 + static_cast<double>(step.count) * attributes.decay);
    const double gradient = attributes.regularization * element.value + element.gradient;
    element.first += gradient * gradient;
    element.value -= rate * gradient / (std::sqrt(element.first) + attributes.epsilon);
}

Attributes parseAdam(const AttributeReader& reader) {
    return {.alpha = reader.number("alpha", 0.9F),
            .beta = reader.number("beta", 0.999F),
            .epsilon = reader.number("epsilon", 1e-6F),
            .regularization = reader.number("norm_coefficient", 0),
            .regularizationAfter = reader.number("norm_coefficient_post", 0)};
}

// The states are the running means of the gradient and of its square.
void adamUpdate(const Attributes& attributes, const Step& step, Element& element) {
    const double alpha = attributes.alpha;
    const double beta = attributes.beta;
    const double gradient = attributes.regularization * element.value + element.gradient;
    element.first = alpha * element.first + (1 - alpha) * gradient;
    element.second = beta * element.second + (1 - beta) * gradient * gradient;
    double rate = step.rate;
    if (step.count > 0) {
        const auto count = static_cast<double>(step.count);
        rate *= std::sqrt(1 - std::pow(beta, count)) / (1 - std::pow(alpha, count));
    }
    element.value -= rate * element.first / (std::sqrt(element.second) + attributes.epsilon);
    element.value *= 1 - attributes.regularizationAfter;
}

Attributes parseMomentum(const AttributeReader& reader) {
    const std::string mode = reader.string("mode");
    if (mode != "standard" && mode != "nesterov")
        fail("mode: found '", mode, "', expected standard or nesterov");
    return {.alpha = reader.number("alpha"),
            .beta = reader.number("beta"),
            .regularization = reader.number("norm_coefficient"),
            .isNesterov = mode == "nesterov"};
}

// The state is the momentum; in the first step the gradient goes into it whole.
void momentumUpdate(const Attributes& attributes, const Step& step, Element& element) {
    const double gradient = attributes.regularization * element.value + element.gradient;
    const double share = step.count > 0 ? attributes.beta : 1;
    element.first = attributes.alpha * element.first + share * gradient;
    element.value -=
        step.rate * (attributes.isNesterov ? gradient + attributes.alpha * element.first : element.first);
}

const OpDef table[] = {
    {.name = "Adagrad",
     .sinceVersion = 1,
     .attributes = parsed<parseAdagrad>,
     .infer = infer<1>,
     .work = work<1>,
     .reference = reference<1, adagradUpdate>,
     .domain = trainingDomain},
    {.name = "Adam",
     .sinceVersion = 1,
     .attributes = parsed<parseAdam>,
     .infer = infer<2>,
     .work = work<2>,
     .reference = reference<2, adamUpdate>,
     .domain = trainingDomain},
    {.name = "Momentum",
     .sinceVersion = 1,
     .attributes = parsed<parseMomentum>,
     .infer = infer<1>,
     .work = work<1>,
     .reference = reference<1, momentumUpdate>,
     .domain = trainingDomain},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
