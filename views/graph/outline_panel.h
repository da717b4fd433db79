#pragma once

#include <QTreeView>

#include "views/document.h"
#include "views/graph/outline_model.h"
#include "views/panel.h"

namespace views {

/// The model as a tree with a bar of time; follows the selection and sets it.
class OutlinePanel : public Panel {
    Q_OBJECT

public:
    explicit OutlinePanel(QWidget* parent = nullptr);
    void setDocument(Document* document) override;
    QTreeView* tree() { return tree_; }
    QSize sizeHint() const override { return {240, 400}; }

private:
    void rebuild();
    void followSelection();
    void selectFromTree();
    void arrangeColumns();

    Document* document_ = nullptr;
    QTreeView* tree_;
    OutlineModel* model_;
    bool isFollowing_ = false;
    LatestJob<std::shared_ptr<const Outline>> job_;
};

}  // namespace views
