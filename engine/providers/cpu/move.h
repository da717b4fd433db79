#pragma once

#include <vector>

#include "engine/core/counted_vector.h"
#include "engine/core/dim.h"

namespace engine::cpu {

/// A box of elements copied between two places with strides of their own (0: read again and again).
struct Move {
    Dims dims;         ///< outermost first
    Dims fromStrides;  ///< elements
    Dims toStrides;
    int64_t fromOffset = 0;
    int64_t toOffset = 0;
};
/// The same with neighbouring axes merged where both sides allow it.
Move merged(const Move& move);
void runMove(const Move& move, size_t size, const void* from, void* to, int threads);

/// Which element of the source each place along an axis takes; -1: the fill value.
using AxisTable = CountedVector<int64_t>;

/// A box whose axes are each picked from the source by a table: slices with steps, pads, nearest neighbours,
/// repetitions. Axes in memory order, outermost first; both sides dense.
struct TableCopy {
    /// Elements of an innermost row that follow each other at equal distances.
    struct Stretch {
        int64_t from = 0;  ///< elements; below 0: the fill value
        int64_t step = 1;  ///< elements
        int64_t count = 1;
    };
    std::vector<AxisTable> tables;
    CountedVector<Stretch> stretches;  ///< the innermost table with the run behind it
    int64_t repeats = 1;               ///< or each element of the only stretch so many times
    Dims sourceDims;
    Dims sourceStrides;        ///< elements
    int64_t innermostRun = 1;  ///< elements that lie side by side on both sides, behind the tables' axes
};
/// `dims` of the source and one table an axis, in memory order.
TableCopy tableCopy(const Dims& sourceDims, std::vector<AxisTable> tables);
/// `fill` points at one element, or is null if no table has a -1.
void runTableCopy(const TableCopy& copy, size_t size, const void* fill, const void* from, void* to,
                  int threads);

AxisTable identityTable(int64_t size);
/// Whether tables for that many places along the axes cost little beside all else. Where an axis is longer
/// than any real one, what needs no table is the better way.
bool areTablesSmall(const Dims& dims);

}  // namespace engine::cpu
