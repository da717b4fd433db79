#include "views/graph/export_picture.h"

#include <cmath>

#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include "engine/core/error.h"
#include "views/graph/scene_painter.h"

namespace views {

namespace {

constexpr double margin = 24;
constexpr double mostPixels = 120e6;

[[noreturn]] void failToWrite(const QString& path) {
    engine::fail("the picture '", path.toStdString(), "' cannot be written");
}

void paint(const GraphPicture& picture, QPainter& painter, double scale) {
    painter.fillRect(QRectF({0, 0}, picture.size()), picture.colours.canvas);
    painter.translate(margin, margin);
    ScenePainter(*picture.scene, picture.look, picture.colours).paint(painter, picture.scene->bounds, scale);
}

void writeSvg(const GraphPicture& picture, const QString& path) {
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(picture.size().toSize());
    generator.setViewBox(QRectF({0, 0}, picture.size()));
    generator.setTitle("Opscope");
    QPainter painter;
    if (!painter.begin(&generator)) failToWrite(path);
    paint(picture, painter, 1);
    if (!painter.end()) failToWrite(path);
}

void writePng(const GraphPicture& picture, const QString& path, engine::Observer& observer) {
    const QSizeF size = picture.size();
    const double scale = std::min(2.0, std::sqrt(mostPixels / (size.width() * size.height())));
    QImage image((size * scale).toSize(), QImage::Format_RGB32);
    if (image.isNull()) engine::fail("the picture is too large for memory");
    QPainter painter(&image);
    painter.scale(scale, scale);
    paint(picture, painter, scale);
    painter.end();
    observer.checkpoint(0.6, "Writing the picture");
    if (!image.save(path, "PNG")) failToWrite(path);
}

}  // namespace

QSizeF GraphPicture::size() const { return scene->bounds.size() + QSizeF(2 * margin, 2 * margin); }

void writePicture(const GraphPicture& picture, const QString& path, engine::Observer& observer) {
    if (!picture.scene || picture.scene->bounds.isEmpty()) engine::fail("there is no graph to draw");
    observer.checkpoint(0, "Drawing the picture");
    if (path.endsWith(".png", Qt::CaseInsensitive)) {
        writePng(picture, path, observer);
    } else {
        writeSvg(picture, path);
    }
}

}  // namespace views
