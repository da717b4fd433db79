#include "views/graph/export_picture.h"

#include <cmath>

#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include "views/graph/graph_view.h"

namespace views {

namespace {

constexpr double margin = 24;
constexpr double mostPixels = 120e6;

QString tr(const char* text) { return QCoreApplication::translate("views::exportPicture", text); }

QString writeSvg(const GraphView& view, const QString& path, const QSizeF& size) {
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF({0, 0}, size));
    generator.setTitle("Opscope");
    QPainter painter;
    if (!painter.begin(&generator)) return tr("The file cannot be written: %1").arg(path);
    painter.fillRect(QRectF({0, 0}, size), coloursOf(&view).canvas);
    painter.translate(margin, margin);
    view.paintWhole(painter, 1);
    return painter.end() ? QString() : tr("The file could not be written to its end: %1").arg(path);
}

QString writePng(const GraphView& view, const QString& path, const QSizeF& size) {
    const double scale = std::min(2.0, std::sqrt(mostPixels / (size.width() * size.height())));
    QImage image((size * scale).toSize(), QImage::Format_RGB32);
    if (image.isNull()) return tr("The picture is too large for memory.");
    image.fill(coloursOf(&view).canvas);
    QPainter painter(&image);
    painter.scale(scale, scale);
    painter.translate(margin, margin);
    view.paintWhole(painter, scale);
    painter.end();
    return image.save(path, "PNG") ? QString() : tr("The file cannot be written: %1").arg(path);
}

}  // namespace

QString exportPicture(const GraphView& view, const QString& path) {
    const QSizeF size = view.wholeSize() + QSizeF(2 * margin, 2 * margin);
    if (view.wholeSize().isEmpty()) return tr("There is no graph to draw.");
    return path.endsWith(".png", Qt::CaseInsensitive) ? writePng(view, path, size)
                                                      : writeSvg(view, path, size);
}

}  // namespace views
