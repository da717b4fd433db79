#include <algorithm>

#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (node.inputElement(0) == DataType::string) return Support::no("no tuned kernel for strings");
    return Support::yes();
}

/// Nothing is moved: the result is the same memory with its axes in another order. Who needs the elements in
/// that order brings them there.
void prepare(CpuBuilder& builder, const NodeView& node) {
    const ValueId input = node.node().inputs[0];
    const ValueId output = node.node().outputs[0];
    std::vector<int64_t> perm = node.read().integers("perm");
    if (perm.empty()) {
        for (size_t axis = builder.dims(input).size(); axis-- > 0;)
            perm.push_back(static_cast<int64_t>(axis));
    }
    const Order order = builder.orderOf(input);
    builder.alias(output, transposed(order, perm), input, order, node.id());
}

const CpuKernel transpose{"Transpose", "", accepts, prepare};
const Register<CpuKernel> registered{transpose};

}  // namespace
}  // namespace engine::cpu
