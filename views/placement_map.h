#pragma once

#include <memory>
#include <string>
#include <vector>

#include <QString>

#include "engine/session.h"

namespace views {

/// A session's placement, looked up by the nodes of the imported model. Immutable.
class PlacementMap {
public:
    explicit PlacementMap(std::shared_ptr<const engine::Session> session);

    const engine::Session& session() const { return *session_; }
    /// Where the node runs, or null if no node of the optimised graph stands for it.
    const engine::Placement* of(engine::OriginId origin) const;
    /// The provider's name; empty if nobody runs it. Of a removed node: that of nothing, see isRemoved.
    std::string provider(engine::OriginId origin) const;
    /// Not run at all: folded into a constant, or found useless.
    bool isRemoved(engine::OriginId origin) const { return of(origin) == nullptr; }
    /// Why a removed node is not there: the passes that touched it.
    QString whyRemoved(engine::OriginId origin) const;

    /// A provider, and its share of the nodes that run.
    struct Share {
        std::string provider = {};
        size_t nodes = 0;
    };
    /// Most nodes first.
    std::vector<Share> shares() const;

private:
    std::shared_ptr<const engine::Session> session_;
    std::vector<const engine::Placement*> byOrigin_;
};

}  // namespace views
