#pragma once

#include <QLabel>
#include <QStatusBar>

#include "views/cards.h"
#include "views/document.h"

namespace app {

/// A bar of shares by provider, with words.
class ProviderShareBar : public QWidget {
    Q_OBJECT

public:
    explicit ProviderShareBar(QWidget* parent = nullptr);

    struct Part {
        std::string provider = {};
        double share = 0;
    };
    void setParts(std::vector<Part> parts, const QString& tip);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString text() const;
    std::vector<Part> parts_;
};

/// The line at the bottom: what is open, where it runs, how long it takes and how sure that is; and what goes
/// on.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);
    void setDocument(views::Document* document);

private:
    void refresh();
    void showActivity(views::Task task);
    QString modelText() const;
    void fillShares();

    views::Document* document_ = nullptr;
    views::Task shownTask_ = views::Task::open;
    views::ProgressCard* progress_;
    QLabel* model_;
    ProviderShareBar* shares_;
    QLabel* latency_;
};

}  // namespace app
