// Operators that files hold and the engine knows, but does not run.

#include "engine/ops/op.h"

namespace engine {
namespace {

constexpr const char* search =
    "it holds a whole search for text in one node, with the decoder as its body; export the decoder alone";
constexpr const char* deviceOnly =
    "it works on a layout or a cache of one kind of device, which no processor's operator can take";
constexpr const char* paged = "it works on the pages of a server's cache, which a model file does not hold";
constexpr const char* ordered = "its elements lie in an order that is made for one kind of matrix unit";
constexpr const char* training = "it belongs to training, and the engine runs models, it does not train them";
constexpr const char* fusedForDevice =
    "it is what an optimizer for one kind of device writes; optimize the model for none and open that";
constexpr const char* speculative =
    "it belongs to a server that guesses ahead and takes back; a model file does not hold its state";
constexpr const char* packedTokens =
    "it takes tokens of several requests in one row, as a server packs them; open the model of one request";
constexpr const char* oneModel =
    "it is made for one family of models, and none of them has been met in a file";

const OpRefusal table[] = {
    {"Gradient", "ai.onnx.preview.training", training},
    {"AttnLSTM", "com.microsoft", "it is deprecated, and no exporter writes it"},
    {"BeamSearch", "com.microsoft", search},
    {"GreedySearch", "com.microsoft", search},
    {"Sampling", "com.microsoft", search},
    {"WhisperBeamSearch", "com.microsoft", search},
    {"BifurcationDetector", "com.microsoft", speculative},
    {"ConvStateReplay", "com.microsoft", speculative},
    {"GatedDeltaNetStateReplay", "com.microsoft", speculative},
    {"Mamba2Verify", "com.microsoft", speculative},
    {"SpeculativePrefixCommit", "com.microsoft", speculative},
    {"DecoderAttention", "com.microsoft", fusedForDevice},
    {"DecoderMaskedSelfAttention", "com.microsoft", fusedForDevice},
    {"LongformerAttention", "com.microsoft", fusedForDevice},
    {"DequantizeBFP", "com.microsoft", deviceOnly},
    {"QuantizeBFP", "com.microsoft", deviceOnly},
    {"GemmFloat8", "com.microsoft", deviceOnly},
    {"MatMulBlockQuantizedFp4Weight", "com.microsoft", deviceOnly},
    {"MatMulBlockQuantizedFp8Weight", "com.microsoft", deviceOnly},
    {"MatMulFpQ4", "com.microsoft", "its weights are a blob in a layout that only its own library knows"},
    {"MatMulNBitsMlp", "com.microsoft", fusedForDevice},
    {"MatMulNBitsQLoRA", "com.microsoft", fusedForDevice},
    {"MatMulNBitsQkv", "com.microsoft", fusedForDevice},
    {"MatMulPacked", "com.microsoft", fusedForDevice},
    {"MoEPacked", "com.microsoft", fusedForDevice},
    {"RMSNormRotary", "com.microsoft", fusedForDevice},
    {"RouterGateUpProj", "com.microsoft", fusedForDevice},
    {"HyperConnectionLowRankMix", "com.microsoft", fusedForDevice},
    {"PagedAttention", "com.microsoft", paged},
    {"SparsePagedAttention", "com.microsoft", paged},
    {"PackedSparseAttentionIndexer", "com.microsoft", paged},
    {"PackedSparseAttentionIndexerMerge", "com.microsoft", paged},
    {"SparseAttentionIndexer", "com.microsoft", paged},
    {"DynamicSparseAttention", "com.microsoft", paged},
    {"DequantizeWithOrder", "com.microsoft", ordered},
    {"QuantizeWithOrder", "com.microsoft", ordered},
    {"QOrderedAttention", "com.microsoft", ordered},
    {"QOrderedGelu", "com.microsoft", ordered},
    {"QOrderedLayerNormalization", "com.microsoft", ordered},
    {"QOrderedLongformerAttention", "com.microsoft", ordered},
    {"QOrderedMatMul", "com.microsoft", ordered},
    {"GatedDeltaNet", "com.microsoft", packedTokens},
    {"VarlenCausalConvWithState", "com.microsoft", packedTokens},
    {"VarlenNGramHashMapping", "com.microsoft", packedTokens},
    {"NGramHashMapping", "com.microsoft", oneModel},
    {"MoEGroupRouter", "com.microsoft", oneModel},
    {"GatherPacked", "com.microsoft", "its table is a blob in a layout that only its own library knows"},
    {"EPContext", "com.microsoft", "it holds a program compiled for one device in place of a model"},
    {"Snpe", "com.microsoft", "it holds a program compiled for one device in place of a model"},
    {"SampleOp", "com.microsoft", "it is an example for authors of operators and computes nothing of use"},
    {"MaxpoolWithMask", "com.microsoft",
     "it is for internal use of one model, and where a mask ends a window depends on the order of memory"},
};
const RegisterAll<OpRefusal> registered{table};

}  // namespace
}  // namespace engine
