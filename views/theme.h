#pragma once

#include <string>

#include <QColor>
#include <QPalette>
#include <QString>

class QWidget;

namespace views {

/// Operators by what people know them as; each has a hue.
enum class Family : uint8_t {
    arithmetic,
    layer,
    activation,
    pooling,
    normalization,
    shape,
    quantization,
    attention,
    control,
    constant,
    unknown
};

Family familyOf(const std::string& domain, const std::string& operatorType);
QString nameOf(Family family);

/// Everything the views draw with, for light or for dark. The meaning of a colour is the same everywhere:
/// canvas, tables, charts, report.
struct Colours {
    bool isDark = false;
    QColor canvas, surface, raised, text, muted, faint, border, edge, accent;
    QColor node, nodeHeader, nodeBorder, group, groupBorder, groupText;
    QColor copy;   ///< data that crosses between providers
    QColor error;  ///< not runnable, unknown, wrong
    QColor warning;
    QColor low, high;  ///< ends of a difference

    QColor provider(const std::string& name) const;
    QColor family(Family family) const;
    /// Cividis, 0 low … 1 high.
    QColor heat(double fraction) const;
    /// Black or white, whichever can be read on that colour.
    static QColor textOn(const QColor& background);
    /// The colour, mixed with so much of another.
    static QColor mix(const QColor& colour, const QColor& other, double share);
};

/// A letter that goes with a provider's colour: "C", "G", "R", "!" for none.
QString letterOf(const std::string& provider);

const Colours& lightColours();
const Colours& darkColours();
/// Those that fit the widget's palette.
const Colours& coloursOf(const QWidget* widget);

/// A palette for the whole application in these colours.
QPalette applicationPalette(const Colours& colours);
/// The style sheet that goes with it.
QString applicationStyleSheet(const Colours& colours);

}  // namespace views
