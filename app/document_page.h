#pragma once

#include <memory>

#include <QStackedWidget>

#include "app/workspace.h"
#include "views/cards.h"
#include "views/compare/compare_view.h"
#include "views/document.h"
#include "views/graph/graph_view.h"
#include "views/profile/profile_view.h"

namespace app {

/// One tab of the window: a document and its three workspaces, or the error that kept it from opening.
class DocumentPage : public QWidget {
    Q_OBJECT

public:
    explicit DocumentPage(std::unique_ptr<views::Document> document, QWidget* parent = nullptr);
    ~DocumentPage() override;

    views::Document* document() { return document_.get(); }
    views::GraphView* graph() { return graph_; }
    views::ProfileView* profile() { return profile_; }
    views::CompareView* compare() { return compare_; }

    void setWorkspace(Workspace workspace);
    Workspace workspace() const { return workspace_; }

    /// The work of that workspace is over, well or not: nothing more will change unless the user does
    /// something.
    bool isSettled(Workspace workspace) const;

private:
    void showState();
    QWidget* workspaceWidget() const;

    std::unique_ptr<views::Document> document_;
    Workspace workspace_ = Workspace::graph;
    QStackedWidget* stack_;
    QWidget* blank_;
    views::ErrorCard* error_;
    views::GraphView* graph_;
    views::ProfileView* profile_;
    views::CompareView* compare_;
};

}  // namespace app
