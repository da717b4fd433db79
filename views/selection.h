#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include "engine/graph/graph.h"

namespace views {

/// A value of the imported model: which graph, and which in it.
struct ValueRef {
    const engine::Graph* graph = nullptr;  ///< kept alive by the document's model
    engine::ValueId value;

    friend bool operator==(const ValueRef&, const ValueRef&) = default;
};

/// What the user looks at, shared by all panels of a document: nodes of the imported model (the first is the
/// current one) or one value. Changes within one turn of the event loop arrive as one signal.
class Selection : public QObject {
    Q_OBJECT

public:
    explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

    const std::vector<engine::OriginId>& nodes() const { return now_.nodes; }
    /// Invalid if no node is selected.
    engine::OriginId current() const { return now_.nodes.empty() ? engine::OriginId() : now_.nodes.front(); }
    const std::optional<ValueRef>& value() const { return now_.value; }
    bool contains(engine::OriginId node) const;
    bool isEmpty() const { return now_.nodes.empty() && !now_.value; }

    void select(engine::OriginId node) { set({.nodes = {node}}); }
    void select(std::vector<engine::OriginId> nodes) { set({.nodes = std::move(nodes)}); }
    void select(const ValueRef& value) { set({.value = value}); }
    /// Adds the node, or takes it away.
    void toggle(engine::OriginId node);
    void clear() { set({}); }

    bool canGoBack() const { return position_ > 0; }
    bool canGoForward() const { return position_ + 1 < history_.size(); }
    void goBack();
    void goForward();

Q_SIGNALS:
    void changed();

private:
    struct Place {
        std::vector<engine::OriginId> nodes = {};
        std::optional<ValueRef> value = {};
        friend bool operator==(const Place&, const Place&) = default;
    };
    void set(Place place);
    void remember();
    void announce();

    Place now_;
    std::vector<Place> history_;
    size_t position_ = 0;
    bool isAnnounced_ = false;
};

}  // namespace views
