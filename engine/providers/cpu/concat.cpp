#include <algorithm>

#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/move.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (node.inputElement(0) == DataType::string) return Support::no("no tuned kernel for strings");
    return Support::yes();
}

/// The order in which the largest input lies.
Order orderOfLargest(CpuBuilder& builder, const NodeView& node) {
    ValueId largest = node.node().inputs[0];
    for (const ValueId input : node.node().inputs) {
        if (builder.elements(input) > builder.elements(largest)) largest = input;
    }
    return builder.orderOf(largest);
}

/// The rows first … first + count - 1 of a move of rows.
Move rowsOf(Move move, int64_t first, int64_t count) {
    move.dims[0] = count;
    move.fromOffset += first * move.fromStrides[0];
    move.toOffset += first * move.toStrides[0];
    return move;
}

/// Calls run(index, move, threads) for all moves; where they lay or take side by side the parts of the same
/// rows, a few rows at a time, so that no line of memory is fetched for each of them.
template <class Run>
void runTogether(const std::vector<Move>& moves, size_t size, int threads, const Run& run) {
    int64_t rowBytes = 0;
    bool areRows = moves.size() > 1;
    for (const Move& move : moves) {
        areRows = areRows && move.dims.size() == 2 && move.dims[0] == moves[0].dims[0];
        rowBytes += move.dims.back() * static_cast<int64_t>(size);
    }
    constexpr int64_t mostRowBytes = 4096;
    if (!areRows || rowBytes > mostRowBytes) {
        for (size_t index = 0; index < moves.size(); ++index) run(index, moves[index], threads);
        return;
    }
    constexpr int64_t partBytes = 65536;
    const int64_t part = partBytes / rowBytes;
    const int64_t rows = moves[0].dims[0];
    parallelRange(threadsFor(threads, rows * rowBytes), rows, [&](int64_t begin, int64_t end, int) {
        for (int64_t first = begin; first < end; first += part) {
            const int64_t count = std::min(part, end - first);
            for (size_t index = 0; index < moves.size(); ++index) {
                run(index, rowsOf(moves[index], first, count), 1);
            }
        }
    });
}

void prepareConcat(CpuBuilder& builder, const NodeView& node) {
    const ValueId output = node.node().outputs[0];
    const Dims& dims = builder.dims(output);
    const int64_t axis = normalizedAxis(node.read().integer("axis"), static_cast<int64_t>(dims.size()));
    const Order order = orderOfLargest(builder, node);
    const Dims toStrides = strides(order, dims);
    Step step{.kernel = "concat " + orderText(order), .nodes = {node.id()}};
    std::vector<Move> moves;
    int64_t at = 0;
    for (const ValueId input : node.node().inputs) {
        const Dims& its = builder.dims(input);
        if (builder.elements(input) == 0) continue;
        const Dims fromStrides = strides(order, its);
        Move move;
        for (const int place : order) {
            move.dims.push_back(its[place]);
            move.fromStrides.push_back(fromStrides[place]);
            move.toStrides.push_back(toStrides[place]);
        }
        move.toOffset = at * toStrides[axis];
        at += its[axis];
        moves.push_back(merged(move));
        step.inputs.push_back(builder.take(input, order));
    }
    step.outputs = {builder.define(output, order)};
    step.code = [moves, size = bytesInMemory(builder.element(output)),
                 threads = builder.threads()](StepContext& context) {
        runTogether(moves, size, threads, [&](size_t index, const Move& move, int its) {
            runMove(move, size, context.input<void>(index), context.output<void>(0), its);
        });
    };
    builder.add(std::move(step));
}

void prepareSplit(CpuBuilder& builder, const NodeView& node) {
    const ValueId input = node.node().inputs[0];
    const Dims& dims = builder.dims(input);
    const int64_t axis = normalizedAxis(node.read().integer("axis", 0), static_cast<int64_t>(dims.size()));
    const Order order = builder.orderOf(input);
    const Dims fromStrides = strides(order, dims);
    Step step{
        .kernel = "split " + orderText(order), .nodes = {node.id()}, .inputs = {builder.take(input, order)}};
    std::vector<Move> moves;
    int64_t at = 0;
    for (const ValueId output : node.node().outputs) {
        const Dims& its = builder.dims(output);
        const Dims toStrides = strides(order, its);
        Move move;
        for (const int place : order) {
            move.dims.push_back(its[place]);
            move.fromStrides.push_back(fromStrides[place]);
            move.toStrides.push_back(toStrides[place]);
        }
        move.fromOffset = at * fromStrides[axis];
        at += its[axis];
        moves.push_back(merged(move));
        step.outputs.push_back(builder.define(output, order));
    }
    step.code = [moves, size = bytesInMemory(builder.element(input)),
                 threads = builder.threads()](StepContext& context) {
        runTogether(moves, size, threads, [&](size_t index, const Move& move, int its) {
            runMove(move, size, context.input<void>(0), context.output<void>(index), its);
        });
    };
    builder.add(std::move(step));
}

Support acceptsSplit(const NodeView& node) {
    for (size_t index = 0; index < node.outputCount(); ++index) {
        if (!node.hasOutput(index)) return Support::no("output ", index, " is omitted");
    }
    return accepts(node);
}

const CpuKernel concat{"Concat", "", accepts, prepareConcat};
const CpuKernel split{"Split", "", acceptsSplit, prepareSplit};
const Register<CpuKernel> registered[] = {Register{concat}, Register{split}};

}  // namespace
}  // namespace engine::cpu
