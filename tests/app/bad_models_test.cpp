// The models of tests/bad_models in the window: each opens, or its page says why not; a run ends with a
// result or with the words that the command line has for it. All in bounded time and memory, and the window
// never blocks.

#include <fstream>

#include <gtest/gtest.h>
#include <malloc.h>
#include <nlohmann/json.hpp>

#include "tests/app/heartbeat.h"
#include "tests/app/window_test.h"
#include "views/graph/diagnostics_panel.h"
#include "views/graph/properties_panel.h"

namespace app {
namespace {

constexpr int shards = 8;
constexpr int patienceMs = 30000;
constexpr size_t mostBytes = 1'000'000'000;

std::filesystem::path casesFolder() { return test::sourceDir() / ".deps/bad_models"; }

/// The most memory that this process has held since the last call of forgetPeak().
size_t peakBytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
    }
    return 0;
}

void forgetPeak() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;
}

/// What `words` are not in the text.
std::string missing(const nlohmann::json& words, const std::string& text) {
    std::string result;
    for (const std::string word : words) {
        if (text.find(word) == std::string::npos) result += "“" + word + "” ";
    }
    return result;
}

class Window : public WindowTest, public testing::WithParamInterface<int> {
protected:
    /// All that the panels and cards say of the page.
    std::string said(DocumentPage* page) const {
        std::string all;
        for (const auto task :
             {views::Task::open, views::Task::types, views::Task::plan, views::Task::profile}) {
            if (const auto& failure = page->document()->activity(task).failure)
                all += failure->toStdString() + '\n';
        }
        const auto* panel = window->findChild<views::DiagnosticsPanel*>();
        EXPECT_TRUE(test::waitFor([&] { return panel->isSettled(); }, patienceMs));
        for (int row = 0; row < panel->model().rowCount(); ++row)
            all += panel->model().index(row, 1).data().toString().toStdString() + '\n';
        return all + window->findChild<views::PropertiesPanel*>()->text().toStdString();
    }

    /// The user sees what the file is, or what is wrong with it.
    bool isKnown(DocumentPage* page) const {
        if (page->document()->activity(views::Task::open).isRunning) return false;
        return window->findChild<views::DiagnosticsPanel*>()->isSettled();
    }

    void run(DocumentPage* page, const std::filesystem::path& inputs, double limitSeconds) {
        views::RunSettings settings = page->document()->settings();
        settings.seconds = 0.01;
        settings.limits = {.seconds = limitSeconds, .memoryBytes = 200'000'000};
        for (const engine::ValueId id : page->document()->model()->graph->inputs) {
            const std::string& name = page->document()->model()->graph->value(id).name;
            std::error_code error;
            const auto file = inputs / (name + ".npy");
            if (std::filesystem::exists(file, error))
                settings.inputFiles[name] = QString::fromStdString(file.string());
        }
        page->document()->setSettings(settings);
        window->action("run.run")->trigger();
        EXPECT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::profile); }, patienceMs));
    }

    /// Opens the model, runs it and closes it.
    void check(const std::string& name, const nlohmann::json& expected) {
        const auto folder = casesFolder() / name;
        forgetPeak();
        const Heartbeat heartbeat;
        QElapsedTimer timer;
        timer.start();
        DocumentPage* page = window->openFile(QString::fromStdString((folder / "model.onnx").string()));
        EXPECT_TRUE(test::waitFor([&] { return isKnown(page); }, patienceMs));
        const qint64 knownMs = timer.elapsed();
        EXPECT_TRUE(test::waitFor([&] { return page->isSettled(Workspace::graph); }, patienceMs));
        const bool opens = page->document()->model() != nullptr;
        const bool runs = expected.at("runs");
        EXPECT_EQ(opens, expected.at("opens").get<bool>()) << said(page);
        if (opens) {
            EXPECT_EQ(missing(expected.at("info"), said(page)), "") << said(page);
            run(page, folder / "inputs", runs ? 10 : 0.4);
        }
        EXPECT_EQ(page->document()->profile() != nullptr, runs) << said(page);
        if (!runs) {
            EXPECT_EQ(missing(expected.at("says"), said(page)), "") << said(page);
        }
        window->action("file.close")->trigger();
        test::settle();
        EXPECT_LT(peakBytes(), mostBytes);
        if (std::getenv("OPSCOPE_BAD_MODELS") != nullptr) {
            std::cerr << name << ": known in " << knownMs << " ms, all in " << timer.elapsed() << " ms, "
                      << peakBytes() / 1e6 << " MB, longest " << heartbeat.longest().toStdString() << '\n';
        }
    }
};

TEST_P(Window, OpenOrSayWhyNot) {
    std::ifstream file(casesFolder() / "manifest.json");
    ASSERT_TRUE(file) << casesFolder();
    const nlohmann::json manifest = nlohmann::json::parse(file);
    const char* wanted = std::getenv("OPSCOPE_BAD_MODELS");  // a part of the names
    int index = 0;
    for (const auto& [name, expected] : manifest.at("cases").items()) {
        if (wanted != nullptr && name.find(wanted) == std::string::npos) continue;
        if (index++ % shards != GetParam()) continue;
        SCOPED_TRACE(name);
        expectNoBlock([&, &model = name, &content = expected] { check(model, content); });
    }
}

INSTANTIATE_TEST_SUITE_P(BadModels, Window, testing::Range(0, shards));

}  // namespace
}  // namespace app
