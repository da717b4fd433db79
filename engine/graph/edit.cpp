#include "engine/graph/edit.h"

#include <algorithm>
#include <set>

namespace engine {

ValueId Edits::addConstant(const std::string& nameHint, Tensor tensor) {
    Type type = Type::tensor(tensor.type(), shapeOf(tensor.dims()));
    return addConstant(nameHint, Datum(std::move(tensor)), std::move(type));
}

ValueId Edits::addConstant(const std::string& nameHint, Datum datum, Type type) {
    newValues_.push_back({.name = nameHint, .type = std::move(type), .constant = std::move(datum)});
    return ValueId(nextValue_++);
}

ValueId Edits::addValue(const std::string& nameHint, Type type) {
    newValues_.push_back({.name = nameHint, .type = std::move(type)});
    return ValueId(nextValue_++);
}

void Edits::addNode(Node node, NodeId before) { insertions_.push_back({before, std::move(node)}); }

void Edits::replaceNode(NodeId id, Node node) {
    if (!touched(id)) replacements_.emplace(id, std::move(node));
}

void Edits::removeNode(NodeId id) {
    if (!touched(id)) removals_.insert(id);
}

void Edits::replaceValue(ValueId from, ValueId to) {
    if (from != to) valueReplacements_.emplace(from, to);
}

bool Edits::touched(NodeId id) const { return replacements_.contains(id) || removals_.contains(id); }

size_t Edits::count() const {
    return insertions_.size() + replacements_.size() + removals_.size() + valueReplacements_.size();
}

namespace {

/// Where a value ends up after all replacements, which may form chains.
class Redirection {
public:
    explicit Redirection(const std::map<ValueId, ValueId>& replacements) : replacements_(replacements) {}

    ValueId operator()(ValueId id) const {
        for (size_t steps = 0; steps <= replacements_.size(); ++steps) {
            const auto next = replacements_.find(id);
            if (next == replacements_.end()) return id;
            id = next->second;
        }
        return id;
    }

private:
    const std::map<ValueId, ValueId>& replacements_;
};

std::shared_ptr<const Graph> redirectCaptures(const std::shared_ptr<const Graph>& body,
                                              const Redirection& redirect) {
    const bool concerned =
        std::any_of(body->captures.begin(), body->captures.end(),
                    [&](const Capture& capture) { return redirect(capture.outer) != capture.outer; });
    if (!concerned) return body;
    auto changed = std::make_shared<Graph>(*body);
    for (Capture& capture : changed->captures) capture.outer = redirect(capture.outer);
    return changed;
}

void redirectNode(Node& node, const Redirection& redirect) {
    for (ValueId& input : node.inputs) {
        if (input.isValid()) input = redirect(input);
    }
    for (Attribute& attribute : node.attributes) {
        if (auto* body = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) {
            *body = redirectCaptures(*body, redirect);
        } else if (auto* bodies = std::get_if<std::vector<std::shared_ptr<const Graph>>>(&attribute.value)) {
            for (auto& each : *bodies) each = redirectCaptures(each, redirect);
        }
    }
}

}  // namespace

Graph Edits::apply() const {
    Graph result = graph_;
    result.values.insert(result.values.end(), newValues_.begin(), newValues_.end());
    std::map<NodeId, std::vector<const Node*>> insertedBefore;
    for (const Insertion& insertion : insertions_)
        insertedBefore[insertion.before].push_back(&insertion.node);
    const std::set<NodeId> removed(removals_.begin(), removals_.end());

    result.nodes.clear();
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
        const NodeId id(i);
        if (const auto inserted = insertedBefore.find(id); inserted != insertedBefore.end()) {
            for (const Node* node : inserted->second) result.nodes.push_back(*node);
        }
        if (removed.contains(id)) continue;
        const auto replacement = replacements_.find(id);
        result.nodes.push_back(replacement == replacements_.end() ? graph_.nodes[i] : replacement->second);
    }
    const Redirection redirect(valueReplacements_);
    for (Node& node : result.nodes) redirectNode(node, redirect);
    for (ValueId& output : result.outputs) {
        const ValueId to = redirect(output);
        if (to == output) continue;
        std::swap(result.value(to).name, result.value(output).name);
        output = to;
    }
    return result;
}

std::vector<OriginId> mergedOrigins(std::initializer_list<const Node*> nodes) {
    std::set<OriginId> all;
    for (const Node* node : nodes) all.insert(node->origins.begin(), node->origins.end());
    return {all.begin(), all.end()};
}

}  // namespace engine
