#pragma once

#include <QWidget>

namespace views {

class Document;

/// A part of the window that shows one aspect of the current document. `app/panels.cpp` has the only table.
class Panel : public QWidget {
    Q_OBJECT

public:
    explicit Panel(QWidget* parent = nullptr) : QWidget(parent) {}

    /// Shows that document from now on; null: none. The document outlives its stay in the panel.
    virtual void setDocument(Document* document) = 0;
};

}  // namespace views
