#pragma once

#include <QFont>

namespace views {

/// Rounding of a node's corners.
inline constexpr double nodeRadius = 4;

/// The application's font at so many scene pixels, without hinting: so that text keeps its width at every
/// scale.
QFont sceneFont(double pixels, QFont::Weight weight = QFont::Normal);

}  // namespace views
