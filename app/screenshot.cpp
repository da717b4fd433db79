#include "app/screenshot.h"

#include <cstdio>

#include <QApplication>
#include <QEventLoop>
#include <QPixmap>
#include <QTimer>

#include "app/main_window.h"

namespace app {

namespace {

constexpr int pollMs = 20;
constexpr int restMs = 150;

/// Lets the event loop go on until `isDone`.
template <class IsDone>
void waitUntil(const IsDone& isDone) {
    QEventLoop loop;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
        if (isDone()) loop.quit();
    });
    timer.start(pollMs);
    loop.exec();
}

void rest() {
    QEventLoop loop;
    QTimer::singleShot(restMs, &loop, &QEventLoop::quit);
    loop.exec();
}

/// The first node of that name or operator; invalid if there is none.
engine::OriginId nodeNamed(const engine::Model& model, const std::string& wanted) {
    for (size_t index = 0; index < model.origins.size(); ++index) {
        const engine::OriginPlace& place = model.origins[index];
        const engine::Node& node = place.graph->node(place.node);
        if (node.name == wanted || node.operatorType == wanted) return engine::OriginId(index);
    }
    return {};
}

int failWith(const QString& message) {
    std::fprintf(stderr, "opscope: %s\n", qPrintable(message));
    return 2;
}

}  // namespace

int takeScreenshot(MainWindow& window, const Options& options) {
    DocumentPage* page = window.openFile(options.models.first());
    views::Document* document = page->document();
    waitUntil([&] { return page->isSettled(Workspace::graph); });
    int result = 0;
    for (const views::Task task : {views::Task::open, views::Task::types, views::Task::plan}) {
        if (document->activity(task).failure) result = failWith(*document->activity(task).failure);
    }
    if (document->session() && (options.workspace == Workspace::profile || options.measuresFirst)) {
        document->startProfile();
        waitUntil([&] { return page->isSettled(Workspace::profile); });
        if (document->activity(views::Task::profile).failure) {
            result = failWith(*document->activity(views::Task::profile).failure);
        }
    }
    if (document->model() && options.workspace == Workspace::compare) {
        page->compare()->toggle();
        waitUntil([&] { return page->isSettled(Workspace::compare); });
        if (document->activity(views::Task::sweep).failure) {
            result = failWith(*document->activity(views::Task::sweep).failure);
        }
    }
    if (document->model() && !options.selected.isEmpty()) {
        const engine::OriginId node = nodeNamed(*document->model(), options.selected.toStdString());
        if (!node.isValid()) result = failWith("--select: the model has no node '" + options.selected + "'");
        if (node.isValid()) document->selection()->select(node);
    }
    rest();
    QPixmap picture(window.size() * options.pixelRatio);
    picture.setDevicePixelRatio(options.pixelRatio);
    window.render(&picture);
    // 0: as small as PNG gets.
    if (!picture.toImage().convertToFormat(QImage::Format_RGB32).save(*options.screenshot, "PNG", 0))
        return failWith("the picture '" + *options.screenshot + "' cannot be written");
    return result;
}

}  // namespace app
