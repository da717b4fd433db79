#include "app/document_page.h"

#include <QVBoxLayout>

namespace app {

using views::Document;
using views::Task;

DocumentPage::DocumentPage(std::unique_ptr<Document> document, QWidget* parent)
    : QWidget(parent), document_(std::move(document)) {
    stack_ = new QStackedWidget(this);
    blank_ = new QWidget(this);
    error_ = new views::ErrorCard(this);
    graph_ = new views::GraphView(document_.get(), this);
    profile_ = new views::ProfileView(document_.get(), this);
    compare_ = new views::CompareView(document_.get(), this);
    for (QWidget* page : std::initializer_list<QWidget*>{blank_, error_, graph_, profile_, compare_}) {
        stack_->addWidget(page);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stack_);
    connect(error_, &views::ErrorCard::actionClicked, document_.get(), &Document::open);
    connect(document_.get(), &Document::opened, this, &DocumentPage::showState);
    connect(document_.get(), &Document::activityChanged, this, [this](Task task) {
        if (task == Task::open) showState();
    });
    showState();
}

DocumentPage::~DocumentPage() {
    // The views let go of the document before it goes.
    delete stack_;
}

void DocumentPage::setWorkspace(Workspace workspace) {
    workspace_ = workspace;
    showState();
}

void DocumentPage::showState() {
    const views::Activity& opening = document_->activity(Task::open);
    if (opening.failure && !opening.isRunning) {
        error_->show(tr("This file could not be opened"), *opening.failure,
                     tr("Check that it is an ONNX model and that nothing else is writing it."),
                     tr("Try again"));
        stack_->setCurrentWidget(error_);
    } else if (!document_->model() && !opening.isRunning && opening.since.isValid()) {
        error_->show(tr("Opening was cancelled"), document_->path(), {}, tr("Open again"));
        stack_->setCurrentWidget(error_);
    } else if (!document_->model()) {
        stack_->setCurrentWidget(blank_);
    } else {
        stack_->setCurrentWidget(workspaceWidget());
    }
}

QWidget* DocumentPage::workspaceWidget() const {
    switch (workspace_) {
        case Workspace::profile:
            return profile_;
        case Workspace::compare:
            return compare_;
        case Workspace::graph:
            break;
    }
    return graph_;
}

bool DocumentPage::isSettled(Workspace workspace) const {
    const auto isRunning = [&](Task task) { return document_->activity(task).isRunning; };
    if (isRunning(Task::open)) return false;
    if (!document_->model()) return document_->activity(Task::open).since.isValid();
    if (isRunning(Task::types) || isRunning(Task::plan)) return false;
    if (workspace == Workspace::profile) return !isRunning(Task::profile);
    if (workspace == Workspace::compare) return !isRunning(Task::sweep);
    return graph_->isSettled();
}

}  // namespace app
