#include <QApplication>
#include <QStyleFactory>
#include <gtest/gtest.h>

#include "app/settings.h"
#include "tests/app/heartbeat.h"

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    app::TimedApplication application(argc, argv);
    QApplication::setOrganizationName("OpscopeTests");
    QApplication::setApplicationName("OpscopeTests");
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    app::Settings::isolate();
    return RUN_ALL_TESTS();
}
