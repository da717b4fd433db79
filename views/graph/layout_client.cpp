#include "views/graph/layout_client.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QThread>

#include "engine/core/error.h"
#include "views/job.h"

namespace views {

namespace {

constexpr int pollMs = 20;

/// One run of the helper.
class HelperRun {
public:
    HelperRun(const QString& helper, engine::Observer& observer) : helper_(helper), observer_(observer) {}
    ~HelperRun() {
        if (process_.state() == QProcess::NotRunning) return;
        process_.kill();
        process_.waitForFinished();
    }
    HelperRun(const HelperRun&) = delete;
    HelperRun& operator=(const HelperRun&) = delete;

    /// True: the response is there. False: the helper crashed.
    bool run(const layout::Request& request) {
        process_.start(helper_, {});
        if (!process_.waitForStarted()) {
            engine::fail("the layout helper '", helper_.toStdString(),
                         "' does not start: ", process_.errorString().toStdString());
        }
        process_.write(QByteArray::fromStdString(layout::toJson(request)));
        process_.closeWriteChannel();
        while (!process_.waitForFinished(pollMs) && process_.state() != QProcess::NotRunning) {
            observer_.checkpoint();
            readProgress();
        }
        readProgress();
        if (process_.exitStatus() == QProcess::CrashExit) return false;
        if (process_.exitCode() != 0) {
            engine::fail("the layout helper: ", process_.readAllStandardError().trimmed().toStdString());
        }
        return true;
    }

    layout::Response response() const {
        try {
            return layout::parseResponse(lastLine_.toStdString());
        } catch (const std::invalid_argument& error) {
            engine::fail("the layout helper's answer: ", error.what());
        }
    }

private:
    void readProgress() {
        while (process_.canReadLine()) take(process_.readLine());
        if (process_.state() == QProcess::NotRunning) take(process_.readAllStandardOutput());
    }

    void take(const QByteArray& line) {
        if (line.trimmed().isEmpty()) return;
        double fraction = 0;
        std::string what;
        const std::string text = line.toStdString();
        if (line.size() < 400 && layout::parseProgress(text, fraction, what)) {
            observer_.progress(fraction, what);
        } else {
            lastLine_ = line;
        }
    }

    QString helper_;
    engine::Observer& observer_;
    QProcess process_;
    QByteArray lastLine_;
};

void waitForMeasurements(engine::Observer& observer) {
    while (measurementPool()->activeThreadCount() > 0) {
        observer.checkpoint(0, "Waiting for the measurement to end");
        QThread::msleep(pollMs);
    }
}

}  // namespace

std::shared_ptr<const LaidOutScene> layOut(std::shared_ptr<const Scene> scene, const QString& helper,
                                           engine::Observer& observer) {
    waitForMeasurements(observer);
    layout::Request request = layoutRequest(*scene);
    for (const layout::Engine engineKind : {layout::Engine::automatic, layout::Engine::layered}) {
        request.engine = engineKind;
        HelperRun run(helper, observer);
        if (run.run(request)) return placeScene(std::move(scene), run.response());
    }
    engine::fail("the layout helper crashed on this graph, twice");
}

QString layoutHelperPath() { return QDir(QCoreApplication::applicationDirPath()).filePath("opscope-layout"); }

}  // namespace views
