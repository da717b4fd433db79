#pragma once

#include "app/options.h"

namespace app {

class MainWindow;

/// Opens the model, does the work of the workspace, writes the picture. The program's exit code: 0 done, 2
/// not; what went wrong goes to standard error.
int takeScreenshot(MainWindow& window, const Options& options);

}  // namespace app
