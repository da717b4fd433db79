#include <QAbstractEventDispatcher>
#include <QElapsedTimer>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "app/main_window.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wait.h"

namespace app {
namespace {

double threadSeconds(const rusage& usage) {
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// How long this thread's event loop was busy at most without a rest. Time in which other processes had the
/// processor does not count, time in which the thread waited for something does.
class Heartbeat {
public:
    Heartbeat() {
        QAbstractEventDispatcher* dispatcher = QAbstractEventDispatcher::instance();
        awake_ = QObject::connect(dispatcher, &QAbstractEventDispatcher::awake, [this] { begin(); });
        block_ = QObject::connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, [this] { end(); });
        begin();
    }
    ~Heartbeat() {
        QObject::disconnect(awake_);
        QObject::disconnect(block_);
    }
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    double longestMs() const { return longestMs_; }

private:
    void begin() {
        getrusage(RUSAGE_THREAD, &start_);
        timer_.start();
    }
    void end() {
        if (!timer_.isValid()) return;
        rusage now{};
        getrusage(RUSAGE_THREAD, &now);
        const double wallMs = static_cast<double>(timer_.nsecsElapsed()) / 1e6;
        const double busyMs = 1e3 * (threadSeconds(now) - threadSeconds(start_));
        const bool hasWaited = now.ru_nvcsw > start_.ru_nvcsw;
        longestMs_ = std::max(longestMs_, hasWaited ? wallMs : std::min(wallMs, busyMs));
        timer_.invalidate();
    }

    QMetaObject::Connection awake_;
    QMetaObject::Connection block_;
    rusage start_{};
    QElapsedTimer timer_;
    double longestMs_ = 0;
};

constexpr double limitMs = 50;

/// Opens, measures, searches and goes round the workspaces; gives the longest time without a heartbeat.
double longestWhileWorking(const QString& path) {
    MainWindow window;
    window.resize(1400, 900);
    window.show();
    test::settle();
    const Heartbeat heartbeat;
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
    return heartbeat.longestMs();
}

TEST(Responsiveness, TheSampleNeverBlocksTheWindow) {
    const auto sample = test::sourceDir() / "resources/sample/digits.onnx";
    EXPECT_LT(longestWhileWorking(QString::fromStdString(sample.string())), limitMs);
}

TEST(ModelsResponsiveness, LargeModelsNeverBlockTheWindow) {
    for (const char* name : {"ppocr4_rec", "bert_base", "gpt2_block_12", "silero_vad"}) {
        const auto path = test::sourceDir() / ".deps/models" / (std::string(name) + ".onnx");
        ASSERT_TRUE(std::filesystem::exists(path)) << path;
        EXPECT_LT(longestWhileWorking(QString::fromStdString(path.string())), limitMs) << name;
    }
}

}  // namespace
}  // namespace app
