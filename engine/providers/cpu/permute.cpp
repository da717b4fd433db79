#include "engine/providers/cpu/permute.h"

#include <cstring>

#include "engine/core/dispatch.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/permute_loops.h"

namespace engine::cpu {
namespace {

/// One matrix of the permutation: rows and columns of the target, whose columns lie side by side.
struct Plane {
    int64_t rows;
    int64_t columns;
    int64_t rowStride;     ///< in the source
    int64_t columnStride;  ///< in the source
    int64_t pitch;         ///< between rows of the target
};

template <class T>
void movePlane(const Plane& plane, const T* source, T* target) {
    if (plane.columnStride == 1) {
        for (int64_t row = 0; row < plane.rows; ++row) {
            std::memcpy(target + row * plane.pitch, source + row * plane.rowStride,
                        plane.columns * sizeof(T));
        }
        return;
    }
    if constexpr (std::is_same_v<T, uint32_t>) {
        if (plane.rowStride == 1 && plane.columns >= 2 && plane.columns <= 4 &&
            plane.pitch == plane.columns) {
            return interleaveWords(source, plane.columnStride, plane.columns, target, plane.rows);
        }
        if (plane.rowStride == 1) {
            return transposeWords(source, plane.columnStride, target, plane.pitch, plane.rows, plane.columns);
        }
    }
    if constexpr (std::is_same_v<T, uint8_t>) {
        if (plane.rowStride == 1 && plane.rows >= 2 && plane.rows <= 4 && plane.columnStride == plane.rows) {
            return separateBytes(source, plane.rows, target, plane.pitch, plane.columns);
        }
    }
    constexpr int64_t block = 16;
    for (int64_t column = 0; column < plane.columns; column += block) {
        const int64_t width = std::min(block, plane.columns - column);
        for (int64_t row = 0; row < plane.rows; ++row) {
            const T* from = source + row * plane.rowStride + column * plane.columnStride;
            T* to = target + row * plane.pitch + column;
            for (int64_t k = 0; k < width; ++k) to[k] = from[k * plane.columnStride];
        }
    }
}

/// The axis besides the innermost one along which the source is walked with the smallest stride: pairing it
/// with the innermost makes planes in which both sides are read and written in whole lines.
size_t partnerAxis(const Permutation& permutation) {
    const size_t last = permutation.dims.size() - 1;
    size_t best = last == 0 ? 0 : last - 1;
    if (permutation.sourceStrides[last] == 1) return best;
    for (size_t axis = 0; axis < last; ++axis) {
        if (permutation.sourceStrides[axis] < permutation.sourceStrides[best]) best = axis;
    }
    return best;
}

template <class T>
void permuteAs(const Permutation& permutation, const T* source, T* target, int threads) {
    const size_t rank = permutation.dims.size();
    const size_t last = rank - 1;
    const size_t partner = partnerAxis(permutation);
    Dims targetStrides(rank, 1);
    for (size_t axis = last; axis-- > 0;) {
        targetStrides[axis] = targetStrides[axis + 1] * permutation.dims[axis + 1];
    }
    const int64_t rowsPerPart = partner == last ? 1 : permutation.dims[partner];
    int64_t outer = 1;
    for (size_t axis = 0; axis < last; ++axis) {
        if (axis != partner) outer *= permutation.dims[axis];
    }
    constexpr int64_t mostRows = 256;
    const int64_t total = outer * rowsPerPart * permutation.dims[last];
    threads = threadsFor(threads, total * static_cast<int64_t>(sizeof(T)));
    const int64_t rowBlock = std::min(mostRows, (rowsPerPart + threads - 1) / threads);
    const int64_t blocks = (rowsPerPart + rowBlock - 1) / rowBlock;
    const auto part = [&](int64_t begin, int64_t end, int) {
        for (int64_t index = begin; index < end; ++index) {
            int64_t rest = index / blocks;
            const int64_t firstRow = index % blocks * rowBlock;
            int64_t from = 0;
            int64_t to = 0;
            for (size_t axis = last; axis-- > 0;) {
                if (axis == partner) continue;
                const int64_t at = rest % permutation.dims[axis];
                rest /= permutation.dims[axis];
                from += at * permutation.sourceStrides[axis];
                to += at * targetStrides[axis];
            }
            const int64_t rows = std::min(rowBlock, rowsPerPart - firstRow);
            const int64_t rowStride = partner == last ? 0 : permutation.sourceStrides[partner];
            from += firstRow * rowStride;
            to += firstRow * targetStrides[partner];
            const Plane plane{rows, permutation.dims[last], rowStride, permutation.sourceStrides[last],
                              targetStrides[partner]};
            movePlane(plane, source + from, target + to);
        }
    };
    parallelRange(threads, outer * blocks, part);
}

}  // namespace

Permutation permutationBetween(const Order& from, const Order& to, const Dims& dims) {
    const Dims byAxis = strides(from, dims);
    StridedAxes axes{.dims = memoryDims(to, dims), .strides = {{}}};
    for (const int axis : to) axes.strides[0].push_back(byAxis[axis]);
    axes = merged(axes);
    if (axes.dims.empty()) return {{1}, {1}};
    return {std::move(axes.dims), std::move(axes.strides[0])};
}

void permute(const Permutation& permutation, size_t size, const void* source, void* target, int threads) {
    dispatchSize(size, [&]<class T>(std::type_identity<T>) {
        permuteAs(permutation, static_cast<const T*>(source), static_cast<T*>(target), threads);
    });
}

}  // namespace engine::cpu
