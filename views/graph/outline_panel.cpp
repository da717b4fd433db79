#include "views/graph/outline_panel.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "views/share_bar_delegate.h"

namespace views {

OutlinePanel::OutlinePanel(QWidget* parent) : Panel(parent) {
    model_ = new OutlineModel(this);
    tree_ = new QTreeView(this);
    tree_->setModel(model_);
    tree_->setUniformRowHeights(true);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setItemDelegate(new ShareBarDelegate(tree_));
    tree_->setTextElideMode(Qt::ElideMiddle);
    tree_->setIndentation(14);
    tree_->setAccessibleName(tr("Outline"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(tree_);
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &OutlinePanel::selectFromTree);
}

void OutlinePanel::setDocument(Document* document) {
    if (document_ != nullptr) {
        document_->disconnect(this);
        document_->selection()->disconnect(this);
    }
    document_ = document;
    job_.drop();
    model_->setOutline(nullptr);
    model_->setOverlay(nullptr);
    arrangeColumns();
    if (document_ == nullptr) return;
    connect(document_, &Document::opened, this, &OutlinePanel::rebuild);
    connect(document_, &Document::profileChanged, this, [this] {
        model_->setOverlay(document_->time());
        arrangeColumns();
        followSelection();
    });
    connect(document_->selection(), &Selection::changed, this, &OutlinePanel::followSelection);
    rebuild();
}

void OutlinePanel::rebuild() {
    if (!document_->model()) return;
    auto work = [model = document_->model()](engine::Observer& observer) {
        return buildOutline(*model, observer);
    };
    job_.start(startJob(std::move(work)), {.done = [this](const std::shared_ptr<const Outline>& outline) {
                   model_->setOverlay(document_->time());
                   model_->setOutline(outline);
                   arrangeColumns();
                   followSelection();
               }});
}

void OutlinePanel::arrangeColumns() {
    QHeaderView* header = tree_->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    if (model_->columnCount() > 1) header->resizeSection(1, 78);
    header->setVisible(model_->columnCount() > 1);
}

void OutlinePanel::followSelection() {
    if (document_ == nullptr) return;
    const QModelIndex index = model_->indexOf(document_->selection()->current());
    isFollowing_ = true;
    if (document_->selection()->isEmpty()) {
        tree_->clearSelection();
    } else if (index.isValid() && document_->selection()->nodes().size() == 1) {
        tree_->setCurrentIndex(index);
        tree_->scrollTo(index);
    }
    isFollowing_ = false;
}

void OutlinePanel::selectFromTree() {
    if (isFollowing_ || document_ == nullptr) return;
    std::vector<engine::OriginId> nodes = model_->nodes(tree_->currentIndex());
    if (!nodes.empty()) document_->selection()->select(std::move(nodes));
}

}  // namespace views
