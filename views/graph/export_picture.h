#pragma once

#include <memory>

#include <QString>

#include "engine/core/observer.h"
#include "views/graph/laid_out_scene.h"
#include "views/graph/scene_look.h"
#include "views/theme.h"

namespace views {

/// A whole graph as it is coloured at one moment. Immutable, so any thread may draw it.
struct GraphPicture {
    std::shared_ptr<const LaidOutScene> scene;
    SceneLook look;
    Colours colours;

    /// In pixels of a file of scale 1, with the space around.
    QSizeF size() const;
};

/// Writes the picture as SVG or PNG by the file's ending. Throws engine::Error if there is nothing to draw or
/// the file cannot be written.
void writePicture(const GraphPicture& picture, const QString& path, engine::Observer& observer);

}  // namespace views
