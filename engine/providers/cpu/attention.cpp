#include <algorithm>
#include <numeric>

#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/onednn.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/rows.h"

// softmax(q k^T * scale + mask) v as one step. The scores of a block of rows of one head are made, turned
// into probabilities and multiplied with v while they lie in the nearest cache; the whole matrix of scores
// never exists. q, k, v and the result are read and written where they lie, so that the transposes of heads
// around attention cost nothing.

namespace engine::cpu {
namespace {

struct Pattern {
    ValueId q;
    ValueId k;  ///< already transposed: [..., depth, keys]
    ValueId v;
    std::optional<ValueId> mask = {};
    float scale = 1;
    ValueId output;
    std::vector<NodeId> nodes;
};

/// Dims and strides with as many axes in front as make the rank; stride 0 where an axis is broadcast.
struct Strided {
    Dims dims;
    Dims strides;
};

Strided aligned(const Dims& dims, const Dims& strides, size_t rank) {
    Strided result{Dims(rank - dims.size(), 1), Dims(rank - dims.size(), 0)};
    for (size_t axis = 0; axis < dims.size(); ++axis) {
        result.dims.push_back(dims[axis]);
        const bool isBatch = axis + 2 < dims.size();
        result.strides.push_back(isBatch && dims[axis] == 1 ? 0 : strides[axis]);
    }
    return result;
}

bool isMask(const Dims& mask, const Dims& scores) {
    if (mask.empty() || mask.size() > scores.size() || mask.back() != scores.back()) return false;
    const size_t shift = scores.size() - mask.size();
    for (size_t axis = 0; axis < mask.size(); ++axis) {
        if (mask[axis] != 1 && mask[axis] != scores[axis + shift]) return false;
    }
    return true;
}

bool isSoftmaxOfLast(const CpuBuilder& builder, const Node& node) {
    if (node.operatorType != "Softmax" || !node.domain.empty()) return false;
    const auto rank = static_cast<int64_t>(builder.dims(node.inputs[0]).size());
    const int64_t axis = AttributeReader(node).integer("axis", node.version < 13 ? 1 : -1);
    return axis == -1 || axis == rank - 1;
}

bool isPlainMatMul(const CpuBuilder& builder, const Node& node) {
    return node.operatorType == "MatMul" && node.domain.empty() &&
           builder.element(node.inputs[0]) == DataType::float32 && builder.dims(node.inputs[0]).size() >= 3 &&
           builder.dims(node.inputs[1]).size() >= 3;
}

std::optional<Pattern> find(const CpuBuilder& builder, const NodeView& first) {
    const Node& product = first.node();
    if (!isPlainMatMul(builder, product)) return {};
    Pattern pattern{
        .q = product.inputs[0], .k = product.inputs[1], .v = {}, .output = {}, .nodes = {first.id()}};
    ValueId at = product.outputs[0];
    const Dims scores = builder.dims(at);
    bool hasMask = false;
    while (true) {
        const auto reader = builder.soleReader(at);
        if (!reader) return {};
        const Node& node = builder.node(*reader);
        pattern.nodes.push_back(*reader);
        if (isSoftmaxOfLast(builder, node)) {
            at = node.outputs[0];
            break;
        }
        const auto scale = unaryOf(builder, *reader, at);
        if (scale && scale->function == Function::affine && scale->q == 0 && !hasMask) {
            pattern.scale *= scale->p;
        } else if (node.operatorType == "Add" && node.domain.empty() && !hasMask) {
            const ValueId mask = node.inputs[node.inputs[0] == at ? 1 : 0];
            if (mask == at || !isMask(builder.dims(mask), scores) || builder.dims(node.outputs[0]) != scores)
                return {};
            pattern.mask = mask;
            hasMask = true;
        } else {
            return {};
        }
        at = node.outputs[0];
    }
    const auto last = builder.soleReader(at);
    if (!last || !isPlainMatMul(builder, builder.node(*last)) || builder.node(*last).inputs[0] != at ||
        builder.node(*last).inputs[1] == at) {
        return {};
    }
    pattern.v = builder.node(*last).inputs[1];
    pattern.output = builder.node(*last).outputs[0];
    pattern.nodes.push_back(*last);
    if (builder.dims(pattern.output).size() != scores.size()) return {};
    return pattern;
}

/// All that one run needs to know.
struct Attention {
    Dims batch;  ///< the axes in front of the matrices
    int64_t rows;
    int64_t keys;
    int64_t blockRows;
    Strided q, k, v, mask, y;
    float scale;
    std::unique_ptr<OnednnCall> scores[2];  ///< of a whole block of rows, of the last one
    std::unique_ptr<OnednnCall> weighted[2];
    size_t scratchBytes = 0;
    size_t scoreBytes = 0;

    int64_t blocks() const { return (rows + blockRows - 1) / blockRows; }
    size_t bytesPerThread() const { return scoreBytes + scratchBytes; }

    static int64_t offset(const Strided& tensor, const Dims& position) {
        int64_t result = 0;
        for (size_t axis = 0; axis < position.size(); ++axis) result += position[axis] * tensor.strides[axis];
        return result;
    }

    void run(int64_t index, const float* qs, const float* ks, const float* vs, const float* masks, float* ys,
             char* workspace) const {
        const size_t matrix = batch.size();
        const int64_t row = index % blocks() * blockRows;
        int64_t rest = index / blocks();
        Dims position(batch.size());
        for (size_t axis = batch.size(); axis-- > 0;) {
            position[axis] = rest % batch[axis];
            rest /= batch[axis];
        }
        const int64_t count = std::min(blockRows, rows - row);
        const int which = count == blockRows ? 0 : 1;
        auto* block = reinterpret_cast<float*>(workspace);
        void* scratch = workspace + scoreBytes;
        void* const first[] = {const_cast<float*>(qs + offset(q, position) + row * q.strides[matrix]),
                               const_cast<float*>(ks + offset(k, position)), block, scratch};
        scores[which]->run(first);
        for (int64_t r = 0; r < count; ++r) {
            const float* its = masks == nullptr
                                   ? nullptr
                                   : masks + offset(mask, position) + (row + r) * mask.strides[matrix];
            softmaxRow(block + r * keys, its, scale, keys);
        }
        void* const second[] = {block, const_cast<float*>(vs + offset(v, position)),
                                ys + offset(y, position) + row * y.strides[matrix], scratch};
        weighted[which]->run(second);
    }
};

/// A product of two strided matrices as a call, or null if oneDNN has none.
std::unique_ptr<OnednnCall> matrixCall(const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                       const dnnl::memory::desc& c, size_t& scratchBytes) {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::matmul::primitive_desc descriptor(onednnEngine(), a, b, c, attributes, true);
    if (descriptor.get(true) == nullptr) return nullptr;
    scratchBytes = std::max(scratchBytes, descriptor.scratchpad_desc().get_size());
    return std::make_unique<OnednnCall>(
        dnnl::matmul(descriptor),
        std::vector<OnednnCall::Argument>{{DNNL_ARG_SRC, a},
                                          {DNNL_ARG_WEIGHTS, b},
                                          {DNNL_ARG_DST, c},
                                          {DNNL_ARG_SCRATCHPAD, descriptor.scratchpad_desc()}});
}

dnnl::memory::desc matrixDesc(int64_t rows, int64_t columns, const Strided& tensor) {
    const size_t rank = tensor.dims.size();
    return stridedDesc({rows, columns}, {tensor.strides[rank - 2], tensor.strides[rank - 1]});
}

bool hasDenseMatrix(const Strided& tensor) {
    const size_t rank = tensor.dims.size();
    return tensor.strides[rank - 1] == 1 || tensor.strides[rank - 2] == 1;
}

/// The order in which heads lie behind the rows, if the result goes into the Transpose that puts them there.
Order outputOrder(const CpuBuilder& builder, ValueId output) {
    const Order plain = rowMajor(builder.dims(output).size());
    const auto reader = builder.soleReader(output);
    if (!reader || builder.node(*reader).operatorType != "Transpose") return plain;
    const std::vector<int64_t> perm = AttributeReader(builder.node(*reader)).integers("perm");
    if (perm.size() != plain.size() || perm.back() != static_cast<int64_t>(perm.size()) - 1) return plain;
    return Order(perm.begin(), perm.end());
}

Strided placed(CpuBuilder& builder, ValueId value, size_t rank, SlotId& slot) {
    const Dims& dims = builder.dims(value);
    Place place = builder.take(value);
    Strided result = aligned(dims, strides(place.order, dims), rank);
    if (!hasDenseMatrix(result)) {
        place = {builder.takeRowMajor(value), rowMajor(dims.size())};
        result = aligned(dims, strides(place.order, dims), rank);
    }
    slot = place.slot;
    return result;
}

void emit(CpuBuilder& builder, const Pattern& pattern) {
    const Dims outputDims = builder.dims(pattern.output);
    const size_t rank = outputDims.size();
    auto attention = std::make_shared<Attention>();
    Step step{.kernel = "attention: onednn matmul, highway softmax, onednn matmul", .nodes = pattern.nodes};
    step.inputs.resize(3);
    attention->q = placed(builder, pattern.q, rank, step.inputs[0]);
    attention->k = placed(builder, pattern.k, rank, step.inputs[1]);
    attention->v = placed(builder, pattern.v, rank, step.inputs[2]);
    if (pattern.mask) {
        const Dims& dims = builder.dims(*pattern.mask);
        step.inputs.push_back(builder.takeRowMajor(*pattern.mask));
        Dims own = strides(rowMajor(dims.size()), dims);
        for (size_t axis = 0; axis < dims.size(); ++axis) own[axis] = dims[axis] == 1 ? 0 : own[axis];
        attention->mask = aligned(dims, own, rank);
        // Rows that all share one mask.
        if (dims.size() < 2) attention->mask.strides[rank - 2] = 0;
    }
    const Order order = outputOrder(builder, pattern.output);
    attention->y = aligned(outputDims, strides(order, outputDims), rank);
    attention->batch.assign(outputDims.begin(), outputDims.end() - 2);
    attention->rows = outputDims[rank - 2];
    attention->keys = attention->k.dims[rank - 1];
    attention->scale = pattern.scale;
    constexpr int64_t mostScores = 48 * 1024;
    attention->blockRows =
        std::clamp<int64_t>(mostScores / attention->keys, 16, attention->rows < 16 ? 16 : attention->rows);
    attention->blockRows = std::min(attention->blockRows, attention->rows);

    const int64_t depth = attention->q.dims[rank - 1];
    const int64_t width = outputDims[rank - 1];
    const ThreadScope one(1);
    for (int which = 0; which < 2; ++which) {
        const int64_t rows = which == 0 ? attention->blockRows : attention->rows % attention->blockRows;
        if (rows == 0) continue;
        const dnnl::memory::desc block = stridedDesc({rows, attention->keys}, {attention->keys, 1});
        attention->scores[which] =
            matrixCall(matrixDesc(rows, depth, attention->q),
                       matrixDesc(depth, attention->keys, attention->k), block, attention->scratchBytes);
        attention->weighted[which] =
            matrixCall(block, matrixDesc(attention->keys, width, attention->v),
                       matrixDesc(rows, width, attention->y), attention->scratchBytes);
    }
    attention->scoreBytes = (attention->blockRows * attention->keys * sizeof(float) + 63) / 64 * 64;
    attention->scratchBytes = (attention->scratchBytes + 63) / 64 * 64;
    step.workspaceBytes = attention->bytesPerThread() * builder.threads();
    step.outputs = {builder.define(pattern.output, order)};
    step.code = [attention = std::shared_ptr<const Attention>(attention), hasMask = pattern.mask.has_value(),
                 threads = builder.threads()](StepContext& context) {
        const auto* q = context.input<float>(0);
        const auto* k = context.input<float>(1);
        const auto* v = context.input<float>(2);
        const float* mask = hasMask ? context.input<float>(3) : nullptr;
        auto* y = context.output<float>(0);
        auto* workspace = static_cast<char*>(context.workspace());
        const int64_t total = std::accumulate(attention->batch.begin(), attention->batch.end(),
                                              attention->blocks(), std::multiplies<>());
        parallelRange(threads, total, [&](int64_t begin, int64_t end, int thread) {
            for (int64_t index = begin; index < end; ++index) {
                attention->run(index, q, k, v, mask, y, workspace + thread * attention->bytesPerThread());
            }
        });
    };
    builder.add(std::move(step));
}

bool match(CpuBuilder& builder, const NodeView& first) {
    const auto pattern = find(builder, first);
    if (!pattern) return false;
    for (const NodeId id : pattern->nodes) builder.absorb(id);
    const bool isReady = builder.isReady(pattern->v) && (!pattern->mask || builder.isReady(*pattern->mask));
    if (isReady) {
        emit(builder, *pattern);
    } else {
        builder.postpone(pattern->nodes.back(),
                         [pattern = *pattern](CpuBuilder& its) { emit(its, pattern); });
    }
    return true;
}

const CpuPattern attentionPattern{"attention", match};
const Register<CpuPattern> registered{attentionPattern};

}  // namespace
}  // namespace engine::cpu
