#include <cstdio>

#include <QApplication>
#include <QScreen>
#include <QStyleFactory>

#include "app/main_window.h"
#include "app/options.h"
#include "app/screenshot.h"
#include "engine/core/error.h"
#include "engine/ops/custom_ops.h"

namespace {

bool hasDisplay() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

QStringList argumentsOf(int argc, char** argv) {
    QStringList arguments;
    for (int index = 0; index < argc; ++index) arguments << QString::fromLocal8Bit(argv[index]);
    return arguments;
}

}  // namespace

int main(int argc, char** argv) {
    const app::ParsedOptions parsed = app::parseOptions(argumentsOf(argc, argv));
    if (parsed.exitCode) {
        std::fprintf(*parsed.exitCode == 0 ? stdout : stderr, "%s\n", qPrintable(parsed.message));
        return *parsed.exitCode;
    }
    const app::Options& options = parsed.options;
    try {
        for (const QString& library : options.customOperators)
            engine::loadCustomOperators(library.toStdString());
    } catch (const engine::Error& error) {
        std::fprintf(stderr, "opscope: %s\n", error.what());
        return 2;
    }
    if (options.screenshot) qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!hasDisplay()) {
        std::fprintf(stderr,
                     "opscope: there is no display; opscope --screenshot FILE.png MODEL works without one\n");
        return 2;
    }
    QApplication application(argc, argv);
    QApplication::setOrganizationName("Opscope");
    QApplication::setApplicationName("Opscope");
    QApplication::setApplicationVersion(OPSCOPE_VERSION);
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    if (options.screenshot) app::Settings::isolate();

    app::MainWindow window;
    window.resize(options.screenshot ? options.size
                                     : options.size.boundedTo(window.screen()->availableSize()));
    if (options.screenshot) {
        window.setTheme(app::Theme::light);
    } else {
        window.restoreSettings();
    }
    if (options.theme) window.setTheme(*options.theme);
    if (options.colourBy) window.setColourBy(*options.colourBy);
    if (options.workspace) window.setWorkspace(*options.workspace);
    window.show();
    if (options.screenshot) return app::takeScreenshot(window, options);
    for (const QString& model : options.models) window.openFile(model);
    return QApplication::exec();
}
