#pragma once

#include <QToolButton>
#include <QWidget>

#include "views/document.h"

namespace app {

/// Run, and how: providers, symbols, threads. In the tool bar; acts on the current document.
class RunBar : public QWidget {
    Q_OBJECT

public:
    explicit RunBar(QWidget* parent = nullptr);

    void setDocument(views::Document* document);
    /// Starts a measurement, or stops the one that goes on.
    void toggleRun();

private:
    void refresh();
    void fillProviders();
    void fillSymbols();
    void fillThreads();
    void setProviders(const std::string& name, bool isOn);

    views::Document* document_ = nullptr;
    QToolButton* run_;
    QToolButton* providers_;
    QToolButton* symbols_;
    QToolButton* threads_;
};

}  // namespace app
