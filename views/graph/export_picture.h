#pragma once

#include <QString>

namespace views {

class GraphView;

/// Writes the whole graph as it is coloured now, as SVG or PNG by the file's ending. Empty on success, else
/// what went wrong.
QString exportPicture(const GraphView& view, const QString& path);

}  // namespace views
