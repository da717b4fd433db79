#include "engine/ops/pool.h"

#include <algorithm>
#include <optional>

#include "engine/core/error.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/planes.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (node.hasOutput(1))
        return Support::no("asked for the places of the maxima, tuned pooling gives values only");
    return acceptFloat(node);
}

/// The source places of one window along one axis.
std::vector<int64_t> coveredTaps(const WindowAxis& axis, int64_t window) {
    std::vector<int64_t> places;
    for (int64_t tap = 0; tap < axis.kernel; ++tap) {
        const int64_t at = window * axis.stride + tap * axis.dilation - axis.padBegin;
        if (at >= 0 && at < axis.input) places.push_back(at);
    }
    return places;
}

/// Outputs along the last axis that lie side by side and whose windows cover the same taps.
struct Stretch {
    int64_t output;  ///< the first, in pixels of the image
    int64_t count;
    int64_t input;                 ///< the pixel that its offsets count from
    std::vector<int64_t> offsets;  ///< of the taps that fall on the input, in elements
    float factor;                  ///< what an average multiplies by
};

/// The windows of one image, cut into stretches.
class Stretches {
public:
    Stretches(CountPads countPads, const std::vector<WindowAxis>& axes, int64_t channels)
        : axes_(axes), channels_(channels) {
        for (const WindowAxis& axis : axes) counts_.push_back(tapsPerWindow(axis, countPads));
    }

    std::vector<Stretch> all() {
        std::vector<int64_t> pixels = {0};
        addAxis(0, pixels, 0, 1);
        return std::move(result_);
    }

private:
    void addAxis(size_t index, const std::vector<int64_t>& pixels, int64_t output, int64_t count) {
        const WindowAxis& axis = axes_[index];
        for (int64_t window = 0; window < axis.output; ++window) {
            const std::vector<int64_t> places = coveredTaps(axis, window);
            std::vector<int64_t> next;
            for (const int64_t pixel : pixels) {
                for (const int64_t place : places) next.push_back(pixel * axis.input + place);
            }
            const int64_t taken = count * counts_[index][window];
            const int64_t at = output * axis.output + window;
            if (index + 1 < axes_.size()) {
                addAxis(index + 1, next, at, taken);
            } else {
                addWindow(axis, next, places, at, window, taken);
            }
        }
    }

    void addWindow(const WindowAxis& axis, const std::vector<int64_t>& pixels,
                   const std::vector<int64_t>& places, int64_t output, int64_t window, int64_t count) {
        const int64_t base = pixels.empty() ? 0 : pixels[0];
        std::vector<int64_t> offsets;
        for (const int64_t pixel : pixels) offsets.push_back((pixel - base) * channels_);
        const float factor = 1 / static_cast<float>(std::max<int64_t>(count, 1));
        if (window > 0 && !result_.empty()) {
            Stretch& last = result_.back();
            const bool goesOn = last.offsets == offsets && last.factor == factor &&
                                base == last.input + last.count * axis.stride && !places.empty();
            if (goesOn) {
                ++last.count;
                return;
            }
        }
        result_.push_back({output, 1, base, std::move(offsets), factor});
    }

    const std::vector<WindowAxis>& axes_;
    int64_t channels_;
    std::vector<std::vector<int64_t>> counts_;
    std::vector<Stretch> result_;
};

/// The rows of the output along all axes but the last.
class PlaneRows {
public:
    PlaneRows(const PoolGeometry& geometry, CountPads countPads, PlanePool& pool)
        : axes_(geometry.axes), countPads_(countPads), pool_(pool) {}

    /// False if a window covers no row.
    bool add() {
        add(0, {0}, 1);
        return !hasEmpty_;
    }

private:
    void add(size_t index, const std::vector<int64_t>& rows, int64_t count) {
        if (index + 1 == axes_.size()) {
            hasEmpty_ = hasEmpty_ || rows.empty();
            pool_.rows.push_back({pool_.offsets.size(), rows.size(), static_cast<float>(count)});
            for (const int64_t row : rows) pool_.offsets.push_back(row * axes_.back().input);
            return;
        }
        const WindowAxis& axis = axes_[index];
        const std::vector<int64_t> counts = tapsPerWindow(axis, countPads_);
        for (int64_t window = 0; window < axis.output; ++window) {
            std::vector<int64_t> next;
            for (const int64_t row : rows) {
                for (const int64_t place : coveredTaps(axis, window))
                    next.push_back(row * axis.input + place);
            }
            add(index + 1, next, count * counts[window]);
        }
    }

    const std::vector<WindowAxis>& axes_;
    CountPads countPads_;
    PlanePool& pool_;
    bool hasEmpty_ = false;
};

/// Row-major pictures, unless a window covers nothing.
std::optional<PlanePool> planePool(const PoolGeometry& geometry, PoolKind kind, CountPads countPads) {
    const WindowAxis& last = geometry.axes.back();
    PlanePool pool{.kind = kind, .planes = geometry.planes, .last = last};
    for (const WindowAxis& axis : geometry.axes) {
        pool.inputPlane *= axis.input;
        pool.outputPlane *= axis.output;
    }
    for (int64_t window = 0; window < last.output; ++window) {
        if (coveredTaps(last, window).empty()) return {};
    }
    for (const int64_t count : tapsPerWindow(last, countPads)) {
        pool.divisors.push_back(static_cast<float>(count));
    }
    pool.divisors.resize(pool.lineLength(), 1);
    if (!PlaneRows(geometry, countPads, pool).add()) return {};
    return pool;
}

void addPlanes(CpuBuilder& builder, const NodeView& node, PlanePool pool) {
    const ValueId input = node.node().inputs[0];
    Step step{.kernel = text("highway ", pool.kind == PoolKind::maximum ? "max" : "average", " pool rows"),
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(input)},
              .outputs = {builder.defineRowMajor(node.node().outputs[0])}};
    step.workspaceBytes = pool.lineLength() * sizeof(float) * builder.threads();
    step.code = [pool = std::make_shared<const PlanePool>(std::move(pool)),
                 threads = builder.threads()](StepContext& context) {
        poolPlanes(*pool, context.input<float>(0), context.output<float>(0),
                   static_cast<float*>(context.workspace()), threads);
    };
    builder.add(std::move(step));
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const auto& attributes = node.attributes<PoolAttributes>();
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    const PoolGeometry geometry = poolGeometry(attributes, builder.dims(input));
    const int64_t batch = builder.dims(input)[0];
    const int64_t channels = builder.dims(input)[1];
    const CountPads countPads = attributes.countIncludePad ? CountPads::yes : CountPads::no;
    const PoolKind kind = node.node().operatorType == "MaxPool" ? PoolKind::maximum : PoolKind::average;
    if (isRowMajor(builder.orderOf(input), builder.dims(input))) {
        if (auto pool = planePool(geometry, kind, countPads))
            return addPlanes(builder, node, std::move(*pool));
        return builder.addReference(node.id());
    }
    auto stretches = Stretches(countPads, geometry.axes, channels).all();
    const bool hasEmpty = std::any_of(stretches.begin(), stretches.end(),
                                      [](const Stretch& stretch) { return stretch.offsets.empty(); });
    if (hasEmpty) return builder.addReference(node.id());

    const Order order = channelsLast(builder.dims(input).size());
    int64_t pixels = 1;
    int64_t outputs = 1;
    for (const WindowAxis& axis : geometry.axes) {
        pixels *= axis.input;
        outputs *= axis.output;
    }
    const int64_t step = geometry.axes.back().stride * channels;
    Step own{
        .kernel = text("highway ", kind == PoolKind::maximum ? "max" : "average", " pool ", orderText(order)),
        .nodes = {node.id()},
        .inputs = {builder.take(input, order)},
        .outputs = {builder.define(output, order)}};
    const auto shared = std::make_shared<const std::vector<Stretch>>(std::move(stretches));
    own.code = [shared, kind, batch, channels, pixels, outputs, step,
                threads = builder.threads()](StepContext& context) {
        const auto* x = context.input<float>(0);
        auto* y = context.output<float>(0);
        const auto each = static_cast<int64_t>(shared->size());
        const int64_t bytes = batch * (pixels + outputs) * channels * 4;
        parallelRange(threadsFor(threads, bytes), batch * each, [&](int64_t begin, int64_t end, int) {
            for (int64_t index = begin; index < end; ++index) {
                const Stretch& stretch = (*shared)[index % each];
                const int64_t image = index / each;
                poolRow({.kind = kind,
                         .count = stretch.count,
                         .channels = channels,
                         .step = step,
                         .factor = stretch.factor},
                        x + (image * pixels + stretch.input) * channels, stretch.offsets.data(),
                        stretch.offsets.size(), y + (image * outputs + stretch.output) * channels);
            }
        });
    };
    builder.add(std::move(own));
}

const CpuKernel maxPool{"MaxPool", "", accepts, prepare};
const CpuKernel averagePool{"AveragePool", "", accepts, prepare};
const Register<CpuKernel> registered[] = {Register{maxPool}, Register{averagePool}};

}  // namespace
}  // namespace engine::cpu
