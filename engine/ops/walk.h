#pragma once

#include <array>

#include "engine/core/dim.h"
#include "engine/ops/offsets.h"
#include "engine/ops/pace.h"

namespace engine {

/// The strides that let a row-major tensor of dims `from` be read as if it were broadcast to `to`: 0 along
/// the axes that repeat. Throws Error if it does not broadcast to that.
Dims broadcastStrides(const Dims& from, const Dims& to);

/// The numbers' version of broadcast().
Dims broadcastDims(const Dims& left, const Dims& right);

/// Visits an index space in row-major order and tells where each index lies in `count` strided tensors.
template <size_t count>
class Walk {
public:
    using Positions = std::array<int64_t, count>;

    Walk(Dims dims, std::array<Dims, count> strides, Positions start = {})
        : dims_(std::move(dims)), strides_(std::move(strides)), start_(start) {}

    /// Calls visit(position in row-major order, positions in the strided tensors) for every index.
    /// Cancellable.
    template <class Visit>
    void forEach(const KernelContext& context, Visit&& visit) const {
        const size_t outer = dims_.empty() ? 0 : dims_.size() - 1;
        const int64_t rowLength = dims_.empty() ? 1 : dims_.back();
        int64_t rows = rowLength == 0 ? 0 : 1;
        for (size_t axis = 0; axis < outer; ++axis) rows *= dims_[axis];
        Pace pace(context);
        Dims index(outer, 0);
        Positions rowStart = start_;
        size_t position = 0;
        for (int64_t row = 0; row < rows; ++row) {
            Positions at = rowStart;
            for (int64_t i = 0; i < rowLength; ++i) {
                visit(position++, at);
                if (!dims_.empty()) advance(at, outer, 1);
            }
            pace.spend(rowLength);
            for (size_t axis = outer; axis-- > 0;) {
                advance(rowStart, axis, 1);
                if (++index[axis] < dims_[axis]) break;
                advance(rowStart, axis, -dims_[axis]);
                index[axis] = 0;
            }
        }
    }

private:
    void advance(Positions& positions, size_t axis, int64_t steps) const {
        for (size_t i = 0; i < count; ++i) positions[i] += steps * strides_[i][axis];
    }

    Dims dims_;
    std::array<Dims, count> strides_;
    Positions start_;
};

/// Fills output 0, of these dims, with the elements of input 0 that lie at `start` and `strides` apart: how
/// most operators that only move elements do it.
void copyStrided(KernelContext& context, const Dims& dims, const Dims& strides, int64_t start = 0);

}  // namespace engine
