#include "engine/core/memory.h"

#include <thread>

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

TEST(MemoryLimit, CountsWhatStringsHold) {
    const MemoryLimit limit(2000, "limit");
    {
        Tensor tensor = Tensor::allocate(DataType::string, {2});
        const size_t empty = memoryLeft();
        EXPECT_EQ(empty, 2000 - tensor.bytes());
        tensor.mutableValues<String>()[0].assign(1000, 'a');
        EXPECT_LE(memoryLeft(), empty - 1000);
        const Tensor shared = tensor;
        EXPECT_LE(memoryLeft(), empty - 1000);
        try {
            tensor.mutableValues<String>()[1] = tensor.values<String>()[0];
            ADD_FAILURE() << "both fit";
        } catch (const Error& error) {
            EXPECT_STREQ(
                error.what(),
                "a string needs 1001 bytes, more than the memory limit of 2000 bytes leaves (limit)");
        }
        EXPECT_EQ(tensor.values<String>()[1], "");
    }
    EXPECT_EQ(memoryLeft(), 2000U);
}

TEST(MemoryLimit, IsGivenBackByAnotherThread) {
    const MemoryLimit limit(2000, "limit");
    Tensor tensor = Tensor::allocate(DataType::string, {1});
    tensor.mutableValues<String>()[0].assign(1000, 'a');
    std::thread([held = std::move(tensor)]() mutable { held = {}; }).join();
    tensor = {};
    EXPECT_EQ(memoryLeft(), 2000U);
}

TEST(Memory, WhatTheMachineHasNotIsRefusedAtOnce) {
    EXPECT_GT(availableMemory(), size_t{1} << 20);
    EXPECT_GT(memoryLeft(), size_t{1} << 20) << "without a limit it is what the machine has";
    EXPECT_NE(errorOf({int64_t{1} << 50}).find("which cannot be had"), std::string::npos);
}

}  // namespace
}  // namespace engine
