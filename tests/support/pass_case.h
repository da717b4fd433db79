#pragma once

#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/passes/pass.h"

namespace test {

/// What a pass makes of a graph. The pass runs alone, to its fixpoint; then the graph must read as `after`,
/// and both graphs must compute the same on the reference provider from seeded random inputs.
struct PassCase {
    const char* name;    ///< what it shows, as a sentence: "FoldsScaleIntoWeights"
    std::string before;  ///< a graph in ONNX's text syntax
    /// As graphText() gives it; the same as before the pass where it must change nothing: leave it empty
    /// then.
    std::string after = {};
    /// Names of inputs of `before` that are constants instead, with seeded random values in [0.5, 1.5).
    std::vector<std::string> constants = {};
    double tolerance = 1e-5;  ///< of the largest magnitude of each output
};

/// The cases of one pass. Defined once at namespace scope in tests/engine/passes/<pass>_test.cpp; each
/// becomes the gtest case <pass>.<name>, with dashes as underscores.
class PassCases {
public:
    PassCases(const std::string& pass, std::vector<PassCase> cases);
};

/// The names of the passes that have cases.
const std::vector<std::string>& passesWithCases();

/// One line a node, "y = opscope.FusedConv[activation=Relu](x, #2x3x3x3, #2)": inputs and outputs of the
/// graph by name, constants by their dims, other values as t0, t1, … in order of appearance; of the
/// attributes only strings and ints.
std::string graphText(const engine::Graph& graph);

}  // namespace test
