#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace engine {

/// Something that is wrong with, or worth knowing about, the user's model; the model opens all the same.
struct Diagnostic {
    enum class Severity : uint8_t { note, warning, error };

    Severity severity = Severity::warning;
    std::string message = {};  ///< what was found, what was expected, what to do
    std::string place = {};    ///< "node 'conv_12' (Conv)", "initializer 'w'", "" for the whole file
    std::optional<uint64_t> byteOffset = {};  ///< in the file, where known
};

}  // namespace engine
