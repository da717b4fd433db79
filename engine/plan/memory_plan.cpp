#include "engine/plan/memory_plan.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

namespace engine {
namespace {

constexpr size_t alignment = 64;

size_t aligned(size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

size_t mostAliveAtOnce(const std::vector<BufferLife>& buffers) {
    std::map<size_t, int64_t> change;
    for (const BufferLife& buffer : buffers) {
        change[buffer.first] += static_cast<int64_t>(aligned(buffer.bytes));
        change[buffer.last + 1] -= static_cast<int64_t>(aligned(buffer.bytes));
    }
    int64_t alive = 0;
    int64_t most = 0;
    for (const auto& [step, bytes] : change) {
        alive += bytes;
        most = std::max(most, alive);
    }
    return static_cast<size_t>(most);
}

/// The buffers that have their place. Most live for a few steps only, and so are compared with a few others
/// only, found by the stretch of steps in which they are alive.
class Placed {
public:
    Placed(const std::vector<BufferLife>& buffers, const std::vector<size_t>& offsets)
        : buffers_(buffers), offsets_(offsets), askedBy_(buffers.size(), SIZE_MAX) {
        size_t last = 0;
        for (const BufferLife& buffer : buffers) last = std::max(last, buffer.last);
        stretches_.resize(last / stretch + 1);
    }

    void add(size_t index) {
        const auto place =
            std::upper_bound(byOffset_.begin(), byOffset_.end(), offsets_[index],
                             [&](size_t offset, size_t other) { return offset < offsets_[other]; });
        byOffset_.insert(place, index);
        if (isLong(index)) {
            long_.push_back(index);
            return;
        }
        for (size_t i = firstStretch(index); i <= lastStretch(index); ++i) stretches_[i].push_back(index);
    }

    /// Those that are alive in a step in which this one is, by offset.
    std::vector<size_t> aliveWith(size_t index) {
        std::vector<size_t> found;
        const auto take = [&](size_t other) {
            if (isAliveWith(index, other) && std::exchange(askedBy_[other], index) != index)
                found.push_back(other);
        };
        if (isLong(index) || long_.size() > mostSorted) {
            for (const size_t other : byOffset_) take(other);
            return found;
        }
        for (const size_t other : long_) take(other);
        for (size_t i = firstStretch(index); i <= lastStretch(index); ++i) {
            for (const size_t other : stretches_[i]) take(other);
        }
        std::sort(found.begin(), found.end(), [&](size_t a, size_t b) { return offsets_[a] < offsets_[b]; });
        return found;
    }

private:
    static constexpr size_t stretch = 32;
    static constexpr size_t mostStretches = 16;  ///< that a buffer is listed in
    static constexpr size_t mostSorted = 256;    ///< then walking all in order costs less

    size_t firstStretch(size_t index) const { return buffers_[index].first / stretch; }
    size_t lastStretch(size_t index) const { return buffers_[index].last / stretch; }
    bool isLong(size_t index) const { return lastStretch(index) - firstStretch(index) >= mostStretches; }
    bool isAliveWith(size_t index, size_t other) const {
        return buffers_[other].first <= buffers_[index].last && buffers_[index].first <= buffers_[other].last;
    }

    const std::vector<BufferLife>& buffers_;
    const std::vector<size_t>& offsets_;
    std::vector<size_t> askedBy_;
    std::vector<size_t> byOffset_;
    std::vector<size_t> long_;
    std::vector<std::vector<size_t>> stretches_;
};

}  // namespace

MemoryPlan planMemory(const std::vector<BufferLife>& buffers) {
    MemoryPlan plan{.offsets = std::vector<size_t>(buffers.size(), 0)};
    std::vector<size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return buffers[a].bytes > buffers[b].bytes; });
    Placed placed(buffers, plan.offsets);
    for (const size_t index : order) {
        const size_t bytes = aligned(buffers[index].bytes);
        if (bytes == 0) continue;
        size_t offset = 0;
        for (const size_t other : placed.aliveWith(index)) {
            if (offset + bytes <= plan.offsets[other]) break;
            offset = std::max(offset, plan.offsets[other] + aligned(buffers[other].bytes));
        }
        plan.offsets[index] = offset;
        plan.slabBytes = std::max(plan.slabBytes, offset + bytes);
        placed.add(index);
    }
    plan.lowerBoundBytes = mostAliveAtOnce(buffers);
    return plan;
}

}  // namespace engine
