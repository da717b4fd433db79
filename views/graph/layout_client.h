#pragma once

#include <memory>

#include <QString>

#include "engine/core/observer.h"
#include "views/graph/laid_out_scene.h"

namespace views {

/// Lays the scene out in the helper process `opscope-layout`, which is killed when the observer has lost
/// interest. Tries once more without Graphviz if the helper crashes. Waits while something is being measured.
/// Throws Error. For a worker thread.
std::shared_ptr<const LaidOutScene> layOut(std::shared_ptr<const Scene> scene, const QString& helper,
                                           engine::Observer& observer);

/// Where the helper lies: beside the program.
QString layoutHelperPath();

}  // namespace views
