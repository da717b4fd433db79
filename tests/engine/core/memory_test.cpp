#include "engine/core/memory.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/core/tensor.h"

namespace engine {
namespace {

std::string errorOf(const Dims& dims) {
    try {
        Tensor::allocate(DataType::uint8, dims);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(MemoryLimit, CountsInnerTensorsInTheOuterLimitToo) {
    const MemoryLimit outer(1000, "outer");
    EXPECT_EQ(memoryLeft(), 1000U);
    const Tensor held = Tensor::allocate(DataType::uint8, {600});
    const MemoryLimit inner(800, "inner");
    EXPECT_EQ(memoryLeft(), 400U);
    EXPECT_EQ(errorOf({900}),
              "a tensor uint8[900] needs 900 bytes, more than the memory limit of 800 bytes leaves (inner)");
    EXPECT_EQ(errorOf({500}),
              "a tensor uint8[500] needs 500 bytes, more than the memory limit of 1000 bytes leaves (outer)");
    EXPECT_EQ(errorOf({400}), "no error");
    EXPECT_EQ(memoryLeft(), 400U) << "what was refused is not counted";
}

TEST(Memory, WhatTheMachineHasNotIsRefusedAtOnce) {
    EXPECT_GT(availableMemory(), size_t{1} << 20);
    EXPECT_GT(memoryLeft(), size_t{1} << 20) << "without a limit it is what the machine has";
    EXPECT_NE(errorOf({int64_t{1} << 50}).find("which cannot be had"), std::string::npos);
}

}  // namespace
}  // namespace engine
