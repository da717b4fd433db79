// RotaryEmbedding of com.microsoft.

#include "engine/core/error.h"
#include "engine/ops/checks.h"
#include "engine/ops/op.h"
#include "engine/ops/rotary.h"

namespace engine {

Rotary::Rotary(const Tensor& cosines, const Tensor& sines, bool isInterleaved)
    : isInterleaved_(isInterleaved) {
    checkRank(cosines, 2, "cos_cache");
    checkDims(sines, cosines.dims(), "sin_cache");
    positions_ = cosines.dims()[0];
    half_ = cosines.dims()[1];
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
    if (given.size() == 1) {
        std::vector<int64_t> positions;
        for (int64_t i = 0; i < heads.batch * heads.length; ++i) {
            positions.push_back(given[0] + i % heads.length);
        }
        return positions;
    }
    checkDims(tensor, {heads.batch, heads.length}, "position_ids");
    return given;
}

void reference(KernelContext& context) {
    const auto& attributes = context.attributes<Attributes>();
    const Tensor& input = context.input(0);
    const Rotary rotary(context.input(2), context.input(3), attributes.isInterleaved);
    Heads heads = readHeads(input, headCount(attributes, input, rotary), "input");
    if (rotary.size() > heads.size || (attributes.rotated > 0 && attributes.rotated != rotary.size())) {
        fail("cos_cache: found ", rotary.size() / 2, " angles for heads of ", heads.size);
    }
    const std::vector<int64_t> positions = positionsOf(context.input(1), heads);
    for (int64_t b = 0; b < heads.batch; ++b) {
        for (int64_t head = 0; head < heads.heads; ++head) {
            context.checkpoint();
            for (int64_t step = 0; step < heads.length; ++step) {
                rotary.turn(heads.at(b, head, step), positions[static_cast<size_t>(b * heads.length + step)]);
            }
        }
    }
    if (input.rank() == 4) return writeHeads(context, 0, input.type(), heads);
    writeHidden(context, 0, input.type(), heads);
}

Work work(const WorkContext& context) { return {.multiplyAdds = context.outputElements(0) * Dim(2)}; }

const OpDef rotaryEmbedding{
    .name = "RotaryEmbedding",
    .sinceVersion = 1,
    .attributes = parsed<parse>,
    .infer = inferSameAsInput,
    .work = work,
    .reference = reference,
    .domain = "com.microsoft",
};
const Register<OpDef> registered{rotaryEmbedding};

}  // namespace
}  // namespace engine
