#pragma once

#include <cstddef>
#include <vector>

namespace engine {

/// A buffer that must exist from step `first` to step `last`, both included.
struct BufferLife {
    size_t bytes = 0;
    size_t first = 0;
    size_t last = 0;
};

/// Where each buffer lies in one slab.
struct MemoryPlan {
    std::vector<size_t> offsets;
    size_t slabBytes = 0;
    size_t lowerBoundBytes = 0;  ///< the most that is alive at once: no plan can do with less
};

/// Packs buffers, 64-byte aligned, largest first, each at the lowest offset where it overlaps no buffer alive
/// at the same time (greedy by size, as in Pisarchyk and Lee, "Efficient Memory Management for Deep Neural
/// Net Inference", 2020).
MemoryPlan planMemory(const std::vector<BufferLife>& buffers);

}  // namespace engine
