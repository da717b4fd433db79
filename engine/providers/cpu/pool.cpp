#include "engine/ops/pool.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (node.hasOutput(1))
        return Support::no("asked for the places of the maxima, tuned pooling gives values only");
    return acceptFloat(node);
}

/// The taps of one output pixel that fall on the input, as offsets in pixels, and what an average divides by.
struct Window {
    std::vector<int64_t> pixels;
    float factor;
};

/// Windows of all output pixels of one image, row-major.
std::vector<Window> windowsOf(const PoolAttributes& attributes, const std::vector<WindowAxis>& axes) {
    std::vector<std::vector<int64_t>> counts;
    const CountPads countPads = attributes.countIncludePad ? CountPads::yes : CountPads::no;
    int64_t outputs = 1;
    for (const WindowAxis& axis : axes) {
        counts.push_back(tapsPerWindow(axis, countPads));
        outputs *= axis.output;
    }
    std::vector<Window> windows(outputs);
    for (int64_t index = 0; index < outputs; ++index) {
        Window& window = windows[index];
        window.pixels = {0};
        int64_t count = 1;
        int64_t rest = index;
        std::vector<int64_t> position(axes.size());
        for (size_t axis = axes.size(); axis-- > 0;) {
            position[axis] = rest % axes[axis].output;
            rest /= axes[axis].output;
        }
        for (size_t axis = 0; axis < axes.size(); ++axis) {
            const WindowAxis& its = axes[axis];
            count *= counts[axis][position[axis]];
            std::vector<int64_t> next;
            for (const int64_t pixel : window.pixels) {
                for (int64_t tap = 0; tap < its.kernel; ++tap) {
                    const int64_t at = position[axis] * its.stride + tap * its.dilation - its.padBegin;
                    if (at >= 0 && at < its.input) next.push_back(pixel * its.input + at);
                }
            }
            window.pixels = std::move(next);
        }
        window.factor = 1 / static_cast<float>(std::max<int64_t>(count, 1));
    }
    return windows;
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const auto& attributes = node.attributes<PoolAttributes>();
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    const PoolGeometry geometry = poolGeometry(attributes, builder.dims(input));
    auto windows = windowsOf(attributes, geometry.axes);
    const bool hasEmpty =
        std::any_of(windows.begin(), windows.end(), [](const Window& w) { return w.pixels.empty(); });
    if (hasEmpty) return builder.addReference(node.id());

    const Order order = channelsLast(builder.dims(input).size());
    const PoolKind kind = node.node().operatorType == "MaxPool" ? PoolKind::maximum : PoolKind::average;
    const int64_t batch = builder.dims(input)[0];
    const int64_t channels = builder.dims(input)[1];
    int64_t pixels = 1;
    for (const WindowAxis& axis : geometry.axes) pixels *= axis.input;
    Step step{
        .kernel = text("highway ", kind == PoolKind::maximum ? "max" : "average", " pool ", orderText(order)),
        .nodes = {node.id()},
        .inputs = {builder.take(input, order)},
        .outputs = {builder.define(output, order)}};
    const auto shared = std::make_shared<const std::vector<Window>>(std::move(windows));
    step.code = [shared, kind, batch, channels, pixels, threads = builder.threads()](StepContext& context) {
        const auto* x = context.input<float>(0);
        auto* y = context.output<float>(0);
        const auto outputs = static_cast<int64_t>(shared->size());
        const int64_t bytes = batch * (pixels + outputs) * channels * 4;
        parallelRange(threadsFor(threads, bytes), batch * outputs, [&](int64_t begin, int64_t end, int) {
            std::vector<const float*> from;
            for (int64_t index = begin; index < end; ++index) {
                const Window& window = (*shared)[index % outputs];
                const float* image = x + index / outputs * pixels * channels;
                from.clear();
                for (const int64_t pixel : window.pixels) from.push_back(image + pixel * channels);
                poolPixel(kind, from.data(), from.size(), window.factor, y + index * channels, channels);
            }
        });
    };
    builder.add(std::move(step));
}

const CpuKernel maxPool{"MaxPool", "", accepts, prepare};
const CpuKernel averagePool{"AveragePool", "", accepts, prepare};
const Register<CpuKernel> registered[] = {Register{maxPool}, Register{averagePool}};

}  // namespace
}  // namespace engine::cpu
