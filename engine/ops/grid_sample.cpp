#include <algorithm>
#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/arithmetic.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"
#include "engine/ops/sampling.h"
#include "engine/ops/walk.h"

namespace engine {
namespace {

enum class Mode : uint8_t { nearest, linear, cubic };
enum class Padding : uint8_t { zeros, border, reflection };

struct Attributes {
    Mode mode = Mode::linear;
    Padding padding = Padding::zeros;
    bool alignsCorners = false;
};

// Opset 16 says bilinear and bicubic for what opset 20 calls linear and cubic.
Attributes parse(const AttributeReader& reader) {
    const std::string mode =
        reader.choice("mode", "linear", {"linear", "nearest", "cubic", "bilinear", "bicubic"});
    const std::string padding = reader.choice("padding_mode", "zeros", {"zeros", "border", "reflection"});
    Attributes attributes{.alignsCorners = reader.integer("align_corners", 0) != 0};
    if (mode == "nearest") attributes.mode = Mode::nearest;
    if (mode == "cubic" || mode == "bicubic") attributes.mode = Mode::cubic;
    if (padding == "border") attributes.padding = Padding::border;
    if (padding == "reflection") attributes.padding = Padding::reflection;
    return attributes;
}

void infer(InferContext& context) {
    const Shape* input = context.inputShape(0);
    const Shape* grid = context.inputShape(1);
    if (input == nullptr && grid == nullptr) return context.setOutput(0, context.inputElement(0));
    const size_t rank = input != nullptr ? input->size() : grid->size();
    if (rank < 3) fail("X: found rank ", rank, ", expected a batch, channels and spatial axes");
    context.checkRank(1, static_cast<int64_t>(rank), "grid");
    Shape output(rank);
    if (input != nullptr) {
        output[0] = (*input)[0];
        output[1] = (*input)[1];
    }
    if (grid != nullptr) {
        output[0] = agreed(output[0], (*grid)[0], "batch sizes of X and of grid");
        std::copy(grid->begin() + 1, grid->end() - 1, output.begin() + 2);
        agreed(grid->back(), static_cast<int64_t>(rank) - 2, "last axis of grid and number of spatial axes");
    }
    context.setOutput(0, context.inputElement(0), std::move(output));
}

Work work(const WorkContext& context) {
    const Dim outputs = context.outputElements(0);
    int64_t taps = context.attributes<Attributes>().mode == Mode::nearest ? 0 : 1;
    const int64_t perAxis = context.attributes<Attributes>().mode == Mode::cubic ? 4 : 2;
    for (int64_t axis = 2; axis < context.inputRank(0).value_or(2); ++axis) taps *= perAxis;
    return {.multiplyAdds = outputs * Dim(taps)};
}

// One spatial axis: positions from -1 to 1 span its elements' centers, or its elements whole.
class Axis {
public:
    Axis(int64_t length, const Attributes& attributes)
        : length_(length),
          attributes_(attributes),
          low_(attributes.alignsCorners ? 0 : -0.5),
          high_(static_cast<double>(length) - (attributes.alignsCorners ? 1 : 0.5)) {}

    std::vector<SampleTap> taps(double normalized) const {
        const auto length = static_cast<double>(length_);
        double position = attributes_.alignsCorners ? (normalized + 1) / 2 * (length - 1)
                                                    : ((normalized + 1) * length - 1) / 2;
        if (attributes_.mode == Mode::nearest) position = std::nearbyint(position);
        if (!(position >= low_ && position <= high_)) position = inside(position);
        // Far outside, or no number at all: nothing but zeros is near.
        if (!(std::abs(position) < 1e9)) return {};
        const double below = std::floor(position);
        const double share = position - below;
        const auto first = static_cast<int64_t>(below);
        switch (attributes_.mode) {
            case Mode::nearest:
                return {{padded(static_cast<int64_t>(position)), 1}};
            case Mode::linear:
                return {{padded(first), 1 - share}, {padded(first + 1), share}};
            case Mode::cubic:
                return {{padded(first - 1), cubic(share + 1)},
                        {padded(first), cubic(share)},
                        {padded(first + 1), cubic(1 - share)},
                        {padded(first + 2), cubic(2 - share)}};
        }
        return {};
    }

private:
    // Keys' piecewise cubic.
    static double cubic(double x) {
        constexpr double a = -0.75;
        if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    }

    double reflected(double position) const {
        const double span = high_ - low_;
        if (span <= 0) return 0;
        const double distance = std::fmod(std::abs(position - low_), 2 * span);
        return low_ + (distance <= span ? distance : 2 * span - distance);
    }

    double inside(double position) const {
        switch (attributes_.padding) {
            case Padding::zeros:
                return position;
            case Padding::border: {
                // A cubic still bends where two of its four elements are the border's.
                const double reach = attributes_.mode == Mode::cubic ? 2 : 0;
                return std::clamp(position, -reach, static_cast<double>(length_ - 1) + reach);
            }
            case Padding::reflection:
                return reflected(position);
        }
        return position;
    }

    int64_t padded(int64_t index) const {
        if (index >= 0 && index < length_) return index;
        if (attributes_.padding == Padding::zeros) return -1;
        const auto position = static_cast<int64_t>(inside(static_cast<double>(index)));
        return std::clamp<int64_t>(position, 0, length_ - 1);
    }

    int64_t length_;
    const Attributes& attributes_;
    double low_;
    double high_;
};

/// The element at a place that names one along each axis; T{} where it lies outside.
template <class T>
T elementAt(std::span<const T> plane, const SamplePlace& place, const Dims& strides) {
    int64_t offset = 0;
    for (size_t axis = 0; axis < place.size(); ++axis) {
        const std::vector<SampleTap>& taps = place[axis];
        if (taps.empty() || taps[0].index < 0) return T{};
        offset += taps[0].index * strides[axis];
    }
    return plane[static_cast<size_t>(offset)];
}

/// Fills output 0 with value(plane, place, strides) for each position of the grid. T may be another type of
/// the elements' size.
template <class T, class Value>
void sample(KernelContext& context, Value value) {
    const Tensor& x = context.input(0);
    const Tensor& grid = context.input(1);
    checkRankAtLeast(x, 3, "X");
    checkRank(grid, x.rank(), "grid");
    const Dims spatial(x.dims().begin() + 2, x.dims().end());
    if (grid.dims().front() != x.dims().front() || grid.dims().back() != x.rank() - 2) {
        fail("grid: found shape ", listText(grid.dims()), ", expected a batch of ", x.dims().front(),
             " and positions of ", x.rank() - 2, " numbers");
    }
    Dims outputDims{x.dims()[0], x.dims()[1]};
    outputDims.insert(outputDims.end(), grid.dims().begin() + 1, grid.dims().end() - 1);
    const auto output = mutableElementsAs<T>(context.output(0, outputDims));
    if (output.empty()) return;
    if (elementCount(spatial) == 0)
        fail("X: found shape ", listText(x.dims()), ", expected spatial axes to sample from");

    const auto values = elementsAs<T>(x);
    const std::vector<double> positions = grid.toDouble();
    const Dims strides = rowMajorStrides(spatial);
    const auto planeSize = static_cast<size_t>(elementCount(spatial));
    const auto batch = static_cast<size_t>(x.dims()[0]);
    const auto channels = static_cast<size_t>(x.dims()[1]);
    const size_t outputs = output.size() / batch / channels;
    std::vector<Axis> axes;
    for (const int64_t length : spatial) axes.emplace_back(length, context.attributes<Attributes>());

    SamplePlace place(axes.size());
    Pace pace(context);
    for (size_t n = 0; n < batch; ++n) {
        for (size_t i = 0; i < outputs; ++i) {
            // Positions name the last axis first.
            const double* at = positions.data() + (n * outputs + i) * axes.size();
            for (size_t a = 0; a < axes.size(); ++a) place[a] = axes[a].taps(at[axes.size() - 1 - a]);
            for (size_t c = 0; c < channels; ++c) {
                const auto plane = values.subspan((n * channels + c) * planeSize, planeSize);
                output[(n * channels + c) * outputs + i] = value(plane, place, strides);
            }
            pace.spend(static_cast<int64_t>(channels) * 16);
        }
    }
}

void reference(KernelContext& context) {
    const DataType type = context.input(0).type();
    if (context.attributes<Attributes>().mode == Mode::nearest) {
        return dispatchStorage(type,
                               [&]<typename T>(std::type_identity<T>) { sample<T>(context, elementAt<T>); });
    }
    dispatchNumeric(type, [&]<typename T>(std::type_identity<T>) {
        sample<T>(context, [](std::span<const T> plane, const SamplePlace& place, const Dims& strides) {
            return convertNumber<T>(sampleAt(plane, place, strides));
        });
    });
}

const OpDef gridSample{
    .name = "GridSample",
    .sinceVersion = 16,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{gridSample};

const OpDef microsoftGridSample{
    .name = "GridSample",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registeredMicrosoft{microsoftGridSample};

}  // namespace
}  // namespace engine
