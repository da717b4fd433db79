// Quantized and integer operators of com.microsoft, made of ONNX's.

#include "engine/core/error.h"
#include "engine/ops/op_body.h"

namespace engine {
namespace {

std::string castTo(DataType type, const std::string& value) {
    return "Cast <to = " + std::to_string(static_cast<int>(type)) + "> (" + value + ")";
}

std::string matMulInteger16(BodyWriter& writer) {
    const bool isUnsigned = writer.element(0) == DataType::uint16 && writer.element(1) == DataType::uint16;
    writer.line("a = Cast <to = 7> (A)").line("b = Cast <to = 7> (B)").line("wide = MatMul (a, b)");
    writer.line("Y = " + castTo(isUnsigned ? DataType::uint32 : DataType::int32, "wide"));
    return writer.function("(A, B) => (Y)");
}

std::string mulInteger(BodyWriter& writer) {
    writer.line("a = Cast <to = 6> (A)").line("b = Cast <to = 6> (B)");
    for (const auto& [input, name] : {std::pair<size_t, std::string>{1, "a"}, {3, "b"}}) {
        const std::string zero = input == 1 ? "A_zero_point" : "B_zero_point";
        if (writer.has(input)) {
            writer.line(name + "0 = Cast <to = 6> (" + zero + ")");
            writer.line(name + "c = Sub (" + name + ", " + name + "0)");
        } else {
            writer.line(name + "c = Identity (" + name + ")");
        }
    }
    writer.line("C = Mul (ac, bc)");
    return writer.function("(A, A_zero_point, B, B_zero_point) => (C)");
}

std::string reduceSumInteger(BodyWriter& writer) {
    const bool isSignedInput = writer.element(0) == DataType::int8;
    writer.line("wide = " + castTo(isSignedInput ? DataType::int32 : DataType::uint32, "data"));
    writer.integers("axes", writer.attributes.integers("axes"));
    writer.line("reduced = ReduceSum <keepdims = " +
                std::to_string(writer.attributes.integer("keepdims", 1)) + "> (wide, axes)");
    return writer.function("(data) => (reduced)");
}

std::string qLinearReduceMean(BodyWriter& writer) {
    writer.line("x = DequantizeLinear (data, data_scale" +
                std::string(writer.has(2) ? ", data_zero_point)" : ")"));
    writer.integers("axes", writer.attributes.integers("axes"));
    writer.line("mean = ReduceMean <keepdims = " + std::to_string(writer.attributes.integer("keepdims", 1)) +
                "> (x, axes)");
    writer.line(
        "reduced = QuantizeLinear <output_dtype = " + std::to_string(static_cast<int>(writer.element(0))) +
        "> (mean, reduced_scale" + (writer.has(4) ? ", reduced_zero_point)" : ")"));
    return writer.function(
        "(data, data_scale, data_zero_point, reduced_scale, reduced_zero_point) => (reduced)");
}

std::string qEmbedLayerNormalization(BodyWriter& writer) {
    const bool hasSegments = writer.has(4);
    if (writer.has(1) != hasSegments) fail("segment_ids and segment_embedding: expected both or none");
    writer.line("words = DequantizeLinear (word, word_scale, word_zero)");
    writer.line("places = DequantizeLinear (position, position_scale, position_zero)");
    if (hasSegments) writer.line("segments = DequantizeLinear (segment, segment_scale, segment_zero)");
    writer.line("scale = DequantizeLinear (gamma, gamma_scale, gamma_zero)");
    writer.line("shift = DequantizeLinear (beta, beta_scale, beta_zero)");
    writer.line("layernorm_out, mask_index_out = com.microsoft.EmbedLayerNormalization <" +
                ("epsilon = " + floatText(static_cast<double>(writer.attributes.number("epsilon", 1e-12F)))) +
                "> (input_ids, " +
                (hasSegments ? "segment_ids, words, places, segments" : ", words, places, ") +
                ", scale, shift" + (writer.has(7) ? ", mask)" : ")"));
    return writer.function(
        "(input_ids, segment_ids, word, position, segment, gamma, beta, mask, word_scale, position_scale, "
        "segment_scale, gamma_scale, beta_scale, word_zero, position_zero, segment_zero, gamma_zero, "
        "beta_zero) => (layernorm_out, mask_index_out)");
}

const OpBody table[] = {
    {"MatMulInteger16", "com.microsoft", matMulInteger16},
    {"MulInteger", "com.microsoft", mulInteger},
    {"ReduceSumInteger", "com.microsoft", reduceSumInteger},
    {"QLinearReduceMean", "com.microsoft", qLinearReduceMean},
    {"QEmbedLayerNormalization", "com.microsoft", qEmbedLayerNormalization},
};
const RegisterAll<OpBody> registered{table};

}  // namespace
}  // namespace engine
