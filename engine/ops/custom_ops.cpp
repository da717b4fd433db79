#include "engine/ops/custom_ops.h"

#include <deque>
#include <limits>
#include <map>
#include <mutex>

#include "engine/core/error.h"
#include "engine/core/shared_library.h"
#include "engine/ops/custom_context.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

/// A node of a custom operator: OpDef::attributes makes it, and the library's functions work on it.
struct Instance {
    Instance(const CustomOperator& which, const Node& where) : custom(which), node(where) {}
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    ~Instance() {
        if (custom.description->destroy != nullptr && made != nullptr) custom.description->destroy(made);
    }

    const CustomOperator& custom;
    const Node node;  ///< a copy: not every context has the node
    void* made = nullptr;
};

std::string fullName(const OpscopeOperator& op) { return orEmpty(op.domain) + "." + orEmpty(op.name); }

std::span<const OpscopeAttribute> attributesOf(const OpscopeOperator& op) {
    return {op.attributes, op.attributeCount};
}
std::span<const OpscopeKernel> kernelsOf(const OpscopeOperator& op) { return {op.kernels, op.kernelCount}; }

// --- what a node brings, held to what the operator says of itself

void checkAttributes(const OpscopeOperator& op, const Node& node) {
    std::vector<std::string> names;
    for (const OpscopeAttribute& declared : attributesOf(op)) {
        names.emplace_back(declared.name);
        const Attribute* found = node.attribute(declared.name);
        if (found == nullptr && declared.isRequired != 0) {
            fail("attribute '", declared.name, "' is missing, expected one of kind ", declared.kind);
        }
        if (found != nullptr && kindText(found->value) != declared.kind) {
            fail("attribute '", declared.name, "' is of kind ", kindText(found->value), ", expected ",
                 declared.kind);
        }
    }
    for (const Attribute& attribute : node.attributes) {
        if (std::find(names.begin(), names.end(), attribute.name) != names.end()) continue;
        fail("attribute '", attribute.name, "' is unknown to ", fullName(op),
             "; it has: ", join(names, ", "));
    }
}

void checkCount(const char* what, std::span<const OpscopeParameter> declared, size_t count) {
    size_t least = 0;
    for (size_t i = 0; i < declared.size(); ++i) {
        if (declared[i].kind != OPSCOPE_OPTIONAL) least = i + 1;
    }
    const bool isOpen = !declared.empty() && declared.back().kind == OPSCOPE_VARIADIC;
    if (count < least) fail("found ", count, " ", what, ", expected at least ", least);
    if (count > declared.size() && !isOpen)
        fail("found ", count, " ", what, ", expected at most ", declared.size());
}

bool holds(uint64_t types, DataType element) {
    return (types & OPSCOPE_TYPE(static_cast<unsigned>(element))) != 0;
}

/// Holds element types to the sets that the parameters allow, and those of one variable to each other.
class TypeCheck {
public:
    void operator()(const char* what, size_t index, const OpscopeParameter& parameter, const Type& type) {
        if (type.kind == Type::Kind::unknown || (type.isTensor() && type.element == DataType::undefined))
            return;
        if (!type.isTensor())
            fail(what, " ", index, " is ", typeText(type), ", custom operators take tensors");
        if (!holds(parameter.types, type.element)) {
            fail(what, " ", index, " ('", parameter.name, "') is of element type ", type.element,
                 ", expected ", elementTypesText(parameter.types));
        }
        const std::string variable = orEmpty(parameter.typeVariable);
        if (variable.empty()) return;
        const auto [bound, isNew] = bound_.try_emplace(variable, type.element);
        if (bound->second != type.element) {
            fail(what, " ", index, " ('", parameter.name, "') is of element type ", type.element,
                 ", others of ", variable, " are ", bound->second);
        }
    }

private:
    std::map<std::string, DataType> bound_;
};

const OpscopeParameter& parameterAt(std::span<const OpscopeParameter> declared, size_t index) {
    return declared[std::min(index, declared.size() - 1)];
}

// --- the functions of OpDef

ParsedAttributes makeInstance(const AttributeReader& reader) {
    const Node& node = reader.node();
    const OpDef* op = findOp(node.domain, node.operatorType, node.version);
    auto instance = std::make_shared<Instance>(*op->custom, node);
    const OpscopeOperator& description = *op->custom->description;
    checkAttributes(description, node);
    if (description.create == nullptr) return instance;
    OpscopeContext context(instance->node);
    callCustom([&](const OpscopeApi* api) { return description.create(api, &context, &instance->made); },
               context);
    return instance;
}

void inferCustom(InferContext& infer) {
    const auto& instance = infer.attributes<Instance>();
    const OpscopeOperator& description = *instance.custom.description;
    const std::span inputs(description.inputs, description.inputCount);
    const std::span outputs(description.outputs, description.outputCount);
    checkCount("inputs", inputs, infer.inputCount());
    checkCount("outputs", outputs, infer.outputCount());
    TypeCheck check;
    for (size_t i = 0; i < infer.inputCount(); ++i) {
        const OpscopeParameter& parameter = parameterAt(inputs, i);
        if (infer.hasInput(i)) {
            check("input", i, parameter, infer.inputType(i));
        } else if (parameter.kind != OPSCOPE_OPTIONAL) {
            fail("input ", i, " ('", parameter.name, "') is missing");
        }
    }
    OpscopeContext context(instance.node);
    context.infer = &infer;
    callCustom([&](const OpscopeApi* api) { return description.infer(api, &context, instance.made); },
               context);
    for (size_t i = 0; i < infer.outputCount(); ++i) {
        const Type& type = infer.outputTypes()[i];
        if (infer.node().outputs[i].isValid() && !type.isTensor())
            fail("its library did not set the type of output ", i);
        check("output", i, parameterAt(outputs, i), type);
    }
}

Work customWork(const WorkContext& work) {
    const auto& instance = work.attributes<Instance>();
    OpscopeContext context(instance.node);
    context.work = &work;
    if (const auto function = instance.custom.description->work) {
        callCustom([&](const OpscopeApi* api) { return function(api, &context, instance.made); }, context);
    }
    return context.result;
}

void runReference(KernelContext& context) {
    const CustomOperator& custom = context.attributes<Instance>().custom;
    runCustomKernel(*customKernel(custom, "reference"), context,
                    [](int64_t count, int64_t, const auto& body) {
                        if (count > 0) body(0, count);
                    });
}

// --- loading

void checkParameters(const char* what, std::span<const OpscopeParameter> parameters) {
    for (size_t i = 0; i < parameters.size(); ++i) {
        if (orEmpty(parameters[i].name).empty()) fail(what, " ", i, " has no name");
        if (parameters[i].types == 0) fail(what, " ", i, " allows no element type");
        if (parameters[i].kind == OPSCOPE_VARIADIC && i + 1 != parameters.size()) {
            fail(what, " ", i, " is variadic, which only the last one can be");
        }
    }
}

void checkNews(const OpscopeOperator& op) {
    const std::string domain = op.domain;
    if (domain.empty() || domain == "ai.onnx" || domain.starts_with("ai.onnx.")) {
        fail("its domain '", domain, "' is ONNX's own");
    }
    const int newest = std::numeric_limits<int>::max();
    const OpDef* known = findOp(domain, op.name, newest);
    if (known != nullptr && known->custom != nullptr) {
        fail("the library '", known->custom->library, "' has brought it already");
    }
    if (known != nullptr || findUpgrade(domain, op.name, newest) != nullptr ||
        findBody(domain, op.name) != nullptr) {
        fail("the engine has an operator of that name");
    }
}

void checkDescription(const OpscopeOperator& op) {
    if (op.domain == nullptr || orEmpty(op.name).empty()) fail("it has no domain or no name");
    if (op.sinceVersion < 1) fail("its sinceVersion is ", op.sinceVersion, ", expected 1 or more");
    if (op.infer == nullptr) fail("it has no infer");
    if (op.outputCount == 0) fail("it has no outputs");
    checkParameters("input", {op.inputs, op.inputCount});
    checkParameters("output", {op.outputs, op.outputCount});
    const std::vector<std::string> kinds = {"int", "float", "string", "ints", "floats", "tensor"};
    for (const OpscopeAttribute& attribute : attributesOf(op)) {
        if (std::find(kinds.begin(), kinds.end(), orEmpty(attribute.kind)) == kinds.end()) {
            fail("attribute '", orEmpty(attribute.name), "' is of kind '", orEmpty(attribute.kind),
                 "', expected one of ", join(kinds, ", "));
        }
    }
    bool hasReference = false;
    for (const OpscopeKernel& kernel : kernelsOf(op)) {
        if (kernel.compute == nullptr) fail("its kernel for '", orEmpty(kernel.provider), "' has no compute");
        hasReference = hasReference || orEmpty(kernel.provider) == "reference";
    }
    if (!hasReference) fail("it has no kernel for the provider 'reference'");
    checkNews(op);
}

void checkTable(const OpscopeOperators* table) {
    if (table == nullptr) fail("opscopeCustomOperators gave nothing");
    if (table->abi != OPSCOPE_CUSTOM_OP_ABI) {
        fail("it was built for version ", table->abi, " of the interface, this program has version ",
             OPSCOPE_CUSTOM_OP_ABI, ": build it anew with engine/ops/custom_op.h");
    }
    for (size_t i = 0; i < table->count; ++i) {
        try {
            checkDescription(table->operators[i]);
        } catch (Error& error) {
            error.addContext(text("operator ", i, " (", fullName(table->operators[i]), ")"));
            throw;
        }
    }
}

void registerOperator(const OpscopeOperator& description, const std::string& library) {
    static std::deque<CustomOperator> customs;  // both live as long as the process
    static std::deque<OpDef> definitions;
    customs.push_back({&description, library});
    definitions.push_back({.name = description.name,
                           .sinceVersion = description.sinceVersion,
                           .attributes = makeInstance,
                           .infer = inferCustom,
                           .work = customWork,
                           .reference = runReference,
                           .domain = description.domain,
                           .tolerance = description.isRandom != 0 ? Tolerance::random : Tolerance::rounding,
                           .custom = &customs.back()});
    Registry<OpDef>::instance().add(definitions.back());
}

}  // namespace

std::string elementTypesText(uint64_t types) {
    std::vector<std::string> names;
    for (unsigned number = 1; number < 64; ++number) {
        const auto type = static_cast<DataType>(number);
        if (holds(types, type) && name(type) != "undefined") names.emplace_back(name(type));
    }
    return join(names, ", ");
}

std::vector<std::string> loadCustomOperators(const std::string& path) {
    static std::mutex mutex;
    static std::map<const OpscopeOperators*, std::string> loaded;
    const std::lock_guard lock(mutex);
    const auto function =
        reinterpret_cast<decltype(&opscopeCustomOperators)>(librarySymbol(path, "opscopeCustomOperators"));
    const OpscopeOperators* table = function();
    if (!loaded.contains(table)) {
        try {
            checkTable(table);
        } catch (Error& error) {
            error.addContext(text("library '", path, "'"));
            throw;
        }
        for (size_t i = 0; i < table->count; ++i) registerOperator(table->operators[i], path);
        loaded[table] = path;
    }
    std::vector<std::string> names;
    for (size_t i = 0; i < table->count; ++i) names.push_back(fullName(table->operators[i]));
    return names;
}

const OpscopeKernel* customKernel(const CustomOperator& custom, std::string_view provider) {
    for (const OpscopeKernel& kernel : kernelsOf(*custom.description)) {
        if (provider == kernel.provider) return &kernel;
    }
    return nullptr;
}

void runCustomKernel(const OpscopeKernel& kernel, KernelContext& context, const ParallelLoop& loop) {
    const auto& instance = context.attributes<Instance>();
    OpscopeContext call(context.node());
    call.kernel = &context;
    call.loop = &loop;
    callCustom([&](const OpscopeApi* api) { return kernel.compute(api, &call, instance.made); }, call);
    for (size_t i = 0; i < context.outputCount(); ++i) {
        const bool isMade = i < call.outputs.size() && call.outputs[i] != nullptr;
        if (context.hasOutput(i) && !isMade) fail("its library did not make output ", i);
    }
}

}  // namespace engine
