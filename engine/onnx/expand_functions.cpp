#include "engine/onnx/expand_functions.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "engine/core/error.h"
#include "engine/onnx/function_body.h"
#include "engine/ops/op_body.h"

namespace engine::onnx {
namespace {

using GraphPointer = std::shared_ptr<const Graph>;
using Key = std::tuple<std::string, std::string, std::string>;

constexpr int mostRounds = 20;

Key keyOf(const Node& node) { return {node.domain, node.operatorType, node.overload}; }

std::string nameOf(const Key& key) {
    const auto& [domain, name, overload] = key;
    return (domain.empty() ? "" : domain + ".") + name + (overload.empty() ? "" : ":" + overload);
}

/// What the attributes that a body refers to are, for one call.
class AttributeBindings {
public:
    AttributeBindings(const Function& function, const Node& call) : function_(function), call_(call) {}

    /// The call's attribute of that name, or its default; null if there is neither.
    const Attribute* find(const std::string& name) const {
        if (const Attribute* own = call_.attribute(name)) return own;
        const auto found =
            std::find_if(function_.defaultAttributes.begin(), function_.defaultAttributes.end(),
                         [&](const Attribute& attribute) { return attribute.name == name; });
        return found == function_.defaultAttributes.end() ? nullptr : &*found;
    }

private:
    const Function& function_;
    const Node& call_;
};

/// Replaces an omitted value in a body: whoever read it reads nothing.
void omit(Graph& graph, ValueId gone) {
    for (Node& node : graph.nodes) {
        for (ValueId& id : node.inputs) {
            if (id == gone) id = {};
        }
    }
}

/// Applies `change` to each graph among the node's attributes.
template <class Change>
void changeBodies(Node& node, const Change& change) {
    size_t index = 0;
    for (Attribute& attribute : node.attributes) {
        if (auto* body = std::get_if<GraphPointer>(&attribute.value)) change(*body, index++);
        if (auto* bodies = std::get_if<std::vector<GraphPointer>>(&attribute.value)) {
            for (GraphPointer& body : *bodies) change(body, index++);
        }
    }
}

/// Puts the call's attributes in place of the references to them, in subgraphs too. A graph among them
/// captures values of the call's graph, so it can stand only there: at depth 0.
void bindAttributes(Node& node, const AttributeBindings& bindings, int depth) {
    std::vector<Attribute> bound;
    for (Attribute& attribute : node.attributes) {
        if (attribute.reference.empty()) {
            bound.push_back(std::move(attribute));
        } else if (const Attribute* actual = bindings.find(attribute.reference)) {
            const auto* graph = std::get_if<GraphPointer>(&actual->value);
            if (depth > 0 && graph != nullptr && *graph && !(*graph)->captures.empty()) {
                fail("the attribute '", attribute.reference,
                     "' is a graph with captures, and is used inside of another graph");
            }
            bound.push_back({.name = attribute.name, .value = actual->value});
        }
    }
    node.attributes = std::move(bound);
    changeBodies(node, [&](GraphPointer& body, size_t) {
        Graph changed = *body;
        for (Node& inner : changed.nodes) bindAttributes(inner, bindings, depth + 1);
        body = std::make_shared<const Graph>(std::move(changed));
    });
}

/// One round over a graph. In the last one, nodes whose bodies cannot be made get the reason as their
/// problem.
class Expander {
public:
    Expander(std::span<const Function> functions, const NeedsExpansion& needsExpansion,
             const OpenLimits& limits, bool isLast, Observer& observer)
        : needsExpansion_(needsExpansion), limits_(limits), isLast_(isLast), observer_(observer) {
        for (const Function& function : functions)
            functions_.try_emplace({function.domain, function.name, function.overload}, &function);
    }

    Graph expand(const Graph& graph, const TypedGraph* typed);
    size_t calls() const { return calls_; }
    /// How many nodes have bodies that could not be made.
    size_t refusals() const { return refusals_; }

private:
    /// The graph under construction, with the names it has.
    struct Target {
        Graph& graph;
        /// Name -> the number that was last put behind it.
        std::unordered_map<std::string, int> names = {};

        std::string unusedName(const std::string& hint) {
            const auto [found, isNew] = names.try_emplace(hint, 1);
            if (isNew) return hint;
            for (;;) {
                std::string name = text(hint, "_", ++found->second);
                if (names.count(name) == 0) {
                    names.emplace(name, 1);
                    return name;
                }
            }
        }
    };

    void emit(Target& target, Node node, const TypedGraph* typed, NodeId id);
    void emitBody(Target& target, const Node& call, const Function& function,
                  std::span<const ValueId> captured);
    std::map<ValueId, ValueId> bindValues(Target& target, const Node& call, const Graph& body,
                                          std::span<const ValueId> captured, const std::string& prefix);
    void remap(Node& node, const std::map<ValueId, ValueId>& ids) const;
    void copyOutputs(Target& target, const Node& call, const Function& function,
                     const std::map<ValueId, ValueId>& ids);
    void push(Target& target, Node node);
    void pushRefused(Target& target, Node node, std::string reason);

    std::map<Key, const Function*> functions_;
    const NeedsExpansion& needsExpansion_;
    const OpenLimits& limits_;
    bool isLast_;
    Observer& observer_;
    std::vector<Key> stack_;  ///< functions being expanded
    size_t calls_ = 0;
    size_t refusals_ = 0;
    size_t nodes_ = 0;
};

Graph Expander::expand(const Graph& graph, const TypedGraph* typed) {
    Graph result = graph;
    result.nodes.clear();
    Target target{result};
    for (const Value& value : graph.values) target.names.emplace(value.name, 1);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        try {
            emit(target, graph.nodes[i], typed, NodeId(i));
        } catch (Error& error) {
            error.addContext(describe(graph, NodeId(i)));
            throw;
        }
    }
    return result;
}

void Expander::push(Target& target, Node node) {
    if (++nodes_ > limits_.functionNodes) {
        fail("expanding the functions makes more than ", limits_.functionNodes,
             " nodes (limit-function-nodes)");
    }
    target.graph.addNode(std::move(node));
}

/// Adds a node whose body cannot be made: so far, or at all.
void Expander::pushRefused(Target& target, Node node, std::string reason) {
    ++refusals_;
    if (isLast_ && node.problem.empty()) node.problem = std::move(reason);
    push(target, std::move(node));
}

/// Adds the node, or what it stands for. `typed` is what is known of the graph that node `id` comes from;
/// null for nodes of bodies.
void Expander::emit(Target& target, Node node, const TypedGraph* typed, NodeId id) {
    observer_.checkpoint();
    changeBodies(node, [&](GraphPointer& body, size_t index) {
        const TypedGraph* inner = nullptr;
        if (typed != nullptr) {
            const auto found = typed->bodies.find(id);
            if (found != typed->bodies.end() && index < found->second.size())
                inner = found->second[index].get();
        }
        if (inner != nullptr && inner->graph->nodes.size() != body->nodes.size()) inner = nullptr;
        body = std::make_shared<const Graph>(expand(*body, inner));
    });
    const auto local = functions_.find(keyOf(node));
    if (local != functions_.end()) return emitBody(target, node, *local->second, {});
    if (!needsExpansion_(node)) return push(target, std::move(node));
    std::vector<Type> types;
    for (const ValueId input : node.inputs) {
        types.push_back(typed != nullptr && input.isValid() ? typed->types[input.index] : Type());
    }
    const bool hasTypes = std::any_of(types.begin(), types.end(),
                                      [](const Type& type) { return type.kind != Type::Kind::unknown; });
    if (!hasTypes) types.clear();
    std::optional<SchemaFunction> function;
    try {
        function = schemaFunction(node, types);
    } catch (const Error& error) {
        return pushRefused(target, std::move(node), error.what());
    }
    if (function) return emitBody(target, node, function->function, function->captured);
    if (!hasSchemaFunction(node)) return push(target, std::move(node));
    pushRefused(target, std::move(node),
                "it is run by its function body, which depends on types and ranks of its inputs that are "
                "not known before the run");
}

void Expander::emitBody(Target& target, const Node& call, const Function& function,
                        std::span<const ValueId> captured) {
    const Key key = keyOf(call);
    if (std::find(stack_.begin(), stack_.end(), key) != stack_.end()) {
        std::vector<std::string> path;
        for (const Key& outer : stack_) path.push_back(nameOf(outer));
        fail("the function '", nameOf(key), "' calls itself: ", join(path, " -> "), " -> ", nameOf(key));
    }
    if (stack_.size() >= limits_.functionDepth) {
        fail("functions call each other more than ", limits_.functionDepth, " deep (limit-function-depth)");
    }
    stack_.push_back(key);
    if (++calls_ > limits_.functionCalls) {
        fail("expanding the functions takes more than ", limits_.functionCalls,
             " calls (limit-function-calls)");
    }
    const std::string prefix = call.name.empty() ? call.operatorType + "/" : call.name + "/";
    const std::map<ValueId, ValueId> ids = bindValues(target, call, *function.body, captured, prefix);
    const AttributeBindings bindings(function, call);
    for (const Node& inner : function.body->nodes) {
        Node node = inner;
        node.name = prefix + (inner.name.empty() ? inner.operatorType : inner.name);
        node.origins = call.origins;
        node.within = call.within.empty() ? nameAndType(call) : call.within;
        remap(node, ids);
        bindAttributes(node, bindings, 0);
        emit(target, std::move(node), nullptr, NodeId());
    }
    copyOutputs(target, call, function, ids);
    stack_.pop_back();
}

/// Where each value of the body lies in the target.
std::map<ValueId, ValueId> Expander::bindValues(Target& target, const Node& call, const Graph& body,
                                                std::span<const ValueId> captured,
                                                const std::string& prefix) {
    std::map<ValueId, ValueId> ids;
    const size_t own = body.inputs.size() - captured.size();
    if (call.inputs.size() > own) {
        fail(nameOf(keyOf(call)), " takes ", own, " inputs, but is called with ", call.inputs.size());
    }
    for (size_t i = 0; i < own; ++i)
        ids[body.inputs[i]] = i < call.inputs.size() ? call.inputs[i] : ValueId();
    for (size_t i = 0; i < captured.size(); ++i) ids[body.inputs[own + i]] = captured[i];
    const Uses uses(body);
    for (size_t i = 0; i < std::min(body.outputs.size(), call.outputs.size()); ++i) {
        const ValueId inner = body.outputs[i];
        const bool isMade = inner.isValid() && uses.producer[inner.index].isValid();
        if (isMade && call.outputs[i].isValid()) ids.try_emplace(inner, call.outputs[i]);
    }
    for (size_t i = 0; i < body.values.size(); ++i) {
        if (ids.count(ValueId(i)) > 0) continue;
        const Value& value = body.values[i];
        const std::string name = value.name.empty() ? "" : target.unusedName(prefix + value.name);
        ids[ValueId(i)] =
            target.graph.addValue({.name = name, .constant = value.constant, .problem = value.problem});
    }
    return ids;
}

void Expander::remap(Node& node, const std::map<ValueId, ValueId>& ids) const {
    for (ValueId& id : node.inputs) {
        if (id.isValid()) id = ids.at(id);
    }
    for (ValueId& id : node.outputs) {
        if (id.isValid()) id = ids.at(id);
    }
    changeBodies(node, [&](GraphPointer& body, size_t) {
        Graph changed = *body;
        std::vector<Capture> kept;
        for (const Capture& capture : changed.captures) {
            const ValueId outer = ids.at(capture.outer);
            if (outer.isValid()) {
                kept.push_back({.inner = capture.inner, .outer = outer});
            } else {
                omit(changed, capture.inner);
            }
        }
        changed.captures = std::move(kept);
        body = std::make_shared<const Graph>(std::move(changed));
    });
}

/// Outputs that no node of the body makes for this call alone: inputs or constants passed on, or a value
/// given twice.
void Expander::copyOutputs(Target& target, const Node& call, const Function& function,
                           const std::map<ValueId, ValueId>& ids) {
    int version = 13;
    for (const OpsetImport& opset : function.opsets) {
        if (opset.domain.empty()) version = opset.version;
    }
    const Graph& body = *function.body;
    for (size_t i = 0; i < std::min(body.outputs.size(), call.outputs.size()); ++i) {
        if (!call.outputs[i].isValid() || !body.outputs[i].isValid()) continue;
        const ValueId from = ids.at(body.outputs[i]);
        if (from == call.outputs[i]) continue;
        if (!from.isValid()) fail(nameOf(keyOf(call)), " passes on an input that was omitted");
        push(target, {.operatorType = "Identity",
                      .version = version,
                      .inputs = {from},
                      .outputs = {call.outputs[i]},
                      .origins = call.origins});
    }
}

/// Expands round by round, for bodies whose types are known only once others are expanded.
class Rounds {
public:
    Rounds(std::span<const Function> functions, const NeedsExpansion& needsExpansion, Observer& observer,
           const OpenLimits& limits)
        : functions_(functions),
          needsExpansion_(needsExpansion),
          observer_(observer),
          limits_(limits),
          nodesLeft_(limits.functionNodes) {}

    TypedGraph expand(GraphPointer graph, const InferOptions& types, bool isAlone) {
        for (int round = 0; round < mostRounds; ++round) {
            InferOptions options = types;
            // A node alone must not ask for its own types.
            if (!isAlone || round > 0) {
                options.otherTypes = [this](const Node& node, std::span<const Type> inputs) {
                    return typesBehind(node, inputs);
                };
            }
            TypedGraph typed = infer(graph, options, observer_);
            Expander expander(functions_, needsExpansion_, limits_, false, observer_);
            Graph expanded = expander.expand(*graph, &typed);
            if (expander.calls() == 0) {
                if (expander.refusals() == 0 || isAlone) return typed;
                Expander last(functions_, needsExpansion_, limits_, true, observer_);
                return infer(std::make_shared<const Graph>(last.expand(*graph, &typed)), options, observer_);
            }
            graph = std::make_shared<const Graph>(modernize(expanded).graph);
        }
        fail("functions are still left after ", mostRounds, " rounds of expansion");
    }

private:
    /// The types of what a node makes that a body can stand for: found by expanding it alone. So a chain of
    /// such nodes is expanded in one round.
    std::vector<Type> typesBehind(const Node& node, std::span<const Type> inputs) {
        const auto isCalled = [&](const Function& function) {
            return Key{function.domain, function.name, function.overload} == keyOf(node);
        };
        const bool isExpandable = std::any_of(functions_.begin(), functions_.end(), isCalled) ||
                                  (needsExpansion_(node) && hasSchemaFunction(node));
        if (!isExpandable || !subgraphs(node).empty() || nodesLeft_ == 0 || depth_ >= deepestAlone) return {};
        Graph alone;
        Node copy = node;
        for (size_t i = 0; i < copy.inputs.size(); ++i) {
            if (!copy.inputs[i].isValid()) continue;
            copy.inputs[i] = alone.addValue({.type = inputs[i]});
            alone.inputs.push_back(copy.inputs[i]);
        }
        for (ValueId& output : copy.outputs) {
            if (output.isValid()) output = alone.addValue({});
        }
        alone.outputs = copy.outputs;
        std::erase_if(alone.outputs, [](ValueId id) { return !id.isValid(); });
        alone.addNode(copy);
        ++depth_;
        std::vector<Type> types;
        size_t cost = costOfFailure;
        try {
            const TypedGraph typed =
                expand(std::make_shared<const Graph>(std::move(alone)), InferOptions(), true);
            cost = typed.graph->nodes.size();
            for (const ValueId output : copy.outputs) {
                types.push_back(output.isValid() ? typed.types[output.index] : Type());
            }
        } catch (const Error&) {
            types.clear();
        }
        --depth_;
        nodesLeft_ -= std::min(cost, nodesLeft_);
        return types;
    }

    static constexpr size_t costOfFailure = 10'000;
    static constexpr int deepestAlone = 8;

    std::span<const Function> functions_;
    const NeedsExpansion& needsExpansion_;
    Observer& observer_;
    const OpenLimits& limits_;
    size_t nodesLeft_;  ///< that nodes alone may still be expanded to
    int depth_ = 0;
};

}  // namespace

TypedGraph expandFunctions(GraphPointer graph, std::span<const Function> functions,
                           const NeedsExpansion& needsExpansion, const InferOptions& types,
                           Observer& observer, const OpenLimits& limits) {
    return Rounds(functions, needsExpansion, observer, limits).expand(std::move(graph), types, false);
}

}  // namespace engine::onnx
