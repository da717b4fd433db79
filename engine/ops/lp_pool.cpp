#include <cmath>

#include "engine/core/dispatch.h"
#include "engine/ops/checks.h"
#include "engine/ops/pool.h"

namespace engine {
namespace {

template <class T>
void pool(KernelContext& context) {
    const auto& attributes = context.attributes<PoolAttributes>();
    const PoolGeometry geometry = poolGeometry(attributes, context.input(0).dims());
    const auto input = checkedValues<T>(context.input(0), "X");
    const auto output = context.output(0, geometry.outputDims).template mutableValues<T>();

    const WindowRows rows(geometry.axes);
    std::vector<double> sums(static_cast<size_t>(rows.outputElements()));
    Pace pace(context);
    for (size_t plane = 0; plane < static_cast<size_t>(geometry.planes); ++plane) {
        const T* from = input.data() + plane * static_cast<size_t>(rows.inputElements());
        T* to = output.data() + plane * sums.size();
        std::fill(sums.begin(), sums.end(), 0.0);
        forEachPooled(rows, pace, [&](size_t in, size_t out) {
            sums[out] += std::pow(std::abs(static_cast<double>(from[in])), attributes.p);
        });
        for (size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<T>(std::pow(sums[i], 1 / attributes.p));
    }
}

void reference(KernelContext& context) {
    dispatchFloat(context.input(0).type(), [&]<typename T>(std::type_identity<T>) { pool<T>(context); });
}

Work work(const WorkContext& context) { return {.specialFunctions = poolWork(context).otherFlops}; }

const OpDef lpPool{
    .name = "LpPool",
    .sinceVersion = 1,
    .attributes = parsed<readPool>,
    .infer = inferPool,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{lpPool};

}  // namespace
}  // namespace engine
