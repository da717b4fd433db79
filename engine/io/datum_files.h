#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/datum.h"

namespace engine {

/// A value's name as a file's: `/`, `\` and `:` become `_`.
std::string fileStem(const std::string& name);

/// Reads a value from .npy, .npz (the array of that name, or the only one) or .pb (TensorProto, or
/// SequenceProto, OptionalProto, MapProto where `declared` says so). Throws Error that names the file.
Datum readDatum(const std::filesystem::path& file, const std::string& name, const Type& declared);

struct FoundDatum {
    Datum datum;
    std::filesystem::path path;  ///< of a sequence: of its first item
};

/// The value in a folder: as writeDatum writes it, or else as `alias`.pb, or nothing. Throws Error for a file
/// that is there but cannot be read.
std::optional<FoundDatum> findDatum(const std::filesystem::path& folder, const std::string& name,
                                    const std::string& alias, const Type& declared);

/// Writes a tensor as STEM.npy, a sequence as STEM_0.npy, STEM_1.npy, …, a map as STEM_keys.npy and
/// STEM_values.npy, a sparse tensor as STEM_indices.npy and STEM_values.npy, an absent optional not at all.
/// Returns the files.
std::vector<std::filesystem::path> writeDatum(const std::filesystem::path& folder, const std::string& name,
                                              const Datum& datum);

}  // namespace engine
