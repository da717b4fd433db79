#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "engine/graph/graph.h"

namespace engine::onnx {

/// The names that are known in a graph while it is built. A name of an enclosing graph becomes a capture when
/// it is first asked for.
class Scope {
public:
    /// Both must outlive the scope.
    Scope(Graph& graph, Scope* outer) : graph_(graph), outer_(outer) {}

    /// Adds a value of that name; nothing if the graph has one already. An empty name is a value of its own.
    std::optional<ValueId> declare(const std::string& name) {
        if (name.empty()) return graph_.addValue({});
        const auto [place, isNew] = names_.try_emplace(name);
        if (!isNew) return std::nullopt;
        place->second = graph_.addValue({.name = name});
        return place->second;
    }

    /// Makes the graph's value known under that name, for graphs that are built already.
    void know(const std::string& name, ValueId id) { names_.try_emplace(name, id); }

    /// The graph's own value of that name, or an invalid id.
    ValueId findOwn(const std::string& name) const {
        const auto found = names_.find(name);
        return found == names_.end() ? ValueId{} : found->second;
    }

    /// The value of that name here or in an enclosing graph, or an invalid id.
    ValueId find(const std::string& name) {
        const ValueId own = findOwn(name);
        if (own.isValid() || outer_ == nullptr) return own;
        const ValueId outside = outer_->find(name);
        if (!outside.isValid()) return {};
        Value inner{.name = name, .type = outer_->graph_.value(outside).type};
        const ValueId id = graph_.addValue(std::move(inner));
        names_.emplace(name, id);
        graph_.captures.push_back({.inner = id, .outer = outside});
        return id;
    }

private:
    Graph& graph_;
    Scope* outer_;
    std::unordered_map<std::string, ValueId> names_;
};

}  // namespace engine::onnx
