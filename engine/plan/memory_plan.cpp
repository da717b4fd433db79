#include "engine/plan/memory_plan.h"

#include <algorithm>
#include <map>
#include <numeric>

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

}  // namespace

MemoryPlan planMemory(const std::vector<BufferLife>& buffers) {
    MemoryPlan plan{.offsets = std::vector<size_t>(buffers.size(), 0)};
    std::vector<size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return buffers[a].bytes > buffers[b].bytes; });
    std::vector<size_t> placed;  // by offset
    for (const size_t index : order) {
        const BufferLife& buffer = buffers[index];
        const size_t bytes = aligned(buffer.bytes);
        size_t offset = 0;
        for (const size_t other : placed) {
            const BufferLife& neighbour = buffers[other];
            if (neighbour.last < buffer.first || buffer.last < neighbour.first) continue;
            if (offset + bytes <= plan.offsets[other]) break;
            offset = std::max(offset, plan.offsets[other] + aligned(neighbour.bytes));
        }
        plan.offsets[index] = offset;
        plan.slabBytes = std::max(plan.slabBytes, offset + bytes);
        placed.insert(
            std::upper_bound(placed.begin(), placed.end(), offset,
                             [&](size_t value, size_t other) { return value < plan.offsets[other]; }),
            index);
    }
    plan.lowerBoundBytes = mostAliveAtOnce(buffers);
    return plan;
}

}  // namespace engine
