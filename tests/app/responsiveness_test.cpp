#include <gtest/gtest.h>

#include "app/main_window.h"
#include "tests/app/heartbeat.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wait.h"

namespace app {
namespace {

/// Opens, measures, searches and goes round the workspaces.
void workWith(const QString& path) {
    MainWindow window;
    window.resize(1400, 900);
    window.show();
    test::settle();
    DocumentPage* page = window.openFile(path);
    EXPECT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::graph); }, 300000));
    EXPECT_TRUE(page->document()->model());
    views::RunSettings settings = page->document()->settings();
    settings.seconds = 0.5;
    page->document()->setSettings(settings);
    window.action("run.run")->trigger();
    EXPECT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::profile); }, 300000));
    window.setColourBy(views::ColourBy::heat);
    page->graph()->find("conv");
    for (int match = 0; match < 5; ++match) {
        page->graph()->findNext();
        test::waitFor([] { return false; }, 50);
    }
    page->graph()->canvas()->fit();
    test::waitFor([] { return false; }, 100);
    for (const Workspace workspace : {Workspace::profile, Workspace::compare, Workspace::graph}) {
        window.setWorkspace(workspace);
        test::waitFor([] { return false; }, 50);
    }
    page->graph()->closeAllGroups();
    EXPECT_TRUE(test::waitFor([&] { return page->graph()->isSettled(); }, 300000));
    const test::TemporaryFolder folder;
    bool isWritten = false;
    QObject::connect(page->graph(), &views::GraphView::pictureSaved, page, [&] { isWritten = true; });
    page->graph()->savePicture(QString::fromStdString((folder.path() / "graph.png").string()));
    EXPECT_TRUE(test::waitFor([&] { return isWritten; }, 300000));
}

TEST(Responsiveness, TheSampleNeverBlocksTheWindow) {
    const auto sample = test::sourceDir() / "resources/sample/digits.onnx";
    expectNoBlock([&] { workWith(QString::fromStdString(sample.string())); });
}

TEST(ModelsResponsiveness, LargeModelsNeverBlockTheWindow) {
    for (const char* name : {"ppocr4_rec", "bert_base", "gpt2_block_12", "silero_vad"}) {
        const auto path = test::sourceDir() / ".deps/models" / (std::string(name) + ".onnx");
        ASSERT_TRUE(std::filesystem::exists(path)) << path;
        SCOPED_TRACE(name);
        expectNoBlock([&] { workWith(QString::fromStdString(path.string())); });
    }
}

}  // namespace
}  // namespace app
