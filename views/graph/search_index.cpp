#include "views/graph/search_index.h"

#include <algorithm>

#include <QStringList>

#include "views/format.h"

namespace views {

namespace {

const engine::Type& typeOf(const engine::Model& model, const engine::Graph& graph, engine::ValueId value) {
    const bool isInferred =
        &graph == model.graph.get() && model.typed && value.index < model.typed->types.size();
    return isInferred ? model.typed->types[value.index] : graph.value(value).type;
}

}  // namespace

SearchIndex::SearchIndex(const engine::Model& model, engine::Observer& observer) {
    texts_.reserve(model.origins.size());
    for (const engine::OriginPlace& place : model.origins) {
        observer.checkpoint();
        const engine::Node& node = place.graph->node(place.node);
        QString text = qstring(node.domain) + ' ' + qstring(node.operatorType) + ' ' + qstring(node.name);
        for (const engine::ValueId output : node.outputs) {
            if (!output.isValid()) continue;
            text += ' ' + qstring(place.graph->value(output).name) + ' ' +
                    typeLabel(typeOf(model, *place.graph, output));
        }
        texts_.push_back(text.toLower());
    }
}

std::vector<engine::OriginId> SearchIndex::find(const QString& query) const {
    std::vector<engine::OriginId> result;
    const QStringList words = query.toLower().split(' ', Qt::SkipEmptyParts);
    if (words.isEmpty()) return result;
    for (size_t index = 0; index < texts_.size(); ++index) {
        const bool matches = std::all_of(words.begin(), words.end(),
                                         [&](const QString& word) { return texts_[index].contains(word); });
        if (matches) result.emplace_back(index);
    }
    return result;
}

}  // namespace views
