#pragma once

#include <QApplication>
#include <QString>

namespace app {

/// The application of these tests: knows how long each event kept its thread.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override;
};

/// How long one event kept the window from going on at most since this was made, and which. Time in which
/// other processes had the processor does not count, time in which the thread waited for something does.
class Heartbeat {
public:
    Heartbeat();

    double longestMs() const;
    QString longest() const;  ///< "QTimer, event 1, 12.3 ms"
};

}  // namespace app
