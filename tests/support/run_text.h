#pragma once

#include <string>
#include <vector>

#include "engine/core/datum.h"

namespace test {

/// What a graph in ONNX's text syntax gives on the reference provider without passes, and what inference said
/// of its outputs before.
struct TextRun {
    std::vector<engine::Datum> outputs;
    std::vector<engine::Type> inferred;
};

/// Runs the graph with these inputs, in its order. Throws Error as the engine does, also for anything that
/// inference has to warn of.
TextRun runText(const std::string& onnxText, const std::vector<engine::Datum>& inputs);

}  // namespace test
