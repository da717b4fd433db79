#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/normalization.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

struct Attributes {
    float epsilon = 1e-5F;
    float momentum = 0.9F;
    bool isTraining = false;
    bool isSpatial =
        true;  // false (before opset 9): statistics for each element of an image, not each channel
};

Attributes parse(const AttributeReader& reader) {
    return {.epsilon = reader.number("epsilon", 1e-5F),
            .momentum = reader.number("momentum", 0.9F),
            .isTraining = reader.integer("training_mode", 0) != 0,
            .isSpatial = reader.integer("spatial", 1) != 0};
}

void infer(InferContext& context) {
    context.setOutput(0, context.inputType(0));
    for (size_t i = 1; i < context.outputCount(); ++i) {
        context.setOutput(i, context.inputType(i % 2 == 1 ? 3 : 4));
    }
    if (!context.attributes<Attributes>().isSpatial) return;
    const Shape* input = context.inputShape(0);
    for (size_t i = 1; i < 5; ++i) {
        context.checkRank(i, 1, "a parameter");
        const Shape* parameter = context.inputShape(i);
        if (input == nullptr || parameter == nullptr) continue;
        agreed(input->size() < 2 ? Dim(1) : (*input)[1], (*parameter)[0], "channels of X and of a parameter");
    }
}

Work work(const WorkContext& context) { return {.multiplyAdds = context.outputElements(0)}; }

// The input seen as [batch, channels, inner]: each channel has its own statistics.
struct Sizes {
    int64_t batch = 1;
    int64_t channels = 1;
    int64_t inner = 1;
};

Sizes sizesOf(const Dims& dims, bool isSpatial) {
    if (dims.empty()) fail("X: found a scalar, expected a batch");
    const Dims image(dims.begin() + 1, dims.end());
    if (!isSpatial || image.empty()) return {.batch = dims[0], .channels = elementCount(image)};
    return {
        .batch = dims[0], .channels = image[0], .inner = elementCount(Dims(image.begin() + 1, image.end()))};
}

std::vector<double> parameter(const KernelContext& context, size_t index, const Sizes& sizes,
                              const char* what) {
    std::vector<double> values = context.input(index).toDouble();
    if (static_cast<int64_t>(values.size()) != sizes.channels) {
        fail(what, ": found ", values.size(), " values, expected ", sizes.channels, ", one for each channel");
    }
    return values;
}

// Mean and variance of each channel of the input.
template <class T>
void statistics(std::span<const T> input, const Sizes& sizes, std::vector<double>& mean,
                std::vector<double>& variance) {
    const auto forChannel = [&](int64_t channel, auto&& visit) {
        for (int64_t n = 0; n < sizes.batch; ++n) {
            const int64_t first = (n * sizes.channels + channel) * sizes.inner;
            for (int64_t i = first; i < first + sizes.inner; ++i) {
                visit(static_cast<double>(input[static_cast<size_t>(i)]));
            }
        }
    };
    const auto count = static_cast<double>(sizes.batch * sizes.inner);
    for (int64_t channel = 0; channel < sizes.channels; ++channel) {
        double sum = 0;
        double squares = 0;
        forChannel(channel, [&](double value) { sum += value; });
        const double center = sum / count;
        forChannel(channel, [&](double value) { squares += (value - center) * (value - center); });
        mean[static_cast<size_t>(channel)] = center;
        variance[static_cast<size_t>(channel)] = squares / count;
    }
}

void store(KernelContext& context, size_t index, const Tensor& like, const std::vector<double>& values) {
    if (!context.hasOutput(index)) return;
    Tensor& output = context.output(index, like.type(), like.dims());
    dispatchFloat(like.type(), [&]<typename T>(std::type_identity<T>) {
        std::transform(values.begin(), values.end(), output.mutableValues<T>().begin(),
                       [](double value) { return static_cast<T>(value); });
    });
}

std::vector<double> running(const std::vector<double>& before, const std::vector<double>& now,
                            double momentum) {
    std::vector<double> result(before.size());
    for (size_t i = 0; i < before.size(); ++i) result[i] = before[i] * momentum + now[i] * (1 - momentum);
    return result;
}

template <class T>
void normalize(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    const auto input = x.values<T>();
    const Sizes sizes = sizesOf(x.dims(), attributes.isSpatial);
    const std::vector<double> scale = parameter(context, 1, sizes, "scale");
    const std::vector<double> bias = parameter(context, 2, sizes, "B");
    std::vector<double> mean = parameter(context, 3, sizes, "input_mean");
    std::vector<double> variance = parameter(context, 4, sizes, "input_var");
    if (attributes.isTraining) {
        const std::vector<double> meanBefore = mean;
        const std::vector<double> varianceBefore = variance;
        statistics(input, sizes, mean, variance);
        store(context, 1, context.input(3), running(meanBefore, mean, attributes.momentum));
        store(context, 2, context.input(4), running(varianceBefore, variance, attributes.momentum));
        store(context, 3, context.input(3), mean);
        store(context, 4, context.input(4), variance);
    }

    const auto output = context.output(0, x.dims()).mutableValues<T>();
    Pace pace(context);
    size_t i = 0;
    for (int64_t n = 0; n < sizes.batch; ++n) {
        for (size_t c = 0; c < scale.size(); ++c) {
            const double factor = scale[c] / std::sqrt(variance[c] + attributes.epsilon);
            for (const size_t end = i + static_cast<size_t>(sizes.inner); i < end; ++i) {
                output[i] = static_cast<T>((static_cast<double>(input[i]) - mean[c]) * factor + bias[c]);
            }
            pace.spend(sizes.inner);
        }
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { normalize<T>(context); });
}

const OpDef batchNormalization{
    .name = "BatchNormalization",
    .sinceVersion = 14,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{batchNormalization};

// Before opset 14 a node trained if it asked for the statistics; the attribute is_test said no more than
// that.
void rewrite(NodeRewriter& node) {
    const auto& outputs = node.node().outputs;
    const bool wantsStatistics =
        std::count_if(outputs.begin(), outputs.end(), [](ValueId output) { return output.isValid(); }) > 1;
    if (wantsStatistics) node.setAttribute("training_mode", int64_t{1});
    if (node.attributes().integer("spatial", 1) != 0) node.removeAttribute("spatial");
    node.removeAttribute("is_test");
    node.removeAttribute("consumed_inputs");
    node.setVersion(14);
}

const OpUpgrade before14{.name = "BatchNormalization", .sinceVersion = 1, .rewrite = rewrite};
const Register<OpUpgrade> registeredUpgrade{before14};

}  // namespace
}  // namespace engine
