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
    std::vector<int64_t> pooled = {};
    float scale = 1;
};

Attributes parse(const AttributeReader& reader) {
    Attributes attributes{.pooled = reader.integers("pooled_shape"),
                          .scale = reader.number("spatial_scale", 1)};
    if (attributes.pooled.size() != 2 || attributes.pooled[0] < 1 || attributes.pooled[1] < 1) {
        fail("pooled_shape: found ", listText(attributes.pooled), ", expected a height and a width");
    }
    return attributes;
}

// Inputs: X [batch, channels, height, width], rois of rows batch, x1, y1, x2, y2.
void infer(InferContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    context.checkRank(0, 4, "X");
    context.checkRank(1, 2, "rois");
    const Shape* x = context.inputShape(0);
    const Shape* rois = context.inputShape(1);
    context.setOutput(0, context.inputElement(0),
                      {rois != nullptr ? (*rois)[0] : Dim(), x != nullptr ? (*x)[1] : Dim(),
                       attributes.pooled[0], attributes.pooled[1]});
}

// A range of elements along one axis that falls into a bin.
struct Bin {
    int64_t first = 0;
    int64_t last = 0;
};

Bin binOf(double from, double to, int64_t index, int64_t bins, int64_t length) {
    const double start = std::round(from);
    const double size = std::max(std::round(to) - start + 1, 1.0) / static_cast<double>(bins);
    const double first = std::floor(static_cast<double>(index) * size) + start;
    const double last = std::ceil(static_cast<double>(index + 1) * size) + start;
    const auto limit = static_cast<double>(length);
    if (std::isnan(first) || std::isnan(last)) fail("rois: found a NaN");
    return {static_cast<int64_t>(std::clamp(first, 0.0, limit)),
            static_cast<int64_t>(std::clamp(last, 0.0, limit))};
}

template <class T>
T largest(std::span<const T> plane, const Bin& rows, const Bin& columns, int64_t width) {
    if (rows.first >= rows.last || columns.first >= columns.last) return T(0.0F);
    T result = plane[static_cast<size_t>(rows.first * width + columns.first)];
    for (int64_t y = rows.first; y < rows.last; ++y) {
        for (int64_t x = columns.first; x < columns.last; ++x) {
            result = std::max(result, plane[static_cast<size_t>(y * width + x)]);
        }
    }
    return result;
}

template <class T>
void pool(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& x = context.input(0);
    checkRank(x, 4, "X");
    checkRank(context.input(1), 2, "rois");
    const int64_t count = context.input(1).dims()[0];
    checkDims(context.input(1), {count, 5}, "rois");
    const auto values = x.values<T>();
    const std::vector<double> rois = context.input(1).toDouble();
    const int64_t channels = x.dims()[1];
    const int64_t height = x.dims()[2];
    const int64_t width = x.dims()[3];
    const int64_t rowBins = attributes.pooled[0];
    const int64_t columnBins = attributes.pooled[1];
    const auto output = context.output(0, {count, channels, rowBins, columnBins}).template mutableValues<T>();

    Pace pace(context);
    auto to = output.begin();
    for (int64_t r = 0; r < count; ++r) {
        const double* roi = rois.data() + r * 5;
        if (!(roi[0] >= 0 && roi[0] < static_cast<double>(x.dims()[0]))) {
            fail("rois: found batch ", roi[0], ", expected 0 to ", x.dims()[0] - 1);
        }
        const auto n = static_cast<int64_t>(roi[0]);
        const double scale = attributes.scale;
        for (int64_t c = 0; c < channels; ++c) {
            const auto plane = values.subspan(static_cast<size_t>((n * channels + c) * height * width),
                                              static_cast<size_t>(height * width));
            for (int64_t bin = 0; bin < rowBins * columnBins; ++bin) {
                const Bin rows = binOf(roi[2] * scale, roi[4] * scale, bin / columnBins, rowBins, height);
                const Bin columns =
                    binOf(roi[1] * scale, roi[3] * scale, bin % columnBins, columnBins, width);
                *to++ = largest(plane, rows, columns, width);
                pace.spend((rows.last - rows.first) * (columns.last - columns.first) + 1);
            }
        }
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { pool<T>(context); });
}

const OpDef maxRoiPool{
    .name = "MaxRoiPool",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = onePerInput,
    .reference = reference,
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{maxRoiPool};

}  // namespace
}  // namespace engine
