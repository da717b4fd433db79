#include <cmath>
#include <cstring>
#include <limits>

#include "engine/core/tensor.h"
#include "engine/providers/cpu/chain.h"
#include "engine/providers/cpu/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/providers/cpu/chain_loops.cpp"
#include <hwy/foreach_target.h>

#include "engine/providers/cpu/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine::cpu {
namespace HWY_NAMESPACE {

template <class F>
void loop1(const float* x, float* to, size_t n, const F& f) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) hn::StoreU(f(hn::LoadU(d, x + i)), d, to + i);
    if (i < n) storeFirst(f(loadFirst(x + i, n - i)), to + i, n - i);
}

template <class F>
void loop2(const float* x, const float* y, float* to, size_t n, const F& f) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) hn::StoreU(f(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, to + i);
    if (i < n) storeFirst(f(loadFirst(x + i, n - i), loadFirst(y + i, n - i)), to + i, n - i);
}

HWY_INLINE FloatVector truth(hn::Mask<FloatTag> mask) { return hn::IfThenElseZero(mask, splat(1)); }
HWY_INLINE hn::Mask<FloatTag> isTrue(FloatVector x) { return hn::Ne(x, hn::Zero(FloatTag())); }

/// max(x, low), NaN stays.
HWY_INLINE FloatVector atLeast(FloatVector x, FloatVector low) { return keepNan(x, hn::Max(x, low)); }
HWY_INLINE FloatVector atMost(FloatVector x, FloatVector high) { return keepNan(x, hn::Min(x, high)); }

HWY_INLINE FloatVector hardSigmoidOf(FloatVector x, FloatVector p, FloatVector q) {
    return keepNan(x, clampTo(hn::MulAdd(x, p, q), 0, 1));
}

HWY_INLINE FloatVector expBelow(FloatVector x) { return hn::Sub(expOf(hn::Min(x, splat(0))), splat(1)); }

void unaryLoop(const Unary& unary, const float* x, float* to, size_t n) {
    using V = FloatVector;
    const V p = splat(unary.p);
    const V q = splat(unary.q);
    const V zero = splat(0);
    switch (unary.function) {
        case Function::copy:
            if (x != to) std::memcpy(to, x, n * sizeof(float));
            return;
        case Function::affine:
            if (unary.q == 0) return loop1(x, to, n, [=](V v) HWY_ATTR { return hn::Mul(v, p); });
            if (unary.p == 1) return loop1(x, to, n, [=](V v) HWY_ATTR { return hn::Add(v, q); });
            return loop1(x, to, n, [=](V v) HWY_ATTR { return hn::MulAdd(v, p, q); });
        case Function::relu:
            return loop1(x, to, n, [=](V v) HWY_ATTR { return atLeast(v, zero); });
        case Function::clip:
            return loop1(x, to, n, [=](V v) HWY_ATTR { return keepNan(v, hn::Min(hn::Max(v, p), q)); });
        case Function::leakyRelu:
            return loop1(x, to, n,
                         [=](V v) HWY_ATTR { return hn::IfThenElse(hn::Lt(v, zero), hn::Mul(v, p), v); });
        case Function::elu:
            return loop1(x, to, n, [=](V v) HWY_ATTR {
                return hn::IfThenElse(hn::Lt(v, zero), hn::Mul(p, expBelow(v)), v);
            });
        case Function::selu:
            return loop1(x, to, n, [=](V v) HWY_ATTR {
                return hn::Mul(q, hn::IfThenElse(hn::Lt(v, zero), hn::Mul(p, expBelow(v)), v));
            });
        case Function::celu: {
            const V inverse = splat(1 / unary.p);
            return loop1(x, to, n, [=](V v) HWY_ATTR {
                return hn::IfThenElse(hn::Lt(v, zero), hn::Mul(p, expBelow(hn::Mul(v, inverse))), v);
            });
        }
        case Function::thresholded:
            return loop1(x, to, n, [=](V v) HWY_ATTR { return hn::IfThenElseZero(hn::Gt(v, p), v); });
        case Function::sigmoid:
            return loop1(x, to, n, [](V v) HWY_ATTR { return sigmoidOf(v); });
        case Function::tanh:
            return loop1(x, to, n, [](V v) HWY_ATTR { return tanhOf(v); });
        case Function::hardSigmoid:
            return loop1(x, to, n, [=](V v) HWY_ATTR { return hardSigmoidOf(v, p, q); });
        case Function::hardSwish:
            return loop1(x, to, n, [=](V v) HWY_ATTR { return hn::Mul(v, hardSigmoidOf(v, p, q)); });
        case Function::swish:
            return loop1(x, to, n, [=](V v) HWY_ATTR { return hn::Mul(v, sigmoidOf(hn::Mul(v, p))); });
        case Function::gelu:
            return loop1(x, to, n, [](V v) HWY_ATTR { return geluOf(v); });
        case Function::geluTanh:
            return loop1(x, to, n, [](V v) HWY_ATTR { return geluTanhOf(v); });
        case Function::softplus:
            return loop1(x, to, n, [](V v) HWY_ATTR { return softplusOf(v); });
        case Function::softsign:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Div(v, hn::Add(splat(1), hn::Abs(v))); });
        case Function::mish:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Mul(v, tanhOf(softplusOf(v))); });
        case Function::erf:
            return loop1(x, to, n, [](V v) HWY_ATTR { return erfOf(v); });
        case Function::exp:
            return loop1(x, to, n, [](V v) HWY_ATTR { return expOf(v); });
        case Function::log:
            return loop1(x, to, n, [](V v) HWY_ATTR { return logOf(v); });
        case Function::sqrt:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Sqrt(v); });
        case Function::reciprocal:
            return loop1(x, to, n, [=](V v) HWY_ATTR { return hn::Div(p, v); });
        case Function::square:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Mul(v, v); });
        case Function::cube:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Mul(hn::Mul(v, v), v); });
        case Function::abs:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Abs(v); });
        case Function::neg:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Neg(v); });
        case Function::sign:
            return loop1(x, to, n, [=](V v) HWY_ATTR {
                return keepNan(v, hn::Sub(truth(hn::Gt(v, zero)), truth(hn::Lt(v, zero))));
            });
        case Function::floor:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Floor(v); });
        case Function::ceil:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Ceil(v); });
        case Function::round:
            return loop1(x, to, n, [](V v) HWY_ATTR { return hn::Round(v); });
        case Function::sin:
            for (size_t i = 0; i < n; ++i) to[i] = std::sin(x[i]);
            return;
        case Function::cos:
            for (size_t i = 0; i < n; ++i) to[i] = std::cos(x[i]);
            return;
        case Function::logicalNot:
            return loop1(x, to, n, [](V v) HWY_ATTR { return truth(hn::Not(isTrue(v))); });
        case Function::isNan:
            return loop1(x, to, n, [](V v) HWY_ATTR { return truth(hn::IsNaN(v)); });
        default:
            return;
    }
}

void binaryLoop(Function function, const float* x, const float* y, float* to, size_t n) {
    using V = FloatVector;
    switch (function) {
        case Function::add:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return hn::Add(a, b); });
        case Function::subtract:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return hn::Sub(a, b); });
        case Function::multiply:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return hn::Mul(a, b); });
        case Function::divide:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return hn::Div(a, b); });
        case Function::maximum:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return keepNan(b, atLeast(a, b)); });
        case Function::minimum:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return keepNan(b, atMost(a, b)); });
        case Function::power:
            for (size_t i = 0; i < n; ++i) to[i] = std::pow(x[i], y[i]);
            return;
        case Function::prelu:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR {
                return hn::IfThenElse(hn::Lt(a, splat(0)), hn::Mul(a, b), a);
            });
        case Function::equal:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return truth(hn::Eq(a, b)); });
        case Function::less:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return truth(hn::Lt(a, b)); });
        case Function::lessOrEqual:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return truth(hn::Le(a, b)); });
        case Function::logicalAnd:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return truth(hn::And(isTrue(a), isTrue(b))); });
        case Function::logicalOr:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return truth(hn::Or(isTrue(a), isTrue(b))); });
        case Function::logicalXor:
            return loop2(x, y, to, n, [](V a, V b) HWY_ATTR { return truth(hn::Xor(isTrue(a), isTrue(b))); });
        default:
            return;
    }
}

void whereLoop(const float* condition, const float* x, const float* y, float* to, size_t n) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const auto mask = isTrue(hn::LoadU(d, condition + i));
        hn::StoreU(hn::IfThenElse(mask, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, to + i);
    }
    const size_t rest = n - i;
    if (rest == 0) return;
    const auto mask = isTrue(loadFirst(condition + i, rest));
    storeFirst(hn::IfThenElse(mask, loadFirst(x + i, rest), loadFirst(y + i, rest)), to + i, rest);
}

void scaleShiftLoop(const float* x, const float* y, const float* z, float* to, size_t n) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        hn::StoreU(hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), hn::LoadU(d, z + i)), d, to + i);
    }
    for (; i < n; ++i) to[i] = x[i] * y[i] + z[i];
}

/// Runs the instructions on one tile; tiles[k] is where tile k lies.
void runTile(const Instruction* instructions, size_t count, float* const* tiles, size_t n) {
    for (size_t index = 0; index < count; ++index) {
        const Instruction& step = instructions[index];
        const float* x = tiles[step.operands[0]];
        float* to = tiles[step.target];
        if (step.function < Function::add) {
            unaryLoop({step.function, step.p, step.q}, x, to, n);
        } else if (step.function == Function::scaleShift) {
            scaleShiftLoop(x, tiles[step.operands[1]], tiles[step.operands[2]], to, n);
        } else if (step.function == Function::where) {
            whereLoop(x, tiles[step.operands[1]], tiles[step.operands[2]], to, n);
        } else {
            binaryLoop(step.function, x, tiles[step.operands[1]], to, n);
        }
    }
}

void fillLoop(float value, float* to, size_t n) {
    const FloatTag d;
    const size_t lanes = hn::Lanes(d);
    const FloatVector v = splat(value);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) hn::StoreU(v, d, to + i);
    if (i < n) storeFirst(v, to + i, n - i);
}

/// Truths, bytes of 0 and 1, as numbers.
void numbersLoop(const uint8_t* truths, float* to, size_t n) {
    const FloatTag d;
    const hn::Rebind<uint8_t, FloatTag> d8;
    const hn::RebindToSigned<FloatTag> di;
    const size_t lanes = hn::Lanes(d);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        hn::StoreU(hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, truths + i))), d, to + i);
    }
    for (; i < n; ++i) to[i] = truths[i];
}

void truthsLoop(const float* numbers, uint8_t* to, size_t n) {
    const FloatTag d;
    const hn::Rebind<uint8_t, FloatTag> d8;
    const hn::RebindToSigned<FloatTag> di;
    const size_t lanes = hn::Lanes(d);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const auto ones =
            hn::IfThenElseZero(hn::RebindMask(di, isTrue(hn::LoadU(d, numbers + i))), hn::Set(di, 1));
        hn::StoreU(hn::DemoteTo(d8, ones), d8, to + i);
    }
    for (; i < n; ++i) to[i] = numbers[i] != 0 ? 1 : 0;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine::cpu {
HWY_EXPORT(runTile);
HWY_EXPORT(unaryLoop);
HWY_EXPORT(binaryLoop);
HWY_EXPORT(fillLoop);
HWY_EXPORT(numbersLoop);
HWY_EXPORT(truthsLoop);

namespace {

/// Where the tiles of one thread lie, and what the buffers of broadcast inputs hold.
class TileWalker {
public:
    TileWalker(const ChainProgram& program, const void* const* inputs, void* const* outputs, void* workspace)
        : program_(program), inputs_(inputs), outputs_(outputs) {
        const int64_t size = program.tileRows * program.tileColumns;
        auto* buffer = static_cast<float*>(workspace);
        const auto next = [&] {
            float* here = buffer;
            buffer += (size + 15) / 16 * 16;
            return here;
        };
        for (size_t index = 0; index < program.inputs.size(); ++index) buffers_[index] = next();
        for (size_t index = 0; index < program.outputs.size(); ++index) {
            if (program.outputs[index] != DataType::float32) buffers_[program.inputs.size() + index] = next();
        }
        const size_t first = program.inputs.size() + program.outputs.size();
        for (size_t index = 0; index < program.temporaries; ++index) tiles_[first + index] = next();
    }

    void run(int64_t tile) {
        const size_t rank = program_.dims.size();
        const int64_t columns = program_.dims[rank - 1];
        const int64_t rows = program_.dims[rank - 2];
        const int64_t column = tile % program_.columnBlocks * program_.tileColumns;
        const int64_t row = tile / program_.columnBlocks % program_.rowBlocks * program_.tileRows;
        const int64_t outer = tile / program_.columnBlocks / program_.rowBlocks;
        const int64_t width = std::min(program_.tileColumns, columns - column);
        const int64_t height = std::min(program_.tileRows, rows - row);
        for (size_t index = 0; index < program_.inputs.size(); ++index) {
            const ChainInput& input = program_.inputs[index];
            int64_t offset = row * input.strides[rank - 2] + column * input.strides[rank - 1];
            int64_t rest = outer;
            for (size_t axis = rank - 2; axis-- > 0;) {
                offset += rest % program_.dims[axis] * input.strides[axis];
                rest /= program_.dims[axis];
            }
            tiles_[index] = inputTile(index, offset, height, width);
        }
        const int64_t at = (outer * rows + row) * columns + column;
        const size_t firstOutput = program_.inputs.size();
        for (size_t index = 0; index < program_.outputs.size(); ++index) {
            tiles_[firstOutput + index] = program_.outputs[index] == DataType::float32
                                              ? static_cast<float*>(outputs_[index]) + at
                                              : buffers_[firstOutput + index];
        }
        HWY_DYNAMIC_DISPATCH(runTile)
        (program_.instructions.data(), program_.instructions.size(), tiles_, height * width);
        for (size_t index = 0; index < program_.outputs.size(); ++index) {
            if (program_.outputs[index] == DataType::float32) continue;
            HWY_DYNAMIC_DISPATCH(truthsLoop)
            (buffers_[firstOutput + index], static_cast<uint8_t*>(outputs_[index]) + at, height * width);
        }
    }

    static constexpr size_t largestTiles = 64;

private:
    static void lineTo(const float* line, int64_t width, float* out) {
        std::memcpy(out, line, width * sizeof(float));
    }
    static void lineTo(const uint8_t* line, int64_t width, float* out) {
        HWY_DYNAMIC_DISPATCH(numbersLoop)(line, out, width);
    }

    template <class T>
    float* gathered(const T* from, const ChainInput& input, float* to, int64_t height, int64_t width) const {
        const size_t rank = program_.dims.size();
        const int64_t rowStride = input.strides[rank - 2];
        const int64_t stride = input.strides[rank - 1];
        if (stride == 1 && rowStride == width) {
            lineTo(from, height * width, to);
            return to;
        }
        for (int64_t row = 0; row < height; ++row) {
            const T* line = from + row * rowStride;
            float* out = to + row * width;
            if (stride == 0) {
                HWY_DYNAMIC_DISPATCH(fillLoop)(static_cast<float>(*line), out, width);
            } else if (stride == 1) {
                lineTo(line, width, out);
            } else {
                for (int64_t k = 0; k < width; ++k) out[k] = static_cast<float>(line[k * stride]);
            }
        }
        return to;
    }

    /// The input's elements under the tile: where they lie, if they lie side by side, else copied.
    float* inputTile(size_t index, int64_t offset, int64_t height, int64_t width) {
        const ChainInput& input = program_.inputs[index];
        const size_t rank = program_.dims.size();
        const int64_t rowStride = input.strides[rank - 2];
        const int64_t stride = input.strides[rank - 1];
        if (input.element != DataType::float32) {
            return gathered(static_cast<const uint8_t*>(inputs_[index]) + offset, input, buffers_[index],
                            height, width);
        }
        const float* from = static_cast<const float*>(inputs_[index]) + offset;
        const bool isDense = (stride == 1 || width == 1) && (height == 1 || rowStride == width);
        if (isDense) return const_cast<float*>(from);  // NOLINT: only read
        const bool isSameEachRow = height == 1 ? stride == 0 : rowStride == 0;
        const bool isHeld = isSameEachRow && held_[index] == from && heldHeight_[index] >= height &&
                            heldWidth_[index] == width;
        if (isHeld) return buffers_[index];
        held_[index] = isSameEachRow ? from : nullptr;
        heldHeight_[index] = height;
        heldWidth_[index] = width;
        return gathered(from, input, buffers_[index], height, width);
    }

    const ChainProgram& program_;
    const void* const* inputs_;
    void* const* outputs_;
    float* tiles_[largestTiles] = {};
    float* buffers_[largestTiles] = {};
    const float* held_[largestTiles] = {};
    int64_t heldHeight_[largestTiles] = {};
    int64_t heldWidth_[largestTiles] = {};
};

/// How many threads to wake for the whole of a program.
int threadsOf(const ChainProgram& program, int threads) {
    const int64_t bytes = elementCount(program.dims) * 4;
    return threadsFor(threads, bytes * static_cast<int64_t>(1 + program.instructions.size() / 2));
}

}  // namespace

void planTiles(ChainProgram& program, int threads) {
    constexpr int64_t mostElements = 2048;
    const int64_t elements = elementCount(program.dims);
    const int64_t each = (elements + threads - 1) / threads;
    const int64_t tileElements =
        threadsOf(program, threads) > 1 ? std::clamp<int64_t>(each, 1, mostElements) : mostElements;
    const size_t rank = program.dims.size();
    const int64_t columns = program.dims[rank - 1];
    const int64_t rows = program.dims[rank - 2];
    program.columnBlocks = (columns + tileElements - 1) / tileElements;
    program.tileColumns = (columns + program.columnBlocks - 1) / program.columnBlocks;
    program.tileRows = program.columnBlocks > 1 ? 1 : std::clamp<int64_t>(tileElements / columns, 1, rows);
    program.rowBlocks = (rows + program.tileRows - 1) / program.tileRows;
    program.tiles = program.columnBlocks * program.rowBlocks;
    for (size_t axis = 0; axis + 2 < rank; ++axis) program.tiles *= program.dims[axis];
    const size_t tileBytes = (program.tileRows * program.tileColumns + 15) / 16 * 64;
    const size_t buffers = program.inputs.size() + program.outputs.size() + program.temporaries;
    program.workspacePerThread = buffers * tileBytes;
}

void runChain(const ChainProgram& program, const void* const* inputs, void* const* outputs, void* workspace,
              int threads) {
    parallelRange(threadsOf(program, threads), program.tiles, [&](int64_t begin, int64_t end, int thread) {
        TileWalker walker(program, inputs, outputs,
                          static_cast<char*>(workspace) + thread * program.workspacePerThread);
        for (int64_t tile = begin; tile < end; ++tile) walker.run(tile);
    });
}

void applyUnary(const Unary& unary, const float* operand, float* target, size_t n) {
    HWY_DYNAMIC_DISPATCH(unaryLoop)(unary, operand, target, n);
}

void applyBinary(Function function, const float* left, const float* right, float* target, size_t n) {
    HWY_DYNAMIC_DISPATCH(binaryLoop)(function, left, right, target, n);
}

}  // namespace engine::cpu
#endif
