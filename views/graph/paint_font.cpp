#include "views/graph/paint_font.h"

#include <algorithm>
#include <cmath>

#include <QGuiApplication>

namespace views {

QFont sceneFont(double pixels, QFont::Weight weight) {
    QFont font = QGuiApplication::font();
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

}  // namespace views
