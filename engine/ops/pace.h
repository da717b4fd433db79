#pragma once

#include "engine/ops/kernel_context.h"

namespace engine {

/// Keeps a long kernel cancellable: calls the context's checkpoint() about once every million elementary
/// operations that it is told of. Cheap enough for inner loops.
class Pace {
public:
    explicit Pace(const KernelContext& context) : context_(context) {}

    void spend(int64_t operations) {
        left_ -= operations;
        if (left_ > 0) return;
        context_.checkpoint();
        left_ = int64_t{1} << 20;
    }

private:
    const KernelContext& context_;
    int64_t left_ = int64_t{1} << 20;
};

}  // namespace engine
