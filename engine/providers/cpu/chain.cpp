#include "engine/providers/cpu/chain.h"

#include <algorithm>
#include <memory>
#include <set>

#include "engine/core/text.h"
#include "engine/providers/cpu/builder.h"

// How a chain is made. Element-wise nodes are kept back as expressions until a value is asked for. Then all
// expressions behind it that have its dims, and do not exist in memory yet, become one program over tiles.
// Inner results that others need too are written out along the way. What has other dims (a bias, a mask) is
// an input that is broadcast while it is loaded.

namespace engine::cpu {
namespace {

constexpr size_t mostTiles = 56;

/// The expressions of one chain in the order of evaluation, and what they read from outside.
struct Group {
    std::vector<ValueId> values;
    std::vector<ValueId> inputs;
    size_t operations = 0;

    bool has(ValueId value) const { return std::find(values.begin(), values.end(), value) != values.end(); }
};

void gather(const CpuBuilder& builder, ValueId value, const Dims& dims, Group& group) {
    if (group.has(value)) return;
    const Expression* expression = builder.keptBack(value);
    const bool isInside = expression != nullptr && builder.dims(value) == dims &&
                          group.operations + group.inputs.size() + expression->inputs.size() < mostTiles;
    if (!isInside) {
        if (std::find(group.inputs.begin(), group.inputs.end(), value) == group.inputs.end()) {
            group.inputs.push_back(value);
        }
        return;
    }
    group.operations += std::max<size_t>(expression->inputs.size(), 2) - 1;
    for (const ValueId input : expression->inputs) {
        if (input.isValid()) gather(builder, input, dims, group);
    }
    group.values.push_back(value);
}

/// Gathers until every input exists in memory; making one may bring others of the group into memory too.
Group settledGroup(CpuBuilder& builder, ValueId root) {
    while (true) {
        Group group;
        gather(builder, root, builder.dims(root), group);
        const auto missing = std::find_if(group.inputs.begin(), group.inputs.end(),
                                          [&](ValueId input) { return builder.keptBack(input) != nullptr; });
        if (missing == group.inputs.end()) return group;
        builder.take(*missing);
    }
}

/// The inner results that are needed by nodes outside of the group, and the root.
std::vector<ValueId> outputsOf(const CpuBuilder& builder, const Group& group) {
    std::set<NodeId> nodes;
    for (const ValueId value : group.values) {
        const auto& its = builder.keptBack(value)->nodes;
        nodes.insert(its.begin(), its.end());
    }
    std::vector<ValueId> outputs = {group.values.back()};
    for (const ValueId value : group.values) {
        if (value == outputs[0]) continue;
        const std::vector<NodeId>& readers = builder.readers(value);
        const bool isRead =
            std::any_of(readers.begin(), readers.end(), [&](NodeId id) { return !nodes.contains(id); });
        if (isRead || builder.isNeededOutside(value)) outputs.push_back(value);
    }
    return outputs;
}

/// The order in which most of the elements lie that the chain reads.
Order chosenOrder(CpuBuilder& builder, const Group& group, const Dims& dims) {
    std::vector<std::pair<Order, int>> votes;
    for (const ValueId input : group.inputs) {
        if (builder.constant(input) != nullptr || builder.dims(input) != dims) continue;
        const Order order = canonical(builder.orderOf(input), dims);
        const auto same =
            std::find_if(votes.begin(), votes.end(), [&](const auto& vote) { return vote.first == order; });
        if (same != votes.end()) {
            ++same->second;
        } else {
            votes.emplace_back(order, 1);
        }
    }
    if (votes.empty()) return rowMajor(dims.size());
    return std::max_element(votes.begin(), votes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

/// Strides of an input by axis of the output; 0 where it is broadcast.
Dims broadcastStrides(const Dims& inputDims, const Order& order, size_t rank) {
    const Dims own = strides(order, inputDims);
    Dims result(rank, 0);
    const size_t shift = rank - inputDims.size();
    for (size_t axis = 0; axis < inputDims.size(); ++axis) {
        if (inputDims[axis] != 1) result[axis + shift] = own[axis];
    }
    return result;
}

/// Turns axes into memory order and merges neighbours that every input walks in one stride.
void setSpace(ChainProgram& program, const Dims& dims, const Order& order, const std::vector<Dims>& byAxis) {
    StridedAxes axes{.dims = memoryDims(order, dims), .strides = std::vector<Dims>(byAxis.size())};
    for (size_t index = 0; index < byAxis.size(); ++index) {
        for (const int axis : order) axes.strides[index].push_back(byAxis[index][axis]);
    }
    axes = merged(axes);
    program.dims = std::move(axes.dims);
    for (size_t index = 0; index < byAxis.size(); ++index) {
        program.inputs[index].strides = std::move(axes.strides[index]);
    }
    while (program.dims.size() < 2) {
        program.dims.insert(program.dims.begin(), 1);
        for (ChainInput& input : program.inputs) input.strides.insert(input.strides.begin(), 0);
    }
}

/// Gives tiles to values and writes the instructions.
class Assembler {
public:
    Assembler(const CpuBuilder& builder, const Group& group, const std::vector<ValueId>& outputs,
              ChainProgram& program)
        : builder_(builder), group_(group), outputs_(outputs), program_(program) {
        for (size_t index = 0; index < group.inputs.size(); ++index) tiles_[group.inputs[index]] = index;
        for (size_t index = 0; index < outputs.size(); ++index)
            tiles_[outputs[index]] = group.inputs.size() + index;
        for (const ValueId value : group.values) {
            for (const ValueId input : builder.keptBack(value)->inputs) {
                if (input.isValid()) ++usesLeft_[input];
            }
        }
    }

    void assemble() {
        for (const ValueId value : group_.values) {
            const Expression& expression = *builder_.keptBack(value);
            std::vector<uint16_t> operands;
            for (const ValueId input : expression.inputs) {
                operands.push_back(input.isValid() ? tiles_.at(input) : absent);
            }
            for (const ValueId input : expression.inputs) {
                if (input.isValid() && --usesLeft_[input] == 0) release(tiles_.at(input));
            }
            if (!tiles_.contains(value)) tiles_[value] = acquire();
            emit(expression, operands, tiles_.at(value));
        }
        program_.temporaries = temporaries_;
    }

private:
    static constexpr uint16_t absent = UINT16_MAX;
    uint16_t firstTemporary() const { return static_cast<uint16_t>(group_.inputs.size() + outputs_.size()); }

    uint16_t acquire() {
        if (!free_.empty()) {
            const uint16_t tile = free_.back();
            free_.pop_back();
            return tile;
        }
        return static_cast<uint16_t>(firstTemporary() + temporaries_++);
    }
    void release(uint16_t tile) {
        if (tile >= firstTemporary()) free_.push_back(tile);
    }

    void emit(const Expression& expression, const std::vector<uint16_t>& operands, uint16_t target) {
        const auto push = [&](Function function, uint16_t a, uint16_t b = 0, uint16_t c = 0) {
            program_.instructions.push_back({function, target, {a, b, c}, expression.p, expression.q});
        };
        if (expression.function == Function::clip && operands.size() > 1) {
            emitClip(operands, push);
        } else if (expression.function < Function::add) {
            push(expression.function, operands[0]);
        } else if (expression.function >= Function::where) {
            push(expression.function, operands[0], operands[1], operands[2]);
        } else if (operands.size() == 2) {
            push(expression.function, operands[0], operands[1]);
        } else {
            emitFold(expression.function, operands, target);
        }
    }

    template <class Push>
    void emitClip(const std::vector<uint16_t>& operands, const Push& push) {
        uint16_t from = operands[0];
        if (operands[1] != absent) {
            push(Function::maximum, from, operands[1]);
            from = program_.instructions.back().target;
        }
        if (operands.size() > 2 && operands[2] != absent) {
            push(Function::minimum, from, operands[2]);
            from = program_.instructions.back().target;
        }
        if (from == operands[0]) push(Function::copy, from);
    }

    /// Max, Min and Sum of several: pairwise. The first results go to a temporary, since the target may be
    /// the buffer of an operand that is read later.
    void emitFold(Function function, const std::vector<uint16_t>& operands, uint16_t target) {
        uint16_t sum = operands[0];
        const uint16_t spare = acquireUnlike(operands);
        for (size_t index = 1; index < operands.size(); ++index) {
            const uint16_t to = index + 1 == operands.size() ? target : spare;
            program_.instructions.push_back({function, to, {sum, operands[index], 0}, 0, 0});
            sum = to;
        }
        release(spare);
    }
    uint16_t acquireUnlike(const std::vector<uint16_t>& operands) {
        const auto isOperand = [&](uint16_t tile) {
            return std::find(operands.begin(), operands.end(), tile) != operands.end();
        };
        const auto found = std::find_if_not(free_.begin(), free_.end(), isOperand);
        if (found == free_.end()) return static_cast<uint16_t>(firstTemporary() + temporaries_++);
        const uint16_t tile = *found;
        free_.erase(found);
        return tile;
    }

    const CpuBuilder& builder_;
    const Group& group_;
    const std::vector<ValueId>& outputs_;
    ChainProgram& program_;
    std::map<ValueId, uint16_t> tiles_;
    std::map<ValueId, int> usesLeft_;
    std::vector<uint16_t> free_;
    size_t temporaries_ = 0;
};

std::string kernelName(const ChainProgram& program, const Order& order) {
    const std::string layout = orderText(order);
    std::string result = "highway ";
    if (program.instructions.size() > 1) result += text("chain of ", program.instructions.size(), ": ");
    constexpr size_t mostNamed = 6;
    for (size_t index = 0; index < program.instructions.size(); ++index) {
        if (index == mostNamed) {
            result += ", …";
            break;
        }
        if (index > 0) result += ", ";
        result += name(program.instructions[index].function);
    }
    return layout.empty() ? result : result + " " + layout;
}

/// Inputs whose buffer the first output may take over: of its size and order, and read for the last time no
/// later than the output's tile is first written.
std::vector<std::pair<size_t, size_t>> takeovers(const ChainProgram& program,
                                                 const std::vector<char>& isWhole) {
    std::vector<std::pair<size_t, size_t>> result;
    if (program.outputs[0] != DataType::float32) return result;
    const size_t output = program.inputs.size();
    size_t written = 0;
    while (program.instructions[written].target != output) ++written;
    for (size_t input = 0; input < program.inputs.size(); ++input) {
        if (isWhole[input] == 0) continue;
        size_t lastRead = 0;
        for (size_t index = 0; index < program.instructions.size(); ++index) {
            const auto& operands = program.instructions[index].operands;
            const bool isRead =
                std::find(std::begin(operands), std::end(operands), input) != std::end(operands);
            if (isRead) lastRead = index;
        }
        if (lastRead <= written) result.emplace_back(0, input);
    }
    return result;
}

}  // namespace

void emitChain(CpuBuilder& builder, ValueId root) {
    const Group group = settledGroup(builder, root);
    const std::vector<ValueId> outputs = outputsOf(builder, group);
    const Dims& dims = builder.dims(root);
    const Order order = chosenOrder(builder, group, dims);

    auto program = std::make_shared<ChainProgram>();
    Step step;
    std::vector<Dims> byAxis;
    std::vector<char> isWhole;
    for (const ValueId input : group.inputs) {
        const bool isFull = builder.dims(input) == dims;
        Place place = builder.take(input);
        if (isFull) place = {builder.take(input, order), order};
        step.inputs.push_back(place.slot);
        program->inputs.push_back({builder.element(input), {}});
        byAxis.push_back(broadcastStrides(builder.dims(input), place.order, dims.size()));
        isWhole.push_back(isFull && builder.constant(input) == nullptr &&
                          builder.element(input) == DataType::float32);
    }
    setSpace(*program, dims, order, byAxis);
    for (const ValueId output : outputs) program->outputs.push_back(builder.element(output));
    Assembler(builder, group, outputs, *program).assemble();
    planTiles(*program, builder.threads());

    for (const ValueId value : group.values) {
        const auto& nodes = builder.keptBack(value)->nodes;
        step.nodes.insert(step.nodes.end(), nodes.begin(), nodes.end());
    }
    step.kernel = kernelName(*program, canonical(order, dims));
    step.inPlace = takeovers(*program, isWhole);
    step.workspaceBytes = program->workspacePerThread * builder.threads();
    step.code = [program, threads = builder.threads()](StepContext& context) {
        const void* inputs[mostTiles + 8];
        void* outs[mostTiles + 8];
        for (size_t index = 0; index < program->inputs.size(); ++index)
            inputs[index] = context.input<void>(index);
        for (size_t index = 0; index < program->outputs.size(); ++index)
            outs[index] = context.output<void>(index);
        runChain(*program, inputs, outs, context.workspace(), threads);
    };
    for (const ValueId output : outputs) step.outputs.push_back(builder.define(output, order));
    builder.add(std::move(step));
}

}  // namespace engine::cpu
