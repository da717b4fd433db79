#include "tests/app/heartbeat.h"

#include <fstream>

#include <QElapsedTimer>
#include <QThread>

namespace app {

namespace {

struct Longest {
    double ms = 0;
    QString what = {};
};

Longest longestEvent;
int depth = 0;  ///< of events that are handled while another is

/// How long this thread was ready to run and had no processor, since it began.
double waitedForProcessorMs() {
    std::ifstream file("/proc/thread-self/schedstat");
    double running = 0;
    double waiting = 0;
    file >> running >> waiting;
    return waiting / 1e6;
}

}  // namespace

bool TimedApplication::notify(QObject* receiver, QEvent* event) {
    if (QThread::currentThread() != thread() || depth > 0) return QApplication::notify(receiver, event);
    const char* name = receiver->metaObject()->className();
    const int type = event->type();
    ++depth;
    const double waitedMs = waitedForProcessorMs();
    QElapsedTimer timer;
    timer.start();
    const bool result = QApplication::notify(receiver, event);
    --depth;
    const double ms = static_cast<double>(timer.nsecsElapsed()) / 1e6 - (waitedForProcessorMs() - waitedMs);
    if (ms > longestEvent.ms) longestEvent = {ms, QString("%1, event %2, %3 ms").arg(name).arg(type).arg(ms)};
    return result;
}

Heartbeat::Heartbeat() { longestEvent = {}; }

double Heartbeat::longestMs() const { return longestEvent.ms; }

QString Heartbeat::longest() const { return longestEvent.what; }

}  // namespace app
