#pragma once

#include "engine/core/type.h"

namespace engine {

/// The narrowest type that holds values of both: dims that differ become unknown, ranks that differ leave the
/// rank unknown. Types of different kinds or element types give the unknown type; an unknown one gives the
/// other.
Type typeUnion(const Type& left, const Type& right);

/// Whether the types say the same, unknown dims included.
bool sameType(const Type& left, const Type& right);

}  // namespace engine
