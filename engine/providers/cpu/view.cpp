#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (node.inputElement(0) == DataType::string) return Support::no("no tuned kernel for strings");
    return Support::yes();
}

/// Outside of training, where nobody asks what was dropped.
Support acceptsDropout(const NodeView& node) {
    if (node.hasInput(2)) return Support::no("may be training");
    if (node.hasOutput(1)) return Support::no("has a mask");
    return accepts(node);
}

/// The order that the result of inserting or dropping axes of size 1 has: the other axes keep theirs.
Order orderAfterResize(const Order& order, const Dims& from, const Dims& to) {
    std::vector<int> oldAxes;
    std::vector<int> newAxes;
    for (size_t axis = 0; axis < from.size(); ++axis) {
        if (from[axis] != 1) oldAxes.push_back(static_cast<int>(axis));
    }
    Order result;
    for (size_t axis = 0; axis < to.size(); ++axis) {
        if (to[axis] != 1) newAxes.push_back(static_cast<int>(axis));
        if (to[axis] == 1) result.push_back(static_cast<int>(axis));
    }
    for (const int axis : order) {
        const auto at = std::find(oldAxes.begin(), oldAxes.end(), axis);
        if (at != oldAxes.end()) result.push_back(newAxes[at - oldAxes.begin()]);
    }
    return result;
}

Dims withoutOnes(const Dims& dims) {
    Dims result;
    std::copy_if(dims.begin(), dims.end(), std::back_inserter(result), [](int64_t dim) { return dim != 1; });
    return result;
}

/// A view where the elements lie in the right order; else they are brought into row-major order first.
void prepare(CpuBuilder& builder, const NodeView& node) {
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    const Dims& from = builder.dims(input);
    const Dims& to = builder.dims(output);
    const Order order = builder.orderOf(input);
    if (withoutOnes(from) == withoutOnes(to)) {
        return builder.alias(output, orderAfterResize(order, from, to), input, order, node.id());
    }
    builder.alias(output, rowMajor(to.size()), input, rowMajor(from.size()), node.id());
}

const CpuKernel reshape{"Reshape", "", accepts, prepare};
const CpuKernel squeeze{"Squeeze", "", accepts, prepare};
const CpuKernel unsqueeze{"Unsqueeze", "", accepts, prepare};
const CpuKernel flatten{"Flatten", "", accepts, prepare};
const CpuKernel identity{"Identity", "", accepts, prepare};
const CpuKernel dropout{"Dropout", "", acceptsDropout, prepare};
const Register<CpuKernel> registered[] = {Register{reshape}, Register{squeeze},  Register{unsqueeze},
                                          Register{flatten}, Register{identity}, Register{dropout}};

}  // namespace
}  // namespace engine::cpu
