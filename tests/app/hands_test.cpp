#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include "tests/app/window_test.h"
#include "tests/support/temporary_folder.h"
#include "views/graph/outline_panel.h"
#include "views/graph/properties_panel.h"
#include "views/profile/setup_panel.h"
#include "views/profile/step_tables.h"
#include "views/profile/timeline_panel.h"

namespace app {
namespace {

using Hands = WindowTest;

TEST_F(Hands, OpenByTheDialog) {
    answerFileDialog(sample());
    press(Qt::Key_O, Qt::ControlModifier);
    ASSERT_NE(window->currentPage(), nullptr);
    EXPECT_TRUE(test::waitFor([&] { return window->currentPage()->isSettled(Workspace::graph); }));
    EXPECT_EQ(window->currentPage()->document()->path(), sample());
}

TEST_F(Hands, OpenARecentFileFromTheStartPageAndByKey) {
    open(sample());
    press(Qt::Key_W, Qt::ControlModifier);
    ASSERT_EQ(window->currentPage(), nullptr);
    QPushButton* recent = nullptr;
    for (auto* button : window->findChildren<QPushButton*>())
        if (button->isVisible() && button->text().startsWith("digits.onnx")) recent = button;
    ASSERT_NE(recent, nullptr);
    QTest::mouseClick(recent, Qt::LeftButton);
    ASSERT_NE(window->currentPage(), nullptr);
    EXPECT_EQ(window->currentPage()->document()->path(), sample());
    press(Qt::Key_W, Qt::ControlModifier);
    press(Qt::Key_1, Qt::ControlModifier);
    ASSERT_NE(window->currentPage(), nullptr);
    EXPECT_EQ(window->currentPage()->document()->path(), sample());
}

TEST_F(Hands, GoFromTabToTab) {
    const test::TemporaryFolder folder;
    const QString copy = QString::fromStdString((folder.path() / "other.onnx").string());
    ASSERT_TRUE(QFile::copy(sample(), copy));
    DocumentPage* one = open(sample());
    DocumentPage* two = open(copy);
    auto* tabs = named<QTabBar>("Open models");
    ASSERT_NE(tabs, nullptr);
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    EXPECT_EQ(window->currentPage(), one);
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
    EXPECT_EQ(window->currentPage(), two);
}

TEST_F(Hands, SeeProgressAndCancelIt) {
    DocumentPage* page = open(sample());
    views::RunSettings settings = page->document()->settings();
    settings.seconds = 60;
    page->document()->setSettings(settings);
    press(Qt::Key_R, Qt::ControlModifier);
    QPushButton* cancel = nullptr;
    for (auto* button : window->statusBar()->findChildren<QPushButton*>())
        if (button->text() == "Cancel") cancel = button;
    ASSERT_NE(cancel, nullptr);
    EXPECT_FALSE(cancel->isVisible()) << "what is done at once needs no bar";
    ASSERT_TRUE(test::waitFor([&] { return cancel->isVisible(); }, 5000));
    QTest::mouseClick(cancel, Qt::LeftButton);
    ASSERT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::profile); }, 5000));
    EXPECT_FALSE(cancel->isVisible());
    EXPECT_FALSE(page->document()->profile());
}

TEST_F(Hands, CancelOpeningAndOpenAgain) {
    DocumentPage* page = window->openFile(sample());
    page->document()->cancel(views::Task::open);
    ASSERT_TRUE(test::waitFor([&] { return !page->document()->activity(views::Task::open).isRunning; }));
    ASSERT_FALSE(page->document()->model());
    auto* card = page->findChild<views::ErrorCard*>();
    ASSERT_TRUE(card->isVisible());
    test::settle();  // nobody clicks before it has its place
    QTest::mouseClick(card->findChild<QPushButton*>(), Qt::LeftButton);
    EXPECT_TRUE(test::waitFor([&] { return page->document()->model() != nullptr; }));
}

TEST_F(Hands, DoEverythingByKeys) {
    DocumentPage* page = open(sample());
    press(Qt::Key_F, Qt::ControlModifier);
    QWidget* search = QApplication::focusWidget();
    ASSERT_NE(search, nullptr);
    ASSERT_EQ(search->accessibleName(), "Search the graph");
    ASSERT_TRUE(test::waitFor([&] {
        static_cast<QLineEdit*>(search)->clear();
        QTest::keyClicks(search, "gemm");
        return page->graph()->matchCount() == 2;
    }));
    test::settle();
    const engine::OriginId one = page->document()->selection()->current();
    press(Qt::Key_F3);
    EXPECT_NE(page->document()->selection()->current(), one);
    press(Qt::Key_F3, Qt::ShiftModifier);
    EXPECT_EQ(page->document()->selection()->current(), one);
    press(Qt::Key_Escape);
    EXPECT_EQ(QApplication::focusWidget(), page->graph()->canvas());
    press(Qt::Key_Down);
    EXPECT_NE(page->document()->selection()->current(), one) << "along the edge";
    press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(page->document()->selection()->current(), one);
    press(Qt::Key_Right, Qt::AltModifier);
    EXPECT_NE(page->document()->selection()->current(), one);
    const double scale = page->graph()->canvas()->scale();
    press(Qt::Key_Plus);
    EXPECT_GT(page->graph()->canvas()->scale(), scale);
    press(Qt::Key_Space);
    EXPECT_TRUE(page->graph()->canvas()->visibleArea().contains(page->graph()->canvas()->scene()->bounds));
    press(Qt::Key_2, Qt::AltModifier);
    EXPECT_EQ(window->workspace(), Workspace::profile);
    press(Qt::Key_3, Qt::AltModifier);
    EXPECT_EQ(window->workspace(), Workspace::compare);
    press(Qt::Key_1, Qt::AltModifier);
    EXPECT_EQ(window->workspace(), Workspace::graph);
}

TEST_F(Hands, TakeACommandFromThePalette) {
    open(sample());
    QTimer::singleShot(50, window.get(), [] {
        QWidget* palette = QApplication::activeModalWidget();
        ASSERT_NE(palette, nullptr);
        auto* line = palette->findChild<QLineEdit*>();
        QTest::keyClicks(line, "compare");
        QTest::keyClick(line, Qt::Key_Return);
    });
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(window->workspace(), Workspace::compare);
}

TEST_F(Hands, GoToANodeByItsName) {
    DocumentPage* page = open(sample());
    QTimer::singleShot(50, window.get(), [] {
        QWidget* palette = QApplication::activeModalWidget();
        ASSERT_NE(palette, nullptr);
        auto* line = palette->findChild<QLineEdit*>();
        QTest::keyClicks(line, "softmax");
        QTest::keyClick(line, Qt::Key_Return);
    });
    press(Qt::Key_G, Qt::ControlModifier);
    test::settle();
    EXPECT_EQ(page->document()->selection()->current(), first(page, "Softmax"));
}

TEST_F(Hands, SelectAnywhereAndSeeItEverywhere) {
    DocumentPage* page = open(sample());
    run(page);
    press(Qt::Key_2, Qt::AltModifier);
    auto* steps = window->findChild<views::StepTablePanel*>()->table();
    auto* types = window->findChild<views::TypeTablePanel*>()->table();
    auto* timeline = window->findChild<views::TimelinePanel*>()->timeline();
    auto* tree = window->findChild<views::OutlinePanel*>()->tree();
    auto* properties = window->findChild<views::PropertiesPanel*>();
    const auto& rows = page->document()->profile()->steps;
    const auto softmax = first(page, "Softmax");

    steps->filter()->setText("Softmax");
    const QRect cell = steps->view()->visualRect(steps->view()->model()->index(0, 1));
    QTest::mouseClick(steps->view()->viewport(), Qt::LeftButton, {}, cell.center());
    test::settle();
    steps->filter()->clear();
    EXPECT_EQ(page->document()->selection()->current(), softmax);
    EXPECT_EQ(page->graph()->canvas()->look().current, softmax);
    EXPECT_TRUE(properties->text().startsWith("Softmax"));
    EXPECT_TRUE(tree->currentIndex().data().toString().startsWith("Softmax"));
    ASSERT_EQ(types->view()->selectionModel()->selectedRows().size(), 1);
    EXPECT_EQ(types->view()->selectionModel()->selectedRows().first().data().toString(), "Softmax");

    // Then in the timeline, where the table follows.
    window->dock("timeline")->raise();
    test::settle();
    const auto& events = page->document()->profile()->trace.events;
    size_t longest = 0;
    for (size_t index = 0; index < events.size(); ++index) {
        if (timeline->rectOf(index).width() > timeline->rectOf(longest).width()) longest = index;
    }
    QTest::mouseClick(timeline, Qt::LeftButton, {}, timeline->rectOf(longest).center().toPoint());
    test::settle();
    const engine::StepInfo& clicked = (*page->document()->profile()->trace.steps)[events[longest].step];
    EXPECT_EQ(page->document()->selection()->nodes(), clicked.origins);
    ASSERT_EQ(steps->view()->selectionModel()->selectedRows().size(), 1);
    const QModelIndex row = steps->view()->selectionModel()->selectedRows().first();
    EXPECT_EQ(rows[row.data().toULongLong()].info.origins, clicked.origins);

    // Last on the canvas.
    press(Qt::Key_1, Qt::AltModifier);
    page->graph()->canvas()->fit();
    const auto pool = first(page, "MaxPool");
    QTest::mouseClick(page->graph()->canvas()->viewport(), Qt::LeftButton, {}, pointOf(page, pool));
    test::settle();
    EXPECT_TRUE(properties->text().startsWith("MaxPool"));
    EXPECT_TRUE(
        steps->view()->selectionModel()->selectedRows().first().siblingAtColumn(2).data().toString() ==
        "MaxPool");
}

TEST_F(Hands, SwitchWhatColoursSayAndTheLegendFollows) {
    DocumentPage* page = open(sample());
    const views::Legend* legend = page->graph()->legend();
    EXPECT_TRUE(legend->texts().join('\n').contains("cpu"));
    EXPECT_TRUE(legend->texts().join('\n').contains("between providers")) << "the sample has a copy";
    window->action("colour.family")->trigger();
    EXPECT_TRUE(legend->texts().contains("layer  14")) << legend->texts().join(", ").toStdString();
    window->action("colour.heat")->trigger();
    EXPECT_TRUE(legend->texts().join('\n').startsWith("not measured"));
    run(page);
    EXPECT_TRUE(legend->texts().join('\n').startsWith("time 0"));
    window->action("colour.provider")->trigger();
    EXPECT_TRUE(legend->texts().join('\n').contains("reference"));
}

TEST_F(Hands, ExportTheReportAndThePicture) {
    const test::TemporaryFolder folder;
    DocumentPage* page = open(sample());
    run(page);
    const QString report = QString::fromStdString((folder.path() / "digits.html").string());
    answerFileDialog(report);
    press(Qt::Key_E, Qt::ControlModifier);
    ASSERT_TRUE(test::waitFor([&] { return QFile::exists(report); }));
    EXPECT_NE(test::readFile(report.toStdString()).find("made up, seed 0"), std::string::npos);
    for (const char* name : {"digits.svg", "digits.png"}) {
        const QString picture = QString::fromStdString((folder.path() / name).string());
        answerFileDialog(picture);
        press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        ASSERT_TRUE(
            test::waitFor([&] { return window->statusBar()->currentMessage().endsWith(picture); }, 8000))
            << name << ": " << window->statusBar()->currentMessage().toStdString();
        EXPECT_GT(QFileInfo(picture).size(), 10000);
    }
}

TEST_F(Hands, BindASizeAndRunFromTheSetup) {
    DocumentPage* page = open(sample());
    press(Qt::Key_2, Qt::AltModifier);
    auto* setup = window->findChild<views::SetupPanel*>();
    QSpinBox* batch = setup->symbolBox("batch");
    ASSERT_NE(batch, nullptr);
    EXPECT_EQ(batch->value(), 1);
    batch->selectAll();
    QTest::keyClicks(batch, "3");
    QTest::keyClick(batch, Qt::Key_Return);
    ASSERT_TRUE(test::waitFor([&] { return !page->document()->isBusy(); }));
    EXPECT_EQ(page->document()->sizes().at("batch"), 3);
    QPushButton* start = nullptr;
    for (auto* button : setup->findChildren<QPushButton*>())
        if (button->text().contains("Run")) start = button;
    ASSERT_NE(start, nullptr);
    QTest::mouseClick(start, Qt::LeftButton);
    ASSERT_TRUE(page->document()->activity(views::Task::profile).isRunning);
    ASSERT_TRUE(test::waitFor([&] { return !page->document()->latenciesNs().empty(); }));
    QTest::mouseClick(start, Qt::LeftButton);
    EXPECT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::profile); }, 5000));
}

TEST_F(Hands, BoundARunFromTheSetup) {
    DocumentPage* page = open(sample());
    press(Qt::Key_2, Qt::AltModifier);
    auto* elements = named<QComboBox>("Elements of a tensor");
    ASSERT_NE(elements, nullptr);
    EXPECT_EQ(elements->currentText(), "none");
    elements->setFocus();
    QTest::keyClick(elements, Qt::Key_Down);
    EXPECT_EQ(page->document()->settings().limits.elements, 1'000'000);
    auto* time = named<QComboBox>("Time of a run");
    ASSERT_NE(time, nullptr);
    QTest::keyClick(time, Qt::Key_End);
    EXPECT_EQ(page->document()->settings().limits.seconds, 600);
    EXPECT_EQ(page->document()->settings().limits.nodeSeconds, 0);
}

TEST_F(Hands, StopAComparisonAndKeepWhatIsMeasured) {
    DocumentPage* page = open(sample());
    press(Qt::Key_3, Qt::AltModifier);
    QLineEdit* batch = page->compare()->dimensionLine("batch");
    batch->selectAll();
    QTest::keyClicks(batch, "1-8");
    QTest::mouseClick(page->compare()->startButton(), Qt::LeftButton);
    const auto measured = [&] {
        const auto& cells = page->document()->sweepCells();
        return std::count_if(cells.begin(), cells.end(),
                             [](const auto& cell) { return cell.latencyNs.has_value(); });
    };
    ASSERT_TRUE(test::waitFor([&] { return measured() > 0; }));
    ASSERT_TRUE(page->compare()->startButton()->text().contains("Stop"));
    QTest::mouseClick(page->compare()->startButton(), Qt::LeftButton);
    ASSERT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::compare); }, 10000));
    EXPECT_GT(measured(), 0);
    EXPECT_TRUE(page->compare()->table()->view()->isVisible());
    EXPECT_TRUE(page->compare()->startButton()->text().contains("Compare"));
}

TEST_F(Hands, FindTheWindowAsItWasLeft) {
    window->setColourBy(views::ColourBy::family);
    press(Qt::Key_2, Qt::AltModifier);
    window->dock("properties")->close();
    window->resize(1100, 700);
    window->setTheme(Theme::dark);
    window->close();
    window = std::make_unique<MainWindow>();
    window->restoreSettings();
    window->show();
    test::settle();
    EXPECT_EQ(window->workspace(), Workspace::profile);
    EXPECT_FALSE(window->dock("properties")->isVisible());
    EXPECT_TRUE(window->dock("steps")->isVisible());
    EXPECT_TRUE(window->action("colour.family")->isChecked());
    EXPECT_EQ(window->size(), QSize(1100, 700));
    EXPECT_LT(window->palette().color(QPalette::Window).lightness(), 128);
    window->setTheme(Theme::light);
    EXPECT_GT(window->palette().color(QPalette::Window).lightness(), 128);
}

TEST_F(Hands, GoIntoAFunctionAndBack) {
    const test::TemporaryFolder folder;
    const auto path = folder.write("twice.onnxtxt", R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
        agraph (float[N] x) => (float[N] y) { y = own.Twice (x) }
        <domain: "own", opset_import: ["" : 17]>
        Twice (a) => (b) { b = Add (a, a) })");
    DocumentPage* page = open(QString::fromStdString(path.string()));
    ASSERT_TRUE(page->document()->model());
    const auto call = first(page, "Twice");
    QTest::mouseDClick(page->graph()->canvas()->viewport(), Qt::LeftButton, {}, pointOf(page, call));
    ASSERT_TRUE(
        test::waitFor([&] { return page->graph()->path().size() == 2 && page->graph()->isSettled(); }));
    EXPECT_EQ(page->graph()->path().back().title, "Twice");
    page->graph()->canvas()->setFocus();
    press(Qt::Key_Backspace);
    EXPECT_TRUE(
        test::waitFor([&] { return page->graph()->path().size() == 1 && page->graph()->isSettled(); }));
}

class ModelsHands : public WindowTest {};

TEST_F(ModelsHands, GoIntoAnIfAndBack) {
    DocumentPage* page = open(model("silero_vad"));
    views::GraphView* graph = page->graph();
    QTimer::singleShot(100, window.get(), [] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr) << "an If has two bodies";
        ASSERT_EQ(menu->actions().size(), 2);
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
    });
    QTest::mouseDClick(graph->canvas()->viewport(), Qt::LeftButton, {}, pointOf(page, first(page, "If")));
    ASSERT_TRUE(test::waitFor([&] { return graph->path().size() == 2 && graph->isSettled(); }));
    EXPECT_GT(graph->canvas()->scene()->scene->nodes.size(), 50U);
    QToolButton* crumb = nullptr;
    for (auto* button : graph->findChildren<QToolButton*>())
        if (button->isVisible() && button->text() == graph->path().front().title) crumb = button;
    ASSERT_NE(crumb, nullptr);
    QTest::mouseClick(crumb, Qt::LeftButton);
    EXPECT_TRUE(test::waitFor([&] { return graph->path().size() == 1 && graph->isSettled(); }));
}

TEST_F(ModelsHands, RunWithUsualSizesWhateverTheModel) {
    for (const char* name : {"silero_vad", "minilm", "ppocr4_det", "mobilenet_v2", "magika"}) {
        DocumentPage* page = open(model(name));
        ASSERT_TRUE(page->document()->session()) << name;
        run(page);
        EXPECT_TRUE(page->document()->profile()) << name;
        press(Qt::Key_W, Qt::ControlModifier);
    }
}

}  // namespace
}  // namespace app
