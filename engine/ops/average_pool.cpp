#include "engine/core/dispatch.h"
#include "engine/ops/checks.h"
#include "engine/ops/pool.h"

namespace engine {
namespace {

// By how many taps each output's sum is divided: the product of the counts along the axes.
std::vector<double> divisors(const PoolAttributes& attributes, const std::vector<WindowAxis>& axes) {
    std::vector<double> result{1};
    for (const WindowAxis& axis : axes) {
        const auto taps = tapsPerWindow(axis, attributes.countIncludePad ? CountPads::yes : CountPads::no);
        std::vector<double> next;
        for (const double outer : result) {
            for (const int64_t inner : taps) next.push_back(outer * static_cast<double>(inner));
        }
        result = std::move(next);
    }
    return result;
}

template <class T>
void pool(KernelContext& context) {
    const auto& attributes = context.attributes<PoolAttributes>();
    const PoolGeometry geometry = poolGeometry(attributes, context.input(0).dims());
    const auto input = checkedValues<T>(context.input(0), "X");
    const auto output = context.output(0, geometry.outputDims).template mutableValues<T>();
    if (output.empty()) return;

    const WindowRows rows(geometry.axes);
    const std::vector<double> counts = divisors(attributes, geometry.axes);
    std::vector<double> sums(counts.size());
    Pace pace(context);
    for (size_t plane = 0; plane < static_cast<size_t>(geometry.planes); ++plane) {
        const T* from = input.data() + plane * static_cast<size_t>(rows.inputElements());
        T* to = output.data() + plane * sums.size();
        std::fill(sums.begin(), sums.end(), 0.0);
        forEachPooled(rows, pace, [&](size_t in, size_t out) { sums[out] += static_cast<double>(from[in]); });
        for (size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<T>(sums[i] / counts[i]);
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { pool<T>(context); });
}

const OpDef averagePool{
    .name = "AveragePool",
    .sinceVersion = 1,
    .attributes = parsed<readPool>,
    .infer = inferPool,
    .work = poolWork,
    .reference = reference,
};
const Register<OpDef> registered{averagePool};

}  // namespace
}  // namespace engine
