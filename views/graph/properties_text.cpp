#include "views/graph/properties_text.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QFileInfo>
#include <QRegularExpression>
#include <QTextDocument>

#include "views/format.h"
#include "views/graph/node_text.h"

namespace views {

namespace {

constexpr qsizetype longestMetadata = 240;

QString escaped(const QString& text) { return text.toHtmlEscaped(); }
QString escaped(const std::string& text) { return qstring(text).toHtmlEscaped(); }

/// Long names may break after their separators.
QString breakable(const std::string& name) {
    return escaped(name).replace("/", "/&#8203;").replace("_", "_&#8203;").replace(".", ".&#8203;");
}

QString table(const QString& rows) {
    return "<table width='100%' cellspacing='0' cellpadding='2'>" + rows + "</table>";
}

/// ONNX's Markdown as rich text.
QString fromMarkdown(const std::string& markdown) {
    QTextDocument document;
    // Types are written as Tensor<T>, which is no HTML.
    QTextDocument::MarkdownFeatures features = QTextDocument::MarkdownDialectGitHub;
    features |= QTextDocument::MarkdownNoHTML;
    document.setMarkdown(qstring(markdown), features);
    const QString html = document.toHtml();
    static const QRegularExpression body("<body[^>]*>(.*)</body>",
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression sizes("font-size:[^;\"]*;?|font-family:[^;\"]*;?");
    return body.match(html).captured(1).remove(sizes);
}

}  // namespace

QString PropertiesText::muted(const QString& text) const {
    return QString("<span style='color:%1'>%2</span>").arg(colours_.muted.name(), text);
}

QString PropertiesText::heading(const QString& text, const QString& more) const {
    return QString(
               "<p style='margin:2px 0 6px 2px'><span style='font-size:15pt; font-weight:600'>%1</span> "
               "%2</p>")
        .arg(text, more);
}

QString PropertiesText::section(const QString& title) const {
    return QString("<p style='margin:12px 0 3px 2px; color:%1; font-weight:600'>%2</p>")
        .arg(colours_.accent.name(), title);
}

QString PropertiesText::row(const QString& name, const QString& value) const {
    return QString("<tr><td width='34%' style='color:%1'>%2</td><td>%3</td></tr>")
        .arg(colours_.muted.name(), name, value);
}

QString PropertiesText::countRow(const std::string& name, size_t count) const {
    return QString("<tr><td align='right' width='14%'>%1</td><td>&nbsp;&nbsp;%2</td></tr>")
        .arg(count)
        .arg(escaped(name));
}

QString PropertiesText::chip(const std::string& provider) const {
    const QColor colour = colours_.provider(provider);
    const QString name = provider.empty() ? QString("nobody") : escaped(provider);
    return QString(
               "<span style='background-color:%1; color:%2; font-weight:600'>&nbsp;%3&nbsp;</span>&nbsp;%4")
        .arg(colour.name(), Colours::textOn(colour).name(), letterOf(provider), name);
}

QString PropertiesText::typeText(const engine::Type& type) const {
    const QString whole = typeLabel(type);
    QString brief = whole;
    for (const std::string& symbol : document_.model()->symbols())
        brief.replace(qstring(symbol), briefSymbol(qstring(symbol)));
    if (brief == whole) return escaped(whole);
    return QString("<a href='type:' title='%1' style='color:%2; text-decoration:none'>%3</a>")
        .arg(escaped(whole), colours_.text.name(), escaped(brief));
}

QString PropertiesText::valueLink(const GraphPlace& place, engine::ValueId value) const {
    const std::string& name = place.graph->value(value).name;
    return QString("<a href='value:%1' style='color:%2; text-decoration:none'>%3</a>")
        .arg(value.index)
        .arg(colours_.accent.name(), name.empty() ? QString("(unnamed)") : breakable(name));
}

QString PropertiesText::nodeLink(engine::OriginId origin) const {
    const engine::OriginPlace& place = document_.model()->origins[origin.index];
    const engine::Node& node = place.graph->node(place.node);
    QString text = escaped(node.operatorType);
    if (!node.name.empty()) text += ' ' + muted(breakable(node.name));
    return QString("<a href='node:%1' style='color:%2; text-decoration:none'>%3</a>")
        .arg(origin.index)
        .arg(colours_.accent.name(), text);
}

QString PropertiesText::ofModel() const {
    const engine::Model& model = *document_.model();
    QString text = heading(escaped(document_.title()));
    const QFileInfo file(document_.path());
    QString rows =
        row("file", QString("<a href='folder:' title='%1' style='color:%2; text-decoration:none'>%3</a> ")
                            .arg(escaped(document_.path()), colours_.accent.name(),
                                 breakable(file.fileName().toStdString())) +
                        muted(numberText(static_cast<double>(model.fileBytes), Unit::bytes)));
    if (!model.producerName.empty())
        rows += row("producer", escaped(model.producerName + ' ' + model.producerVersion));
    rows += row("IR version", QString::number(model.irVersion));
    for (const engine::OpsetImport& opset : model.opsets) {
        rows += row("opset", escaped(opset.domain.empty() ? "ai.onnx" : opset.domain) + ' ' +
                                 QString::number(opset.version));
    }
    if (!model.domain.empty()) rows += row("domain", escaped(model.domain));
    if (!model.documentation.empty()) rows += row("description", escaped(model.documentation));
    text += table(rows);
    const GraphPlace place = mainPath(model, document_.types()).front();
    const auto terminals = [&](const std::vector<engine::ValueId>& values) {
        QString lines;
        for (const engine::ValueId value : values)
            lines += row(valueLink(place, value), typeText(place.type(value)));
        return table(lines);
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
        rows.clear();
        for (const auto& [name, count] : summary->operators) rows += countRow(name, count);
        text += table(rows);
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
    QString rows;
    for (const auto& [name, count] : counts) rows += countRow(name, count);
    return text + section("Operators") + table(rows);
}

QString PropertiesText::ofNode(engine::OriginId origin, const GraphPlace& place,
                               bool showsDocumentation) const {
    const engine::OriginPlace& where = document_.model()->origins[origin.index];
    const engine::Node& node = where.graph->node(where.node);
    const auto schema = engine::operatorSchema(node.domain, node.operatorType, node.version);
    const QString question = QString("&nbsp;<a href='doc:' style='color:%1; text-decoration:none'>[?]</a>")
                                 .arg(colours_.accent.name());
    QString text = heading(escaped(node.operatorType), schema ? question : QString());
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
            rows +=
                row("problem",
                    QString("<span style='color:%1'>%2</span>").arg(colours_.error.name(), escaped(problem)));
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
    QString rows;
    for (const auto& constraint : schema->typeConstraints)
        rows += row(escaped(constraint.first), escaped(constraint.second));
    return text + table(rows);
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
        QString parts;
        for (const engine::OriginId part : found->origins) {
            if (part != origin) parts += (parts.isEmpty() ? "" : "<br>") + nodeLink(part);
        }
        rows += row("as part of", breakable(found->operatorType)) + row("with", parts);
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
    for (const engine::Attribute& attribute : node.attributes) {
        QString value = escaped(attribute.reference.empty() ? attributeText(attribute.value)
                                                            : "from " + qstring(attribute.reference));
        rows += row(escaped(attribute.name), value + ' ' + muted(escaped(engine::kindText(attribute.value))));
    }
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
    QString rows;
    const engine::Uses uses(*place.graph);
    for (size_t index = 0; index < node.inputs.size(); ++index) {
        const engine::ValueId value = node.inputs[index];
        if (!value.isValid()) {
            rows += row(escaped(inputName(index, schema)), muted("omitted"));
            continue;
        }
        QString text = valueLink(place, value) + "<br>" + muted(typeText(place.type(value)));
        const engine::Tensor* constant = constantTensor(*place.graph, uses, value);
        if (constant != nullptr)
            text += muted(constant->elements() <= 4 && constant->rank() <= 1
                              ? " = " + escaped(constantText(*constant))
                              : " · constant");
        rows += row(escaped(inputName(index, schema)), text);
    }
    return rows.isEmpty() ? QString() : section("Inputs") + table(rows);
}

QString PropertiesText::outputs(const engine::Node& node, const GraphPlace& place,
                                const engine::OperatorSchema* schema) const {
    QString rows;
    for (size_t index = 0; index < node.outputs.size(); ++index) {
        const engine::ValueId value = node.outputs[index];
        if (!value.isValid()) continue;
        rows += row(escaped(outputName(index, schema)),
                    valueLink(place, value) + "<br>" + muted(typeText(place.type(value))));
    }
    return rows.isEmpty() ? QString() : section("Outputs") + table(rows);
}

QString PropertiesText::metadata(const engine::Metadata& metadata) const {
    QString rows;
    for (const auto& [key, value] : metadata) {
        const QString whole = qstring(value);
        const bool isLong = whole.size() > longestMetadata;
        QString shown = breakable(isLong ? whole.left(longestMetadata).toStdString() : value);
        if (isLong) shown += muted(QString(" … %1 characters").arg(whole.size()));
        rows += row(breakable(key), shown);
    }
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
    QString readers;
    for (const engine::NodeId reader : uses.consumers[id.index]) {
        const engine::Node& node = place.graph->node(reader);
        if (!node.origins.empty())
            readers += (readers.isEmpty() ? "" : "<br>") + nodeLink(node.origins.front());
    }
    rows += row("read by", readers.isEmpty() ? muted("nobody") : readers);
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
