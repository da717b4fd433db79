#include "engine/ops/recurrent.h"

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/pace.h"

namespace engine {
namespace {

// The parameters of all activations stand in two lists, from which each takes what it has a use for.
std::vector<Activation> readActivations(const AttributeReader& reader,
                                        const std::vector<std::string>& defaults, int64_t directions) {
    std::vector<std::string> names = reader.strings("activations");
    const size_t expected = defaults.size() * static_cast<size_t>(directions);
    if (names.empty()) {
        while (names.size() < expected) names.insert(names.end(), defaults.begin(), defaults.end());
    }
    if (names.size() != expected) {
        fail("activations: found ", names.size(), " names, expected ", expected);
    }
    const std::vector<float> alphas = reader.numbers("activation_alpha");
    const std::vector<float> betas = reader.numbers("activation_beta");
    size_t alpha = 0;
    size_t beta = 0;
    std::vector<Activation> activations;
    for (const std::string& name : names) {
        const size_t count = activationParameterCount(name);
        std::vector<float> parameters;
        if (count > 0 && alpha < alphas.size()) parameters.push_back(alphas[alpha++]);
        if (count > 1 && parameters.size() == 1 && beta < betas.size()) parameters.push_back(betas[beta++]);
        activations.push_back(activationNamed(name, parameters));
    }
    return activations;
}

Dim hiddenSize(const InferContext& context, const RecurrentAttributes& attributes) {
    if (attributes.hidden) return *attributes.hidden;
    const Shape* recurrence = context.inputShape(2);
    // Both layouts of R have the hidden size on one axis and a multiple of it on the other.
    return recurrence != nullptr && recurrence->size() == 3 ? minimum((*recurrence)[1], (*recurrence)[2])
                                                            : Dim();
}

}  // namespace

RecurrentAttributes readRecurrent(const AttributeReader& reader, const std::vector<std::string>& defaults) {
    const std::string direction =
        reader.choice("direction", "forward", {"forward", "reverse", "bidirectional"});
    const int64_t layout = reader.integer("layout", 0);
    if (layout != 0 && layout != 1) fail("layout: found ", layout, ", expected 0 or 1");
    RecurrentAttributes attributes{.directions = direction == "bidirectional" ? 2 : 1,
                                   .startsReversed = direction == "reverse",
                                   .isBatchFirst = layout == 1,
                                   .clip = reader.number("clip", 0),
                                   .hidden = reader.maybeInteger("hidden_size"),
                                   .linearBeforeReset = reader.integer("linear_before_reset", 0) != 0,
                                   .inputForget = reader.integer("input_forget", 0) != 0};
    attributes.activations = readActivations(reader, defaults, attributes.directions);
    return attributes;
}

void inferRecurrent(InferContext& context) {
    const auto& attributes = context.attributes<RecurrentAttributes>();
    context.checkRank(0, 3, "X");
    context.checkRank(1, 3, "W");
    context.checkRank(2, 3, "R");
    const Shape* x = context.inputShape(0);
    Dim steps = x != nullptr ? (*x)[0] : Dim();
    Dim batch = x != nullptr ? (*x)[1] : Dim();
    if (attributes.isBatchFirst) std::swap(steps, batch);
    const Dim hidden = hiddenSize(context, attributes);
    const Dim directions = attributes.directions;

    const DataType element = context.inputElement(0);
    const bool isBatchFirst = attributes.isBatchFirst;
    const Shape last = isBatchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
    context.setOutput(
        0, element,
        isBatchFirst ? Shape{batch, steps, directions, hidden} : Shape{steps, directions, batch, hidden});
    context.setOutput(1, element, last);
    context.setOutput(2, element, last);
}

Work recurrentWork(const WorkContext& context, int64_t gates, int64_t specials) {
    const auto& attributes = context.attributes<RecurrentAttributes>();
    const Dim units = context.inputDim(0, 0) * context.inputDim(0, 1) * Dim(attributes.directions);
    const Dim hidden = attributes.hidden ? Dim(*attributes.hidden) : context.inputDim(2, 2);
    return {.multiplyAdds = units * hidden * Dim(gates) * (context.inputDim(0, 2) + hidden),
            .specialFunctions = units * hidden * Dim(specials)};
}

double RecurrentCell::activated(size_t index, double x) const {
    if (clip > 0) x = std::clamp<double>(x, -clip, clip);
    return activations[index](x);
}

namespace {

RecurrentSizes sizesOf(const KernelContext& context, const RecurrentKind& kind) {
    const auto& attributes = context.attributes<RecurrentAttributes>();
    const Dims& x = context.input(0).dims();
    const Dims& r = context.input(2).dims();
    if (x.size() != 3 || r.size() != 3) {
        fail("found X of rank ", x.size(), " and R of rank ", r.size(), ", expected 3 axes in both");
    }
    RecurrentSizes sizes{.steps = x[0],
                         .batch = x[1],
                         .input = x[2],
                         .hidden = r[kind.isTransposed ? 1 : 2],
                         .gates = kind.gates};
    if (attributes.isBatchFirst) std::swap(sizes.steps, sizes.batch);
    if (attributes.hidden && *attributes.hidden != sizes.hidden) {
        fail("hidden_size: found ", *attributes.hidden, ", expected ", sizes.hidden, " as R has");
    }
    const int64_t directions = attributes.directions;
    if (kind.isTransposed) {
        checkDims(context.input(1), {directions, sizes.input, sizes.width()}, "W");
        checkDims(context.input(2), {directions, sizes.hidden, sizes.width()}, "R");
    } else {
        checkDims(context.input(1), {directions, sizes.width(), sizes.input}, "W");
        checkDims(context.input(2), {directions, sizes.width(), sizes.hidden}, "R");
    }
    return sizes;
}

// The part of one direction of an optional input of [directions, size], zeros if it is omitted.
std::vector<double> directionPart(const KernelContext& context, size_t index, int64_t direction, int64_t size,
                                  const char* what) {
    if (!context.hasInput(index)) return std::vector<double>(static_cast<size_t>(size));
    checkDims(context.input(index), {context.attributes<RecurrentAttributes>().directions, size}, what);
    const std::vector<double> all = context.input(index).toDouble();
    return {all.begin() + direction * size, all.begin() + (direction + 1) * size};
}

// One direction's initial state: [directions, batch, hidden], or batch first.
std::vector<double> initialState(const KernelContext& context, size_t index, int64_t direction,
                                 const RecurrentSizes& sizes, const char* what) {
    const auto& attributes = context.attributes<RecurrentAttributes>();
    std::vector<double> state(static_cast<size_t>(sizes.batch * sizes.hidden));
    if (!context.hasInput(index)) return state;
    const bool isBatchFirst = attributes.isBatchFirst;
    checkDims(context.input(index),
              isBatchFirst ? Dims{sizes.batch, attributes.directions, sizes.hidden}
                           : Dims{attributes.directions, sizes.batch, sizes.hidden},
              what);
    const std::vector<double> all = context.input(index).toDouble();
    for (int64_t n = 0; n < sizes.batch; ++n) {
        const int64_t row =
            isBatchFirst ? n * attributes.directions + direction : direction * sizes.batch + n;
        std::copy_n(all.begin() + row * sizes.hidden, sizes.hidden, state.begin() + n * sizes.hidden);
    }
    return state;
}

// The input as [steps, batch, input].
std::vector<double> timeMajor(const Tensor& x, const RecurrentSizes& sizes, bool isBatchFirst) {
    std::vector<double> values = x.toDouble();
    if (!isBatchFirst) return values;
    std::vector<double> result(values.size());
    for (int64_t n = 0; n < sizes.batch; ++n) {
        for (int64_t t = 0; t < sizes.steps; ++t) {
            std::copy_n(values.begin() + (n * sizes.steps + t) * sizes.input, sizes.input,
                        result.begin() + (t * sizes.batch + n) * sizes.input);
        }
    }
    return result;
}

std::vector<int64_t> sequenceLengths(const KernelContext& context, const RecurrentSizes& sizes) {
    if (!context.hasInput(4)) return std::vector<int64_t>(static_cast<size_t>(sizes.batch), sizes.steps);
    checkDims(context.input(4), {sizes.batch}, "sequence_lens");
    std::vector<int64_t> lengths = context.input(4).toInt64();
    for (const int64_t length : lengths) {
        if (length < 0 || length > sizes.steps) {
            fail("sequence_lens: found ", length, ", expected 0 to ", sizes.steps);
        }
    }
    return lengths;
}

// Collects the outputs in double; a position that no sequence reaches stays 0.
class Outputs {
public:
    Outputs(const RecurrentAttributes& attributes, const RecurrentSizes& sizes)
        : attributes_(attributes), sizes_(sizes) {
        const int64_t states = attributes.directions * sizes.batch * sizes.hidden;
        all_.resize(static_cast<size_t>(sizes.steps * states));
        lastHidden_.resize(static_cast<size_t>(states));
        lastCell_.resize(static_cast<size_t>(states));
    }

    void setStep(int64_t step, int64_t direction, int64_t n, const double* hidden) {
        const int64_t directions = attributes_.directions;
        const int64_t row = attributes_.isBatchFirst ? (n * sizes_.steps + step) * directions + direction
                                                     : (step * directions + direction) * sizes_.batch + n;
        std::copy_n(hidden, sizes_.hidden, all_.begin() + row * sizes_.hidden);
    }

    void setLast(int64_t direction, const RecurrentState& state) {
        for (int64_t n = 0; n < sizes_.batch; ++n) {
            const int64_t row = attributes_.isBatchFirst ? n * attributes_.directions + direction
                                                         : direction * sizes_.batch + n;
            std::copy_n(state.hidden.begin() + n * sizes_.hidden, sizes_.hidden,
                        lastHidden_.begin() + row * sizes_.hidden);
            std::copy_n(state.cell.begin() + n * sizes_.hidden, sizes_.hidden,
                        lastCell_.begin() + row * sizes_.hidden);
        }
    }

    void store(KernelContext& context) const {
        const int64_t directions = attributes_.directions;
        const bool isBatchFirst = attributes_.isBatchFirst;
        const Dims last = isBatchFirst ? Dims{sizes_.batch, directions, sizes_.hidden}
                                       : Dims{directions, sizes_.batch, sizes_.hidden};
        storeOne(context, 0,
                 isBatchFirst ? Dims{sizes_.batch, sizes_.steps, directions, sizes_.hidden}
                              : Dims{sizes_.steps, directions, sizes_.batch, sizes_.hidden},
                 all_);
        storeOne(context, 1, last, lastHidden_);
        storeOne(context, 2, last, lastCell_);
    }

private:
    static void storeOne(KernelContext& context, size_t index, const Dims& dims,
                         const std::vector<double>& values) {
        if (!context.hasOutput(index)) return;
        const DataType type = context.input(0).type();
        Tensor& output = context.output(index, type, dims);
        dispatchFloat(type, [&]<typename T>(std::type_identity<T>) {
            std::transform(values.begin(), values.end(), output.mutableValues<T>().begin(),
                           [](double value) { return static_cast<T>(value); });
        });
    }

    const RecurrentAttributes& attributes_;
    const RecurrentSizes& sizes_;
    std::vector<double> all_;
    std::vector<double> lastHidden_;
    std::vector<double> lastCell_;
};

RecurrentCell cellOf(KernelContext& context, const RecurrentKind& kind, const RecurrentSizes& sizes,
                     int64_t direction) {
    const auto& attributes = context.attributes<RecurrentAttributes>();
    const auto functions = static_cast<int64_t>(attributes.activations.size()) / attributes.directions;
    const auto first = attributes.activations.begin() + direction * functions;
    const std::vector<double> biases = directionPart(context, 3, direction, 2 * sizes.width(), "B");
    RecurrentCell cell{.sizes = sizes,
                       .activations = {first, first + functions},
                       .clip = attributes.clip,
                       .linearBeforeReset = attributes.linearBeforeReset,
                       .inputForget = attributes.inputForget,
                       .inputBias = {biases.begin(), biases.begin() + sizes.width()},
                       .recurrentBias = {biases.begin() + sizes.width(), biases.end()},
                       .peepholes = directionPart(context, 7, direction, 3 * sizes.hidden, "P")};
    kind.makeProducts(context, direction, cell);
    return cell;
}

void runDirection(KernelContext& context, const RecurrentKind& kind, const RecurrentCell& cell,
                  int64_t direction, const std::vector<double>& input, const std::vector<int64_t>& lengths,
                  Outputs& outputs) {
    const RecurrentSizes& sizes = cell.sizes;
    const int64_t width = sizes.width();
    const bool isReversed = direction == 1 || context.attributes<RecurrentAttributes>().startsReversed;
    std::vector<double> inputSums(static_cast<size_t>(sizes.steps * sizes.batch * width));
    for (int64_t row = 0; row < sizes.steps * sizes.batch; ++row) {
        std::copy(cell.inputBias.begin(), cell.inputBias.end(), inputSums.begin() + row * width);
    }
    cell.inputProduct(input.data(), sizes.steps * sizes.batch, cell.allGates(), inputSums.data());

    RecurrentState state{.hidden = initialState(context, 5, direction, sizes, "initial_h"),
                         .cell = initialState(context, 6, direction, sizes, "initial_c"),
                         .isActive = std::vector<char>(lengths.size())};
    std::vector<double> sums(static_cast<size_t>(sizes.batch * width));
    // The step of its input that sequence n is at after `turn` turns.
    const auto stepOf = [&](int64_t n, int64_t turn) {
        return isReversed ? lengths[static_cast<size_t>(n)] - 1 - turn : turn;
    };
    for (int64_t turn = 0; turn < sizes.steps; ++turn) {
        context.checkpoint();
        for (int64_t n = 0; n < sizes.batch; ++n) {
            const bool isActive = turn < lengths[static_cast<size_t>(n)];
            state.isActive[static_cast<size_t>(n)] = isActive ? 1 : 0;
            if (!isActive) continue;
            std::copy_n(inputSums.begin() + (stepOf(n, turn) * sizes.batch + n) * width, width,
                        sums.begin() + n * width);
        }
        kind.step(cell, sums, state);
        for (int64_t n = 0; n < sizes.batch; ++n) {
            if (state.isActive[static_cast<size_t>(n)] == 0) continue;
            outputs.setStep(stepOf(n, turn), direction, n, state.hidden.data() + n * sizes.hidden);
        }
    }
    outputs.setLast(direction, state);
}

}  // namespace

void runRecurrent(KernelContext& context, const RecurrentKind& kind) {
    const auto& attributes = context.attributes<RecurrentAttributes>();
    const RecurrentSizes sizes = sizesOf(context, kind);
    const std::vector<int64_t> lengths = sequenceLengths(context, sizes);
    const std::vector<double> input = timeMajor(context.input(0), sizes, attributes.isBatchFirst);
    Outputs outputs(attributes, sizes);
    for (int64_t direction = 0; direction < attributes.directions; ++direction) {
        runDirection(context, kind, cellOf(context, kind, sizes, direction), direction, input, lengths,
                     outputs);
    }
    outputs.store(context);
}

namespace {

// Weights of [width, inner], kept as [inner][width] so that the inner loop runs along a row.
RowProduct denseProduct(const KernelContext& context, const Tensor& weights, int64_t direction, int64_t inner,
                        const RecurrentSizes& sizes) {
    const int64_t width = sizes.width();
    const std::vector<double> all = weights.toDouble();
    std::vector<double> rows(static_cast<size_t>(inner * width));
    for (int64_t j = 0; j < width; ++j) {
        for (int64_t k = 0; k < inner; ++k) {
            rows[static_cast<size_t>(k * width + j)] =
                all[static_cast<size_t>((direction * width + j) * inner + k)];
        }
    }
    return [&context, rows = std::move(rows), inner, width, hidden = sizes.hidden](
               const double* from, int64_t count, GateRange gates, double* sums) {
        Pace pace(context);
        for (int64_t row = 0; row < count; ++row) {
            for (int64_t k = 0; k < inner; ++k) {
                const double factor = from[row * inner + k];
                const double* weight = rows.data() + k * width;
                double* to = sums + row * width;
                for (int64_t j = gates.first * hidden; j < (gates.first + gates.count) * hidden; ++j) {
                    to[j] += factor * weight[j];
                }
                pace.spend(gates.count * hidden);
            }
        }
    };
}

}  // namespace

void makeDenseProducts(KernelContext& context, int64_t direction, RecurrentCell& cell) {
    cell.inputProduct = denseProduct(context, context.input(1), direction, cell.sizes.input, cell.sizes);
    cell.recurrentProduct = denseProduct(context, context.input(2), direction, cell.sizes.hidden, cell.sizes);
}

}  // namespace engine
