// RotaryEmbedding of ai.onnx and of com.microsoft.

#include <numeric>

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/rotary.h"

namespace engine {

Rotary::Rotary(const Tensor& cosines, const Tensor& sines, bool isInterleaved)
    : isInterleaved_(isInterleaved) {
    if (cosines.rank() != 3) checkRank(cosines, 2, "cos_cache");
    checkDims(sines, cosines.dims(), "sin_cache");
    half_ = cosines.dims().back();
    positions_ = elementCount(Dims(cosines.dims().begin(), cosines.dims().end() - 1));
    const std::vector<double> cosine = cosines.toDouble();
    const std::vector<double> sine = sines.toDouble();
    cosines_.assign(cosine.begin(), cosine.end());
    sines_.assign(sine.begin(), sine.end());
}

void Rotary::turn(float* head, int64_t position) const {
    if (position < 0 || position >= positions_) {
        fail("found position ", position, ", cos_cache has ", positions_);
    }
    for (int64_t i = 0; i < half_; ++i) {
        float& x = head[isInterleaved_ ? 2 * i : i];
        float& y = head[isInterleaved_ ? 2 * i + 1 : i + half_];
        const float cosine = cosines_[static_cast<size_t>(position * half_ + i)];
        const float sine = sines_[static_cast<size_t>(position * half_ + i)];
        const float turned = x * cosine - y * sine;
        y = x * sine + y * cosine;
        x = turned;
    }
}

namespace {

// Inputs: input [batch, steps, hidden] or [batch, heads, steps, size], position_ids (of each step, or of the
// first), tables of cosines and sines.
struct Attributes {
    int64_t heads = 0;  ///< 0: by the tables
    int64_t rotated = 0;
    bool isInterleaved = false;
};

Attributes parse(const AttributeReader& reader) {
    if (reader.integer("is_packed_batching", 0) != 0) fail("is_packed_batching is not supported");
    return {.heads = reader.integer("num_heads", 0),
            .rotated = reader.integer("rotary_embedding_dim", 0),
            .isInterleaved = reader.integer("interleaved", 0) != 0};
}

int64_t headCount(const Attributes& attributes, const Tensor& input, const Rotary& rotary) {
    if (input.rank() == 4) return input.dims()[1];
    checkRank(input, 3, "input");
    if (attributes.heads > 0) return attributes.heads;
    if (rotary.size() == 0 || input.dims()[2] % rotary.size() != 0) {
        fail("input: found shape ", listText(input.dims()), ", expected heads of ", rotary.size());
    }
    return input.dims()[2] / rotary.size();
}

std::vector<int64_t> positionsOf(const Tensor& tensor, const Heads& heads) {
    std::vector<int64_t> given = tensor.toInt64();
    if (given.size() == 1 && tensor.rank() <= 2) {
        std::vector<int64_t> positions;
        for (int64_t i = 0; i < heads.batch * heads.length; ++i) {
            positions.push_back(given[0] + i % heads.length);
        }
        return positions;
    }
    checkDims(tensor, {heads.batch, heads.length}, "position_ids");
    return given;
}

/// Turns the heads, each step by its position, and gives them out as they came in.
void turnAll(KernelContext& context, Heads& heads, const Rotary& rotary,
             const std::vector<int64_t>& positions) {
    for (int64_t b = 0; b < heads.batch; ++b) {
        for (int64_t head = 0; head < heads.heads; ++head) {
            context.checkpoint();
            for (int64_t step = 0; step < heads.length; ++step) {
                rotary.turn(heads.at(b, head, step), positions[static_cast<size_t>(b * heads.length + step)]);
            }
        }
    }
    const Tensor& input = context.input(0);
    if (input.rank() == 4) return writeHeads(context, 0, input.type(), heads);
    writeHidden(context, 0, input.type(), heads);
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    checkRank(context.input(2), 2, "cos_cache");
    const Rotary rotary(context.input(2), context.input(3), attributes.isInterleaved);
    Heads heads = readHeads(input, headCount(attributes, input, rotary), "input");
    if (rotary.size() > heads.size || (attributes.rotated > 0 && attributes.rotated != rotary.size())) {
        fail("cos_cache: found ", rotary.size() / 2, " angles for heads of ", heads.size);
    }
    turnAll(context, heads, rotary, positionsOf(context.input(1), heads));
}

/// Of ai.onnx. Inputs: input as above, tables of cosines and sines, position_ids [batch, steps], without
/// which the tables are those of each step.
void standardReference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    const bool hasPositions = context.hasInput(3);
    checkRank(context.input(1), hasPositions ? 2 : 3, "cos_cache");
    if (input.rank() == 3 && attributes.heads < 1)
        fail("num_heads: found ", attributes.heads, ", expected at least 1 for an input of rank 3");
    const Rotary rotary(context.input(1), context.input(2), attributes.isInterleaved);
    Heads heads = readHeads(input, headCount(attributes, input, rotary), "input");
    const int64_t rotated = attributes.rotated > 0 ? attributes.rotated : heads.size;
    if (rotated > heads.size || rotated % 2 != 0 || rotary.size() != rotated) {
        fail("cos_cache: found ", rotary.size() / 2, " angles to turn ", rotated, " numbers of heads of ",
             heads.size);
    }
    std::vector<int64_t> positions(static_cast<size_t>(heads.batch * heads.length));
    std::iota(positions.begin(), positions.end(), int64_t{0});
    if (hasPositions) {
        checkDims(context.input(3), {heads.batch, heads.length}, "position_ids");
        positions = context.input(3).toInt64();
    } else {
        checkDims(context.input(1), {heads.batch, heads.length, rotary.size() / 2}, "cos_cache");
    }
    turnAll(context, heads, rotary, positions);
}

Work work(const WorkContext& context) { return {.multiplyAdds = context.outputElements(0) * Dim(2)}; }

/// Looking at an input that has to be there makes sure that it is.
void infer(InferContext& context) {
    for (const size_t index : {1, 2, 3}) context.inputType(index);
    inferSameAsInput(context);
}

void inferStandard(InferContext& context) {
    for (const size_t index : {1, 2}) context.inputType(index);
    inferSameAsInput(context);
}

const OpDef rotaryEmbedding{
    .name = "RotaryEmbedding",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = infer,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{rotaryEmbedding};

const OpDef standardRotaryEmbedding{
    .name = "RotaryEmbedding",
    .sinceVersion = 23,
    .attributes = parsed<parse>,
    .infer = inferStandard,
    .work = work,
    .reference = standardReference,
};
const Register<OpDef> registeredStandard{standardRotaryEmbedding};

}  // namespace
}  // namespace engine
