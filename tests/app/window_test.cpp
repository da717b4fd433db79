#include "tests/app/window_test.h"

#include <QApplication>
#include <QLineEdit>
#include <QTimer>

namespace app {

WindowTest::WindowTest() {
    Settings::clearRecentFiles();
    for (const WorkspaceInfo& info : workspaces) Settings::remove(QString("layout/") + info.id);
    for (const char* key : {"geometry", "workspace", "colourBy", "folder"}) Settings::remove(key);
    window = std::make_unique<MainWindow>();
    window->setTheme(Theme::light);
    window->resize(1400, 900);
    window->show();
    window->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
}

QString WindowTest::sample() {
    return QString::fromStdString((test::sourceDir() / "resources/sample/digits.onnx").string());
}

QString WindowTest::model(const std::string& name) {
    return QString::fromStdString((test::sourceDir() / ".deps/models" / (name + ".onnx")).string());
}

DocumentPage* WindowTest::open(const QString& path) {
    DocumentPage* page = window->openFile(path);
    EXPECT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::graph); }));
    return page;
}

void WindowTest::run(DocumentPage* page) {
    views::RunSettings settings = page->document()->settings();
    settings.seconds = 0.2;
    page->document()->setSettings(settings);
    press(Qt::Key_R, Qt::ControlModifier);
    ASSERT_TRUE(page->document()->activity(views::Task::profile).isRunning);
    ASSERT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::profile); }));
    ASSERT_TRUE(page->document()->profile());
}

void WindowTest::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    // Offscreen a dialog that closes does not give the activity back.
    if (QApplication::activeWindow() == nullptr) {
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    QWidget* focused = QApplication::focusWidget();
    QTest::keyClick(focused == nullptr ? window.get() : focused, key, modifiers);
    test::settle();
}

engine::OriginId WindowTest::first(DocumentPage* page, const std::string& type) const {
    const auto& origins = page->document()->model()->origins;
    for (size_t index = 0; index < origins.size(); ++index) {
        if (origins[index].graph->node(origins[index].node).operatorType == type)
            return engine::OriginId(index);
    }
    ADD_FAILURE() << "there is no " << type;
    return {};
}

QPoint WindowTest::pointOf(DocumentPage* page, engine::OriginId origin) const {
    views::Canvas* canvas = page->graph()->canvas();
    return canvas->toViewport(canvas->scene()->rectOf(origin).center()).toPoint();
}

void WindowTest::answerFileDialog(const QString& path) {
    auto* timer = new QTimer(window.get());
    QObject::connect(timer, &QTimer::timeout, window.get(), [timer, path] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr) return;
        timer->deleteLater();
        timer->stop();
        auto* line = dialog->findChild<QLineEdit*>("fileNameEdit");
        ASSERT_NE(line, nullptr);
        // Not typed, as the names proposed meanwhile would take Return.
        line->setText(path);
        QTest::keyClick(line, Qt::Key_Return);
    });
    timer->start(20);
}

}  // namespace app
