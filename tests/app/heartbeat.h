#pragma once

#include <QApplication>
#include <QString>
#include <gtest/gtest.h>

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

/// Expects that no event of `work()` takes long. The bar is 50 ms on a quiet machine; one that does much else
/// may hold up any event, but not in each of three tries, and not five times as long.
template <class Work>
void expectNoBlock(const Work& work) {
    constexpr double mostMs = 250;
    constexpr int mostTries = 3;
    QString tooLong;
    for (int tries = 0; tries < mostTries; ++tries) {
        const Heartbeat heartbeat;
        work();
        tooLong = heartbeat.longestMs() < mostMs ? QString() : heartbeat.longest();
        if (tooLong.isEmpty()) break;
    }
    EXPECT_EQ(tooLong.toStdString(), "");
}

}  // namespace app
