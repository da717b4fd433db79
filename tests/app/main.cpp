#include <QApplication>
#include <QStyleFactory>
#include <gtest/gtest.h>

#include "app/settings.h"

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QApplication::setOrganizationName("OpscopeTests");
    QApplication::setApplicationName("OpscopeTests");
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    app::Settings::isolate();
    return RUN_ALL_TESTS();
}
