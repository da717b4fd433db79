#pragma once

#include <map>

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>

#include "views/cards.h"
#include "views/compare/sweep_chart.h"
#include "views/data_table.h"
#include "views/document.h"

namespace views {

/// The compare workspace: which providers, sizes and threads to measure one against the other; chart and
/// table of what came out, growing while the sweep goes on.
class CompareView : public QWidget {
    Q_OBJECT

public:
    explicit CompareView(Document* document, QWidget* parent = nullptr);

    /// Starts the sweep as it is set up, or stops the one that goes on.
    void toggle();
    DataTable* table() { return table_; }
    QPushButton* startButton() { return start_; }
    QLineEdit* dimensionLine(const std::string& symbol) const;

private:
    QWidget* buildSetup();
    void rebuild();
    void refresh();
    void fillTable();
    void check();
    std::optional<engine::SweepOptions> options() const;

    Document* document_;
    QFormLayout* form_ = nullptr;
    std::map<std::string, QCheckBox*> providers_;
    std::map<std::string, QLineEdit*> dims_;
    QLineEdit* threads_ = nullptr;
    QLabel* count_ = nullptr;
    QPushButton* start_ = nullptr;
    SweepChart* chart_;
    DataTable* table_;
    QLabel* invitation_;
    ErrorCard* error_;
    QStackedLayout* stack_;
};

}  // namespace views
