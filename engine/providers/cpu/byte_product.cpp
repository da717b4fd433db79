#include "engine/providers/cpu/byte_product.h"

#include <algorithm>

#include "engine/providers/cpu/candidates.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/onednn.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

bool hasByteInstructions() {
    const auto has = [isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa())](dnnl::cpu_isa wanted) {
        return (isa & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
    };
    return has(dnnl::cpu_isa::avx2_vnni) || has(dnnl::cpu_isa::avx512_core_vnni);
}

/// The weights as signed bytes, and what brings their product back to that of the numbers.
struct ByteWeights {
    std::vector<int8_t> bytes = {};
    std::vector<int32_t> shifts = {};  ///< per column: the number less its byte
    std::vector<int32_t> sums = {};    ///< per column: of the numbers
};

ByteWeights byteWeights(const ByteProduct& product) {
    ByteWeights result{.shifts = std::vector<int32_t>(product.n, 0),
                       .sums = std::vector<int32_t>(product.n, 0)};
    const auto weight = [&](int64_t row, int64_t column) {
        return static_cast<int32_t>(product.weights[row * product.n + column]);
    };
    std::vector<int32_t> low(product.n, 0);
    std::vector<int32_t> high(product.n, 0);
    for (int64_t row = 0; row < product.k; ++row) {
        for (int64_t column = 0; column < product.n; ++column) {
            low[column] = std::min(low[column], weight(row, column));
            high[column] = std::max(high[column], weight(row, column));
            result.sums[column] += weight(row, column);
        }
    }
    for (int64_t column = 0; column < product.n; ++column) {
        // Both ends stem from bytes, so they lie no more than 255 apart.
        if (high[column] > 127) result.shifts[column] = high[column] - 127;
        if (low[column] < -128) result.shifts[column] = low[column] + 128;
    }
    result.bytes.reserve(product.k * product.n);
    for (int64_t row = 0; row < product.k; ++row) {
        for (int64_t column = 0; column < product.n; ++column) {
            result.bytes.push_back(static_cast<int8_t>(weight(row, column) - result.shifts[column]));
        }
    }
    return result;
}

/// A row of x as unsigned bytes: its numbers less the lowest.
struct ByteRow {
    int32_t low = 0;
    int32_t total = 0;  ///< of the bytes
};

ByteRow toBytes(const float* x, int64_t count, uint8_t* bytes) {
    float low = 0;
    for (int64_t i = 0; i < count; ++i) low = std::min(low, x[i]);
    ByteRow row{.low = static_cast<int32_t>(low)};
    for (int64_t i = 0; i < count; ++i) {
        const auto byte = static_cast<int32_t>(x[i] - low);
        bytes[i] = static_cast<uint8_t>(byte);
        row.total += byte;
    }
    return row;
}

/// sums of bytes -> products of the numbers, as floats. Wraps around as int32 does.
void restore(const ByteRow& row, const ByteWeights& weights, const int32_t* sums, float* y) {
    const auto low = static_cast<uint32_t>(row.low);
    const auto total = static_cast<uint32_t>(row.total);
    for (size_t c = 0; c < weights.sums.size(); ++c) {
        const uint32_t sum = static_cast<uint32_t>(sums[c]) + low * static_cast<uint32_t>(weights.sums[c]) +
                             total * static_cast<uint32_t>(weights.shifts[c]);
        y[c] = static_cast<float>(static_cast<int32_t>(sum));
    }
}

size_t aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace

bool addByteProductStep(CpuBuilder& builder, const ByteProduct& product) {
    using Type = dnnl::memory::data_type;
    const int64_t m = product.m;
    const int64_t k = product.k;
    const int64_t n = product.n;
    if (!hasByteInstructions()) return false;
    const int threads = threadsForProduct(builder.threads(), m * k * n);
    const ThreadScope scope(threads);
    const dnnl::memory::desc source({m, k}, Type::u8, Dims{k, 1});
    const dnnl::memory::desc result({m, n}, Type::s32, Dims{n, 1});
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::matmul::primitive_desc chosen(
        onednnEngine(), source, dnnl::memory::desc({k, n}, Type::s8, dnnl::memory::format_tag::any), result,
        attributes, true);
    if (chosen.get(true) == nullptr || isPlainLoops(chosen.impl_info_str())) return false;

    auto weights = std::make_shared<ByteWeights>(byteWeights(product));
    const dnnl::memory::desc packedDesc = chosen.weights_desc();
    Tensor packed = Tensor::allocate(DataType::int8, {static_cast<int64_t>(packedDesc.get_size())});
    reorderNow(dnnl::memory::desc({k, n}, Type::s8, Dims{n, 1}), weights->bytes.data(), packedDesc,
               packed.mutableData());
    weights->bytes = {};

    Step step{.kernel = text("onednn matmul of bytes ", chosen.impl_info_str()), .nodes = product.nodes};
    step.inputs = {builder.takeRowMajor(product.input),
                   builder.addConstant(std::move(packed), "onednn packed")};
    step.outputs = {builder.defineRowMajor(product.result)};
    const size_t sumsAt = aligned(static_cast<size_t>(m * k));
    const size_t scratchAt = sumsAt + aligned(static_cast<size_t>(m * n) * sizeof(int32_t));
    step.workspaceBytes = scratchAt + chosen.scratchpad_desc().get_size();
    const auto call = std::make_shared<const OnednnCall>(
        dnnl::matmul(chosen),
        std::vector<OnednnCall::Argument>{{DNNL_ARG_SRC, source},
                                          {DNNL_ARG_WEIGHTS, packedDesc},
                                          {DNNL_ARG_DST, result},
                                          {DNNL_ARG_SCRATCHPAD, chosen.scratchpad_desc()}});
    step.code = [=](StepContext& context) {
        const ThreadScope running(threads);
        auto* bytes = static_cast<uint8_t*>(context.workspace());
        auto* sums = reinterpret_cast<int32_t*>(bytes + sumsAt);
        std::vector<ByteRow> rows(m);
        for (int64_t row = 0; row < m; ++row) {
            rows[row] = toBytes(context.input<float>(0) + row * k, k, bytes + row * k);
        }
        void* pointers[] = {bytes, const_cast<void*>(context.input<void>(1)), sums,
                            bytes + scratchAt};  // NOLINT
        call->run(pointers);
        for (int64_t row = 0; row < m; ++row) {
            restore(rows[row], *weights, sums + row * n, context.output<float>(0) + row * n);
        }
    };
    builder.add(std::move(step));
    return true;
}

}  // namespace engine::cpu
