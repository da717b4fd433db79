#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/convolution.h"
#include "engine/ops/sampling.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

// Inputs: X, W, offset [batch, groups * taps * axes, output…], optional B, optional mask [batch, groups *
// taps, output…].
struct Attributes {
    ConvAttributes conv = {};
    int64_t offsetGroups = 1;
};

Attributes parse(const AttributeReader& reader) {
    const Attributes attributes{.conv = readConv(reader), .offsetGroups = reader.integer("offset_group", 1)};
    if (attributes.offsetGroups < 1)
        fail("offset_group: found ", attributes.offsetGroups, ", expected at least 1");
    return attributes;
}

void infer(InferContext& context) {
    inferConvolution(context, context.attributes<Attributes>().conv, 1, context.inputElement(0));
}

Work work(const WorkContext& context) {
    const Dim products = convolutionMultiplyAdds(context, 1);
    return {.multiplyAdds = products * 5};  // four to interpolate, one to multiply
}

struct Geometry {
    ConvGeometry conv = {};
    int64_t taps = 1;
    int64_t outputs = 1;
    int64_t planeSize = 1;
    int64_t offsetGroups = 1;
    Dims strides = {};
};

Geometry geometryOf(const KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Dims& x = context.input(0).dims();
    Geometry geometry{.conv = convGeometry(attributes.conv, x, context.input(1).dims()),
                      .offsetGroups = attributes.offsetGroups};
    if (x[1] % attributes.offsetGroups != 0) {
        fail("X: found ", x[1], " channels, expected a multiple of offset_group ", attributes.offsetGroups);
    }
    Dims spatial;
    Dims offsets{geometry.conv.batch, 0};
    for (const WindowAxis& axis : geometry.conv.axes) {
        spatial.push_back(axis.input);
        offsets.push_back(axis.output);
        geometry.taps *= axis.kernel;
        geometry.outputs *= axis.output;
        geometry.planeSize *= axis.input;
    }
    geometry.strides = rowMajorStrides(spatial);
    offsets[1] = attributes.offsetGroups * geometry.taps;
    if (context.hasInput(4)) checkDims(context.input(4), offsets, "mask");
    offsets[1] *= static_cast<int64_t>(geometry.conv.axes.size());
    checkDims(context.input(2), offsets, "offset");
    return geometry;
}

// Where the taps of each window lie, offsets added, for one image and one group of offsets.
class Places {
public:
    Places(const Geometry& geometry, std::span<const double> offsets)
        : geometry_(geometry), offsets_(offsets) {}

    SamplePlace at(int64_t tap, int64_t output) const {
        const std::vector<WindowAxis>& axes = geometry_.conv.axes;
        SamplePlace place(axes.size());
        const auto count = static_cast<int64_t>(axes.size());
        int64_t tapRest = tap;
        int64_t outputRest = output;
        for (int64_t a = count - 1; a >= 0; --a) {
            const WindowAxis& axis = axes[static_cast<size_t>(a)];
            const int64_t k = tapRest % axis.kernel;
            const int64_t o = outputRest % axis.output;
            tapRest /= axis.kernel;
            outputRest /= axis.output;
            const double offset =
                offsets_[static_cast<size_t>((tap * count + a) * geometry_.outputs + output)];
            const auto position = static_cast<double>(o * axis.stride + k * axis.dilation - axis.padBegin);
            place[static_cast<size_t>(a)] = linearTaps(position + offset, axis.input);
        }
        return place;
    }

private:
    const Geometry& geometry_;
    std::span<const double> offsets_;
};

// Samples the image at every tap of every window: [channel][tap][output].
template <class T>
std::vector<double> columns(const KernelContext& context, const Geometry& geometry, int64_t n,
                            const std::vector<double>& offsets, const std::vector<double>& mask, Pace& pace) {
    const auto x = context.input(0).values<T>();
    const int64_t channels = context.input(0).dims()[1];
    const int64_t perGroup = channels / geometry.offsetGroups;
    std::vector<double> result(static_cast<size_t>(channels * geometry.taps * geometry.outputs));
    const auto axes = static_cast<int64_t>(geometry.conv.axes.size());
    for (int64_t group = 0; group < geometry.offsetGroups; ++group) {
        const int64_t block = (n * geometry.offsetGroups + group) * geometry.taps * geometry.outputs;
        const Places places(geometry, std::span(offsets).subspan(static_cast<size_t>(block * axes)));
        for (int64_t i = 0; i < geometry.taps * geometry.outputs; ++i) {
            const SamplePlace place = places.at(i / geometry.outputs, i % geometry.outputs);
            const double factor = mask.empty() ? 1 : mask[static_cast<size_t>(block + i)];
            for (int64_t c = group * perGroup; c < (group + 1) * perGroup; ++c) {
                const auto plane = x.subspan(static_cast<size_t>((n * channels + c) * geometry.planeSize),
                                             static_cast<size_t>(geometry.planeSize));
                result[static_cast<size_t>(c * geometry.taps * geometry.outputs + i)] =
                    factor * sampleAt(plane, place, geometry.strides);
            }
            pace.spend(16 * perGroup);
        }
    }
    return result;
}

template <class T>
void convolve(KernelContext& context) {
    const Geometry geometry = geometryOf(context);
    const ConvGeometry& conv = geometry.conv;
    const std::vector<double> weights = context.input(1).toDouble();
    const std::vector<double> offsets = context.input(2).toDouble();
    std::vector<double> bias;
    if (context.hasInput(3)) {
        checkDims(context.input(3), {conv.outputChannels}, "B");
        bias = context.input(3).toDouble();
    }
    const std::vector<double> mask =
        context.hasInput(4) ? context.input(4).toDouble() : std::vector<double>();
    auto to = context.output(0, conv.outputDims()).mutableValues<T>().begin();

    std::vector<double> sums(static_cast<size_t>(geometry.outputs));
    const int64_t rows = conv.inputChannels * geometry.taps;
    Pace pace(context);
    for (int64_t n = 0; n < conv.batch; ++n) {
        const std::vector<double> sampled = columns<T>(context, geometry, n, offsets, mask, pace);
        for (int64_t m = 0; m < conv.outputChannels; ++m) {
            std::fill(sums.begin(), sums.end(), bias.empty() ? 0.0 : bias[static_cast<size_t>(m)]);
            const int64_t group = m / (conv.outputChannels / conv.group);
            for (int64_t row = 0; row < rows; ++row) {
                const double weight = weights[static_cast<size_t>(m * rows + row)];
                const double* from = sampled.data() + (group * rows + row) * geometry.outputs;
                for (size_t i = 0; i < sums.size(); ++i) sums[i] += weight * from[i];
                pace.spend(geometry.outputs);
            }
            to = std::transform(sums.begin(), sums.end(), to, [](double sum) { return static_cast<T>(sum); });
        }
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { convolve<T>(context); });
}

const OpDef deformConv{
    .name = "DeformConv",
    .sinceVersion = 19,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{deformConv};

}  // namespace
}  // namespace engine
