#include "engine/ops/recurrent.h"

namespace engine {

RecurrentAttributes readLstm(const AttributeReader& reader) {
    return readRecurrent(reader, {"Sigmoid", "Tanh", "Tanh"});
}

Work lstmWork(const WorkContext& context) { return recurrentWork(context, 4, 5); }

// Gates in the order input, output, forget, cell; peepholes in the order input, output, forget.
void lstmStep(const RecurrentCell& cell, std::vector<double>& sums, RecurrentState& state) {
    const RecurrentSizes& sizes = cell.sizes;
    const auto hidden = static_cast<size_t>(sizes.hidden);
    cell.recurrentProduct(state.hidden.data(), sizes.batch, cell.allGates(), sums.data());
    for (size_t n = 0; n < state.isActive.size(); ++n) {
        if (state.isActive[n] == 0) continue;
        double* gates = sums.data() + n * 4 * hidden;
        for (size_t j = 0; j < hidden; ++j) {
            const auto sum = [&](size_t gate) {
                return gates[gate * hidden + j] + cell.recurrentBias[gate * hidden + j];
            };
            double& memory = state.cell[n * hidden + j];
            const double input = cell.activated(0, sum(0) + cell.peepholes[j] * memory);
            const double forget = cell.inputForget
                                      ? 1 - input
                                      : cell.activated(0, sum(2) + cell.peepholes[2 * hidden + j] * memory);
            memory = forget * memory + input * cell.activated(1, sum(3));
            const double output = cell.activated(0, sum(1) + cell.peepholes[hidden + j] * memory);
            state.hidden[n * hidden + j] = output * cell.activations[2](memory);
        }
    }
}

namespace {

void reference(KernelContext& context) {
    runRecurrent(context, {.gates = 4, .step = lstmStep, .makeProducts = makeDenseProducts});
}

const OpDef lstm{
    .name = "LSTM",
    .sinceVersion = 1,
    .attributes = parsed<readLstm>,
    .infer = inferRecurrent,
    .work = lstmWork,
    .reference = reference,
};
const Register<OpDef> registered{lstm};

}  // namespace
}  // namespace engine
