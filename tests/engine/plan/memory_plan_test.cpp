#include "engine/plan/memory_plan.h"

#include <random>

#include <gtest/gtest.h>

namespace test {
namespace {

using engine::BufferLife;
using engine::MemoryPlan;
using engine::planMemory;

bool overlap(const BufferLife& a, size_t aOffset, const BufferLife& b, size_t bOffset) {
    const bool inTime = a.first <= b.last && b.first <= a.last;
    const bool inSpace = aOffset < bOffset + b.bytes && bOffset < aOffset + a.bytes;
    return inTime && inSpace;
}

TEST(MemoryPlan, BuffersThatFollowEachOtherShareTheirPlace) {
    const MemoryPlan plan = planMemory({{100, 0, 1}, {100, 2, 3}, {64, 1, 2}});
    EXPECT_EQ(plan.offsets[0], plan.offsets[1]);
    EXPECT_EQ(plan.slabBytes, 128U + 64U);
    EXPECT_EQ(plan.lowerBoundBytes, 128U + 64U);
}

TEST(MemoryPlan, EmptyBuffersAndNoBuffersNeedNothing) {
    EXPECT_EQ(planMemory({}).slabBytes, 0U);
    EXPECT_EQ(planMemory({{0, 0, 5}, {0, 1, 2}}).slabBytes, 0U);
}

TEST(MemoryPlan, NoTwoLivingBuffersOverlapAndTheBoundHolds) {
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
        std::vector<BufferLife> buffers;
        for (int i = 0; i < 60; ++i) {
            const size_t first = random() % 40;
            buffers.push_back({random() % 5000, first, first + random() % 8});
        }
        const MemoryPlan plan = planMemory(buffers);
        for (size_t a = 0; a < buffers.size(); ++a) {
            EXPECT_EQ(plan.offsets[a] % 64, 0U);
            EXPECT_LE(plan.offsets[a] + buffers[a].bytes, plan.slabBytes);
            for (size_t b = 0; b < a; ++b) {
                EXPECT_FALSE(overlap(buffers[a], plan.offsets[a], buffers[b], plan.offsets[b]))
                    << a << " and " << b;
            }
        }
        EXPECT_GE(plan.slabBytes, plan.lowerBoundBytes);
    }
}

}  // namespace
}  // namespace test
