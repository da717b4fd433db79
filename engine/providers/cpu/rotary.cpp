#include <cstring>
#include <optional>

#include "engine/core/error.h"
#include "engine/providers/cpu/builder.h"
#include "engine/providers/cpu/kernel.h"
#include "engine/providers/cpu/parallel.h"

namespace engine::cpu {
namespace {

/// Which inputs the two forms of RotaryEmbedding have where.
struct Inputs {
    size_t positions;
    size_t cosines;
    size_t sines;
};
constexpr Inputs standardInputs{.positions = 3, .cosines = 1, .sines = 2};
constexpr Inputs microsoftInputs{.positions = 1, .cosines = 2, .sines = 3};

/// Rows of one head at one step. `heads` lie within the steps, or around them.
struct Plan {
    int64_t batch = 1;
    int64_t steps = 1;
    int64_t heads = 1;
    int64_t size = 1;       ///< of a head
    int64_t half = 0;       ///< of what is turned
    int64_t positions = 0;  ///< that the tables have
    int64_t given = 0;      ///< positions: one for each step, one for the first, or none
    bool areHeadsInner = true;
    bool isInterleaved = false;

    int64_t rows() const { return batch * steps * heads; }
    /// The step of a row, counted over the batch.
    int64_t stepOf(int64_t row) const {
        return areHeadsInner ? row / heads : row / (heads * steps) * steps + row % steps;
    }
    int64_t positionOf(int64_t step, const int64_t* list) const {
        if (given == 0) return step;
        return given == 1 ? list[0] + step % steps : list[step];
    }
};

void turnRow(const Plan& plan, const float* from, const float* cosines, const float* sines, float* to) {
    const int64_t half = plan.half;
    if (plan.isInterleaved) {
        for (int64_t i = 0; i < half; ++i) {
            const float x = from[2 * i];
            const float y = from[2 * i + 1];
            to[2 * i] = x * cosines[i] - y * sines[i];
            to[2 * i + 1] = x * sines[i] + y * cosines[i];
        }
    } else {
        for (int64_t i = 0; i < half; ++i) {
            const float x = from[i];
            const float y = from[half + i];
            to[i] = x * cosines[i] - y * sines[i];
            to[half + i] = x * sines[i] + y * cosines[i];
        }
    }
    const auto rest = static_cast<size_t>(plan.size - 2 * half) * sizeof(float);
    std::memcpy(to + 2 * half, from + 2 * half, rest);
}

/// Threads begin after all positions were looked at: no error may leave one.
void checkPositions(const Plan& plan, const int64_t* list) {
    for (int64_t step = 0; step < plan.batch * plan.steps; ++step) {
        const int64_t position = plan.positionOf(step, list);
        if (position < 0 || position >= plan.positions)
            fail("found position ", position, ", cos_cache has ", plan.positions);
    }
}

/// What the input's and the tables' dims say; nothing where they do not fit, which the reference explains.
std::optional<Plan> planOf(const CpuBuilder& builder, const NodeView& node, const Inputs& inputs) {
    const auto& ids = node.node().inputs;
    const Dims& dims = builder.dims(ids[0]);
    const Dims& table = builder.dims(ids[inputs.cosines]);
    const bool hasPositions = ids.size() > inputs.positions && ids[inputs.positions].isValid();
    if (table.size() != (hasPositions ? 2U : 3U) || builder.dims(ids[inputs.sines]) != table) return {};
    Plan plan{.half = table.back(),
              .positions = table.size() == 2 ? table[0] : table[0] * table[1],
              .isInterleaved = node.read().integer("interleaved", 0) != 0};
    const int64_t rotated = node.read().integer("rotary_embedding_dim", 0);
    const bool isMicrosoft = node.node().domain == "com.microsoft";
    if (dims.size() == 4) {
        plan.areHeadsInner = false;
        plan.batch = dims[0];
        plan.heads = dims[1];
        plan.steps = dims[2];
        plan.size = dims[3];
    } else if (dims.size() == 3) {
        plan.heads = node.read().integer("num_heads", 0);
        const int64_t tableSize = 2 * plan.half;
        if (plan.heads < 1 && isMicrosoft && tableSize > 0 && dims[2] % tableSize == 0)
            plan.heads = dims[2] / tableSize;
        if (plan.heads < 1 || dims[2] % plan.heads != 0) return {};
        plan.batch = dims[0];
        plan.steps = dims[1];
        plan.size = dims[2] / plan.heads;
    } else {
        return {};
    }
    const int64_t turned = rotated > 0 || isMicrosoft ? rotated : plan.size;
    if (2 * plan.half > plan.size || (turned > 0 && turned != 2 * plan.half)) return {};
    const Dims steps{plan.batch, plan.steps};
    const bool isTableOfSteps = table == Dims{plan.batch, plan.steps, plan.half};
    if (!hasPositions) return isTableOfSteps ? std::optional(plan) : std::nullopt;
    plan.given = builder.elements(ids[inputs.positions]);
    const bool isOffset = isMicrosoft && plan.given == 1 && builder.dims(ids[inputs.positions]).size() <= 2;
    if (!isOffset && builder.dims(ids[inputs.positions]) != steps) return {};
    return plan;
}

void prepare(CpuBuilder& builder, const NodeView& node, const Inputs& inputs) {
    const std::optional<Plan> found = planOf(builder, node, inputs);
    if (!found) return builder.addReference(node.id());
    const Plan plan = *found;
    const auto& ids = node.node().inputs;
    Step step{.kernel = "rotate",
              .nodes = {node.id()},
              .inputs = {builder.takeRowMajor(ids[0]), builder.takeRowMajor(ids[inputs.cosines]),
                         builder.takeRowMajor(ids[inputs.sines])},
              .outputs = {builder.defineRowMajor(node.node().outputs[0])}};
    if (plan.given > 0) step.inputs.push_back(builder.takeRowMajor(ids[inputs.positions]));
    step.code = [plan, threads = builder.threads()](StepContext& context) {
        const auto* from = context.input<float>(0);
        const auto* cosines = context.input<float>(1);
        const auto* sines = context.input<float>(2);
        const int64_t* list = plan.given > 0 ? context.input<int64_t>(3) : nullptr;
        auto* to = context.output<float>(0);
        checkPositions(plan, list);
        const int64_t bytes = plan.rows() * plan.size * 2 * static_cast<int64_t>(sizeof(float));
        parallelRange(threadsFor(threads, bytes), plan.rows(), [&](int64_t begin, int64_t end, int) {
            for (int64_t row = begin; row < end; ++row) {
                const int64_t angles = plan.positionOf(plan.stepOf(row), list) * plan.half;
                turnRow(plan, from + row * plan.size, cosines + angles, sines + angles, to + row * plan.size);
            }
        });
    };
    builder.add(std::move(step));
}

void prepareStandard(CpuBuilder& builder, const NodeView& node) { prepare(builder, node, standardInputs); }
void prepareMicrosoft(CpuBuilder& builder, const NodeView& node) { prepare(builder, node, microsoftInputs); }

Support accepts(const NodeView& node, const Inputs& inputs) {
    for (size_t index = 0; index < node.inputCount(); ++index) {
        const DataType expected = index == inputs.positions ? DataType::int64 : DataType::float32;
        if (node.hasInput(index) && node.inputElement(index) != expected) {
            return Support::no("input ", index, " is ", node.inputElement(index), ", the tuned kernel takes ",
                               expected);
        }
    }
    return acceptTypes(node, {DataType::float32});
}

Support acceptsStandard(const NodeView& node) { return accepts(node, standardInputs); }
Support acceptsMicrosoft(const NodeView& node) { return accepts(node, microsoftInputs); }

const CpuKernel kernels[] = {
    {"RotaryEmbedding", "", acceptsStandard, prepareStandard},
    {"RotaryEmbedding", "com.microsoft", acceptsMicrosoft, prepareMicrosoft},
};
const RegisterAll<CpuKernel> registered{kernels};

}  // namespace
}  // namespace engine::cpu
