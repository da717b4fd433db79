#include "engine/runnable_graph.h"

namespace engine {

std::shared_ptr<const Graph> runnableGraph(const Model& model, Observer& observer) {
    observer.checkpoint(0, "preparing the graph");
    return model.expanded->graph;
}

}  // namespace engine
