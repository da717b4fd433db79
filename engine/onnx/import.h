#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "engine/core/observer.h"
#include "engine/model.h"

namespace engine::onnx {

/// Reads the bytes of a .onnx file into `model`: everything but `path`, `fileBytes` and what inference adds.
/// What is damaged or unknown becomes a diagnostic. Throws Error if the bytes hold neither a graph nor a
/// function. `owner` keeps the bytes alive: constants are views of them. `folder` is where external data may
/// lie.
void importModel(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                 std::optional<std::filesystem::path> folder, Model& model, Observer& observer,
                 const OpenLimits& limits = {});

/// The same for a model or a bare graph in ONNX's text syntax. A bare graph gets the newest opsets, and
/// version 1 of each other domain that it uses. Throws Error with line and column for text that is neither.
void importText(const std::string& text, std::optional<std::filesystem::path> folder, Model& model,
                Observer& observer);

}  // namespace engine::onnx
