"""Operators of which no case is drawn, each with the reason: nobody else says what comes out."""

RANDOM = "random numbers: each implementation has its own; tests/engine/ops holds ours to their distribution"
MAPS = "its map fits in no file of test data; tests/engine/ops has its cases"

UNCOVERED = {
    "Bernoulli": RANDOM, "Multinomial": RANDOM, "RandomNormal": RANDOM, "RandomNormalLike": RANDOM,
    "RandomUniform": RANDOM, "RandomUniformLike": RANDOM,
    "ai.onnx.ml.CastMap": MAPS, "ai.onnx.ml.DictVectorizer": MAPS, "ai.onnx.ml.ZipMap": MAPS,
    "ai.onnx.preview.training.Gradient": "a request to a differentiating runtime, which neither oracle is",
}
