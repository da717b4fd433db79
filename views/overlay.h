#pragma once

#include <limits>
#include <memory>
#include <vector>

#include <QString>

#include "engine/graph/id.h"
#include "engine/model.h"
#include "engine/session.h"
#include "views/format.h"

namespace views {

/// Numbers on the nodes of the imported model, with unit and scale. Immutable.
struct Overlay {
    struct Entry {
        double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: n/a
        /// The node that carries the number of the step this one was fused into; itself where it does.
        engine::OriginId leader = {};
        double halfInterval = 0;
    };

    QString name;   ///< "time", "work"
    QString scope;  ///< what the numbers measure, one line
    Unit unit = Unit::none;
    double total = 0;            ///< what the shares are of
    double largest = 0;          ///< of the values that count into the total
    std::vector<Entry> entries;  ///< by OriginId

    /// The entry of the node, or null where there is no number.
    const Entry* find(engine::OriginId origin) const;
    /// Value over total; NaN where there is no number.
    double share(engine::OriginId origin) const;
    /// 0 … 1 for the heat scale: the square root of the value over the largest, so that small ones are told
    /// apart.
    double heat(engine::OriginId origin) const;
};

/// Median time per run of the steps, each on the nodes it stands for.
std::shared_ptr<const Overlay> timeOverlay(const engine::Model& model, const engine::ProfileResult& profile);

/// FLOPs of the nodes of the main graph, where all dims they depend on are numbers.
std::shared_ptr<const Overlay> workOverlay(const engine::Model& model, const engine::TypedGraph& types);

/// Bytes of constants that the nodes of the main graph read.
std::shared_ptr<const Overlay> parameterOverlay(const engine::Model& model, const engine::TypedGraph& types);

}  // namespace views
