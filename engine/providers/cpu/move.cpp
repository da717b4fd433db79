#include "engine/providers/cpu/move.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "engine/core/dispatch.h"
#include "engine/providers/cpu/move_loops.h"
#include "engine/providers/cpu/order.h"
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

/// `count` rows that follow each other along the axis before the last.
template <class T>
void moveRows(const Move& move, int64_t count, const T* from, T* to) {
    const size_t last = move.dims.size() - 1;
    const int64_t width = move.dims[last];
    const int64_t fromStride = move.fromStrides[last];
    const int64_t toStride = move.toStrides[last];
    const int64_t fromPitch = last == 0 ? 0 : move.fromStrides[last - 1];
    const int64_t toPitch = last == 0 ? 0 : move.toStrides[last - 1];
    constexpr auto size = static_cast<int64_t>(sizeof(T));
    constexpr int64_t mostInVectors = 1024;  // bytes: beyond them the library's copy is the better one
    if (fromStride == 1 && toStride == 1 && width * size <= mostInVectors) {
        return copyRows({count, width * size, fromPitch * size, toPitch * size}, from, to);
    }
    for (int64_t row = 0; row < count; ++row, from += fromPitch, to += toPitch) {
        if (fromStride == 1 && toStride == 1) {
            std::memcpy(to, from, width * sizeof(T));
        } else if (toStride == 1 && width > 4) {
            copyStretch(sizeof(T), from, fromStride, width, to);
        } else {
            for (int64_t k = 0; k < width; ++k) to[k * toStride] = from[k * fromStride];
        }
    }
}

template <class T>
void moveAs(const Move& move, const T* from, T* to, int threads) {
    const size_t last = move.dims.size() - 1;
    const int64_t rows = product(move.dims, 0, last);
    const int64_t bytes = rows * move.dims[last] * static_cast<int64_t>(sizeof(T));
    const int64_t together = last == 0 ? 1 : move.dims[last - 1];
    parallelRange(threadsFor(threads, bytes), rows, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end;) {
            int64_t source = move.fromOffset;
            int64_t target = move.toOffset;
            int64_t rest = row;
            for (size_t axis = last; axis-- > 0;) {
                const int64_t at = rest % move.dims[axis];
                rest /= move.dims[axis];
                source += at * move.fromStrides[axis];
                target += at * move.toStrides[axis];
            }
            const int64_t count = std::min(together - row % together, end - row);
            moveRows(move, count, from + source, to + target);
            row += count;
        }
    });
}

/// A move into dense memory whose axis `axis` reads the same again and again: what lies behind it is made
/// once, then copied.
struct Repetition {
    Move block = {};  ///< what is repeated
    int64_t count = 1;
    int64_t blockElements = 1;
    size_t axis = 0;
};

std::optional<Repetition> repetitionIn(const Move& move) {
    int64_t behind = 1;
    for (size_t axis = move.dims.size(); axis-- > 0;) {
        if (move.toStrides[axis] != behind) return {};
        behind *= move.dims[axis];
    }
    const auto found = std::find(move.fromStrides.begin(), move.fromStrides.end(), 0);
    const auto axis = static_cast<size_t>(found - move.fromStrides.begin());
    if (axis + 1 >= move.dims.size()) return {};
    const auto from = static_cast<ptrdiff_t>(axis + 1);
    Repetition result{.count = move.dims[axis], .blockElements = move.toStrides[axis], .axis = axis};
    result.block = {.dims = Dims(move.dims.begin() + from, move.dims.end()),
                    .fromStrides = Dims(move.fromStrides.begin() + from, move.fromStrides.end()),
                    .toStrides = Dims(move.toStrides.begin() + from, move.toStrides.end())};
    return result;
}

/// Copies of the block at `to`, `count` in all. What is copied grows as long as it stays in the nearest
/// cache.
void spread(char* to, int64_t block, int64_t count) {
    constexpr int64_t most = 16384;
    int64_t filled = block;
    for (int64_t done = block; done < block * count;) {
        const int64_t bytes = std::min(filled, block * count - done);
        std::memcpy(to + done, to, bytes);
        done += bytes;
        if (2 * filled <= most) filled *= 2;
    }
}

template <class T>
void repeatMove(const Move& move, const Repetition& repetition, const T* from, T* to, int threads) {
    const int64_t outer = product(move.dims, 0, repetition.axis);
    const auto block = repetition.blockElements * static_cast<int64_t>(sizeof(T));
    const int64_t count = repetition.count;
    const int parts = threadsFor(threads, outer * count * block);
    parallelRange(parts, outer * count, [&](int64_t begin, int64_t end, int) {
        while (begin < end) {
            const int64_t n = std::min(end - begin, count - begin % count);
            const int64_t source =
                move.fromOffset + rowOffset(begin / count, move.dims, move.fromStrides, repetition.axis);
            T* first = to + move.toOffset + begin * repetition.blockElements;
            moveAs(repetition.block, from + source, first, 1);
            spread(reinterpret_cast<char*>(first), block, n);
            begin += n;
        }
    });
}

/// One innermost row.
template <class T>
void copyRow(const TableCopy& copy, const T* fill, const T* from, T* to) {
    if (copy.repeats > 1) {
        const TableCopy::Stretch& only = copy.stretches[0];
        return repeatEach(sizeof(T), from + only.from, copy.repeats, only.count, to);
    }
    for (const TableCopy::Stretch& stretch : copy.stretches) {
        const T* source = stretch.from < 0 ? fill : from + stretch.from;
        if (stretch.step == 1) {
            copyRun(to, source, stretch.count * sizeof(T));
        } else if (stretch.count <= 4) {
            for (int64_t k = 0; k < stretch.count; ++k) to[k] = source[k * stretch.step];
        } else {
            copyStretch(sizeof(T), source, stretch.step, stretch.count, to);
        }
        to += stretch.count;
    }
}

template <class T>
void copyAs(const TableCopy& copy, const T* fill, const T* from, T* to, int threads) {
    const size_t last = copy.tables.size() - 1;
    int64_t rows = 1;
    for (size_t axis = 0; axis < last; ++axis) rows *= static_cast<int64_t>(copy.tables[axis].size());
    const int64_t rowSize = static_cast<int64_t>(copy.tables[last].size()) * copy.innermostRun;
    const int64_t bytes = rows * rowSize * static_cast<int64_t>(sizeof(T));
    constexpr int64_t filled = -1;
    // Of neighbouring rows only the place on the axis before the last changes, most of the time.
    const AxisTable near = last == 0 ? AxisTable{0} : copy.tables[last - 1];
    const int64_t nearStride = last == 0 ? 0 : copy.sourceStrides[last - 1];
    const auto nearSize = static_cast<int64_t>(near.size());
    const auto startOf = [&](int64_t row) {
        int64_t source = 0;
        for (size_t axis = last == 0 ? 0 : last - 1; axis-- > 0;) {
            const auto size = static_cast<int64_t>(copy.tables[axis].size());
            const int64_t at = copy.tables[axis][row % size];
            if (at < 0) return filled;
            row /= size;
            source += at * copy.sourceStrides[axis];
        }
        return source;
    };
    parallelRange(threadsFor(threads, bytes), rows, [&](int64_t begin, int64_t end, int) {
        int64_t before = filled;
        int64_t place = begin % nearSize;
        int64_t start = startOf(begin / nearSize);
        for (int64_t row = begin; row < end; ++row, ++place) {
            if (place == nearSize) {
                place = 0;
                start = startOf(row / nearSize);
            }
            const bool isFilled = start == filled || near[place] < 0;
            const int64_t source = isFilled ? filled : start + near[place] * nearStride;
            T* out = to + row * rowSize;
            if (source == filled) {
                copyStretch(sizeof(T), fill, 0, rowSize, out);
            } else if (source == before) {
                copyRun(out, out - rowSize, rowSize * sizeof(T));
            } else {
                copyRow(copy, fill, from + source, out);
            }
            before = source;
        }
    });
}

/// The innermost row as stretches.
CountedVector<TableCopy::Stretch> stretchesOf(const AxisTable& table, int64_t stride, int64_t run) {
    CountedVector<TableCopy::Stretch> result;
    for (const int64_t at : table) {
        const bool isFill = at < 0;
        const int64_t from = isFill ? -1 : at * stride;
        TableCopy::Stretch* before = result.empty() ? nullptr : &result.back();
        if (before != nullptr && isFill && before->from < 0) {
            before->count += run;
            continue;
        }
        const bool isOther = before == nullptr || isFill || before->from < 0;
        if (!isOther && run == 1 && before->count == 1) before->step = from - before->from;
        if (!isOther && before->from + before->count * before->step == from &&
            (run == 1 || before->step == 1)) {
            before->count += run;
        } else {
            result.push_back({.from = from, .step = isFill ? 0 : 1, .count = run});
        }
    }
    return result;
}

/// How many times the table has each of neighbouring places, if it is nothing else; 1: no such table.
int64_t repeatsOf(const AxisTable& table) {
    const auto next = std::find_if(table.begin(), table.end(), [&](int64_t at) { return at != table[0]; });
    const int64_t times = next - table.begin();
    const auto size = static_cast<int64_t>(table.size());
    if (table[0] < 0 || times == size || size % times != 0) return 1;
    for (int64_t k = 0; k < size; ++k) {
        if (table[k] != table[0] + k / times) return 1;
    }
    return times;
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
    StridedAxes axes = merged({move.dims, {move.fromStrides, move.toStrides}});
    if (axes.dims.empty()) axes = {{1}, {{1}, {1}}};
    return {.dims = std::move(axes.dims),
            .fromStrides = std::move(axes.strides[0]),
            .toStrides = std::move(axes.strides[1]),
            .fromOffset = move.fromOffset,
            .toOffset = move.toOffset};
}

void runMove(const Move& move, size_t size, const void* from, void* to, int threads) {
    const std::optional<Repetition> repetition = repetitionIn(move);
    dispatchSize(size, [&]<class T>(std::type_identity<T>) {
        const T* source = static_cast<const T*>(from);
        T* target = static_cast<T*>(to);
        if (repetition) return repeatMove(move, *repetition, source, target, threads);
        moveAs(move, source, target, threads);
    });
}

AxisTable identityTable(int64_t size) {
    AxisTable table(size);
    std::iota(table.begin(), table.end(), int64_t{0});
    return table;
}

bool areTablesSmall(const Dims& dims) {
    constexpr int64_t mostPlaces = int64_t{1} << 23;
    return std::accumulate(dims.begin(), dims.end(), int64_t{0}) <= mostPlaces;
}

TableCopy tableCopy(const Dims& sourceDims, std::vector<AxisTable> tables) {
    TableCopy copy{.tables = std::move(tables),
                   .stretches = {},
                   .sourceDims = sourceDims,
                   .sourceStrides = Dims(sourceDims.size(), 1)};
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
    const AxisTable& inner = copy.tables.back();
    const int64_t stride = copy.sourceStrides[copy.tables.size() - 1];
    copy.repeats = copy.innermostRun == 1 ? repeatsOf(inner) : 1;
    if (copy.repeats > 1) {
        copy.stretches = {{inner[0], 1, static_cast<int64_t>(inner.size()) / copy.repeats}};
    } else {
        copy.stretches = stretchesOf(inner, stride, copy.innermostRun);
    }
    return copy;
}

void runTableCopy(const TableCopy& copy, size_t size, const void* fill, const void* from, void* to,
                  int threads) {
    dispatchSize(size, [&]<class T>(std::type_identity<T>) {
        copyAs(copy, static_cast<const T*>(fill), static_cast<const T*>(from), static_cast<T*>(to), threads);
    });
}

}  // namespace engine::cpu
