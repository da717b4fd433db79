#include <algorithm>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

void infer(InferContext& context) { context.setOutput(0, DataType::int32, {Dim(2), Dim()}); }

Work work(const WorkContext& context) { return {.otherFlops = context.inputElements(0) * Dim(3)}; }

enum class Step : uint8_t { both, row, column };

/// The cheapest way through the costs from the first corner to the last, by steps along either axis or both.
/// Of equally cheap steps the one along both comes last, the one along columns after that along rows.
void reference(KernelContext& context) {
    Dims dims = context.input(0).dims();
    if (dims.size() == 3 && dims[0] == 1) dims.erase(dims.begin());
    if (dims.size() != 2 || dims[0] < 1 || dims[1] < 1) {
        fail("input: found shape ", listText(context.input(0).dims()), ", expected a matrix of costs");
    }
    const auto costs = checkedValues<float>(context.input(0), "input");
    const auto columns = static_cast<size_t>(dims[1]);
    std::vector<Step> came(costs.size());
    std::vector<float> previous(columns);
    std::vector<float> current(columns);
    Pace pace(context);
    for (size_t r = 0; r < static_cast<size_t>(dims[0]); ++r) {
        for (size_t c = 0; c < columns; ++c) {
            float best = 0;
            Step step = r == 0 ? Step::column : Step::row;
            if (r > 0 && c > 0) {
                best = previous[c - 1];
                step = Step::both;
                if (!(best < previous[c] && best < current[c - 1])) {
                    step = previous[c] < previous[c - 1] && previous[c] < current[c - 1] ? Step::row
                                                                                         : Step::column;
                    best = step == Step::row ? previous[c] : current[c - 1];
                }
            } else if (r > 0) {
                best = previous[c];
            } else if (c > 0) {
                best = current[c - 1];
            }
            current[c] = best + costs[r * columns + c];
            came[r * columns + c] = step;
        }
        std::swap(previous, current);
        pace.spend(dims[1] * 4);
    }
    std::vector<std::pair<int32_t, int32_t>> path;
    auto r = static_cast<int32_t>(dims[0] - 1);
    auto c = static_cast<int32_t>(dims[1] - 1);
    while (true) {
        path.emplace_back(r, c);
        if (r == 0 && c == 0) break;
        const Step step = came[static_cast<size_t>(r) * columns + static_cast<size_t>(c)];
        if (step != Step::column) --r;
        if (step != Step::row) --c;
    }
    std::reverse(path.begin(), path.end());
    const auto output = context.output(0, {2, static_cast<int64_t>(path.size())}).mutableValues<int32_t>();
    for (size_t i = 0; i < path.size(); ++i) {
        output[i] = path[i].first;
        output[path.size() + i] = path[i].second;
    }
}

const OpDef dynamicTimeWarping{
    .name = "DynamicTimeWarping",
    .sinceVersion = 1,
    .attributes = noAttributes,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
    .tolerance = Tolerance::exact,
};
const Register<OpDef> registered{dynamicTimeWarping};

}  // namespace
}  // namespace engine
