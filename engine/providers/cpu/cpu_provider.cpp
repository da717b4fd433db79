#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

#include "engine/core/error.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/custom.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/onednn.h"
#include "engine/providers/cpu/switches.h"

namespace engine {

template <>
Registry<cpu::CpuKernel>& Registry<cpu::CpuKernel>::instance() {
    static Registry<cpu::CpuKernel> registry;
    return registry;
}

template <>
Registry<cpu::CpuPattern>& Registry<cpu::CpuPattern>::instance() {
    static Registry<cpu::CpuPattern> registry;
    return registry;
}

namespace cpu {

bool CpuKernel::operator<(const CpuKernel& other) const {
    const int names = std::strcmp(name, other.name);
    return names != 0 ? names < 0 : std::strcmp(domain, other.domain) < 0;
}

bool CpuPattern::operator<(const CpuPattern& other) const { return std::strcmp(name, other.name) < 0; }

const CpuKernel* findKernel(const std::string& domain, const std::string& name) {
    return Registry<CpuKernel>::instance().find({name.c_str(), domain.c_str(), nullptr, nullptr});
}

bool isKnownAhead(const NodeView& node, size_t index) {
    if (!node.hasInput(index)) return false;
    if (node.constant(index) != nullptr) return true;
    const uint32_t value = node.node().inputs[index].index;
    return value < node.graph().known.size() && !node.graph().known[value].isNothing();
}

Support acceptTypes(const NodeView& node, std::initializer_list<DataType> types) {
    const auto isAmong = [&](DataType type) {
        return std::find(types.begin(), types.end(), type) != types.end();
    };
    if (!node.inputType(0).isTensor()) return Support::no("input 0 is no tensor");
    if (!isAmong(node.inputElement(0))) return Support::no("no tuned kernel for ", node.inputElement(0));
    if (!isAmong(node.outputType(0).element))
        return Support::no("no tuned kernel that gives ", node.outputType(0).element);
    return Support::yes();
}

Support acceptIndices(const NodeView& node) {
    if (node.inputElement(0) == DataType::string) return Support::no("no tuned kernel for strings");
    const DataType index = node.inputElement(1);
    if (index != DataType::int64 && index != DataType::int32) return Support::no("indices are ", index);
    return Support::yes();
}

Support acceptFloat(const NodeView& node) {
    for (size_t index = 0; index < node.inputCount(); ++index) {
        if (node.hasInput(index) && node.inputElement(index) != DataType::float32) {
            return Support::no("input ", index, " is ", node.inputElement(index),
                               ", the tuned kernel takes float32");
        }
    }
    for (size_t index = 0; index < node.outputCount(); ++index) {
        if (node.hasOutput(index) && node.outputType(index).element != DataType::float32) {
            return Support::no("output ", index, " is ", node.outputType(index).element,
                               ", the tuned kernel gives float32");
        }
    }
    return Support::yes();
}

namespace {

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    }
    return "CPU";
}

bool isTensorOfKnownRank(const Type& type) { return type.isTensor() && type.shape.has_value(); }

/// Kernels are written for data and results that have elements; the rest is the reference's. Other inputs may
/// be empty: that is how some operators are told that they are missing.
bool hasEmptyTensor(CpuBuilder& builder, const Node& node) {
    const auto isEmpty = [&](ValueId value) { return value.isValid() && builder.elements(value) == 0; };
    return (!node.inputs.empty() && isEmpty(node.inputs[0])) ||
           std::any_of(node.outputs.begin(), node.outputs.end(), isEmpty);
}

class CpuProvider final : public Provider {
public:
    CpuProvider() { switches(); }

    ProviderInfo info() const override {
        static const std::string device = text(processorName(), ", ", vectorTargetName());
        return {.name = "cpu", .device = device};
    }

    bool hasKernel(const std::string& domain, const std::string& operatorType) const override {
        return findKernel(domain, operatorType) != nullptr ||
               customKernelOf(findOp(domain, operatorType, std::numeric_limits<int>::max())) != nullptr;
    }

    Support supports(const NodeView& node) const override {
        if (!node.isKnownOperator()) return Support::no("the operator is unknown");
        const CpuKernel* kernel = findKernel(node.node().domain, node.node().operatorType);
        if (kernel == nullptr && customKernelOf(&node.op()) == nullptr) {
            return Support::no("no tuned kernel for this operator");
        }
        for (size_t index = 0; index < node.inputCount(); ++index) {
            if (node.hasInput(index) && !isTensorOfKnownRank(node.inputType(index))) {
                return Support::no("input ", index, " is ", typeText(node.inputType(index)),
                                   ", tuned kernels need tensors of known rank");
            }
        }
        for (size_t index = 0; index < node.outputCount(); ++index) {
            if (node.hasOutput(index) && !isTensorOfKnownRank(node.outputType(index))) {
                return Support::no("output ", index, " is ", typeText(node.outputType(index)),
                                   ", tuned kernels need tensors of known rank");
            }
        }
        return kernel == nullptr ? Support::yes() : kernel->accepts(node);
    }

    void compile(PartitionBuilder& partition, const CompileOptions& options) const override {
        const ThreadScope threads(options.threads);
        CpuBuilder builder(partition, options);
        static const std::vector<const CpuPattern*> patterns = Registry<CpuPattern>::instance().entries();
        const auto inTurn = [&](NodeId id, const std::function<void(const NodeView&)>& work) {
            builder.turnBegins(id);
            try {
                work(builder.view(id));
            } catch (Error& error) {
                error.addContext(describe(*partition.graph().graph, id));
                throw;
            }
            builder.turnIsOver(id);
        };
        const auto prepare = [&](const NodeView& node) {
            if (hasEmptyTensor(builder, node.node())) return builder.addReference(node.id());
            const bool isPart = std::any_of(patterns.begin(), patterns.end(), [&](const CpuPattern* pattern) {
                return pattern->match(builder, node);
            });
            if (isPart) return;
            const CpuKernel* kernel = findKernel(node.node().domain, node.node().operatorType);
            kernel == nullptr ? addCustomStep(builder, node) : kernel->prepare(builder, node);
        };
        builder.prepareNode = [&](NodeId id) { inTurn(id, prepare); };
        for (const NodeId id : partition.nodes()) {
            if (builder.isAbsorbed(id)) {
                inTurn(id, [&](const NodeView&) { builder.emitPostponed(id); });
            } else {
                inTurn(id, prepare);
            }
        }
        builder.finish();
    }
};

const ProviderEntry entry{"cpu",
                          []() -> std::unique_ptr<Provider> { return std::make_unique<CpuProvider>(); }};
const Register<ProviderEntry> registered{entry};

}  // namespace
}  // namespace cpu
}  // namespace engine
