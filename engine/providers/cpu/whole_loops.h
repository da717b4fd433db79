#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/data_type.h"
#include "engine/providers/cpu/rows.h"

namespace engine::cpu {

/// Functions of whole numbers and truths, element by element.
enum class WholeFunction : uint8_t {
    add,
    subtract,
    multiply,
    divide,
    maximum,
    minimum,
    clip,  ///< between operands 1 and 2
    equal,
    less,
    lessOrEqual,
    logicalAnd,
    logicalOr,
    logicalXor,
    where,  ///< operand 1 where operand 0 is true, else operand 2
};

/// An operand along a row: side by side, or one element again and again.
struct WholeOperand {
    const void* at = nullptr;
    bool isOne = false;
};

/// Computes n elements. `type` is that of the operands, for `where` of the last two: integers of 32 and 64
/// bits for arithmetic, truths for logic; `where` and `equal` take all types of 1, 2, 4 or 8 bytes that hold
/// whole numbers or truths. No divisor may be 0.
void wholeRow(WholeFunction function, DataType type, const WholeOperand* operands, void* to, int64_t n);

/// Whether reduceWhole has loops: sums and extremes of integers of 32 and 64 bits.
bool hasWholeReduction(Reduction reduction, DataType type);
/// y[o, i] of x[o, r, i] over r; sums wrap around.
void reduceWhole(Reduction reduction, DataType type, const ReduceSpace& space, const void* x, void* y,
                 int threads);

}  // namespace engine::cpu
