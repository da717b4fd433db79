#pragma once

#include <vector>

#include <QString>

#include "engine/core/observer.h"
#include "engine/model.h"

namespace views {

/// What can be found of each node: operator, name, the names and types of its outputs. Immutable.
class SearchIndex {
public:
    SearchIndex(const engine::Model& model, engine::Observer& observer);

    /// The nodes that match every word of the query, in the order of the file. Case does not matter.
    std::vector<engine::OriginId> find(const QString& query) const;

private:
    std::vector<QString> texts_;  ///< by OriginId, lower case
};

}  // namespace views
