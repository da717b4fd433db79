#pragma once

#include <memory>
#include <vector>

#include <QAbstractItemModel>

#include "engine/core/observer.h"
#include "engine/model.h"
#include "views/overlay.h"

namespace views {

/// The model as a tree: groups by name, nodes, bodies of If, Loop and Scan, functions. Immutable.
struct Outline {
    struct Item {
        QString text = {};
        engine::OriginId origin = {};               ///< of a node
        std::vector<engine::OriginId> inside = {};  ///< of a group: its nodes
        int repeats = 1;
        int parent = -1;
        std::vector<int> children = {};
        int row = 0;  ///< among the parent's children
    };
    std::vector<Item> items;
    std::vector<int> roots;
    std::vector<int> byOrigin;  ///< item of each node, or -1
};
std::shared_ptr<const Outline> buildOutline(const engine::Model& model, engine::Observer& observer);

/// The outline with the time of each item.
class OutlineModel : public QAbstractItemModel {
    Q_OBJECT

public:
    using QAbstractItemModel::QAbstractItemModel;

    void setOutline(std::shared_ptr<const Outline> outline);
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    QModelIndex indexOf(engine::OriginId origin) const;
    /// The nodes an item stands for.
    std::vector<engine::OriginId> nodes(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const Outline::Item* item(const QModelIndex& index) const;
    double value(const Outline::Item& item) const;

    std::shared_ptr<const Outline> outline_;
    std::shared_ptr<const Overlay> overlay_;
};

}  // namespace views
