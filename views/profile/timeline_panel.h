#pragma once

#include "views/document.h"
#include "views/panel.h"
#include "views/profile/timeline_view.h"

namespace views {

/// The timeline as a dock, with the shared selection.
class TimelinePanel : public Panel {
    Q_OBJECT

public:
    explicit TimelinePanel(QWidget* parent = nullptr);
    void setDocument(Document* document) override;
    TimelineView* timeline() { return timeline_; }
    QSize sizeHint() const override { return {700, 280}; }

private:
    void refresh();

    Document* document_ = nullptr;
    TimelineView* timeline_;
};

}  // namespace views
