#pragma once

#include "engine/model.h"

namespace views {

/// Sizes with which a model of that kind is usually run, for the symbols of its inputs: 1 for a batch, 224
/// for the sides of a picture, 128 for a sequence of tokens, 256 for samples, else 1. What a document runs
/// with until the user says otherwise.
engine::Bindings usualSizes(const engine::Model& model);

/// The most rows of inputs or symbols that a form has: making more takes long, and nobody would read on.
inline constexpr size_t mostFormRows = 128;

/// The symbols of a model that a form has rows for.
struct FormSymbols {
    explicit FormSymbols(const engine::Model& model);

    std::vector<std::string> shown;
    size_t rest = 0;  ///< how many more there are
};

}  // namespace views
