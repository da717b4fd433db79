#include "engine/providers/cpu/whole.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/walk.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/whole_loops.h"

// Element-wise operators on integers and truths, each a step of its own.

namespace engine::cpu {
namespace {

struct Row {
    const char* operatorType;
    WholeFunction function;
    bool isSwapped = false;
};
constexpr Row rows[] = {
    {"Add", WholeFunction::add},
    {"Sub", WholeFunction::subtract},
    {"Mul", WholeFunction::multiply},
    {"Div", WholeFunction::divide},
    {"Max", WholeFunction::maximum},
    {"Min", WholeFunction::minimum},
    {"Neg", WholeFunction::subtract},
    {"Clip", WholeFunction::clip},
    {"Equal", WholeFunction::equal},
    {"Less", WholeFunction::less},
    {"LessOrEqual", WholeFunction::lessOrEqual},
    {"Greater", WholeFunction::less, true},
    {"GreaterOrEqual", WholeFunction::lessOrEqual, true},
    {"And", WholeFunction::logicalAnd},
    {"Or", WholeFunction::logicalOr},
    {"Xor", WholeFunction::logicalXor},
    {"Not", WholeFunction::logicalXor},
    {"Where", WholeFunction::where},
};

const Row* rowOf(const std::string& operatorType) {
    const auto* found = std::find_if(std::begin(rows), std::end(rows),
                                     [&](const Row& row) { return operatorType == row.operatorType; });
    return found == std::end(rows) ? nullptr : found;
}

bool isArithmeticType(DataType type) { return type == DataType::int32 || type == DataType::int64; }

/// Types that are told apart by their bits alone.
bool isWholeType(DataType type) {
    return isArithmeticType(type) || type == DataType::boolean || type == DataType::uint8 ||
           type == DataType::int8 || type == DataType::uint16 || type == DataType::int16 ||
           type == DataType::uint32 || type == DataType::uint64;
}

bool isAccepted(WholeFunction function, DataType type) {
    switch (function) {
        case WholeFunction::logicalAnd:
        case WholeFunction::logicalOr:
        case WholeFunction::logicalXor:
            return type == DataType::boolean;
        case WholeFunction::equal:
        case WholeFunction::where:
            return isWholeType(type);
        default:
            return isArithmeticType(type);
    }
}

/// A row-major result in rows along which every operand goes on, or stands.
struct Plan {
    WholeFunction function = WholeFunction::add;
    DataType type = DataType::int64;
    StridedAxes axes = {};           ///< the last is a row
    std::vector<size_t> sizes = {};  ///< bytes of an element of each operand
    size_t resultSize = 1;
    int64_t divisorCount = 0;  ///< how many elements must not be 0

    int64_t rowCount() const {
        int64_t count = 1;
        for (size_t axis = 0; axis + 1 < axes.dims.size(); ++axis) count *= axes.dims[axis];
        return count;
    }
};

/// A part of a row, of long rows in pieces so that threads can share them.
void runPart(const Plan& plan, const char* const* operands, char* to, int64_t row, int64_t first, int64_t n) {
    constexpr size_t most = 3;
    WholeOperand here[most];
    const size_t last = plan.axes.dims.size() - 1;
    for (size_t k = 0; k < plan.axes.strides.size(); ++k) {
        const Dims& strides = plan.axes.strides[k];
        const int64_t offset = strides[last] * first + rowOffset(row, plan.axes.dims, strides, last);
        here[k] = {operands[k] + offset * static_cast<int64_t>(plan.sizes[k]),
                   plan.axes.strides[k][last] == 0};
    }
    const int64_t at = row * plan.axes.dims[last] + first;
    wholeRow(plan.function, plan.type, here, to + at * static_cast<int64_t>(plan.resultSize), n);
}

/// Throws Error if a divisor is 0, before threads begin: no error may leave one.
void checkDivisors(const Plan& plan, const char* divisors) {
    dispatchAmong<int32_t, int64_t>(plan.type, [&]<class T>(std::type_identity<T>) {
        const T* first = reinterpret_cast<const T*>(divisors);
        const T* last = first + plan.divisorCount;
        if (std::find(first, last, T{0}) != last) fail("integer division by zero");
    });
}

void run(const Plan& plan, const char* const* operands, char* to, int threads) {
    const int64_t width = plan.axes.dims.back();
    const int64_t rowCount = plan.rowCount();
    if (rowCount * width == 0) return;
    if (plan.divisorCount > 0) checkDivisors(plan, operands[1]);
    threads = threadsFor(threads, rowCount * width * static_cast<int64_t>(plan.sizes.back()));
    const int64_t parts = rowCount >= threads ? 1 : std::min<int64_t>(threads, width);
    parallelRange(threads, rowCount * parts, [&](int64_t begin, int64_t end, int) {
        for (int64_t index = begin; index < end; ++index) {
            const int64_t part = index % parts;
            const int64_t first = width * part / parts;
            runPart(plan, operands, to, index / parts, first, width * (part + 1) / parts - first);
        }
    });
}

ValueId scalarOf(CpuBuilder& builder, DataType type, int64_t value) {
    Tensor tensor = Tensor::allocate(type, {});
    dispatchAmong<int32_t, int64_t, bool>(
        type, [&]<class T>(std::type_identity<T>) { tensor.mutableValues<T>()[0] = static_cast<T>(value); });
    return builder.addValue(std::move(tensor));
}

int64_t lowestOf(DataType type) {
    return type == DataType::int64 ? std::numeric_limits<int64_t>::min()
                                   : std::numeric_limits<int32_t>::min();
}
int64_t highestOf(DataType type) {
    return type == DataType::int64 ? std::numeric_limits<int64_t>::max()
                                   : std::numeric_limits<int32_t>::max();
}

/// What the function reads, made up of constants where the node leaves it out.
std::vector<ValueId> operandsOf(CpuBuilder& builder, const NodeView& node, const Row& row) {
    const std::string& type = node.node().operatorType;
    const DataType element = builder.element(node.node().inputs[0]);
    std::vector<ValueId> operands = node.node().inputs;
    if (type == "Neg") return {scalarOf(builder, element, 0), operands[0]};
    if (type == "Not") return {operands[0], scalarOf(builder, element, 1)};
    if (type == "Clip") {
        operands.resize(3);
        if (!operands[1].isValid()) operands[1] = scalarOf(builder, element, lowestOf(element));
        if (!operands[2].isValid()) operands[2] = scalarOf(builder, element, highestOf(element));
    }
    if (row.isSwapped) std::swap(operands[0], operands[1]);
    return operands;
}

}  // namespace

Support acceptsWhole(const NodeView& node) {
    const Row* row = rowOf(node.node().operatorType);
    if (row == nullptr) return Support::no("no loops of whole numbers");
    const size_t typed = row->function == WholeFunction::where ? 1 : 0;
    const DataType type = node.inputElement(typed);
    if (!isAccepted(row->function, type)) return Support::no("no loops for ", type);
    const bool isUnary = node.node().operatorType == "Neg" || node.node().operatorType == "Not";
    const bool isClip = row->function == WholeFunction::clip;
    const size_t wanted = isUnary ? 1 : row->function == WholeFunction::where ? 3 : 2;
    if (!isClip && node.inputCount() != wanted) return Support::no("found ", node.inputCount(), " inputs");
    return Support::yes();
}

void addWholeStep(CpuBuilder& builder, const NodeView& node) {
    const Row& row = *rowOf(node.node().operatorType);
    const ValueId output = node.node().outputs[0];
    const std::vector<ValueId> operands = operandsOf(builder, node, row);
    if (row.function == WholeFunction::clip) {
        const bool isEach = builder.elements(operands[1]) == 1 && builder.elements(operands[2]) == 1;
        if (!isEach) return builder.addReference(node.id());
    }
    Plan plan{.function = row.function,
              .type = builder.element(operands.back()),
              .axes = {builder.dims(output), {}}};
    Step step{.kernel = text("highway ", node.node().operatorType, " of ", plan.type), .nodes = {node.id()}};
    for (const ValueId operand : operands) {
        step.inputs.push_back(builder.takeRowMajor(operand));
        plan.axes.strides.push_back(broadcastStrides(builder.dims(operand), plan.axes.dims));
        plan.sizes.push_back(bytesInMemory(builder.element(operand)));
    }
    plan.resultSize = bytesInMemory(builder.element(output));
    if (row.function == WholeFunction::divide) plan.divisorCount = builder.elements(operands[1]);
    plan.axes = merged(plan.axes);
    if (plan.axes.dims.empty()) plan.axes = {{1}, std::vector<Dims>(operands.size(), Dims{0})};
    step.outputs = {builder.defineRowMajor(output)};
    step.code = [plan = std::make_shared<const Plan>(std::move(plan)),
                 threads = builder.threads()](StepContext& context) {
        const char* pointers[3];
        for (size_t k = 0; k < plan->axes.strides.size(); ++k) pointers[k] = context.input<char>(k);
        run(*plan, pointers, context.output<char>(0), threads);
    };
    builder.add(std::move(step));
}

}  // namespace engine::cpu
