#pragma once

#include <QLabel>
#include <QStackedLayout>
#include <QWidget>

#include "views/cards.h"
#include "views/document.h"
#include "views/profile/latency_chart.h"

namespace views {

/// The middle of the profile workspace: the latency in words, and as it comes.
class ProfileView : public QWidget {
    Q_OBJECT

public:
    explicit ProfileView(Document* document, QWidget* parent = nullptr);
    LatencyChart* chart() { return chart_; }

private:
    void refresh();
    void showResult(const engine::ProfileResult& profile);
    void showLive();

    Document* document_;
    QLabel* latency_;
    QLabel* certainty_;
    QLabel* details_;
    QLabel* invitation_;
    LatencyChart* chart_;
    ErrorCard* error_;
    QStackedLayout* stack_;
};

}  // namespace views
