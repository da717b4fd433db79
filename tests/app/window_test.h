#pragma once

#include <functional>
#include <memory>

#include <QAbstractButton>
#include <QFileDialog>
#include <QTest>
#include <gtest/gtest.h>

#include "app/main_window.h"
#include "tests/support/paths.h"
#include "tests/support/wait.h"

namespace app {

/// A window with nothing open and nothing remembered, driven as people do: by clicks and keys.
class WindowTest : public testing::Test {
protected:
    WindowTest();

    static QString sample();
    static QString model(const std::string& name);

    DocumentPage* open(const QString& path);
    /// A run that ends soon.
    void run(DocumentPage* page);
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
    engine::OriginId first(DocumentPage* page, const std::string& type) const;
    QPoint pointOf(DocumentPage* page, engine::OriginId origin) const;
    /// Gives the path to the file dialog that comes next, and accepts it.
    void answerFileDialog(const QString& path);

    /// The widget of that kind and name.
    template <class W>
    W* named(const QString& name) const {
        for (W* widget : window->findChildren<W*>()) {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            if (widget->accessibleName() == name || (button != nullptr && button->text() == name))
                return widget;
        }
        return nullptr;
    }

    std::unique_ptr<MainWindow> window;
};

}  // namespace app
