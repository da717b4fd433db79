#pragma once

#include <vector>

#include "engine/passes/pattern.h"

namespace engine {

/// y = x * scale + shift per output channel of a Conv.
struct ChannelScale {
    std::vector<double> scale;
    std::vector<double> shift;
};

/// Whether the node is a Conv with constant float weights (and bias, if any), whose result only `reader`
/// reads.
bool isFoldableConv(const Pattern& pattern, NodeId conv, NodeId reader);

/// The number of output channels of such a Conv.
int64_t convChannels(const Pattern& pattern, NodeId conv);

/// Replaces `reader` by the Conv with the scale and shift folded into its weights and bias; removes the old
/// Conv.
void foldIntoConv(const Pattern& pattern, NodeId conv, NodeId reader, const ChannelScale& change,
                  Edits& edits);

}  // namespace engine
