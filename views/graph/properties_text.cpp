#include "views/graph/properties_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include <QFileInfo>

#include "views/format.h"
#include "views/graph/node_text.h"

namespace views {

namespace {

constexpr qsizetype longestMetadata = 240;

/// 0, 1, … up to that many.
auto indices(size_t count) { return std::views::iota(size_t{0}, count); }

}  // namespace

QString PropertiesText::typeText(const engine::Type& type) const {
    const QString whole = typeLabel(type);
    const QString brief = withBriefSymbols(whole, type);
    if (brief == whole) return escaped(whole);
    return QString("<a href='type:' title='%1' style='color:%2; text-decoration:none'>%3</a>")
        .arg(escaped(whole), colours().text.name(), escaped(brief));
}

QString PropertiesText::valueLink(const GraphPlace& place, engine::ValueId value) const {
    const std::string& name = place.graph->value(value).name;
    return link(QString("value:%1").arg(value.index), name.empty() ? QString("(unnamed)") : breakable(name));
}

QString PropertiesText::nodeLink(engine::OriginId origin) const {
    const engine::OriginPlace& place = document_.model()->origins[origin.index];
    const engine::Node& node = place.graph->node(place.node);
    QString text = escaped(operatorTitle(node));
    if (!node.name.empty()) text += ' ' + muted(breakable(node.name));
    return link(QString("node:%1").arg(origin.index), text);
}

QString PropertiesText::nodeLinks(const std::vector<engine::OriginId>& nodes) const {
    constexpr size_t most = 50;
    QStringList links;
    for (const engine::OriginId node : nodes) {
        if (links.size() == most) {
            links << muted(QString("and %1 more").arg(nodes.size() - most));
            break;
        }
        links << nodeLink(node);
    }
    return links.join("<br>");
}

QString PropertiesText::ofModel() const {
    const engine::Model& model = *document_.model();
    QString text = heading(escaped(document_.title()));
    const QFileInfo file(document_.path());
    QString rows =
        row("file", link("folder:", breakable(file.fileName().toStdString()), escaped(document_.path())) +
                        ' ' + muted(numberText(static_cast<double>(model.fileBytes), Unit::bytes)));
    if (!model.producerName.empty())
        rows += row("producer", escaped(model.producerName + ' ' + model.producerVersion));
    rows += row("IR version", QString::number(model.irVersion));
    rows += this->rows(model.opsets, [&](const engine::OpsetImport& opset) {
        return row("opset", escaped(opset.domain.empty() ? "ai.onnx" : opset.domain) + ' ' +
                                QString::number(opset.version));
    });
    if (!model.domain.empty()) rows += row("domain", escaped(model.domain));
    if (!model.documentation.empty()) rows += row("description", escaped(model.documentation));
    text += table(rows);
    const GraphPlace place = mainPath(model, document_.types()).front();
    const auto terminals = [&](const std::vector<engine::ValueId>& values) {
        return table(this->rows(values, [&](engine::ValueId value) {
            return row(valueLink(place, value), typeText(place.type(value)));
        }));
    };
    text += section("Inputs") + terminals(model.graph->inputs);
    text += section("Outputs") + terminals(model.graph->outputs);
    if (const auto& summary = document_.summary()) {
        text += section("Figures");
        rows = row("nodes", QString::number(summary->nodes));
        rows += row("parameters",
                    numberText(static_cast<double>(summary->parameters), Unit::count) + "  " +
                        muted(numberText(static_cast<double>(summary->parameterBytes), Unit::bytes)));
        rows += row("multiply-adds", work(*summary));
        text += table(rows) + section("Operators");
        text += table(this->rows(summary->operators, [&](const std::pair<std::string, size_t>& each) {
            return countRow(each.first, each.second);
        }));
    }
    return text + metadata(model.metadata);
}

QString PropertiesText::work(const engine::ModelSummary& summary) const {
    QString text = summary.multiplyAdds.isNumber()
                       ? numberText(static_cast<double>(summary.multiplyAdds.number()), Unit::count)
                       : QString("n/a");
    QStringList sizes;
    for (const auto& [symbol, size] : document_.sizes())
        sizes << escaped(briefSymbol(qstring(symbol))) + "=" + QString::number(size);
    if (!sizes.isEmpty()) text += "  " + muted("at " + sizes.join(", "));
    if (summary.nodesOfUnknownWork > 0)
        text += "<br>" + muted(QString("without %1 nodes of unknown work").arg(summary.nodesOfUnknownWork));
    return text;
}

QString PropertiesText::ofNodes(const std::vector<engine::OriginId>& nodes) const {
    std::map<std::string, size_t> counts;
    double time = 0;
    for (const engine::OriginId origin : nodes) {
        const engine::OriginPlace& place = document_.model()->origins[origin.index];
        ++counts[place.graph->node(place.node).operatorType];
        const Overlay::Entry* entry = document_.time() ? document_.time()->find(origin) : nullptr;
        if (entry != nullptr && !std::isnan(entry->value)) time += entry->value;
    }
    QString text = heading(QString("%1 nodes").arg(nodes.size()));
    if (document_.time()) {
        text += table(row("time", numberText(time, Unit::nanoseconds) + "  " +
                                      muted(shareText(time / document_.time()->total))));
    }
    return text + section("Operators") +
           table(rows(counts, [&](const std::pair<const std::string, size_t>& each) {
               return countRow(each.first, each.second);
           }));
}

QString PropertiesText::ofNode(engine::OriginId origin, const GraphPlace& place,
                               bool showsDocumentation) const {
    const engine::OriginPlace& where = document_.model()->origins[origin.index];
    const engine::Node& node = where.graph->node(where.node);
    const auto schema = engine::operatorSchema(node.domain, node.operatorType, node.version);
    const QString question = "&nbsp;" + link("doc:", "[?]");
    QString text = heading(escaped(operatorTitle(node)), schema ? question : QString());
    QString rows;
    if (!node.name.empty()) rows += row("name", breakable(node.name));
    rows += row("domain", escaped(node.domain.empty() ? "ai.onnx" : node.domain) + " " +
                              muted(QString("opset %1").arg(node.version)));
    if (where.parent.isValid())
        rows += row("inside", nodeLink(where.parent) + " " + muted(escaped(where.graphName)));
    if (!node.documentation.empty()) rows += row("note", escaped(node.documentation));
    if (place.types && where.node.index < place.types->nodes.size()) {
        const std::string& problem = place.types->nodes[where.node.index].problem;
        if (!problem.empty())
            rows += row(
                "problem",
                QString("<span style='color:%1'>%2</span>").arg(colours().error.name(), escaped(problem)));
    }
    text += table(rows);
    text += documentation(node, schema.get(), showsDocumentation);
    text += placement(origin) + metrics(origin);
    text += attributes(node, schema.get());
    text += inputs(node, place, schema.get()) + outputs(node, place, schema.get());
    return text + metadata(node.metadata);
}

QString PropertiesText::documentation(const engine::Node&, const engine::OperatorSchema* schema,
                                      bool isShown) const {
    if (schema == nullptr || !isShown) return {};
    QString text = section(QString("Documentation (since opset %1)").arg(schema->sinceVersion));
    text += fromMarkdown(schema->documentation);
    return text + table(rows(schema->typeConstraints, [&](const std::pair<std::string, std::string>& each) {
               return row(escaped(each.first), escaped(each.second));
           }));
}

QString PropertiesText::placement(engine::OriginId origin) const {
    const auto& placement = document_.placement();
    if (!placement) return {};
    QString text = section("Why here");
    const engine::Placement* found = placement->of(origin);
    if (found == nullptr)
        return text + "<p style='margin:2px'>" + escaped(placement->whyRemoved(origin)) + "</p>";
    QString rows = row("runs on", chip(found->provider));
    if (found->origins.size() > 1) {
        std::vector<engine::OriginId> others = found->origins;
        std::erase(others, origin);
        rows += row("as part of", breakable(found->operatorType)) + row("with", nodeLinks(others));
    }
    for (const engine::Refusal& refusal : found->refusals) {
        rows += row("not on " + escaped(refusal.provider), escaped(refusal.reason));
    }
    if (found->refusals.empty() && !found->provider.empty())
        rows += row("", muted("the first choice takes it"));
    return text + table(rows);
}

QString PropertiesText::metrics(engine::OriginId origin) const {
    QString rows = stepMetrics(origin);
    if (const auto& work = document_.work()) {
        if (const Overlay::Entry* entry = work->find(origin))
            rows += row("work", numberText(entry->value, Unit::flops));
    }
    if (const auto& parameters = document_.parameters()) {
        const Overlay::Entry* entry = parameters->find(origin);
        if (entry != nullptr && entry->value > 0)
            rows += row("parameters", numberText(entry->value, Unit::bytes));
    }
    return rows.isEmpty() ? QString() : section("Metrics") + table(rows);
}

QString PropertiesText::stepMetrics(engine::OriginId origin) const {
    if (!document_.profile()) return {};
    for (const engine::ProfileRow& step : document_.profile()->steps) {
        const auto& origins = step.info.origins;
        if (std::find(origins.begin(), origins.end(), origin) == origins.end()) continue;
        QString rows =
            row("time", estimateText(step.timeNs, Unit::nanoseconds) + "  " + muted(shareText(step.share)));
        if (origins.size() > 1)
            rows += row("", muted("of " + escaped(step.info.operatorType) + ", all its parts together"));
        rows += row("kernel", escaped(step.info.kernel));
        if (step.flopsPerSecond > 0)
            rows += row("speed", numberText(step.flopsPerSecond, Unit::flopsPerSecond));
        if (step.bytesPerSecond > 0)
            rows += row("traffic", numberText(step.bytesPerSecond, Unit::bytesPerSecond));
        if (!step.info.note.empty()) rows += row("note", escaped(step.info.note));
        return rows;
    }
    return {};
}

QString PropertiesText::attributes(const engine::Node& node, const engine::OperatorSchema* schema) const {
    QString rows;
    rows += this->rows(node.attributes, [&](const engine::Attribute& attribute) {
        const QString value = escaped(attribute.reference.empty() ? attributeText(attribute.value)
                                                                  : "from " + qstring(attribute.reference));
        return row(escaped(attribute.name), value + ' ' + muted(escaped(engine::kindText(attribute.value))));
    });
    if (schema != nullptr) {
        for (const auto& known : schema->attributes) {
            if (node.attribute(known.name) != nullptr || known.defaultText.empty()) continue;
            rows += row(escaped(known.name), muted(escaped(known.defaultText) + " (default)"));
        }
    }
    return rows.isEmpty() ? QString() : section("Attributes") + table(rows);
}

QString PropertiesText::inputs(const engine::Node& node, const GraphPlace& place,
                               const engine::OperatorSchema* schema) const {
    const engine::Uses uses(*place.graph);
    const QString rows = this->rows(indices(node.inputs.size()), [&](size_t index) {
        const engine::ValueId value = node.inputs[index];
        if (!value.isValid()) return row(escaped(inputName(index, schema)), muted("omitted"));
        QString text = valueLink(place, value) + "<br>" + muted(typeText(place.type(value)));
        const engine::Tensor* constant = constantTensor(*place.graph, uses, value);
        if (constant != nullptr)
            text += muted(constant->elements() <= 4 && constant->rank() <= 1
                              ? " = " + escaped(constantText(*constant))
                              : " · constant");
        return row(escaped(inputName(index, schema)), text);
    });
    return rows.isEmpty() ? QString() : section("Inputs") + table(rows);
}

QString PropertiesText::outputs(const engine::Node& node, const GraphPlace& place,
                                const engine::OperatorSchema* schema) const {
    const QString rows = this->rows(indices(node.outputs.size()), [&](size_t index) {
        const engine::ValueId value = node.outputs[index];
        if (!value.isValid()) return QString();
        return row(escaped(outputName(index, schema)),
                   valueLink(place, value) + "<br>" + muted(typeText(place.type(value))));
    });
    return rows.isEmpty() ? QString() : section("Outputs") + table(rows);
}

QString PropertiesText::metadata(const engine::Metadata& metadata) const {
    const QString rows = this->rows(metadata, [&](const std::pair<std::string, std::string>& entry) {
        const QString whole = qstring(entry.second);
        const bool isLong = whole.size() > longestMetadata;
        QString shown = breakable(isLong ? whole.left(longestMetadata).toStdString() : entry.second);
        if (isLong) shown += muted(QString(" … %1 characters").arg(whole.size()));
        return row(breakable(entry.first), shown);
    });
    return rows.isEmpty() ? QString() : section("Metadata") + table(rows);
}

QString PropertiesText::ofValue(engine::ValueId id, const GraphPlace& place,
                                const TensorSummary* summary) const {
    const engine::Value& value = place.graph->value(id);
    const engine::Uses uses(*place.graph);
    QString text = heading(value.name.empty() ? QString("(unnamed)") : breakable(value.name));
    QString rows = row("type", typeText(place.type(id)));
    if (!value.documentation.empty()) rows += row("note", escaped(value.documentation));
    const engine::NodeId producer = uses.producer[id.index];
    if (producer.isValid() && !place.graph->node(producer).origins.empty()) {
        rows += row("made by", nodeLink(place.graph->node(producer).origins.front()));
    } else {
        rows += row("made by",
                    value.constant ? "the file (initializer)" : muted("outside: an input or a capture"));
    }
    std::vector<engine::OriginId> readers;
    for (const engine::NodeId reader : uses.consumers[id.index]) {
        const engine::Node& node = place.graph->node(reader);
        if (!node.origins.empty()) readers.push_back(node.origins.front());
    }
    rows += row("read by", readers.empty() ? muted("nobody") : nodeLinks(readers));
    if (uses.isOutput[id.index] != 0) rows += row("", "an output of the graph");
    text += table(rows);
    if (summary != nullptr) {
        text += section("Values");
        text += table(row("bytes", numberText(static_cast<double>(summary->bytes), Unit::bytes)));
        if (summary->statistics) text += statistics(*summary->statistics);
        text += preview(*summary);
    }
    return text + metadata(value.metadata);
}

QString PropertiesText::statistics(const TensorStatistics& figures) const {
    QString rows;
    if (figures.count > 0) {
        rows += row("range", plainNumber(figures.minimum) + " … " + plainNumber(figures.maximum));
        rows += row("mean ± deviation", plainNumber(figures.mean) + " ± " + plainNumber(figures.deviation));
        rows += row("zeros", QString::number(figures.zeros) + "  " +
                                 muted(shareText(static_cast<double>(figures.zeros) /
                                                 static_cast<double>(figures.count))));
    }
    if (figures.nans > 0) rows += row("NaN", QString::number(figures.nans));
    if (figures.infinities > 0) rows += row("infinite", QString::number(figures.infinities));
    QString text = table(rows);
    if (figures.count > 1)
        text += "<p style='margin:6px 2px'><img src='histogram:' width='256' height='56'></p>";
    return text;
}

QString PropertiesText::preview(const TensorSummary& summary) const {
    QString rows;
    for (const std::vector<QString>& cells : summary.rows) {
        rows += "<tr>";
        for (const QString& cell : cells) rows += "<td align='right'>" + escaped(cell) + "</td>";
        if (summary.isCutRight) rows += "<td>" + muted("…") + "</td>";
        rows += "</tr>";
    }
    if (summary.isCutBelow) rows += "<tr><td align='right'>" + muted("⋮") + "</td></tr>";
    return "<table cellspacing='0' cellpadding='3'>" + rows + "</table>";
}

}  // namespace views
