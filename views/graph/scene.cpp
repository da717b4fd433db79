#include "views/graph/scene.h"

#include <algorithm>
#include <cmath>

#include <QFont>
#include <QFontMetricsF>
#include <QGuiApplication>

#include "views/format.h"
#include "views/graph/grouping.h"
#include "views/graph/node_text.h"

namespace views {

namespace {

constexpr int mostLines = 3;

/// Builds a scene from one graph.
class Builder {
public:
    Builder(const engine::Model& model, const GraphPlace& place)
        : model_(model),
          graph_(*place.graph),
          uses_(*place.graph),
          scene_(std::make_shared<Scene>()),
          titleMetrics_(fontOf(NodeMetrics::titlePixels, QFont::DemiBold)),
          lineMetrics_(fontOf(NodeMetrics::linePixels, QFont::Normal)) {
        scene_->place = place;
        sceneNodeOf_.assign(graph_.nodes.size(), -1);
        terminalOf_.assign(graph_.values.size(), -1);
    }

    std::shared_ptr<const Scene> build(const SceneOptions& options, engine::Observer& observer) {
        addTerminals();
        for (size_t index = 0; index < graph_.nodes.size(); ++index) {
            observer.checkpoint(0.5 * static_cast<double>(index) / static_cast<double>(graph_.nodes.size()),
                                "nodes");
            addOperation(engine::NodeId(index));
        }
        addOutputs();
        for (size_t index = 0; index < graph_.nodes.size(); ++index) addEdges(engine::NodeId(index));
        placeConstants();
        addGroups(*scene_, options);
        for (SceneGroup& group : scene_->groups) measure(group);
        return scene_;
    }

private:
    static QFont fontOf(int pixels, QFont::Weight weight) {
        QFont font = QGuiApplication::font();
        font.setPixelSize(pixels);
        font.setWeight(weight);
        return font;
    }

    bool isInlineConstant(const engine::Node& node) const { return node.operatorType == "Constant"; }

    int add(SceneNode node) {
        measure(node);
        scene_->nodes.push_back(std::move(node));
        return static_cast<int>(scene_->nodes.size()) - 1;
    }

    SceneNode terminal(SceneNode::Kind kind, engine::ValueId id) const {
        const engine::Value& value = graph_.value(id);
        SceneNode node{.kind = kind, .title = qstring(value.name), .value = id};
        if (node.title.isEmpty()) node.title = "(unnamed)";
        const engine::Type& type = scene_->place.type(id);
        node.lines << withBriefSymbols(typeLabel(type), type);
        return node;
    }

    void addTerminals() {
        for (const engine::ValueId id : graph_.inputs) {
            if (id.isValid()) terminalOf_[id.index] = add(terminal(SceneNode::Kind::input, id));
        }
        for (const engine::Capture& capture : graph_.captures) {
            const bool isRead =
                !uses_.consumers[capture.inner.index].empty() || uses_.isOutput[capture.inner.index];
            if (!isRead) continue;
            terminalOf_[capture.inner.index] = add(terminal(SceneNode::Kind::capture, capture.inner));
        }
    }

    void addOperation(engine::NodeId id) {
        const engine::Node& node = graph_.node(id);
        if (isInlineConstant(node)) return;
        SceneNode result{.title = operatorTitle(node), .node = id};
        if (!node.origins.empty()) result.origin = node.origins.front();
        result.family = familyOf(node.domain, node.operatorType);
        result.hasBody = !bodiesOf(model_, scene_->place, id).empty();
        const auto schema = engine::operatorSchema(node.domain, node.operatorType, node.version);
        result.lines = distinguishingAttributes(node, schema.get()).mid(0, 2);
        if (result.lines.size() > 1) result.lines = {result.lines.join(" · ")};
        addConstants(node, schema.get(), result.lines);
        if (!node.domain.empty() && result.lines.size() < mostLines) result.lines << qstring(node.domain);
        for (const engine::ValueId output : node.outputs) {
            if (output.isValid() && !scene_->place.type(output).hasStaticShape()) result.isDynamic = true;
        }
        const engine::TypedGraph* types = scene_->place.types.get();
        result.hasProblem =
            types != nullptr && id.index < types->nodes.size() && !types->nodes[id.index].problem.empty();
        const int index = add(std::move(result));
        sceneNodeOf_[id.index] = index;
        for (const engine::OriginId origin : node.origins) scene_->nodeOf[origin] = index;
    }

    void addConstants(const engine::Node& node, const engine::OperatorSchema* schema,
                      QStringList& lines) const {
        for (size_t index = 0; index < node.inputs.size() && lines.size() < mostLines; ++index) {
            if (!node.inputs[index].isValid()) continue;
            const engine::Tensor* tensor = constantTensor(graph_, uses_, node.inputs[index]);
            if (tensor == nullptr) continue;
            const bool isNumber = tensor->elements() <= 4 && tensor->rank() <= 1 && tensor->elements() > 0;
            lines << inputName(index, schema) + (isNumber ? " = " : " ") + constantText(*tensor);
        }
    }

    void addOutputs() {
        for (const engine::ValueId id : graph_.outputs) {
            if (!id.isValid()) continue;
            const int to = add(terminal(SceneNode::Kind::output, id));
            connect(id, to, 0);
        }
    }

    void addEdges(engine::NodeId id) {
        const int to = sceneNodeOf_[id.index];
        if (to < 0) return;
        const engine::Node& node = graph_.node(id);
        int port = 0;
        for (const engine::ValueId value : engine::reads(node)) connect(value, to, port++);
    }

    void connect(engine::ValueId value, int to, int toPort) {
        int from = terminalOf_[value.index];
        int fromPort = 0;
        const engine::NodeId producer = uses_.producer[value.index];
        if (producer.isValid()) {
            from = sceneNodeOf_[producer.index];
            const auto& outputs = graph_.node(producer).outputs;
            fromPort = static_cast<int>(std::find(outputs.begin(), outputs.end(), value) - outputs.begin());
        }
        if (from < 0) return;
        const engine::Type& type = scene_->place.type(value);
        SceneEdge edge{.from = from, .to = to, .fromPort = fromPort, .toPort = toPort, .value = value};
        edge.label = labelOf(type);
        edge.bytes = bytesOf(type);
        edge.isShapeArithmetic = isShapeArithmetic(value, type);
        scene_->edges.push_back(std::move(edge));
    }

    /// The shape; the element type only where it is not the usual one.
    QString labelOf(const engine::Type& type) const {
        if (type.kind == engine::Type::Kind::unknown) return {};
        if (!type.isTensor()) return typeLabel(type);
        const bool isUsual =
            type.element == engine::DataType::float32 || type.element == engine::DataType::undefined;
        QString label = isUsual ? (type.shape ? dimsText(type) : QString()) : typeLabel(type);
        return withBriefSymbols(std::move(label), type);
    }

    static double bytesOf(const engine::Type& type) {
        if (!type.isTensor() || !type.shape) return -1;
        const engine::Dim count = engine::elementCount(*type.shape);
        if (!count.isNumber()) return -1;
        return static_cast<double>(count.number()) * static_cast<double>(engine::bytesInMemory(type.element));
    }

    bool isShapeArithmetic(engine::ValueId value, const engine::Type& type) const {
        if (!type.isTensor() || !engine::isInteger(type.element) || !type.shape || type.shape->size() > 1)
            return false;
        const engine::TypedGraph* types = scene_->place.types.get();
        return types != nullptr && value.index < types->known.size() &&
               !types->known[value.index].isNothing();
    }

    /// A constant is shown by the first node that reads it.
    void placeConstants() {
        for (size_t index = 0; index < graph_.nodes.size(); ++index) {
            const engine::Node& node = graph_.nodes[index];
            if (!isInlineConstant(node) || node.origins.empty() || node.outputs.empty()) continue;
            if (!node.outputs[0].isValid()) continue;
            for (const engine::NodeId reader : uses_.consumers[node.outputs[0].index]) {
                if (sceneNodeOf_[reader.index] < 0) continue;
                scene_->nodeOf[node.origins.front()] = sceneNodeOf_[reader.index];
                break;
            }
        }
    }

    void measure(SceneNode& node) const {
        using M = NodeMetrics;
        const bool isOperation = node.kind == SceneNode::Kind::operation;
        const double extra = isOperation ? 2 * M::padding + M::chip + 6 + M::figure : 2 * M::padding + 8;
        double width = titleMetrics_.horizontalAdvance(node.title) + extra;
        for (const QString& line : node.lines) {
            width = std::max(width, lineMetrics_.horizontalAdvance(line) + 2 * M::padding + 4);
        }
        width = std::ceil(std::clamp(width, isOperation ? M::smallest : 60.0, M::widest));
        node.title = titleMetrics_.elidedText(node.title, Qt::ElideMiddle,
                                              width - (isOperation ? extra - M::figure : extra));
        for (QString& line : node.lines) {
            line = lineMetrics_.elidedText(line, Qt::ElideRight, width - 2 * M::padding - 4);
        }
        const auto lines = static_cast<double>(node.lines.size());
        node.size = {width, M::header + (lines > 0 ? lines * M::line + 6 : 0)};
    }

    void measure(SceneGroup& group) const {
        const QString count = QString("%1 nodes").arg(group.nodes.size());
        const QString repeats = group.repeats > 1 ? QString("  ×%1").arg(group.repeats) : QString();
        const double title = titleMetrics_.horizontalAdvance(group.title + repeats) + 44;
        group.size = {std::ceil(std::clamp(title, 150.0, 320.0)), 50};
    }

    const engine::Model& model_;
    const engine::Graph& graph_;
    engine::Uses uses_;
    std::shared_ptr<Scene> scene_;
    QFontMetricsF titleMetrics_;
    QFontMetricsF lineMetrics_;
    std::vector<int> sceneNodeOf_;
    std::vector<int> terminalOf_;
};

}  // namespace

int Scene::find(engine::OriginId origin) const {
    const auto found = nodeOf.find(origin);
    return found == nodeOf.end() ? -1 : found->second;
}

int Scene::hiddenBy(int node) const {
    int result = -1;
    for (int group = nodes[static_cast<size_t>(node)].group; group >= 0;
         group = groups[static_cast<size_t>(group)].parent) {
        if (groups[static_cast<size_t>(group)].isCollapsed) result = group;
    }
    return result;
}

std::shared_ptr<const Scene> buildScene(const engine::Model& model, const GraphPlace& place,
                                        const SceneOptions& options, engine::Observer& observer) {
    return Builder(model, place).build(options, observer);
}

}  // namespace views
