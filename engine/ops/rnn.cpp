#include "engine/ops/recurrent.h"

namespace engine {
namespace {

RecurrentAttributes parse(const AttributeReader& reader) { return readRecurrent(reader, {"Tanh"}); }

Work work(const WorkContext& context) { return recurrentWork(context, 1, 1); }

void step(const RecurrentCell& cell, std::vector<double>& sums, RecurrentState& state) {
    const auto hidden = static_cast<size_t>(cell.sizes.hidden);
    cell.recurrentProduct(state.hidden.data(), cell.sizes.batch, cell.allGates(), sums.data());
    for (size_t i = 0; i < state.hidden.size(); ++i) {
        if (state.isActive[i / hidden] == 0) continue;
        state.hidden[i] = cell.activated(0, sums[i] + cell.recurrentBias[i % hidden]);
    }
}

void reference(KernelContext& context) {
    runRecurrent(context, {.gates = 1, .step = step, .makeProducts = makeDenseProducts});
}

const OpDef rnn{
    .name = "RNN",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferRecurrent,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{rnn};

}  // namespace
}  // namespace engine
