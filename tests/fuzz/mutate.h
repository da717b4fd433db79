#pragma once

#include <cstdint>
#include <string>

namespace fuzz {

/// A model in ONNX's text syntax with one to four structural changes: types, dims, attributes, operators,
/// versions, edges, constants. The same seed makes the same changes. Text that does not parse becomes a small
/// model.
std::string mutateModel(const std::string& text, uint32_t seed);

}  // namespace fuzz
