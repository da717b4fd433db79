#include "engine/ops/inference.h"

#include <algorithm>

#include "engine/core/dispatch.h"
#include "engine/core/error.h"
#include "engine/ops/kernel_context.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

constexpr size_t mostDiagnostics = 500;
constexpr int64_t largestFoldInput = int64_t{1} << 22;

/// Symbols for the dims that the file leaves nameless, so that they can be bound and calculated with.
Type withSymbols(Type type, const std::string& valueName) {
    if (!type.isTensor() || !type.shape) return type;
    for (size_t i = 0; i < type.shape->size(); ++i) {
        Dim& dim = (*type.shape)[i];
        if (dim.isUnknown()) dim = Dim::symbol(text(valueName, ".", i));
    }
    return type;
}

/// The integer tensor that the elements make if all are numbers.
std::optional<Tensor> tensorOf(const std::vector<Dim>& elements, const Type& type) {
    if (!type.shape || type.shape->size() > 1) return std::nullopt;
    Dims dims;
    if (type.shape->size() == 1) dims.push_back(static_cast<int64_t>(elements.size()));
    if (dims.empty() && elements.size() != 1) return std::nullopt;
    for (const Dim& element : elements) {
        if (!element.isNumber()) return std::nullopt;
    }
    if (type.element != DataType::int64 && type.element != DataType::int32) return std::nullopt;
    Tensor tensor = Tensor::allocate(type.element, dims);
    dispatchAmong<int64_t, int32_t>(type.element, [&]<typename T>(std::type_identity<T>) {
        std::transform(elements.begin(), elements.end(), tensor.mutableValues<T>().begin(),
                       [](const Dim& element) { return static_cast<T>(element.number()); });
    });
    return tensor;
}

/// Takes from `declared` what `inferred` leaves open. A contradiction is put into `conflict`.
Type merge(Type inferred, const Type& declared, std::string& conflict) {
    if (inferred.kind == Type::Kind::unknown) return declared;
    if (declared.kind == Type::Kind::unknown) return inferred;
    if (inferred.kind != declared.kind) {
        conflict = text("declared as ", typeText(declared), ", inferred as ", typeText(inferred));
        return inferred;
    }
    if (!inferred.isTensor()) return inferred;
    if (inferred.element == DataType::undefined) inferred.element = declared.element;
    if (!inferred.shape) inferred.shape = declared.shape;
    if (declared.element != DataType::undefined && declared.element != inferred.element) {
        conflict = text("declared as ", typeText(declared), ", inferred as ", typeText(inferred));
    }
    if (!declared.shape) return inferred;
    if (declared.shape->size() != inferred.shape->size()) {
        conflict = text("declared as ", typeText(declared), ", inferred as ", typeText(inferred));
        return inferred;
    }
    for (size_t i = 0; i < declared.shape->size(); ++i) {
        const Dim& other = (*declared.shape)[i];
        Dim& dim = (*inferred.shape)[i];
        if (dim.isUnknown()) dim = other;
        if (dim.isNumber() && other.isNumber() && dim.number() != other.number()) {
            conflict = text("declared as ", typeText(declared), ", inferred as ", typeText(inferred));
        }
    }
    return inferred;
}

}  // namespace

Inference::Inference(std::shared_ptr<const Graph> graph, const InferOptions& options) : options_(options) {
    result_.graph = std::move(graph);
    const Graph& g = *result_.graph;
    result_.types.resize(g.values.size());
    result_.known.resize(g.values.size());
    result_.nodes.resize(g.nodes.size());
    for (size_t i = 0; i < g.values.size(); ++i) {
        if (!g.values[i].constant) continue;
        const Datum& datum = *g.values[i].constant;
        result_.types[i] = datum.type();
        if (datum.isTensor()) result_.known[i].data = datum.tensor();
    }
    for (const ValueId id : g.inputs) {
        result_.types[id.index] =
            withSymbols(boundType(g.value(id).type, options.bindings), g.value(id).name);
        result_.types[id.index] = boundType(result_.types[id.index], options.bindings);
    }
    for (const auto& [id, type] : options.types) result_.types[id.index] = type;
    for (const auto& [id, known] : options.known) result_.known[id.index] = known;
    for (size_t i = 0; i < g.nodes.size(); ++i) resolve(NodeId(i));
}

void Inference::resolve(NodeId id) {
    const Node& node = result_.graph->node(id);
    ResolvedNode& resolved = result_.nodes[id.index];
    if (!node.problem.empty()) {
        resolved.problem = node.problem;
        return;
    }
    resolved.op = findOp(node.domain, node.operatorType, node.version);
    if (resolved.op == nullptr) {
        resolved.problem = whyUnknown(node.domain, node.operatorType, node.version);
        return;
    }
    try {
        resolved.attributes = resolved.op->attributes(AttributeReader(node));
    } catch (const Error& error) {
        resolved.op = nullptr;
        resolved.problem = error.what();
    }
}

void Inference::warn(NodeId id, const std::string& message) {
    if (result_.diagnostics.size() >= mostDiagnostics) return;
    report({.message = message, .place = describe(*result_.graph, id)});
}

void Inference::report(Diagnostic diagnostic) {
    if (result_.diagnostics.size() >= mostDiagnostics) return;
    const bool isLast = result_.diagnostics.size() + 1 == mostDiagnostics;
    if (isLast) diagnostic = {.message = "what is found beyond this is not listed"};
    result_.diagnostics.push_back(std::move(diagnostic));
}

const Known& Inference::knownInput(const Node& node, size_t index, Outcome& outcome) {
    static const Known nothing;
    const ValueId id = node.inputs[index];
    if (!result_.known[id.index].isNothing()) return result_.known[id.index];
    if (const auto cached = runtimeKnown_.find(id); cached != runtimeKnown_.end()) return cached->second;
    if (const Tensor* data = runtimeData ? runtimeData(id) : nullptr) {
        return runtimeKnown_[id] = Known{.data = *data};
    }
    if (std::find(outcome.missingData.begin(), outcome.missingData.end(), index) ==
        outcome.missingData.end()) {
        outcome.missingData.push_back(index);
    }
    return nothing;
}

void Inference::adopt(NodeId id, size_t output, Type type, std::optional<std::vector<Dim>> elements) {
    const ValueId value = result_.graph->node(id).outputs[output];
    if (!value.isValid()) return;
    if (options_.trustDeclared) {
        std::string conflict;
        const Value& declared = result_.graph->value(value);
        type = merge(std::move(type), boundType(declared.type, options_.bindings), conflict);
        if (!conflict.empty())
            warn(id, text("output '", declared.name, "' is ", conflict, "; the inferred one is used"));
    }
    if (elements && type.shape && type.shape->size() <= 1) {
        result_.known[value.index].data = tensorOf(*elements, type);
        result_.known[value.index].elements = std::move(elements);
    }
    result_.types[value.index] = std::move(type);
}

void Inference::adoptDeclared(NodeId id, const std::string& problem) {
    const Node& node = result_.graph->node(id);
    for (size_t i = 0; i < node.outputs.size(); ++i) adopt(id, i, Type{}, std::nullopt);
    const bool isInputUnknown = std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
        if (!input.isValid()) return false;
        const Type& type = result_.types[input.index];
        return type.kind == Type::Kind::unknown || (type.isTensor() && type.element == DataType::undefined);
    });
    if (!isInputUnknown) warn(id, problem);
}

void Inference::inferTypes(NodeId id, Outcome& outcome, Observer& observer) {
    const Node& node = result_.graph->node(id);
    std::vector<const Type*> inputTypes;
    for (const ValueId input : node.inputs) {
        inputTypes.push_back(input.isValid() ? &result_.types[input.index] : nullptr);
    }
    InferContext context({
        .node = &node,
        .resolved = &result_.nodes[id.index],
        .inputTypes = inputTypes,
        .known = [&](size_t index) -> const Known& { return knownInput(node, index, outcome); },
        .inferBody =
            [&](const Graph& body, std::span<const Type> inputs, std::span<const Known> known) {
                return inferBody(id, body, inputs, known, observer);
            },
    });
    result_.nodes[id.index].op->infer(context);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
        adopt(id, i, context.outputTypes()[i], context.outputElements()[i]);
    }
}

void Inference::inferOther(NodeId id, Outcome& outcome) {
    const Node& node = result_.graph->node(id);
    const OpBody* body = findBody(node.domain, node.operatorType);
    std::vector<Type> inputs;
    if (body != nullptr || options_.otherTypes) {
        for (const ValueId input : node.inputs) {
            inputs.push_back(input.isValid() ? result_.types[input.index] : Type());
        }
    }
    std::vector<Type> outputs;
    if (options_.otherTypes) outputs = options_.otherTypes(node, inputs);
    std::string& problem = result_.nodes[id.index].problem;
    if (body != nullptr) {
        try {
            BodyWriter writer(node, inputs);
            body->text(writer);
        } catch (const Error& error) {
            problem = error.what();
        }
    }
    outcome.problem = problem;
    if (outputs.empty()) return adoptDeclared(id, problem);
    for (size_t i = 0; i < std::min(outputs.size(), node.outputs.size()); ++i) {
        adopt(id, i, std::move(outputs[i]), std::nullopt);
    }
}

Inference::Outcome Inference::inferNode(NodeId id, Observer& observer) {
    Outcome outcome;
    if (result_.nodes[id.index].op == nullptr) {
        inferOther(id, outcome);
        return outcome;
    }
    try {
        inferTypes(id, outcome, observer);
        foldIfKnown(id, outcome, observer);
    } catch (const Error& error) {
        outcome.problem = error.what();
        adoptDeclared(id, outcome.problem);
    }
    return outcome;
}

/// How many elements a result may have to be computed ahead.
int64_t Inference::largestFold(const Node& node) const {
    auto largest = static_cast<int64_t>(options_.largestFold);
    if (!options_.foldsParameters || node.operatorType == "DequantizeLinear") return largest;
    int64_t inputElements = 0;
    for (const ValueId input : node.inputs) {
        if (input.isValid()) inputElements += result_.known[input.index].data->elements();
    }
    return std::max(largest, inputElements);
}

void Inference::foldIfKnown(NodeId id, Outcome& outcome, Observer& observer) {
    const Node& node = result_.graph->node(id);
    const ResolvedNode& resolved = result_.nodes[id.index];
    const auto isDataKnown = [&](ValueId value) {
        return !value.isValid() || result_.known[value.index].data.has_value();
    };
    outcome.isKnown =
        !node.outputs.empty() && std::all_of(node.outputs.begin(), node.outputs.end(), isDataKnown);
    if (outcome.isKnown || resolved.op->tolerance == Tolerance::random || !subgraphs(node).empty()) return;
    if (!std::all_of(node.inputs.begin(), node.inputs.end(), isDataKnown)) return;
    const int64_t largest = largestFold(node);
    std::vector<DataType> elements;
    for (const ValueId output : node.outputs) {
        const Type type = output.isValid() ? result_.types[output.index] : Type{};
        if (output.isValid() && (!type.isTensor() || !type.hasStaticShape())) return;
        const int64_t count = output.isValid() ? elementCount(*numbers(*type.shape)) : 0;
        if (!node.inputs.empty() && count > largest) return;
        elements.push_back(type.element);
    }
    std::vector<Datum> data(node.inputs.size());
    std::vector<const Datum*> inputs(node.inputs.size(), nullptr);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
        if (!node.inputs[i].isValid()) continue;
        data[i] = *result_.known[node.inputs[i].index].data;
        if (!options_.foldsParameters && data[i].tensor().elements() > largestFoldInput) return;
        inputs[i] = &data[i];
    }
    const std::vector<Datum> outputs = evaluate(node, resolved, inputs, elements, observer);
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (!node.outputs[i].isValid() || !outputs[i].isTensor()) continue;
        result_.known[node.outputs[i].index].data = outputs[i].tensor();
        result_.types[node.outputs[i].index] = outputs[i].type();
    }
    outcome.isKnown = true;
}

std::vector<Type> Inference::inferBody(NodeId id, const Graph& body, std::span<const Type> inputs,
                                       std::span<const Known> known, Observer& observer) {
    const auto all = subgraphs(result_.graph->node(id));
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.second.get() == &body; });
    if (found == all.end()) fail("its body is no attribute of the node");
    InferOptions options{.bindings = options_.bindings,
                         .types = {},
                         .known = {},
                         .largestFold = options_.largestFold,
                         .trustDeclared = options_.trustDeclared,
                         .otherTypes = options_.otherTypes};
    for (size_t i = 0; i < std::min(inputs.size(), body.inputs.size()); ++i) {
        std::string ignored;
        const Type declared = boundType(body.value(body.inputs[i]).type, options_.bindings);
        options.types[body.inputs[i]] =
            options_.trustDeclared ? merge(inputs[i], declared, ignored) : inputs[i];
        if (i < known.size()) options.known[body.inputs[i]] = known[i];
    }
    for (const Capture& capture : body.captures) {
        options.types[capture.inner] = result_.types[capture.outer.index];
        options.known[capture.inner] = result_.known[capture.outer.index];
    }
    auto typed = std::make_shared<const TypedGraph>(infer(found->second, options, observer));
    for (const Diagnostic& diagnostic : typed->diagnostics) {
        Diagnostic nested = diagnostic;
        nested.place = text(describe(*result_.graph, id), ", ", found->first, ": ", diagnostic.place);
        report(std::move(nested));
    }
    auto& bodies = result_.bodies[id];
    bodies.resize(all.size());
    bodies[static_cast<size_t>(found - all.begin())] = typed;
    std::vector<Type> outputs;
    for (const ValueId output : body.outputs) {
        outputs.push_back(output.isValid() ? typed->types[output.index] : Type{});
    }
    return outputs;
}

TypedGraph infer(std::shared_ptr<const Graph> graph, const InferOptions& options, Observer& observer) {
    Inference inference(graph, options);
    const Order order = topologicalOrder(*graph);
    size_t done = 0;
    for (const NodeId id : order.nodes) {
        observer.checkpoint(static_cast<double>(done++) / static_cast<double>(order.nodes.size()),
                            "inferring shapes");
        inference.inferNode(id, observer);
    }
    return std::move(inference.result());
}

namespace {

Dim bytesOf(const Type& type) {
    if (!type.isTensor() || !type.shape) return {};
    if (type.element == DataType::string) return {};
    const auto bits = static_cast<int64_t>(bitsInFile(type.element));
    return bits % 8 == 0 ? elementCount(*type.shape) * Dim(bits / 8)
                         : ceilDiv(elementCount(*type.shape) * Dim(bits), 8);
}

}  // namespace

NodeCost costOf(const TypedGraph& graph, NodeId id) {
    const Node& node = graph.graph->node(id);
    NodeCost cost;
    std::vector<const Type*> inputs;
    std::vector<const Type*> outputs;
    const bool isView = graph.nodes[id.index].op != nullptr && graph.nodes[id.index].op->isView;
    std::vector<ValueId> counted;
    for (const ValueId input : node.inputs) {
        inputs.push_back(input.isValid() ? &graph.types[input.index] : nullptr);
        if (!input.isValid() || isView || std::find(counted.begin(), counted.end(), input) != counted.end())
            continue;
        counted.push_back(input);
        const bool isParameter = graph.graph->value(input).constant.has_value();
        (isParameter ? cost.parameterBytes : cost.bytesRead) += bytesOf(graph.types[input.index]);
    }
    for (const ValueId output : node.outputs) {
        outputs.push_back(output.isValid() ? &graph.types[output.index] : nullptr);
        if (output.isValid() && !isView) cost.bytesWritten += bytesOf(graph.types[output.index]);
    }
    const ResolvedNode& resolved = graph.nodes[id.index];
    if (resolved.op == nullptr) {
        cost.work = {.multiplyAdds = {}, .otherFlops = {}, .specialFunctions = {}};
        return cost;
    }
    cost.work = resolved.op->work(WorkContext(resolved, std::move(inputs), std::move(outputs)));
    return cost;
}

}  // namespace engine
