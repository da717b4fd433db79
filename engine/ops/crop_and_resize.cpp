#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// Inputs: images [batch, channels, height, width], boxes [n, 4] as [y1, x1, y2, x2] in shares of the image,
// the image of each box, and the crops' size [height, width].
struct Attributes {
    bool isBilinear = true;
    float outside = 0;
};

Attributes parse(const AttributeReader& reader) {
    return {.isBilinear = reader.choice("mode", "bilinear", {"bilinear", "nearest"}) == "bilinear",
            .outside = reader.number("extrapolation_value", 0)};
}

void infer(InferContext& context) {
    context.checkRank(0, 4, "X");
    context.checkRank(1, 2, "rois");
    Shape output(4);
    if (const Shape* boxes = context.inputShape(1)) output[0] = (*boxes)[0];
    if (const Shape* images = context.inputShape(0)) output[1] = (*images)[1];
    if (const Tensor* size = context.inputData(3)) {
        checkDims(*size, {2}, "crop_size");
        const std::vector<int64_t> sizes = size->toInt64();
        for (size_t i = 0; i < 2; ++i) output[2 + i] = std::max<int64_t>(sizes[i], 0);
    }
    context.setOutput(0, context.inputElement(0), std::move(output));
}

Work work(const WorkContext& context) { return {.multiplyAdds = context.outputElements(0) * Dim(3)}; }

/// Where the samples of a box lie along one axis of `length` pixels: the first and the last on its borders.
/// Rounded as in float: where the nearest pixel is a tie, that decides.
std::vector<double> samplesOf(double begin, double end, int64_t count, int64_t length) {
    const auto from = static_cast<float>(begin);
    const auto to = static_cast<float>(end);
    const auto last = static_cast<float>(length - 1);
    if (count == 1) return {0.5 * static_cast<double>(from + to) * static_cast<double>(last)};
    const float step = (to - from) * last / static_cast<float>(count - 1);
    std::vector<double> places;
    for (int64_t i = 0; i < count; ++i) {
        const bool isLast = i == count - 1;
        places.push_back(
            static_cast<double>(isLast ? to * last : from * last + static_cast<float>(i) * step));
    }
    return places;
}

template <class T>
double sampled(const T* plane, int64_t width, double y, double x, bool isBilinear) {
    const auto at = [&](double row, double column) {
        return static_cast<double>(plane[static_cast<int64_t>(row) * width + static_cast<int64_t>(column)]);
    };
    if (!isBilinear) return at(std::round(y), std::round(x));
    const double top = std::floor(y);
    const double left = std::floor(x);
    const double upper = at(top, left) + (at(top, std::ceil(x)) - at(top, left)) * (x - left);
    const double bottom = std::ceil(y);
    const double lower = at(bottom, left) + (at(bottom, std::ceil(x)) - at(bottom, left)) * (x - left);
    return upper + (lower - upper) * (y - top);
}

template <class T>
void crop(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& images = context.input(0);
    const Tensor& boxes = context.input(1);
    checkRank(images, 4, "X");
    checkRank(boxes, 2, "rois");
    checkDims(boxes, {boxes.dims()[0], 4}, "rois");
    checkDims(context.input(2), {boxes.dims()[0]}, "batch_indices");
    checkDims(context.input(3), {2}, "crop_size");
    const std::vector<int64_t> owners = context.input(2).toInt64();
    const std::vector<int64_t> size = context.input(3).toInt64();
    if (size[0] < 1 || size[1] < 1) fail("crop_size: found ", listText(size), ", expected positive sizes");
    const Dims& dims = images.dims();
    const int64_t area = dims[2] * dims[3];
    const auto pixels = checkedValues<T>(images, "X");
    const std::vector<double> corners = boxes.toDouble();
    const auto output = context.output(0, {boxes.dims()[0], dims[1], size[0], size[1]}).mutableValues<T>();
    Pace pace(context);
    auto to = output.begin();
    for (size_t box = 0; box < owners.size(); ++box) {
        if (owners[box] < 0 || owners[box] >= dims[0]) {
            fail("batch_indices: found ", owners[box], ", there are ", dims[0], " images");
        }
        const double* corner = corners.data() + 4 * box;
        const std::vector<double> rows = samplesOf(corner[0], corner[2], size[0], dims[2]);
        const std::vector<double> columns = samplesOf(corner[1], corner[3], size[1], dims[3]);
        for (int64_t channel = 0; channel < dims[1]; ++channel) {
            const T* plane = pixels.data() + (owners[box] * dims[1] + channel) * area;
            for (const double y : rows) {
                for (const double x : columns) {
                    const bool isInside = y >= 0 && y <= static_cast<double>(dims[2] - 1) && x >= 0 &&
                                          x <= static_cast<double>(dims[3] - 1);
                    *to++ = static_cast<T>(
                        static_cast<float>(isInside ? sampled(plane, dims[3], y, x, attributes.isBilinear)
                                                    : static_cast<double>(attributes.outside)));
                }
                pace.spend(size[1] * 8);
            }
        }
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { crop<T>(context); });
}

const OpDef cropAndResize{
    .name = "CropAndResize",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{cropAndResize};

}  // namespace
}  // namespace engine
