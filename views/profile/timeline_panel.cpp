#include "views/profile/timeline_panel.h"

#include <QVBoxLayout>

namespace views {

TimelinePanel::TimelinePanel(QWidget* parent) : Panel(parent), timeline_(new TimelineView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(timeline_);
    connect(timeline_, &TimelineView::stepClicked, this, [this](int step) {
        const auto& origins = (*document_->profile()->trace.steps)[static_cast<size_t>(step)].origins;
        if (!origins.empty()) document_->selection()->select(origins);
    });
    connect(timeline_, &TimelineView::groundClicked, this, [this] {
        if (document_ != nullptr) document_->selection()->clear();
    });
}

void TimelinePanel::setDocument(Document* document) {
    if (document_ != nullptr) {
        document_->disconnect(this);
        document_->selection()->disconnect(this);
    }
    document_ = document;
    if (document_ != nullptr) {
        connect(document_, &Document::opened, this, &TimelinePanel::refresh);
        connect(document_, &Document::profileChanged, this, &TimelinePanel::refresh);
        connect(document_->selection(), &Selection::changed, this,
                [this] { timeline_->setSelection(document_->selection()->nodes()); });
    }
    refresh();
}

void TimelinePanel::refresh() {
    timeline_->setProfile(document_ == nullptr ? nullptr : document_->profile());
    timeline_->setSelection(document_ == nullptr ? std::vector<engine::OriginId>()
                                                 : document_->selection()->nodes());
}

}  // namespace views
