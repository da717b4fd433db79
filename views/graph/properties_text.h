#pragma once

#include <QString>

#include "engine/schema.h"
#include "views/document.h"
#include "views/graph/place.h"
#include "views/graph/rich_text.h"
#include "views/graph/tensor_summary.h"

namespace views {

/// The properties panel's contents, as rich text. Links: "node:12" (an OriginId), "value:7" (of the place's
/// graph), "doc:" (shows or hides the documentation). Pure functions of snapshots.
class PropertiesText : private RichText {
public:
    PropertiesText(const Document& document, const Colours& colours)
        : RichText(colours), document_(document) {}

    QString ofModel() const;
    QString ofNode(engine::OriginId origin, const GraphPlace& place, bool showsDocumentation) const;
    QString ofNodes(const std::vector<engine::OriginId>& nodes) const;
    QString ofValue(engine::ValueId value, const GraphPlace& place, const TensorSummary* summary) const;

private:
    QString work(const engine::ModelSummary& summary) const;
    /// The type with long symbols cut short, the whole in a tooltip.
    QString typeText(const engine::Type& type) const;
    QString valueLink(const GraphPlace& place, engine::ValueId value) const;
    QString nodeLink(engine::OriginId origin) const;
    QString nodeLinks(const std::vector<engine::OriginId>& nodes) const;
    QString placement(engine::OriginId origin) const;
    QString metrics(engine::OriginId origin) const;
    QString stepMetrics(engine::OriginId origin) const;
    QString attributes(const engine::Node& node, const engine::OperatorSchema* schema) const;
    QString inputs(const engine::Node& node, const GraphPlace& place,
                   const engine::OperatorSchema* schema) const;
    QString outputs(const engine::Node& node, const GraphPlace& place,
                    const engine::OperatorSchema* schema) const;
    QString metadata(const engine::Metadata& metadata) const;
    QString documentation(const engine::Node& node, const engine::OperatorSchema* schema, bool isShown) const;
    QString statistics(const TensorStatistics& statistics) const;
    QString preview(const TensorSummary& summary) const;

    const Document& document_;
};

}  // namespace views
