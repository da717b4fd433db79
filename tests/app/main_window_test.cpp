#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QUrl>
#include <gtest/gtest.h>

#include "tests/app/window_test.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace app {
namespace {

using MainWindowTest = WindowTest;

TEST_F(MainWindowTest, StartsWithAPageFromWhichTheSampleOpens) {
    auto* button = named<QPushButton>("Open the sample");
    ASSERT_NE(button, nullptr);
    ASSERT_TRUE(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    ASSERT_NE(window->currentPage(), nullptr);
    ASSERT_TRUE(test::waitFor([&] { return window->currentPage()->isSettled(Workspace::graph); }));
    EXPECT_TRUE(window->currentPage()->graph()->canvas()->isVisible());
    EXPECT_TRUE(window->windowTitle().startsWith("digits.onnx"));
    EXPECT_EQ(Settings::recentFiles().size(), 1);
}

TEST_F(MainWindowTest, ShowsAnErrorInPlaceAndTriesAgain) {
    const test::TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.write("broken.onnx", "this is no model").string());
    DocumentPage* page = open(path);
    EXPECT_FALSE(page->document()->model());
    auto* card = page->findChild<views::ErrorCard*>();
    ASSERT_NE(card, nullptr);
    ASSERT_TRUE(card->isVisible());
    EXPECT_FALSE(card->message().isEmpty());
    QFile::remove(path);
    ASSERT_TRUE(QFile::copy(sample(), path));
    test::settle();  // nobody clicks before it has its place
    QTest::mouseClick(card->findChild<QPushButton*>(), Qt::LeftButton);
    ASSERT_TRUE(
        test::waitFor([&] { return page->document()->model() && page->isSettled(Workspace::graph); }));
    EXPECT_FALSE(card->isVisible());
}

TEST_F(MainWindowTest, LoadsCustomOperatorsAndOpensWhatNeedsThem) {
    const test::TemporaryFolder folder;
    DocumentPage* page = open(QString::fromStdString(folder
                                                         .write("scaled.onnxtxt", R"(
<ir_version: 10, opset_import: ["" : 21, "com.example" : 1]>
scaled (float[n] x) => (float[n] y) { y = com.example.Scale <factor = 2.0> (x) }
)")
                                                         .string()));
    ASSERT_TRUE(page->document()->model());
    EXPECT_EQ(page->document()->model()->diagnostics.size(), 1U);
    answerFileDialog(QString::fromStdString(test::customOperators().string()));
    window->action("file.operators")->trigger();
    EXPECT_TRUE(test::waitFor(
        [&] { return page->document()->model() && page->document()->model()->diagnostics.empty(); }));
}

TEST_F(MainWindowTest, KeepsDocumentsInTabsAndOpensAFileOnce) {
    const test::TemporaryFolder folder;
    const QString copy = QString::fromStdString((folder.path() / "other.onnx").string());
    ASSERT_TRUE(QFile::copy(sample(), copy));
    DocumentPage* one = open(sample());
    DocumentPage* two = open(copy);
    EXPECT_EQ(window->currentPage(), two);
    EXPECT_EQ(open(sample()), one);
    EXPECT_EQ(window->currentPage(), one);
    window->action("file.close")->trigger();
    EXPECT_EQ(window->currentPage(), two);
    window->action("file.close")->trigger();
    EXPECT_EQ(window->currentPage(), nullptr);
    EXPECT_FALSE(window->action("run.run")->isEnabled());
}

TEST_F(MainWindowTest, OpensWhatIsDropped) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(sample())});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &drop);
    ASSERT_NE(window->currentPage(), nullptr);
    EXPECT_EQ(window->currentPage()->document()->path(), sample());
}

TEST_F(MainWindowTest, FindsWhileOneTypesAndEscapeEndsIt) {
    DocumentPage* page = open(sample());
    window->activateWindow();
    window->action("edit.find")->trigger();
    auto* search = named<QLineEdit>("Search the graph");
    ASSERT_NE(search, nullptr);
    ASSERT_TRUE(test::waitFor([&] {
        search->clear();
        QTest::keyClicks(search, "softmax");
        return page->graph()->matchCount() == 1;
    }));
    test::settle();
    EXPECT_EQ(page->document()->selection()->current(), first(page, "Softmax"));
    window->action("edit.escape")->trigger();
    EXPECT_TRUE(search->text().isEmpty());
    EXPECT_EQ(page->graph()->matchCount(), 0);
    window->action("edit.escape")->trigger();
    EXPECT_TRUE(page->document()->selection()->isEmpty());
}

TEST_F(MainWindowTest, WorkspacesShareTheSelectionAndKeepTheirDocks) {
    DocumentPage* page = open(sample());
    page->document()->selection()->select(first(page, "Softmax"));
    EXPECT_TRUE(window->dock("outline")->isVisible());
    EXPECT_FALSE(window->dock("steps")->isVisible());
    window->dock("outline")->close();
    window->action("workspace.profile")->trigger();
    EXPECT_TRUE(window->dock("steps")->isVisible());
    EXPECT_FALSE(page->graph()->isVisible());
    EXPECT_EQ(page->document()->selection()->current(), first(page, "Softmax"));
    window->action("workspace.graph")->trigger();
    EXPECT_TRUE(page->graph()->isVisible());
    EXPECT_FALSE(window->dock("outline")->isVisible()) << "closed by the user";
    window->action("view.layout")->trigger();
    EXPECT_TRUE(window->dock("outline")->isVisible());
}

TEST_F(MainWindowTest, RunsAndShowsTimesEverywhere) {
    DocumentPage* page = open(sample());
    ASSERT_TRUE(page->document()->session());
    views::RunSettings settings = page->document()->settings();
    settings.seconds = 0.2;
    page->document()->setSettings(settings);
    window->action("run.run")->trigger();
    ASSERT_TRUE(page->document()->activity(views::Task::profile).isRunning);
    ASSERT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::profile); }));
    ASSERT_FALSE(page->document()->activity(views::Task::profile).failure)
        << page->document()->activity(views::Task::profile).failure->toStdString();
    ASSERT_TRUE(page->document()->profile());
    EXPECT_GT(page->document()->time()->total, 0);
    EXPECT_EQ(page->graph()->canvas()->look().overlay, page->document()->time());
    bool isInStatus = false;
    for (const QLabel* label : window->statusBar()->findChildren<QLabel*>())
        isInStatus |= label->text().contains("p50");
    EXPECT_TRUE(isInStatus);
}

TEST_F(MainWindowTest, StoppingARunKeepsWhatThereIs) {
    DocumentPage* page = open(sample());
    views::RunSettings settings = page->document()->settings();
    settings.seconds = 60;
    page->document()->setSettings(settings);
    window->action("run.run")->trigger();
    ASSERT_TRUE(test::waitFor([&] { return page->document()->latenciesNs().size() > 3; }));
    window->action("run.run")->trigger();
    ASSERT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::profile); }, 5000));
    EXPECT_FALSE(page->document()->activity(views::Task::profile).failure);
    EXPECT_GT(page->document()->latenciesNs().size(), 3U);
    EXPECT_FALSE(page->document()->profile());
}

TEST_F(MainWindowTest, ClosingADocumentStopsItsWork) {
    DocumentPage* page = open(sample());
    views::RunSettings settings = page->document()->settings();
    settings.seconds = 60;
    page->document()->setSettings(settings);
    window->action("run.run")->trigger();
    ASSERT_TRUE(test::waitFor([&] { return !page->document()->latenciesNs().empty(); }));
    window->action("file.close")->trigger();
    EXPECT_TRUE(test::waitFor([] { return views::measurementPool()->activeThreadCount() == 0; }, 5000));
}

TEST_F(MainWindowTest, WritesTheReport) {
    const test::TemporaryFolder folder;
    DocumentPage* page = open(sample());
    views::RunSettings settings = page->document()->settings();
    settings.seconds = 0.1;
    page->document()->setSettings(settings);
    QString written;
    QObject::connect(page->document(), &views::Document::reportSaved,
                     [&](const QString& path) { written = path; });
    page->document()->saveReport(QString::fromStdString((folder.path() / "report.html").string()));
    ASSERT_TRUE(test::waitFor([&] { return !written.isEmpty(); }));
    EXPECT_NE(test::readFile(written.toStdString()).find("digits"), std::string::npos);
}

TEST_F(MainWindowTest, ComparesAndFillsChartAndTable) {
    DocumentPage* page = open(sample());
    window->action("workspace.compare")->trigger();
    QLineEdit* batch = page->compare()->dimensionLine("batch");
    ASSERT_NE(batch, nullptr);
    batch->setText("");
    EXPECT_FALSE(page->compare()->startButton()->isEnabled());
    batch->setText("1, 2");
    ASSERT_TRUE(page->compare()->startButton()->isEnabled());
    QTest::mouseClick(page->compare()->startButton(), Qt::LeftButton);
    ASSERT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::compare); }));
    ASSERT_FALSE(page->document()->activity(views::Task::sweep).failure);
    EXPECT_GE(page->document()->sweepCells().size(), 2U);
    EXPECT_EQ(page->compare()->table()->model()->rowCount(),
              static_cast<int>(page->document()->sweepCells().size()));
}

TEST_F(MainWindowTest, EveryControlHasANameForThoseWhoCannotSeeIt) {
    open(sample());
    for (const WorkspaceInfo& info : workspaces) {
        window->setWorkspace(info.workspace);
        for (const QWidget* widget : window->findChildren<QWidget*>()) {
            const bool isControl = widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                                   !widget->objectName().startsWith("qt_");
            if (!isControl) continue;
            // Those of docks are made and dropped by QMainWindow; their tabs have texts.
            if (qobject_cast<const QTabBar*>(widget) != nullptr && widget->parentWidget() == window.get())
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool hasText = button != nullptr && !button->text().isEmpty();
            const QWidget* named = widget;
            while (named != nullptr && named->accessibleName().isEmpty() &&
                   named->parentWidget() != window.get())
                named = named->parentWidget();
            EXPECT_TRUE(hasText || !widget->accessibleName().isEmpty() || !widget->toolTip().isEmpty() ||
                        (named != nullptr && !named->accessibleName().isEmpty()))
                << info.id << ": " << widget->metaObject()->className();
        }
    }
}

}  // namespace
}  // namespace app
