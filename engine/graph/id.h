#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace engine {

/// An index that cannot be mistaken for another kind of index. Default-constructed: refers to nothing.
template <class Tag>
struct Id {
    uint32_t index = std::numeric_limits<uint32_t>::max();

    Id() = default;
    explicit Id(size_t position) : index(static_cast<uint32_t>(position)) {}
    bool isValid() const { return index != std::numeric_limits<uint32_t>::max(); }
    friend auto operator<=>(const Id&, const Id&) = default;
};

/// A node, or a value, of one Graph.
using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;

/// A node of the file the user opened, counted through the whole model: the main graph's nodes first, each
/// followed by those of its subgraphs, then the bodies of the model's functions. Stays with a node through
/// every pass.
using OriginId = Id<struct OriginTag>;

}  // namespace engine

template <class Tag>
struct std::hash<engine::Id<Tag>> {
    size_t operator()(const engine::Id<Tag>& id) const noexcept { return id.index; }
};
