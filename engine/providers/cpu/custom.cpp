#include "engine/providers/cpu/custom.h"

#include "engine/ops/custom_ops.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {

const OpscopeKernel* customKernelOf(const OpDef* op) {
    return op == nullptr || op->custom == nullptr ? nullptr : customKernel(*op->custom, "cpu");
}

void addCustomStep(CpuBuilder& builder, const NodeView& node) {
    const OpscopeKernel* kernel = customKernelOf(&node.op());
    const int threads = builder.threads();
    builder.addWhole(
        node.id(), "custom " + node.node().operatorType, [kernel, threads](KernelContext& context) {
            runCustomKernel(*kernel, context,
                            [threads](int64_t count, int64_t bytesPerItem, const auto& body) {
                                parallelRange(threadsFor(threads, count * bytesPerItem), count,
                                              [&](int64_t begin, int64_t end, int) { body(begin, end); });
                            });
        });
}

}  // namespace engine::cpu
