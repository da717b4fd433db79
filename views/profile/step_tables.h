#pragma once

#include "views/data_table.h"
#include "views/document.h"
#include "views/panel.h"

namespace views {

/// Time and work per step, one row each; before the first run the steps that the plan has, without times.
class StepTablePanel : public Panel {
    Q_OBJECT

public:
    explicit StepTablePanel(QWidget* parent = nullptr);
    void setDocument(Document* document) override;
    DataTable* table() { return table_; }
    QSize sizeHint() const override { return {700, 280}; }

private:
    void refresh();
    void showPlacement();
    void showProfile();
    void followSelection();
    void selectRows(const std::vector<int>& rows);
    std::vector<engine::OriginId> originsOf(int row) const;

    Document* document_ = nullptr;
    DataTable* table_;
};

/// Time per operator type and provider.
class TypeTablePanel : public Panel {
    Q_OBJECT

public:
    explicit TypeTablePanel(QWidget* parent = nullptr);
    void setDocument(Document* document) override;
    DataTable* table() { return table_; }
    QSize sizeHint() const override { return {700, 280}; }

private:
    void refresh();
    void followSelection();
    void selectRows(const std::vector<int>& rows);

    Document* document_ = nullptr;
    DataTable* table_;
};

}  // namespace views
