#include "engine/ops/recurrent.h"

namespace engine {
namespace {

RecurrentAttributes parse(const AttributeReader& reader) {
    return readRecurrent(reader, {"Sigmoid", "Tanh"});
}

Work work(const WorkContext& context) { return recurrentWork(context, 3, 3); }

// Gates in the order update, reset, hidden. The reset gate acts on the state before the product with the
// hidden gate's weights or, with linear_before_reset, on the product and its bias.
void step(const RecurrentCell& cell, std::vector<double>& sums, RecurrentState& state) {
    const RecurrentSizes& sizes = cell.sizes;
    const auto hidden = static_cast<size_t>(sizes.hidden);
    cell.recurrentProduct(state.hidden.data(), sizes.batch, {0, 2}, sums.data());

    std::vector<double> resetState = state.hidden;
    std::vector<double> products(sums.size());
    const auto reset = [&](size_t n, size_t j) {
        const size_t gate = hidden + j;
        return cell.activated(0, sums[n * 3 * hidden + gate] + cell.recurrentBias[gate]);
    };
    if (!cell.linearBeforeReset) {
        for (size_t i = 0; i < resetState.size(); ++i) resetState[i] *= reset(i / hidden, i % hidden);
    }
    cell.recurrentProduct(resetState.data(), sizes.batch, {2, 1}, products.data());

    for (size_t i = 0; i < state.hidden.size(); ++i) {
        const size_t n = i / hidden;
        const size_t j = i % hidden;
        if (state.isActive[n] == 0) continue;
        const double update = cell.activated(0, sums[n * 3 * hidden + j] + cell.recurrentBias[j]);
        const size_t gate = 2 * hidden + j;
        double product = products[n * 3 * hidden + gate] + cell.recurrentBias[gate];
        if (cell.linearBeforeReset) product *= reset(n, j);
        const double candidate = cell.activated(1, sums[n * 3 * hidden + gate] + product);
        state.hidden[i] = (1 - update) * candidate + update * state.hidden[i];
    }
}

void reference(KernelContext& context) {
    runRecurrent(context, {.gates = 3, .step = step, .makeProducts = makeDenseProducts});
}

const OpDef gru{
    .name = "GRU",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferRecurrent,
    .work = work,
    .reference = reference,
};
const Register<OpDef> registered{gru};

}  // namespace
}  // namespace engine
