#pragma once

#include <deque>
#include <string>
#include <vector>

#include "engine/ops/custom_ops.h"
#include "engine/ops/kernel_context.h"

/// What a library's function is called with: the node, and whichever of the engine's contexts the call has.
struct OpscopeContext {
    explicit OpscopeContext(const engine::Node& node) : attributes(node) {}

    const engine::AttributeReader attributes;
    engine::InferContext* infer = nullptr;
    const engine::WorkContext* work = nullptr;
    engine::KernelContext* kernel = nullptr;
    const engine::ParallelLoop* loop = nullptr;

    engine::Work result = {{}, {}, {}};  ///< of `work`
    std::string failure = {};
    bool isCancelled = false;
    std::vector<engine::Dim> symbols = {};  ///< what -2, -3, … stand for
    std::deque<engine::Dims> dims = {};     ///< that tensors point to
    std::deque<engine::Tensor> tensors = {};
    std::vector<engine::Tensor*> outputs = {};  ///< that the kernel has made, by index

    /// The number by which the library knows the dim.
    int64_t number(const engine::Dim& dim);
    /// Throws Error on a number that was never handed out.
    engine::Dim dim(int64_t number) const;
};

namespace engine {

/// Calls the library's function; throws Error with its reason if it fails, Cancelled if it stopped because it
/// was told to.
void callCustom(const std::function<int(const OpscopeApi*)>& function, OpscopeContext& context);

}  // namespace engine
