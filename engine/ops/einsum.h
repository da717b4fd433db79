#pragma once

#include <string>
#include <vector>

#include "engine/ops/attribute_reader.h"

namespace engine {

/// The letters of one operand of Einsum or of its result, one for each axis. The axes that an ellipsis stands
/// for go between `before` and `after`.
struct EinsumTerm {
    std::string before = {};
    std::string after = {};
    bool hasEllipsis = false;

    std::string letters() const { return before + after; }
};

struct EinsumEquation {
    std::vector<EinsumTerm> operands = {};
    EinsumTerm result = {};
};

/// The attribute `equation`, its result written out. Throws Error if it is none.
EinsumEquation readEinsum(const AttributeReader& reader);

}  // namespace engine
