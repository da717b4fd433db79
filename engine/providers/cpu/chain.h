#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/data_type.h"
#include "engine/providers/cpu/function.h"

namespace engine::cpu {

/// One operation on tiles. Operands and target are tile numbers: first the inputs, then the outputs, then
/// temporaries.
struct Instruction {
    Function function;
    uint16_t target;
    uint16_t operands[3];
    float p;
    float q;
};

/// How an input lies under the space that the chain walks.
struct ChainInput {
    DataType element = DataType::float32;
    std::vector<int64_t> strides;  ///< elements, per dim of the space; 0: broadcast
};

/// Element-wise operations on a space of dims, the last innermost, walked in tiles that stay in the nearest
/// cache: every operation of the chain is done on a tile before the next tile is touched.
struct ChainProgram {
    std::vector<int64_t> dims;  ///< at least 2
    std::vector<ChainInput> inputs;
    std::vector<DataType> outputs;  ///< dense, in the space's order
    std::vector<Instruction> instructions;
    size_t temporaries = 0;
    // Derived by planTiles.
    int64_t tileRows = 1;
    int64_t tileColumns = 1;
    int64_t rowBlocks = 1;
    int64_t columnBlocks = 1;
    int64_t tiles = 1;
    size_t workspacePerThread = 0;
};

void planTiles(ChainProgram& program, int threads);

/// Runs the program. `workspace` has workspacePerThread bytes for each thread.
void runChain(const ChainProgram& program, const void* const* inputs, void* const* outputs, void* workspace,
              int threads);

/// One operation on n elements, for kernels that need a function of a row: target may be the operand.
void applyUnary(const Unary& unary, const float* operand, float* target, size_t n);
void applyBinary(Function function, const float* left, const float* right, float* target, size_t n);

}  // namespace engine::cpu
