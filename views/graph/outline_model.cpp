#include "views/graph/outline_model.h"

#include <cmath>

#include "views/format.h"
#include "views/graph/node_text.h"
#include "views/graph/place.h"
#include "views/graph/scene.h"
#include "views/share_bar_delegate.h"

namespace views {

namespace {

constexpr int deepest = 64;  // bodies in bodies: a file may be hostile

class OutlineBuilder {
public:
    OutlineBuilder(const engine::Model& model, engine::Observer& observer)
        : model_(model), observer_(observer) {
        outline_->byOrigin.assign(model.origins.size(), -1);
    }

    std::shared_ptr<const Outline> build() {
        addGraph(mainPath(model_, model_.typed).front(), -1, 0);
        for (const engine::Function& function : model_.functions) {
            const int item = add({.text = "function " + qstring(function.name)}, -1);
            addGraph({.graph = function.body, .types = nullptr, .title = qstring(function.name)}, item, 1);
        }
        return outline_;
    }

private:
    int add(Outline::Item item, int parent) {
        std::vector<int>& siblings =
            parent < 0 ? outline_->roots : outline_->items[static_cast<size_t>(parent)].children;
        const auto index = static_cast<int>(outline_->items.size());
        item.parent = parent;
        item.row = static_cast<int>(siblings.size());
        siblings.push_back(index);
        outline_->items.push_back(std::move(item));
        return index;
    }

    void addGraph(const GraphPlace& place, int parent, int depth) {
        if (depth > deepest) return;
        const auto scene = buildScene(model_, place, {}, observer_);
        // Groups stand where their first node does, so that the tree reads in the order of the file.
        std::vector<int> groupItems(scene->groups.size(), -1);
        for (const SceneNode& node : scene->nodes) {
            if (node.kind != SceneNode::Kind::operation) continue;
            const int around = node.group < 0 ? parent : groupItem(*scene, node.group, parent, groupItems);
            addNode(place, node, around, depth);
        }
    }

    int groupItem(const Scene& scene, int group, int root, std::vector<int>& groupItems) {
        int& item = groupItems[static_cast<size_t>(group)];
        if (item >= 0) return item;
        const SceneGroup& source = scene.groups[static_cast<size_t>(group)];
        const int parent = source.parent < 0 ? root : groupItem(scene, source.parent, root, groupItems);
        Outline::Item result{.text = source.title, .repeats = source.repeats};
        for (const int node : source.nodes)
            result.inside.push_back(scene.nodes[static_cast<size_t>(node)].origin);
        item = add(std::move(result), parent);
        return item;
    }

    void addNode(const GraphPlace& place, const SceneNode& node, int parent, int depth) {
        const engine::Node& source = place.graph->node(node.node);
        QString text = operatorTitle(source);
        if (!source.name.empty()) text += "  " + clipped(qstring(source.name).section('/', -1));
        const int item = add({.text = text, .origin = node.origin}, parent);
        if (node.origin.isValid()) outline_->byOrigin[node.origin.index] = item;
        if (!node.hasBody) return;
        for (const GraphPlace& body : bodiesOf(model_, place, node.node)) {
            if (!body.holder.isValid() || engine::subgraphs(source).empty()) continue;
            const int bodyItem = add({.text = body.title.section(" · ", -1)}, item);
            addGraph(body, bodyItem, depth + 1);
        }
    }

    const engine::Model& model_;
    engine::Observer& observer_;
    std::shared_ptr<Outline> outline_ = std::make_shared<Outline>();
};

}  // namespace

std::shared_ptr<const Outline> buildOutline(const engine::Model& model, engine::Observer& observer) {
    return OutlineBuilder(model, observer).build();
}

void OutlineModel::setOutline(std::shared_ptr<const Outline> outline) {
    beginResetModel();
    outline_ = std::move(outline);
    endResetModel();
}

void OutlineModel::setOverlay(std::shared_ptr<const Overlay> overlay) {
    if (overlay == overlay_) return;
    beginResetModel();
    overlay_ = std::move(overlay);
    endResetModel();
}

const Outline::Item* OutlineModel::item(const QModelIndex& index) const {
    return index.isValid() ? &outline_->items[index.internalId()] : nullptr;
}

QModelIndex OutlineModel::indexOf(engine::OriginId origin) const {
    if (!outline_ || !origin.isValid() || origin.index >= outline_->byOrigin.size()) return {};
    const int found = outline_->byOrigin[origin.index];
    if (found < 0) return {};
    return createIndex(outline_->items[static_cast<size_t>(found)].row, 0, static_cast<quintptr>(found));
}

std::vector<engine::OriginId> OutlineModel::nodes(const QModelIndex& index) const {
    const Outline::Item* found = item(index);
    if (found == nullptr) return {};
    return found->origin.isValid() ? std::vector{found->origin} : found->inside;
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    const std::vector<int>& siblings = parent.isValid() ? item(parent)->children : outline_->roots;
    return createIndex(row, column, static_cast<quintptr>(siblings[static_cast<size_t>(row)]));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
    const Outline::Item* found = item(index);
    if (found == nullptr || found->parent < 0) return {};
    return createIndex(outline_->items[static_cast<size_t>(found->parent)].row, 0,
                       static_cast<quintptr>(found->parent));
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
    if (!outline_ || parent.column() > 0) return 0;
    return static_cast<int>(parent.isValid() ? item(parent)->children.size() : outline_->roots.size());
}

int OutlineModel::columnCount(const QModelIndex&) const { return overlay_ ? 2 : 1; }

double OutlineModel::value(const Outline::Item& which) const {
    const auto of = [&](engine::OriginId origin) {
        const Overlay::Entry* entry = overlay_->find(origin);
        return entry == nullptr ? std::nan("") : entry->value;
    };
    if (which.origin.isValid()) return of(which.origin);
    double sum = 0;
    for (const engine::OriginId origin : which.inside) {
        const double part = of(origin);
        if (!std::isnan(part)) sum += part;
    }
    return which.inside.empty() ? std::nan("") : sum;
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
    const Outline::Item* found = item(index);
    if (found == nullptr) return {};
    if (index.column() == 0) {
        if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
        return found->repeats > 1 ? QString("%1  ×%2").arg(found->text).arg(found->repeats) : found->text;
    }
    const double number = value(*found);
    if (role == sortRole) return number;
    if (std::isnan(number)) return {};
    if (role == Qt::DisplayRole) return numberText(number, overlay_->unit);
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == shareRole && overlay_->total > 0) return number / overlay_->total;
    return {};
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    if (section == 0) return tr("Node");
    return overlay_ ? overlay_->name.left(1).toUpper() + overlay_->name.mid(1) : QString();
}

}  // namespace views
