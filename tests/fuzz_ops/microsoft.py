"""Operators of com.microsoft, by ONNX Runtime alone where no formula is short."""

import numpy as np
from scipy import special

from case import Case, epsilon
from numeric import accumulated, narrow, wide

DOMAIN = "com.microsoft"
# A quantized result may fall on the other side of a tie.
STEP = (0, 1)
FLOAT, BYTES = np.dtype("float32"), ("uint8", "int8")
ACTIVATIONS = {"Relu": 0, "Sigmoid": 0, "Tanh": 0, "LeakyRelu": 1, "HardSigmoid": 2}


def case(op, inputs, attributes=None, outputs=(None,), **more):
    return Case(op, inputs, list(outputs), attributes, domain=DOMAIN, oracles=("runtime",), **more)


def calm(draw, shape, scale=1.0, dtype=FLOAT):
    return draw.values(dtype, shape, special=0, scale=scale)


def scalar(value):
    return np.array(value, np.float32)


def dims(draw, rank, largest=7):
    return tuple(max(draw.dim(largest, zero=0), 1) for _ in range(rank))


# Activations and normalizations

def tanh_gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def exact_gelu(x):
    return 0.5 * x * special.erfc(-x / np.sqrt(2))


def gelu(op, function, has_bias):
    def make(draw):
        dtype = draw.type(["float32", "float16", "float64", "bfloat16"])
        shape = draw.shape(low=1, zero=0)
        x = calm(draw, shape, draw.pick([1.0, 4.0]), dtype)
        inputs = [x, calm(draw, shape[-1:], 1.0, dtype)] if has_bias or (op == "FastGelu" and draw.chance(0.5)) else [x]
        w = wide(x)
        if len(inputs) > 1:
            w = wide(narrow(w + wide(inputs[1]), dtype))
        alpha = draw.pick([None, 1.0, 0.5, 2.25]) if op == "QuickGelu" else None
        y = function(w, float(np.float32(1.702)) if alpha is None else alpha) if op == "QuickGelu" else function(w)
        return case(op, inputs, {} if alpha is None else {"alpha": alpha}, [narrow(y, dtype)],
                    tolerance=(16 * epsilon(dtype), 8 * epsilon(dtype)))
    return make


def skip_normalization(op):
    def make(draw):
        shape = dims(draw, 3, 33)
        hidden = shape[-1]
        x = calm(draw, shape)
        skip = calm(draw, draw.pick([shape, shape, (1, *shape[1:]), shape[1:]]))
        inputs = [x, skip, calm(draw, (hidden,))]
        if op == "SkipLayerNormalization":
            inputs.append(calm(draw, (hidden,)) if draw.chance(0.6) else None)
        inputs.append(calm(draw, (hidden,)) if draw.chance(0.5) else None)
        wanted = draw.chance(0.5)
        return case(op, inputs, {"epsilon": draw.pick([1e-3, 1e-5])}, [None, "", "", None] if wanted else [None],
                    tolerance=(1e-4, 1e-4))
    return make


def embed_normalization(draw):
    batch, steps, hidden = dims(draw, 3, 9)
    words, segments = draw.integer(1, 9), draw.chance(0.6)
    ids = draw.values(np.dtype("int32"), (batch, steps), low=0, high=words - 1)
    inputs = [ids, draw.values(np.dtype("int32"), (batch, steps), low=0, high=1) if segments else None,
              calm(draw, (words, hidden)), calm(draw, (steps + 2, hidden)), calm(draw, (2, hidden)) if segments else None,
              calm(draw, (hidden,)), calm(draw, (hidden,)),
              draw.values(np.dtype("int32"), (batch, steps), low=0, high=1) if draw.chance(0.5) else None]
    return case("EmbedLayerNormalization", inputs, {"epsilon": 1e-3}, [None, None], tolerance=(1e-4, 1e-4))


# Products

def fused_matmul(draw):
    batch = dims(draw, draw.integer(0, 2), 3)
    m, k, n = dims(draw, 3, 17)
    flags = {name: 1 for name in ("transA", "transB") if draw.chance(0.4)}
    if draw.chance(0.6):
        flags["alpha"] = draw.pick([0.5, -1.0, 1.75])
    a = calm(draw, (*batch, *((k, m) if "transA" in flags else (m, k))))
    b = calm(draw, (*(batch if draw.chance(0.7) else ()), *((n, k) if "transB" in flags else (k, n))))
    left, right = (np.swapaxes(wide(x), -1, -2) if name in flags else wide(x) for x, name in ((a, "transA"), (b, "transB")))
    factor = flags.get("alpha", 1.0)
    magnitude = np.abs(left) @ np.abs(right) * abs(factor)
    return case("FusedMatMul", [a, b], flags, [narrow(left @ right * factor, FLOAT)],
                tolerance=accumulated(FLOAT, magnitude, k))


def with_activation(draw, attributes, names):
    """Adds an activation, mostly, with its parameters under these names: one of a list, or two of numbers."""
    if draw.chance(0.2):
        return attributes
    name = draw.pick(sorted(ACTIVATIONS))
    values = [draw.pick([0.1, 0.25, 0.5]) for _ in range(ACTIVATIONS[name])]
    attributes["activation"] = name
    if len(names) == 1:
        return {**attributes, names[0]: values} if values else attributes
    return {**attributes, **dict(zip(names, values))}


def fused_gemm(draw):
    m, k, n = dims(draw, 3, 17)
    attributes = {name: 1 for name in ("transA", "transB") if draw.chance(0.4)}
    attributes.update({name: draw.pick([0.5, -1.0, 1.75]) for name in ("alpha", "beta") if draw.chance(0.4)})
    a = calm(draw, (k, m) if "transA" in attributes else (m, k))
    b = calm(draw, (n, k) if "transB" in attributes else (k, n))
    c = calm(draw, draw.pick([(m, n), (1, n), (n,), (m, 1)])) if draw.chance(0.7) else None
    attributes = with_activation(draw, attributes, ("activation_alpha", "activation_beta"))
    attributes.setdefault("activation", "Relu")
    return case("FusedGemm", [a, b, c], attributes, tolerance=(1e-4, 1e-4))


def window(draw, rank):
    kernel = [draw.integer(1, 3) for _ in range(rank)]
    attributes = {"kernel_shape": kernel, "strides": [draw.integer(1, 2) for _ in range(rank)]}
    if draw.chance(0.6):
        attributes["pads"] = [draw.integer(0, kernel[axis % rank] - 1) for axis in range(2 * rank)]
    return kernel, attributes


def fused_conv(draw):
    rank, group = draw.pick([1, 2, 2]), draw.pick([1, 1, 2, 3])
    kernel, attributes = window(draw, rank)
    channels, features = group * draw.integer(1, 3), group * draw.integer(1, 3)
    x = calm(draw, (draw.integer(1, 2), channels, *(draw.integer(3, 9) for _ in range(rank))))
    w = calm(draw, (features, channels // group, *kernel))
    attributes = with_activation(draw, {**attributes, "group": group}, ("activation_params",))
    bias = calm(draw, (features,)) if draw.chance(0.6) else None
    return case("FusedConv", [x, w, bias], attributes, tolerance=(1e-4, 1e-4))


def matmul_nbits(draw):
    bits, block = draw.pick([4, 4, 8]), draw.pick([16, 32, 64])
    k, n = draw.integer(1, 90), draw.integer(1, 17)
    blocks = -(-k // block)
    inputs = [calm(draw, (*dims(draw, draw.integer(1, 2), 5), k)),
              draw.values(np.dtype("uint8"), (n, blocks, block * bits // 8), low=0, high=255),
              np.abs(calm(draw, (n, blocks), 0.1))]
    if draw.chance(0.5):
        inputs.append(draw.values(np.dtype("uint8"), (n, -(-blocks * bits // 8)), low=0, high=255))
    if draw.chance(0.3):
        inputs += [None] * (5 - len(inputs)) + [calm(draw, (n,))]
    return case("MatMulNBits", inputs, {"K": k, "N": n, "bits": bits, "block_size": block}, tolerance=(1e-3, 1e-2),
                constants=[i for i in range(1, len(inputs)) if inputs[i] is not None])


# Quantized numbers

def grid(draw, kind, low=0.01, high=0.2):
    zero = draw.values(np.dtype(kind), (), low=100 if kind == "uint8" else -28, high=150 if kind == "uint8" else 22)
    return [scalar(draw.random.uniform(low, high)), zero]


def quantized(draw, kind, shape):
    return draw.values(np.dtype(kind), shape, special=0, low=-128, high=255)


def qlinear_binary(op):
    def make(draw):
        kind = draw.pick(BYTES)
        left, right = draw.broadcast(2, zero=0)
        high = 0.2 if op == "QLinearAdd" else 2.0
        return case(op, [quantized(draw, kind, left), *grid(draw, kind), quantized(draw, kind, right), *grid(draw, kind),
                         *grid(draw, kind, 0.05, high)], tolerance=STEP)
    return make


def qlinear_unary(op):
    def make(draw):
        kind = draw.pick(BYTES)
        attributes, shape = {}, draw.shape(low=1, zero=0)
        out = grid(draw, kind)
        if op == "QLinearLeakyRelu" and draw.chance(0.6):
            attributes["alpha"] = draw.pick([0.1, 0.5])
        if op == "QLinearSigmoid":
            out = [scalar(1 / 256), np.array(0 if kind == "uint8" else -128, kind)]
        return case(op, [quantized(draw, kind, shape), *grid(draw, kind), *out], attributes, tolerance=STEP)
    return make


def qlinear_softmax(draw):
    kind, shape, opset = draw.pick(BYTES), draw.shape(low=1, zero=0), draw.pick([11, 13])
    out = [scalar(1 / 256), np.array(0 if kind == "uint8" else -128, kind)]
    return case("QLinearSoftmax", [quantized(draw, kind, shape), *grid(draw, kind, 0.01, 0.1), *out],
                {"axis": draw.axis(len(shape)), "opset": opset}, tolerance=STEP)


def qlinear_pool(op):
    def make(draw):
        kind, rank = draw.pick(BYTES), draw.pick([1, 2, 2]) if op == "QLinearAveragePool" else 2
        last = draw.integer(0, 1)
        spatial, channels = [draw.integer(3, 8) for _ in range(rank)], draw.integer(1, 4)
        shape = (draw.integer(1, 2), *spatial, channels) if last else (draw.integer(1, 2), channels, *spatial)
        attributes = {"channels_last": last}
        if op == "QLinearAveragePool":
            attributes.update(window(draw, rank)[1])
            attributes["count_include_pad"] = draw.integer(0, 1)
        return case(op, [quantized(draw, kind, shape), *grid(draw, kind), *grid(draw, kind)], attributes, tolerance=STEP)
    return make


def qlinear_concat(draw):
    kind, rank = draw.pick(BYTES), draw.integer(1, 4)
    axis, shape = draw.axis(rank), dims(draw, rank)
    inputs = grid(draw, kind)
    for _ in range(draw.integer(1, 3)):
        own = list(shape)
        own[axis] = draw.integer(1, 4)
        inputs += [quantized(draw, kind, own), *grid(draw, kind)]
    return case("QLinearConcat", inputs, {"axis": axis}, tolerance=STEP)


def qlinear_where(draw):
    kind = draw.pick(BYTES)
    shapes = draw.broadcast(3, zero=0)
    return case("QLinearWhere", [draw.values(np.dtype(bool), shapes[0]), quantized(draw, kind, shapes[1]), *grid(draw, kind),
                                 quantized(draw, kind, shapes[2]), *grid(draw, kind), *grid(draw, kind)], tolerance=STEP)


def qgemm(draw):
    m, k, n = dims(draw, 3, 17)
    attributes = {name: 1 for name in ("transA", "transB") if draw.chance(0.4)}
    a = quantized(draw, "uint8", (k, m) if "transA" in attributes else (m, k))
    kind = draw.pick(BYTES)
    b = quantized(draw, kind, (n, k) if "transB" in attributes else (k, n))
    inputs = [a, *grid(draw, "uint8"), b, *grid(draw, kind),
              draw.values(np.dtype("int32"), (n,), low=-99, high=99) if draw.chance(0.5) else None]
    if draw.chance(0.6):
        return case("QGemm", [*inputs, *grid(draw, "uint8", 1, 3)], attributes, tolerance=STEP)
    return case("QGemm", inputs, attributes, tolerance=(1e-4, 1e-4))


def integer_to_float(draw):
    m, k, n = dims(draw, 3, 17)
    batch = dims(draw, draw.integer(0, 2), 3)
    left, right = draw.pick([("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8")])
    inputs = [quantized(draw, left, (*batch, m, k)), quantized(draw, right, (k, n)), scalar(draw.random.uniform(0.01, 0.1))]
    inputs.append(np.asarray(np.abs(calm(draw, draw.pick([(), (n,)]), 0.1)) + 0.01, np.float32))
    inputs.append(grid(draw, left)[1] if draw.chance(0.5) else None)
    inputs.append(grid(draw, right)[1] if draw.chance(0.5) else None)
    inputs.append(calm(draw, (n,)) if draw.chance(0.5) else None)
    return case("MatMulIntegerToFloat", inputs, tolerance=(1e-4, 1e-3))


def dynamic_matmul(draw):
    m, k, n = dims(draw, 3, 17)
    kind = draw.pick(BYTES)
    inputs = [calm(draw, (*dims(draw, draw.integer(0, 2), 3), m, k)), quantized(draw, kind, (k, n)),
              scalar(draw.random.uniform(0.01, 0.1)), grid(draw, kind)[1],
              calm(draw, (n,)) if draw.chance(0.5) else None]
    return case("DynamicQuantizeMatMul", inputs, tolerance=(1e-3, 1e-3))


def qlinear_conv(draw):
    group = draw.pick([1, 1, 2])
    kernel, attributes = window(draw, 2)
    channels, features = group * draw.integer(1, 3), group * draw.integer(1, 3)
    x = quantized(draw, "uint8", (1, *(draw.integer(3, 7) for _ in range(2)), channels))
    kind = draw.pick(BYTES)
    scales = np.asarray(draw.random.uniform(0.01, 0.1, features if draw.chance(0.5) else ()), np.float32)
    zeros = np.full(scales.shape, 0 if kind == "int8" else 128, kind)
    bias = draw.values(np.dtype("int32"), (features,), low=-99, high=99) if draw.chance(0.5) else None
    inputs = [x, *grid(draw, "uint8"), quantized(draw, kind, (features, channels // group, *kernel)), scales, zeros,
              *grid(draw, "uint8", 0.5, 2), bias]
    return case("QLinearConv", inputs, {**attributes, "group": group, "channels_last": 1}, tolerance=STEP)


def quantize(op):
    def make(draw):
        kind, shape = draw.pick(["uint8", "int8", "uint16", "int16"]), draw.shape(low=1, zero=0)
        axis = draw.axis(len(shape))
        scales = () if draw.chance(0.5) else (shape[axis],)
        scale = np.asarray(draw.random.uniform(0.01, 0.5, scales), np.float32)
        zero = draw.values(np.dtype(kind), scales, low=0, high=90)
        x = calm(draw, shape, 10.0) if op == "QuantizeLinear" else draw.values(np.dtype(kind), shape, special=0)
        return case(op, [x, scale, zero], {"axis": axis}, tolerance=STEP if op == "QuantizeLinear" else (1e-6, 1e-5))
    return make


# Tensors

def unique(draw):
    return case("Unique", [draw.values(FLOAT, (draw.integer(1, 40),), special=0, low=-3, high=3).round()], None, [None] * 3)


def arange(draw):
    kind = draw.pick(["float32", "int32", "int64"])
    start, step = draw.integer(-9, 9), draw.pick([-2, -1, 1, 3])
    inputs = [np.array(start, kind), np.array(start + step * draw.integer(0, 9), kind), np.array(step, kind)]
    return case("Range", inputs[:2] if step == 1 and draw.chance(0.5) else inputs)


def inverse(draw):
    size = draw.integer(1, 6)
    x = calm(draw, (*dims(draw, draw.integer(0, 2), 3), size, size)) + 4 * np.eye(size, dtype=np.float32)
    return case("Inverse", [x], None, [np.linalg.inv(x.astype(np.float64)).astype(np.float32)], tolerance=(1e-3, 1e-4))


def distances(draw):
    m, n, size = dims(draw, 3, 9)
    return case("CDist", [calm(draw, (m, size)), calm(draw, (n, size))], {"metric": draw.pick(["euclidean", "sqeuclidean"])},
                tolerance=(1e-3, 1e-3))


def gather_nd(draw):
    shape = dims(draw, draw.integer(1, 4), 5)
    depth = draw.integer(1, len(shape))
    places = [draw.values(np.dtype("int64"), (3, 2), low=-dim, high=dim - 1) for dim in shape[:depth]]
    return case("GatherND", [calm(draw, shape), np.stack(places, -1)])


def hashes(draw):
    x = draw.values(draw.type(["int32", "int64", "uint32", "float32", "float64", "string"]), draw.shape(low=1, zero=0))
    return case("MurmurHash3", [x], {"seed": draw.integer(0, 9), "positive": draw.integer(0, 1)})


def repeats(draw):
    batch, steps, tokens = draw.integer(1, 3), draw.integer(3, 9), draw.integer(2, 5)
    ids = draw.values(np.dtype("int64"), (batch, steps), low=0, high=tokens - 1)
    return case("NGramRepeatBlock", [ids, calm(draw, (batch, tokens))], {"ngram_size": draw.integer(1, 3)})


FUNCTIONS = {
    "Gelu": (2, gelu("Gelu", exact_gelu, False)), "BiasGelu": (2, gelu("BiasGelu", exact_gelu, True)),
    "FastGelu": (2, gelu("FastGelu", tanh_gelu, False)),
    "QuickGelu": (2, gelu("QuickGelu", lambda x, alpha: x * special.expit(alpha * x), False)),
    **{op: (3, skip_normalization(op)) for op in ("SkipLayerNormalization", "SkipSimplifiedLayerNormalization")},
    "EmbedLayerNormalization": (2, embed_normalization),
    "FusedMatMul": (4, fused_matmul), "FusedGemm": (3, fused_gemm), "FusedConv": (4, fused_conv),
    "MatMulNBits": (5, matmul_nbits), "QGemm": (3, qgemm), "MatMulIntegerToFloat": (3, integer_to_float),
    "DynamicQuantizeMatMul": (2, dynamic_matmul),
    **{op: (3, qlinear_binary(op)) for op in ("QLinearAdd", "QLinearMul")},
    **{op: (2, qlinear_unary(op)) for op in ("QLinearLeakyRelu", "QLinearSigmoid")},
    **{op: (2, qlinear_pool(op)) for op in ("QLinearAveragePool", "QLinearGlobalAveragePool")},
    "QLinearSoftmax": (2, qlinear_softmax), "QLinearConcat": (2, qlinear_concat), "QLinearWhere": (2, qlinear_where),
    "QLinearConv": (3, qlinear_conv),
    **{op: (2, quantize(op)) for op in ("QuantizeLinear", "DequantizeLinear")},
    "Unique": (1, unique), "Range": (1, arange), "Inverse": (2, inverse), "CDist": (2, distances), "GatherND": (1, gather_nd),
    "MurmurHash3": (2, hashes), "NGramRepeatBlock": (1, repeats),
}
OPS = {f"{DOMAIN}.{op}": entry for op, entry in FUNCTIONS.items()}
