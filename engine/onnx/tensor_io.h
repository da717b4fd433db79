#pragma once

#include <filesystem>
#include <string>

#include "engine/core/datum.h"

namespace engine::onnx {

struct NamedValue {
    std::string name = {};  ///< as the file has it, may be empty
    Datum datum;
};

/// Reads a .pb file as onnx's tests have them: a TensorProto, SequenceProto or OptionalProto; which one, the
/// file does not say, so `expected` does (unknown: a tensor). Elements are views of the mapped file. Throws
/// Error naming the path and what is wrong, with the byte where known.
NamedValue readDatum(const std::filesystem::path& path, const Type& expected);

/// Writes such a file: of the kind that `type` or else the datum says.
void writeDatum(const std::filesystem::path& path, const std::string& name, const Datum& datum,
                const Type& type);

}  // namespace engine::onnx
