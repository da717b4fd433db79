#include <algorithm>
#include <bit>
#include <vector>

#include "engine/ops/attribute_reader.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"
#include "engine/providers/cpu/rows.h"

// Each number becomes an integer that sorts as it does, with its position below: one pass keeps those under a
// threshold, which falls whenever twice as many as wanted are kept.

namespace engine::cpu {
namespace {

Support accepts(const NodeView& node) {
    if (!isKnownAhead(node, 1)) return Support::no("K is known only at run time");
    return acceptTypes(node, {DataType::float32});
}

/// Integers in the order of the floats; zeros are one, NaNs are one and last.
uint32_t sortable(float value) {
    if (value != value) return 0xFFFFFFFFU;
    const auto bits = std::bit_cast<uint32_t>(value == 0 ? 0.0F : value);
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
}

/// Of the numbers along an axis the first k are wanted.
struct Plan {
    AxisSplit split = {};
    int64_t k = 1;
    uint32_t flip = 0;  ///< all ones where the largest come first
};

uint64_t keyOf(const Plan& plan, const float* line, int64_t index) {
    const uint64_t high = sortable(line[index * plan.split.inner]) ^ plan.flip;
    return (high << 32) | static_cast<uint64_t>(index);
}

int64_t placeOf(uint64_t key) { return static_cast<int64_t>(key & 0xFFFFFFFFU); }

/// Leaves the k first keys of the line in order.
void choose(const Plan& plan, const float* line, std::vector<uint64_t>& keys) {
    const auto k = static_cast<size_t>(plan.k);
    const size_t most = std::max<size_t>(2 * k, 64);
    const int64_t length = plan.split.length;
    uint64_t threshold = ~uint64_t{0};
    keys.clear();
    for (int64_t index = 0; index < length; ++index) {
        // Behind the first of them most numbers are passed over by vectors.
        const bool canSkip = plan.split.inner == 1 && threshold != ~uint64_t{0};
        if (canSkip) {
            index = nextCandidate(plan.flip != 0, line, index, length, line[placeOf(threshold)]);
            if (index == length) break;
        }
        const uint64_t key = keyOf(plan, line, index);
        if (key > threshold) continue;
        keys.push_back(key);
        if (keys.size() < most) continue;
        std::nth_element(keys.begin(), keys.begin() + (plan.k - 1), keys.end());
        threshold = keys[k - 1];
        keys.resize(k);
    }
    std::partial_sort(keys.begin(), keys.begin() + plan.k, keys.end());
    keys.resize(k);
}

void run(const Plan& plan, const float* from, float* values, int64_t* indices, int threads) {
    const int64_t lines = plan.split.outer * plan.split.inner;
    if (plan.k == 0 || lines == 0) return;
    parallelRange(threadsFor(threads, lines * plan.split.length * 8), lines,
                  [&](int64_t begin, int64_t end, int) {
                      std::vector<uint64_t> keys;
                      for (int64_t line = begin; line < end; ++line) {
                          const int64_t outer = line / plan.split.inner;
                          const int64_t inner = line % plan.split.inner;
                          const float* first = from + outer * plan.split.length * plan.split.inner + inner;
                          choose(plan, first, keys);
                          for (int64_t n = 0; n < plan.k; ++n) {
                              const int64_t index = placeOf(keys[n]);
                              const int64_t to = (outer * plan.k + n) * plan.split.inner + inner;
                              if (values != nullptr) values[to] = first[index * plan.split.inner];
                              if (indices != nullptr) indices[to] = index;
                          }
                      }
                  });
}

void prepare(CpuBuilder& builder, const NodeView& node) {
    const ValueId input = node.node().inputs[0];
    const bool hasBoth = node.hasOutput(0) && node.hasOutput(1);
    const Dims& dims = builder.dims(input);
    const auto rank = static_cast<int64_t>(dims.size());
    const Tensor* count = builder.constant(node.node().inputs[1]);
    if (!hasBoth || rank == 0 || count == nullptr || count->elements() != 1) {
        return builder.addReference(node.id());
    }
    const int64_t axis = normalizedAxis(node.read().integer("axis", -1), rank);
    Plan plan{.split = splitAt(dims, static_cast<size_t>(axis)), .k = count->toInt64()[0]};
    plan.flip = node.read().integer("largest", 1) != 0 ? 0xFFFFFFFFU : 0;
    if (plan.k < 0 || plan.k > plan.split.length || plan.split.length > INT32_MAX) {
        return builder.addReference(node.id());
    }
    Step step{.kernel = "top k by threshold", .nodes = {node.id()}, .inputs = {builder.takeRowMajor(input)}};
    for (const ValueId output : node.node().outputs) step.outputs.push_back(builder.defineRowMajor(output));
    step.code = [plan, threads = builder.threads()](StepContext& context) {
        run(plan, context.input<float>(0), context.output<float>(0), context.output<int64_t>(1), threads);
    };
    builder.add(std::move(step));
}

const CpuKernel topK{"TopK", "", accepts, prepare};
const Register<CpuKernel> registered{topK};

}  // namespace
}  // namespace engine::cpu
