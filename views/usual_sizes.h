#pragma once

#include "engine/model.h"

namespace views {

/// Sizes with which a model of that kind is usually run, for the symbols of its inputs: 1 for a batch, 224
/// for the sides of a picture, 128 for a sequence of tokens, 256 for samples, else 1. What a document runs
/// with until the user says otherwise.
engine::Bindings usualSizes(const engine::Model& model);

}  // namespace views
