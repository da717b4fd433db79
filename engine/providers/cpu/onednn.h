#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "engine/core/dim.h"
#include "engine/providers/cpu/order.h"
#include "engine/providers/provider.h"

namespace engine::cpu {

const dnnl::engine& onednnEngine();
/// This thread's stream.
const dnnl::stream& onednnStream();

/// How many threads oneDNN's primitives are made for, and run with, on this thread while it lives.
class ThreadScope {
public:
    explicit ThreadScope(int threads);
    ~ThreadScope();
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;

private:
    int before_;
};

dnnl::memory::desc denseDesc(const Dims& dims, const Order& order);
/// Strides in elements, by axis.
dnnl::memory::desc stridedDesc(const Dims& dims, const Dims& strides);
dnnl::memory::desc anyDesc(const Dims& dims);

/// A oneDNN primitive with the memory it works on, ready to run with no allocation. Thread-safe: overlapping
/// runs take argument sets from a pool.
class OnednnCall {
public:
    struct Argument {
        int id;
        dnnl::memory::desc desc;
    };
    OnednnCall(dnnl::primitive primitive, std::vector<Argument> arguments);
    ~OnednnCall();
    OnednnCall(const OnednnCall&) = delete;
    OnednnCall& operator=(const OnednnCall&) = delete;

    /// One pointer per argument, in their order.
    void run(std::span<void* const> pointers) const;

private:
    struct ArgumentSet;
    std::unique_ptr<ArgumentSet> makeSet() const;

    dnnl::primitive primitive_;
    std::vector<Argument> arguments_;
    static constexpr size_t mostSpare = 8;
    mutable std::atomic<ArgumentSet*> spare_[mostSpare] = {};
};

/// A step's code that runs the primitive on the step's inputs in order, then its output, then its workspace
/// as the scratchpad; `arguments` stand in that order. Runs with as many threads as this thread's scope says
/// now.
StepCode onednnCode(const dnnl::primitive& primitive, std::vector<OnednnCall::Argument> arguments);

/// Brings weights into the layout a primitive wants; once, while compiling.
void reorderNow(const dnnl::memory::desc& from, const void* source, const dnnl::memory::desc& to,
                void* target);

/// The best time of a few calls, in ns; about `budgetNs` are spent on it.
double timeOf(const std::function<void()>& call, double budgetNs = 2e6);

}  // namespace engine::cpu
