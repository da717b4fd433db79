#pragma once

#include <filesystem>

#include "engine/model.h"

namespace engine::onnx {

struct ExportOptions {
    /// Elements of constants go into NAME.data beside the model; always so if they are too many for one file.
    bool externalData = false;
    uint64_t mostBytesInside = uint64_t{1'900} << 20;  ///< protobuf stops at 2 GiB
};

/// Writes `graph` as a .onnx file, with the head and the functions of `model`, from which the graph was made.
/// The opset versions are such that every node means in the file what it means in the graph; throws Error if
/// there are none. The files appear whole or not at all.
void exportModel(const Graph& graph, const Model& model, const std::filesystem::path& path,
                 const ExportOptions& options, Observer& observer);

}  // namespace engine::onnx
