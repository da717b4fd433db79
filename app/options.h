#pragma once

#include <optional>

#include <QSize>
#include <QString>
#include <QStringList>

#include "app/settings.h"
#include "app/workspace.h"
#include "views/graph/scene_look.h"

namespace app {

/// What the command line asks of the window.
struct Options {
    QStringList models = {};
    QStringList customOperators = {};        ///< libraries
    std::optional<QString> screenshot = {};  ///< render to this file and end
    std::optional<Workspace> workspace = {};
    QSize size = {1600, 1000};
    std::optional<Theme> theme = {};
    std::optional<views::ColourBy> colourBy = {};
    bool measuresFirst = false;  ///< measure before the picture, also for the graph
    double pixelRatio = 1;
    QString selected = {};  ///< name or operator of the node to select before the picture
};

/// Reads the arguments. On `--help`, `--version` or a wrong argument the answer is in `message` and
/// `exitCode`.
struct ParsedOptions {
    Options options = {};
    QString message = {};
    std::optional<int> exitCode = {};
};
ParsedOptions parseOptions(const QStringList& arguments);

}  // namespace app
