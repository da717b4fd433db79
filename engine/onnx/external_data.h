#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/onnx/mapped_file.h"

namespace engine::onnx {

/// Where a tensor says its elements lie outside the model file; the texts as the file has them.
struct ExternalLocation {
    std::string location;
    std::optional<std::string> offset = {};
    std::optional<std::string> length = {};
};

/// Bytes of an external file, kept mapped by `owner`.
struct ExternalBytes {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};

/// The files with tensors' elements that belong to a model. Only regular files in the model's folder or below
/// it are opened: no absolute path, no "..", no symbolic link that leads out of the folder, no device, pipe
/// or folder.
class ExternalFiles {
public:
    /// `folder` is the model's; nothing for a model that came from no file: then every location is refused.
    explicit ExternalFiles(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

    /// The bytes of that location; `expected` of them are needed. Throws Error naming location and reason.
    ExternalBytes read(const ExternalLocation& where, uint64_t expected);

private:
    std::shared_ptr<const MappedFile> open(const std::string& location);

    std::optional<std::filesystem::path> folder_;
    std::map<std::string, std::shared_ptr<const MappedFile>> files_;
};

}  // namespace engine::onnx
