#include "engine/providers/cpu/onednn.h"

#include <chrono>

#include <omp.h>

#include "engine/core/error.h"

namespace engine::cpu {

const dnnl::engine& onednnEngine() {
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

const dnnl::stream& onednnStream() {
    static thread_local const dnnl::stream stream(onednnEngine());
    return stream;
}

ThreadScope::ThreadScope(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
ThreadScope::~ThreadScope() { omp_set_num_threads(before_); }

dnnl::memory::desc denseDesc(const Dims& dims, const Order& order) {
    return stridedDesc(dims, strides(order, dims));
}

dnnl::memory::desc stridedDesc(const Dims& dims, const Dims& strides) {
    return {dims, dnnl::memory::data_type::f32, strides};
}

dnnl::memory::desc anyDesc(const Dims& dims) {
    return {dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any};
}

struct OnednnCall::ArgumentSet {
    std::vector<dnnl::memory> memories;
    std::vector<void*> pointers;
    std::vector<dnnl_exec_arg_t> arguments;
};

OnednnCall::OnednnCall(dnnl::primitive primitive, std::vector<Argument> arguments)
    : primitive_(std::move(primitive)), arguments_(std::move(arguments)) {
    spare_[0] = makeSet().release();
}

OnednnCall::~OnednnCall() {
    for (auto& spare : spare_) delete spare.load();
}

std::unique_ptr<OnednnCall::ArgumentSet> OnednnCall::makeSet() const {
    auto set = std::make_unique<ArgumentSet>();
    for (const Argument& argument : arguments_) {
        set->memories.emplace_back(argument.desc, onednnEngine(), nullptr);
        set->arguments.push_back({argument.id, set->memories.back().get()});
    }
    set->pointers.resize(arguments_.size());
    return set;
}

void OnednnCall::run(std::span<void* const> pointers) const {
    std::unique_ptr<ArgumentSet> set;
    for (size_t index = 0; index < mostSpare && !set; ++index) {
        if (spare_[index].load(std::memory_order_relaxed) != nullptr)
            set.reset(spare_[index].exchange(nullptr));
    }
    if (!set) set = makeSet();
    for (size_t index = 0; index < pointers.size(); ++index) {
        if (set->pointers[index] == pointers[index]) continue;
        set->memories[index].set_data_handle(pointers[index]);
        set->pointers[index] = pointers[index];
    }
    const dnnl_status_t status =
        dnnl_primitive_execute(primitive_.get(), onednnStream().get(),
                               static_cast<int>(set->arguments.size()), set->arguments.data());
    for (auto& spare : spare_) {
        ArgumentSet* none = nullptr;
        if (spare.compare_exchange_strong(none, set.get())) {
            (void)set.release();
            break;
        }
    }
    if (status != dnnl_success) fail("oneDNN refused to run: status ", static_cast<int>(status));
}

StepCode onednnCode(const dnnl::primitive& primitive, std::vector<OnednnCall::Argument> arguments) {
    const size_t inputs = arguments.size() - 2;
    const auto call = std::make_shared<const OnednnCall>(primitive, std::move(arguments));
    return [call, inputs, threads = omp_get_max_threads()](StepContext& context) {
        const ThreadScope scope(threads);
        constexpr size_t most = 40;
        void* pointers[most];
        for (size_t index = 0; index < inputs; ++index) {
            pointers[index] = const_cast<void*>(context.input<void>(index));  // NOLINT: only read
        }
        pointers[inputs] = context.output<void>(0);
        pointers[inputs + 1] = context.workspace();
        call->run({pointers, inputs + 2});
    };
}

void reorderNow(const dnnl::memory::desc& from, const void* source, const dnnl::memory::desc& to,
                void* target) {
    dnnl::memory input(from, onednnEngine(), const_cast<void*>(source));  // NOLINT: only read
    dnnl::memory output(to, onednnEngine(), target);
    dnnl::stream stream(onednnEngine());
    dnnl::reorder(input, output).execute(stream, input, output);
    stream.wait();
}

double timeOf(const std::function<void()>& call, double budgetNs) {
    using Clock = std::chrono::steady_clock;
    call();
    double best = 1e300;
    double spent = 0;
    for (int turn = 0; turn < 50 && (turn < 2 || spent < budgetNs); ++turn) {
        const auto begin = Clock::now();
        call();
        const double elapsed = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
        best = std::min(best, elapsed);
        spent += elapsed;
    }
    return best;
}

}  // namespace engine::cpu
