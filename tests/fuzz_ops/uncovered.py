"""Operators of which no case is drawn, each with the reason."""

RANDOM = "random numbers: each implementation has its own; tests/engine/ops holds ours to their distribution"
MAPS = "its map fits in no file of test data; tests/engine/ops has its cases"
FIXED = "few files hold it; tests/microsoft has its cases"
BLOCKS = "its channels lie in blocks; tests/microsoft has ONNX Runtime write networks of it"
COPIES = "a copy, as Identity is; ONNX Runtime has none between a processor and itself"

UNCOVERED = {
    "Bernoulli": RANDOM, "Multinomial": RANDOM, "RandomNormal": RANDOM, "RandomNormalLike": RANDOM,
    "RandomUniform": RANDOM, "RandomUniformLike": RANDOM,
    "ai.onnx.ml.CastMap": MAPS, "ai.onnx.ml.DictVectorizer": MAPS, "ai.onnx.ml.ZipMap": MAPS,
    "ai.onnx.preview.training.Gradient": "a request to a differentiating runtime, which neither oracle is",
    **dict.fromkeys((f"com.microsoft.{op}" for op in (
        "BiasDropout", "BitmaskBiasDropout", "BitmaskDropout", "BranchwiseRMSNorm", "EngramGate", "FusedMatMulActivation",
        "GatedAdd", "GatedRelativePositionBias", "GemmaRotaryEmbedding", "HyperConnectionPostMix", "HyperConnectionPreMix",
        "LinearAttentionGate", "PackedAttention", "PackedMultiHeadAttention", "RelativePositionBias", "RemovePadding",
        "RestorePadding", "SparseAttention", "SparseToDenseMatMul", "SwiGLU", "Tokenizer")), FIXED),
    "MemcpyFromHost": COPIES, "MemcpyToHost": COPIES,
    **dict.fromkeys(("Affine", "Crop", "DynamicSlice", "ImageScaler", "ParametricSoftplus", "Scale", "ScaledTanh"), FIXED),
    **dict.fromkeys((f"com.microsoft.nchwc.{op}" for op in (
        "AveragePool", "Conv", "GlobalAveragePool", "GlobalMaxPool", "MaxPool", "ReorderInput", "ReorderOutput",
        "Upsample")), BLOCKS),
}
