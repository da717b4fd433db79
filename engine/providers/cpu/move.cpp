#include "engine/providers/cpu/move.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <numeric>

#include "engine/core/error.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

int64_t product(const Dims& dims, size_t first, size_t last) {
    return std::accumulate(dims.begin() + static_cast<ptrdiff_t>(first),
                           dims.begin() + static_cast<ptrdiff_t>(last), int64_t{1}, std::multiplies<>());
}

/// memcpy for runs of whole words of 16 bytes or less than a few lines, which are not worth its call.
inline void copyRun(void* to, const void* from, size_t bytes) {
    if (bytes % 16 != 0 || bytes > 512) {
        std::memcpy(to, from, bytes);
        return;
    }
    auto* target = static_cast<char*>(to);
    const auto* source = static_cast<const char*>(from);
    for (size_t at = 0; at < bytes; at += 16) std::memcpy(target + at, source + at, 16);
}

template <class T>
void moveAs(const Move& move, const T* from, T* to, int threads) {
    const size_t last = move.dims.size() - 1;
    const int64_t rows = product(move.dims, 0, last);
    const int64_t width = move.dims[last];
    const int64_t fromStride = move.fromStrides[last];
    const int64_t toStride = move.toStrides[last];
    const int64_t bytes = rows * width * static_cast<int64_t>(sizeof(T));
    parallelRange(threadsFor(threads, bytes), rows, [&](int64_t begin, int64_t end, int) {
        int64_t source = 0;
        int64_t target = 0;
        for (int64_t row = begin; row < end; ++row) {
            // Only the second axis from the inside advances, most of the time.
            if (row == begin || last == 0 || row % move.dims[last - 1] == 0) {
                source = move.fromOffset;
                target = move.toOffset;
                int64_t rest = row;
                for (size_t axis = last; axis-- > 0;) {
                    const int64_t at = rest % move.dims[axis];
                    rest /= move.dims[axis];
                    source += at * move.fromStrides[axis];
                    target += at * move.toStrides[axis];
                }
            } else {
                source += move.fromStrides[last - 1];
                target += move.toStrides[last - 1];
            }
            if (fromStride == 1 && toStride == 1) {
                copyRun(to + target, from + source, width * sizeof(T));
            } else if (fromStride == 0 && toStride == 1) {
                std::fill(to + target, to + target + width, from[source]);
            } else {
                for (int64_t k = 0; k < width; ++k) to[target + k * toStride] = from[source + k * fromStride];
            }
        }
    });
}

template <class Function>
void dispatchSize(size_t size, const Function& function) {
    switch (size) {
        case 1:
            return function(uint8_t{});
        case 2:
            return function(uint16_t{});
        case 4:
            return function(uint32_t{});
        case 8:
            return function(uint64_t{});
        case 16:
            return function(std::complex<double>{});
        default:
            fail("elements of ", size, " bytes cannot be moved");
    }
}

template <class T>
void copyAs(const TableCopy& copy, const T* fill, const T* from, T* to, int threads) {
    const size_t axes = copy.tables.size();
    const size_t last = axes - 1;
    int64_t rows = 1;
    for (size_t axis = 0; axis < last; ++axis) rows *= static_cast<int64_t>(copy.tables[axis].size());
    const AxisTable& inner = copy.tables[last];
    const int64_t run = copy.innermostRun;
    const int64_t rowSize = static_cast<int64_t>(inner.size()) * run;
    const int64_t bytes = rows * rowSize * static_cast<int64_t>(sizeof(T));
    parallelRange(threadsFor(threads, bytes), rows, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            int64_t source = 0;
            int64_t rest = row;
            bool isFilled = false;
            for (size_t axis = last; axis-- > 0;) {
                const auto size = static_cast<int64_t>(copy.tables[axis].size());
                const int64_t at = copy.tables[axis][rest % size];
                rest /= size;
                isFilled = isFilled || at < 0;
                source += at * copy.sourceStrides[axis];
            }
            T* out = to + row * rowSize;
            if (isFilled) {
                std::fill(out, out + rowSize, *fill);
                continue;
            }
            for (const int64_t at : inner) {
                if (at < 0) {
                    std::fill(out, out + run, *fill);
                } else if (run == 1) {
                    *out = from[source + at * copy.sourceStrides[last]];
                } else {
                    copyRun(out, from + source + at * copy.sourceStrides[last], run * sizeof(T));
                }
                out += run;
            }
        }
    });
}

bool isIdentity(const AxisTable& table, int64_t size) {
    if (static_cast<int64_t>(table.size()) != size) return false;
    for (int64_t at = 0; at < size; ++at) {
        if (table[at] != at) return false;
    }
    return true;
}

}  // namespace

Move merged(const Move& move) {
    Move result{.dims = {},
                .fromStrides = {},
                .toStrides = {},
                .fromOffset = move.fromOffset,
                .toOffset = move.toOffset};
    for (size_t axis = 0; axis < move.dims.size(); ++axis) {
        if (move.dims[axis] == 1) continue;
        const bool isMergeable = !result.dims.empty() &&
                                 result.fromStrides.back() == move.fromStrides[axis] * move.dims[axis] &&
                                 result.toStrides.back() == move.toStrides[axis] * move.dims[axis];
        if (isMergeable) {
            result.dims.back() *= move.dims[axis];
            result.fromStrides.back() = move.fromStrides[axis];
            result.toStrides.back() = move.toStrides[axis];
        } else {
            result.dims.push_back(move.dims[axis]);
            result.fromStrides.push_back(move.fromStrides[axis]);
            result.toStrides.push_back(move.toStrides[axis]);
        }
    }
    if (result.dims.empty()) {
        result.dims = {1};
        result.fromStrides = {1};
        result.toStrides = {1};
    }
    return result;
}

void runMove(const Move& move, size_t size, const void* from, void* to, int threads) {
    dispatchSize(
        size, [&]<class T>(T) { moveAs(move, static_cast<const T*>(from), static_cast<T*>(to), threads); });
}

AxisTable identityTable(int64_t size) {
    AxisTable table(size);
    std::iota(table.begin(), table.end(), int64_t{0});
    return table;
}

TableCopy tableCopy(const Dims& sourceDims, std::vector<AxisTable> tables) {
    TableCopy copy{
        .tables = std::move(tables), .sourceDims = sourceDims, .sourceStrides = Dims(sourceDims.size(), 1)};
    for (size_t axis = sourceDims.size(); axis-- > 1;) {
        copy.sourceStrides[axis - 1] = copy.sourceStrides[axis] * sourceDims[axis];
    }
    while (!copy.tables.empty() && isIdentity(copy.tables.back(), copy.sourceDims[copy.tables.size() - 1])) {
        copy.innermostRun *= copy.sourceDims[copy.tables.size() - 1];
        copy.tables.pop_back();
    }
    if (copy.tables.empty()) {
        copy.tables = {{0}};
        copy.sourceStrides = {0};
    }
    return copy;
}

void runTableCopy(const TableCopy& copy, size_t size, const void* fill, const void* from, void* to,
                  int threads) {
    dispatchSize(size, [&]<class T>(T) {
        copyAs(copy, static_cast<const T*>(fill), static_cast<const T*>(from), static_cast<T*>(to), threads);
    });
}

}  // namespace engine::cpu
