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

struct Attributes {
    bool isMax = false;
    bool isHalfPixel = false;
    int64_t height = 1;
    int64_t width = 1;
    int64_t samplingRatio = 0;
    float scale = 1;
};

Attributes parse(const AttributeReader& reader) {
    // Pixels had no half before opset 16.
    const char* fallback = reader.node().version < 16 ? "output_half_pixel" : "half_pixel";
    const Attributes attributes{
        .isMax = reader.choice("mode", "avg", {"avg", "max"}) == "max",
        .isHalfPixel = reader.choice("coordinate_transformation_mode", fallback,
                                     {"half_pixel", "output_half_pixel"}) == "half_pixel",
        .height = reader.integer("output_height", 1),
        .width = reader.integer("output_width", 1),
        .samplingRatio = reader.integer("sampling_ratio", 0),
        .scale = reader.number("spatial_scale", 1)};
    if (attributes.height < 1 || attributes.width < 1 || attributes.samplingRatio < 0) {
        fail("found output_height ", attributes.height, ", output_width ", attributes.width,
             " and sampling_ratio ", attributes.samplingRatio,
             ", expected sizes of at least 1 and a ratio of at least 0");
    }
    return attributes;
}

void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    context.checkRank(0, 4, "X");
    context.checkRank(1, 2, "rois");
    context.checkRank(2, 1, "batch_indices");
    const Shape* x = context.inputShape(0);
    const Shape* rois = context.inputShape(1);
    Dim count = rois != nullptr ? (*rois)[0] : Dim();
    if (const Shape* indices = context.inputShape(2)) {
        count = agreed(count, (*indices)[0], "rows of rois and batch_indices");
    }
    context.setOutput(0, context.inputElement(0),
                      {count, x != nullptr ? (*x)[1] : Dim(), attributes.height, attributes.width});
}

Work work(const WorkContext& context) {
    const int64_t ratio = context.attributes<Attributes>().samplingRatio;
    if (ratio == 0) return {.multiplyAdds = Dim()};
    return {.multiplyAdds = context.outputElements(0) * Dim(4) * Dim(ratio) * Dim(ratio)};
}

// Four elements around a sampling point, with their weights.
struct Point {
    size_t places[4] = {0, 0, 0, 0};
    double weights[4] = {0, 0, 0, 0};
};

struct Neighbours {
    int64_t low = 0;
    int64_t high = 0;
    double share = 0;  // of `high`
};

Neighbours neighbours(double position, int64_t length) {
    position = std::max(position, 0.0);
    const auto low = static_cast<int64_t>(position);
    if (low >= length - 1) return {length - 1, length - 1, 0};
    return {low, low + 1, position - static_cast<double>(low)};
}

Point pointAt(double y, double x, int64_t height, int64_t width) {
    const bool isFarOutside =
        !(y >= -1 && y <= static_cast<double>(height) && x >= -1 && x <= static_cast<double>(width));
    if (isFarOutside) return {};
    const Neighbours rows = neighbours(y, height);
    const Neighbours columns = neighbours(x, width);
    const auto at = [&](int64_t row, int64_t column) { return static_cast<size_t>(row * width + column); };
    return {.places = {at(rows.low, columns.low), at(rows.low, columns.high), at(rows.high, columns.low),
                       at(rows.high, columns.high)},
            .weights = {(1 - rows.share) * (1 - columns.share), (1 - rows.share) * columns.share,
                        rows.share * (1 - columns.share), rows.share * columns.share}};
}

// A region along one axis, cut into bins with `samples` points in each.
struct Span {
    double start = 0;
    double bin = 1;
    int64_t samples = 1;

    double at(int64_t index, int64_t sample) const {
        return start + static_cast<double>(index) * bin +
               (static_cast<double>(sample) + 0.5) * bin / static_cast<double>(samples);
    }
};

Span spanOf(double from, double to, int64_t bins, const Attributes& attributes) {
    const double shift = attributes.isHalfPixel ? 0.5 : 0;
    Span span{.start = from * attributes.scale - shift};
    double length = to * attributes.scale - shift - span.start;
    if (!attributes.isHalfPixel) length = std::max(length, 1.0);
    span.bin = length / static_cast<double>(bins);
    if (!(std::abs(span.bin) < 1e6))
        fail("rois: found a region from ", from, " to ", to, ", which is too large");
    span.samples = attributes.samplingRatio > 0
                       ? attributes.samplingRatio
                       : std::max<int64_t>(static_cast<int64_t>(std::ceil(span.bin)), 0);
    return span;
}

/// What the sampling points of a bin come to in each channel, point by point.
class Pool {
public:
    Pool(size_t channels, bool isMax) : results_(channels), isMax_(isMax) {}

    /// `image`: the planes of all channels, `elements` each.
    template <class T>
    void add(const Point& point, std::span<const T> image, size_t elements) {
        for (size_t c = 0; c < results_.size(); ++c) {
            double sum = 0;
            double largest = -std::numeric_limits<double>::infinity();
            for (size_t k = 0; k < 4; ++k) {
                const double value = static_cast<double>(image[c * elements + point.places[k]]);
                sum += point.weights[k] * value;
                largest = std::max(largest, point.weights[k] * value);
            }
            double& result = results_[c];
            if (!isMax_) result += sum;
            if (isMax_) result = points_ == 0 ? largest : std::max(result, largest);
        }
        ++points_;
    }

    double result(size_t channel) const {
        return isMax_ ? results_[channel]
                      : results_[channel] / static_cast<double>(std::max(points_, size_t{1}));
    }

private:
    std::vector<double> results_;
    size_t points_ = 0;
    bool isMax_ = false;
};

template <class T>
void align(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    checkRank(x, 4, "X");
    checkRank(context.input(1), 2, "rois");
    const int64_t count = context.input(1).dims()[0];
    checkDims(context.input(1), {count, 4}, "rois");
    checkDims(context.input(2), {count}, "batch_indices");
    const auto values = x.values<T>();
    const std::vector<double> rois = context.input(1).toDouble();
    const auto batchIndices = checkedValues<int64_t>(context.input(2), "batch_indices");
    const int64_t channels = x.dims()[1];
    const int64_t height = x.dims()[2];
    const int64_t width = x.dims()[3];
    const Dims dims{count, channels, attributes.height, attributes.width};
    const auto output = context.output(0, dims).template mutableValues<T>();
    if (output.empty()) return;
    if (height == 0 || width == 0) fail("X: found shape ", listText(x.dims()), ", expected some elements");

    const auto plane = static_cast<size_t>(height * width);
    const int64_t bins = attributes.height * attributes.width;
    Pace pace(context);
    for (int64_t r = 0; r < count; ++r) {
        const int64_t n = batchIndices[static_cast<size_t>(r)];
        if (n < 0 || n >= x.dims()[0]) {
            fail("batch_indices: found ", n, ", expected 0 to ", x.dims()[0] - 1);
        }
        const double* roi = rois.data() + r * 4;
        const Span columns = spanOf(roi[0], roi[2], attributes.width, attributes);
        const Span rows = spanOf(roi[1], roi[3], attributes.height, attributes);
        const auto image =
            values.subspan(static_cast<size_t>(n * channels) * plane, static_cast<size_t>(channels) * plane);
        for (int64_t bin = 0; bin < bins; ++bin) {
            Pool pool(static_cast<size_t>(channels), attributes.isMax);
            for (int64_t i = 0; i < rows.samples; ++i) {
                const double y = rows.at(bin / attributes.width, i);
                for (int64_t j = 0; j < columns.samples; ++j) {
                    pool.add(pointAt(y, columns.at(bin % attributes.width, j), height, width), image, plane);
                    pace.spend(8 * channels);
                }
            }
            for (int64_t c = 0; c < channels; ++c) {
                output[static_cast<size_t>((r * channels + c) * bins + bin)] =
                    static_cast<T>(pool.result(static_cast<size_t>(c)));
            }
        }
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { align<T>(context); });
}

const OpDef roiAlign{
    .name = "RoiAlign",
    .sinceVersion = 10,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{roiAlign};

}  // namespace
}  // namespace engine
