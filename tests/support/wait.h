#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

namespace test {

/// Lets the event loop go on until `isDone`, or until time is up: then false.
template <class IsDone>
bool waitFor(const IsDone& isDone, int timeoutMs = 60000) {
    constexpr int wakeMs = 5;
    QElapsedTimer timer;
    timer.start();
    QTimer wake;
    wake.start(wakeMs);
    while (!isDone()) {
        if (timer.elapsed() > timeoutMs) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        // Events that ask for deletion are left to the outermost loop, which a test does not have.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return true;
}

/// Lets everything that is due happen.
inline void settle() {
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
}

}  // namespace test
