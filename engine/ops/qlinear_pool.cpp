// QLinearAveragePool and QLinearGlobalAveragePool of com.microsoft, whose channels may be the last axis.

#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/offsets.h"
#include "engine/ops/pool.h"
#include "engine/ops/qlinear.h"

namespace engine {
namespace {

struct Attributes {
    PoolAttributes pool = {};
    bool isChannelsLast = false;
};

Attributes parse(const AttributeReader& reader) {
    return {.pool = readPool(reader), .isChannelsLast = reader.integer("channels_last", 0) != 0};
}

Attributes parseGlobal(const AttributeReader& reader) {
    return {.isChannelsLast = reader.integer("channels_last", 0) != 0};
}

// The dims with the channels at axis 1, and back.
template <class List>
List channelsFirst(List dims, bool isChannelsLast) {
    if (isChannelsLast && dims.size() > 2) std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
    return dims;
}
template <class List>
List channelsBack(List dims, bool isChannelsLast) {
    if (isChannelsLast && dims.size() > 2) std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
    return dims;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return inferQuantized(context, std::nullopt, 4);
    const Shape x = channelsFirst(*input, attributes.isChannelsLast);
    const std::vector<int64_t>& kernel = attributes.pool.window.kernel;
    if (x.size() != kernel.size() + 2) {
        fail("X: found rank ", x.size(), ", expected ", kernel.size() + 2, " for a kernel_shape of ",
             kernel.size(), " values");
    }
    Shape output{x[0], x[1]};
    for (size_t axis = 0; axis < kernel.size(); ++axis) {
        output.push_back(windowOutput(attributes.pool.window, axis, kernel[axis], x[axis + 2]));
    }
    inferQuantized(context, channelsBack(output, attributes.isChannelsLast), 4);
}

void inferGlobal(InferContext& context) {
    const bool isChannelsLast = context.attributes<Attributes>().isChannelsLast;
    const Shape* input = context.inputShape(0);
    if (input == nullptr) return inferQuantized(context, std::nullopt, 4);
    if (input->size() < 3) fail("X: found rank ", input->size(), ", expected at least 3");
    const Shape x = channelsFirst(*input, isChannelsLast);
    Shape output(x.size(), Dim(1));
    output[0] = x[0];
    output[1] = x[1];
    inferQuantized(context, channelsBack(output, isChannelsLast), 4);
}

/// The real numbers of input 0 with the channels at axis 1.
std::vector<float> planes(const KernelContext& context, bool isChannelsLast) {
    std::vector<float> values = realNumbers(context, 0);
    if (!isChannelsLast || values.empty()) return values;
    const Dims& dims = context.input(0).dims();
    const auto channels = static_cast<size_t>(dims.back());
    const size_t size = values.size() / static_cast<size_t>(dims[0]) / channels;
    std::vector<float> result(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        const size_t channel = i % channels;
        const size_t place = i / channels;
        result[(place / size * channels + channel) * size + place % size] = values[i];
    }
    return result;
}

/// Puts averages, whose channels are at axis 1 of `dims`, into output 0.
void setAverages(KernelContext& context, const Dims& dims, const std::vector<float>& averages,
                 bool isChannelsLast) {
    const Dims outputDims = channelsBack(dims, isChannelsLast);
    if (!isChannelsLast || averages.empty()) {
        return setQuantized(context, outputDims, averages, 3, context.input(0).type());
    }
    const auto channels = static_cast<size_t>(dims[1]);
    const size_t size = averages.size() / static_cast<size_t>(dims[0]) / channels;
    std::vector<float> result(averages.size());
    for (size_t i = 0; i < averages.size(); ++i) {
        const size_t plane = i / size;
        result[(plane / channels * size + i % size) * channels + plane % channels] = averages[i];
    }
    setQuantized(context, outputDims, result, 3, context.input(0).type());
}

void average(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    checkRankAtLeast(context.input(0), 3, "X");
    const Dims x = channelsFirst(context.input(0).dims(), attributes.isChannelsLast);
    const PoolGeometry geometry = poolGeometry(attributes.pool, x);
    const std::vector<float> values = planes(context, attributes.isChannelsLast);
    std::vector<float> averages(static_cast<size_t>(elementCount(geometry.outputDims)));
    const WindowRows rows(geometry.axes);
    const size_t outputs = geometry.planes == 0 ? 0 : averages.size() / static_cast<size_t>(geometry.planes);
    std::vector<float> counts(outputs, 0);
    Pace pace(context);
    for (size_t plane = 0; plane < static_cast<size_t>(geometry.planes); ++plane) {
        const float* from = values.data() + plane * static_cast<size_t>(rows.inputElements());
        float* to = averages.data() + plane * outputs;
        std::fill(counts.begin(), counts.end(), 0.0F);
        forEachPooled(rows, pace, [&](size_t in, size_t out) {
            to[out] += from[in];
            ++counts[out];
        });
        for (size_t i = 0; i < outputs; ++i) {
            to[i] /=
                attributes.pool.countIncludePad ? static_cast<float>(rows.taps()) : std::max(counts[i], 1.0F);
        }
    }
    setAverages(context, geometry.outputDims, averages, attributes.isChannelsLast);
}

void globalAverage(KernelContext& context) {
    const bool isChannelsLast = context.attributes<Attributes>().isChannelsLast;
    checkRankAtLeast(context.input(0), 3, "X");
    Dims dims = channelsFirst(context.input(0).dims(), isChannelsLast);
    const std::vector<float> values = planes(context, isChannelsLast);
    std::fill(dims.begin() + 2, dims.end(), 1);
    std::vector<float> averages(static_cast<size_t>(elementCount(dims)));
    const size_t size = averages.empty() ? 0 : values.size() / averages.size();
    if (size == 0 && !averages.empty()) fail("X: found no spatial elements, expected at least one");
    for (size_t i = 0; i < averages.size(); ++i) {
        context.checkpoint();
        double sum = 0;
        for (size_t k = 0; k < size; ++k) sum += static_cast<double>(values[i * size + k]);
        averages[i] = static_cast<float>(sum / static_cast<double>(size));
    }
    setAverages(context, dims, averages, isChannelsLast);
}

const OpDef table[] = {
    {.name = "QLinearAveragePool",
     .sinceVersion = 1,
     .attributes = parsed<parse>,
     .infer = infer,
     .work = onePerInput,
     .reference = average,
     .domain = "com.microsoft"},
    {.name = "QLinearGlobalAveragePool",
     .sinceVersion = 1,
     .attributes = parsed<parseGlobal>,
     .infer = inferGlobal,
     .work = onePerInput,
     .reference = globalAverage,
     .domain = "com.microsoft"},
};
const RegisterAll<OpDef> registered{table};

}  // namespace
}  // namespace engine
