"""What ONNX Runtime's optimizer and quantizer write most, on shapes of no special size."""

import ml_dtypes
import numpy as np

from case import Case, integers, random


def byte(*dims, seed=0, signed=False):
    return integers(-128 if signed else 0, 128 if signed else 256, *dims, dtype=np.int8 if signed else np.uint8, seed=seed)


def f32(value):
    return np.array(value, np.float32)


def u8(value):
    return np.array(value, np.uint8)


def activations():
    x = random(2, 3, 5)
    for op in ("Gelu", "QuickGelu", "FastGelu"):
        yield Case(op, "plain", [x])
    yield Case("FastGelu", "bias", [x, random(5, seed=1)])
    yield Case("BiasGelu", "plain", [x, random(5, seed=1)])
    yield Case("Inverse", "stack", [random(2, 4, 4) + 3 * np.eye(4, dtype=np.float32)], tolerance=(1e-3, 1e-4))
    for upper in (0, 1):
        yield Case("Trilu", f"upper_{upper}", [random(2, 4, 5), np.array(1, np.int64)], {"upper": upper})
    for mode in ("constant", "reflect", "edge"):
        yield Case("Pad", mode, [random(3, 4), integers(0, 2, 4), f32(0.5)], {"mode": mode})
    yield Case("GridSample", "bilinear", [random(1, 2, 4, 5), random(1, 3, 3, 2, seed=1)])


def products():
    a, b = random(2, 4, 3), random(2, 4, 5, seed=1)
    yield Case("FusedMatMul", "turned", [a, b], {"transA": 1, "alpha": 0.5})
    yield Case("FusedGemm", "relu", [random(3, 4), random(4, 5, seed=1), random(5, seed=2)],
               {"activation": "Relu", "alpha": 0.5, "beta": 2.0})
    x, w = random(1, 4, 7, 6), random(6, 2, 3, 3, seed=1)
    attributes = {"group": 2, "pads": [1, 1, 1, 1], "strides": [2, 1], "kernel_shape": [3, 3]}
    yield Case("FusedConv", "leaky", [x, w, random(6, seed=2)],
               attributes | {"activation": "LeakyRelu", "activation_params": [0.1]})
    yield Case("FusedConv", "adds", [x, w, random(6, seed=2), random(1, 6, 4, 6, seed=3)], attributes | {"activation": "Relu"})
    for bits, block in ((4, 16), (4, 32), (8, 32)):
        n, k = 5, 48
        blocks = -(-k // block)
        blob = block * bits // 8
        inputs = [random(2, 3, k), byte(n, blocks, blob, seed=1), random(n * blocks, seed=2)]
        attributes = {"K": k, "N": n, "bits": bits, "block_size": block}
        yield Case("MatMulNBits", f"bits_{bits}_{block}", inputs, attributes, constants=("x1", "x2"), tolerance=(1e-3, 1e-3))
    inputs = [random(2, 3, 48), byte(5, 3, 8, seed=1), random(15, seed=2)]
    attributes = {"K": 48, "N": 5, "bits": 4, "block_size": 16}
    yield Case("MatMulNBits", "zeros", [*inputs, byte(5 * 2, seed=3)], attributes, constants=("x1", "x2", "x3"),
               tolerance=(1e-3, 1e-3))
    yield Case("MatMulNBits", "float_zeros", [*inputs, random(5, 3, seed=3)], attributes,
               constants=("x1", "x2", "x3"), tolerance=(1e-3, 1e-3))
    yield Case("MatMulNBits", "bias", [*inputs, None, None, random(5, seed=4)], attributes, constants=("x1", "x2", "x5"),
               tolerance=(1e-3, 1e-3))
    groups = np.arange(48, dtype=np.int32)[::-1] // 16
    yield Case("MatMulNBits", "groups", [*inputs, None, groups.copy()], attributes, constants=("x1", "x2", "x4"),
               tolerance=(1e-3, 1e-3))
    a, b = random(2, 4, 3), random(2, 4, 5, seed=1)
    yield Case("FusedMatMulActivation", "relu", [a, b], {"transA": 1, "activation": "Relu"},
               expected=[np.maximum(a.transpose(0, 2, 1) @ b, 0)])
    x, w = random(1, 2, 3, 3), random(2, 3, 3, 3, seed=1)
    yield Case("ConvTransposeWithDynamicPads", "pads", [x, w, np.array([1, 0, 1, 2], np.int64), random(3, seed=2)],
               {"kernel_shape": [3, 3], "strides": [2, 1]})
    table, scales = byte(6, 16, seed=1), random(6, 2, seed=2)
    for kind, numbers in ((ml_dtypes.int4, integers(-8, 8, 6, 32)), (ml_dtypes.uint4, integers(0, 16, 6, 32))):
        yield Case("GatherBlockQuantized", np.dtype(kind).name, [numbers.astype(kind), integers(-6, 6, 2, 3), scales],
                   {"gather_axis": 0, "quantize_axis": 1, "block_size": 16}, constants=("x0", "x2"))
    yield Case("GatherBlockQuantized", "two_bits", [table, integers(0, 6, 4), random(6, 4, seed=3)],
               {"gather_axis": 0, "quantize_axis": 1, "block_size": 16, "bits": 2}, constants=("x0", "x2"))
    yield Case("GatherBlockQuantized", "out_of_range", [table, np.array([1, 7, -9, -1]), scales],
               {"gather_axis": 0, "quantize_axis": 1, "block_size": 16, "bits": 4}, constants=("x0", "x2"))
    yield Case("GatherBlockQuantized", "rows", [table, integers(0, 6, 2, 3), scales],
               {"gather_axis": 0, "quantize_axis": 1, "block_size": 16, "bits": 4})


def normalizations():
    x, skip, gamma, beta, bias = random(2, 3, 8), random(2, 3, 8, seed=1), *(random(8, seed=i) for i in (2, 3, 4))
    yield Case("SkipLayerNormalization", "all", [x, skip, gamma, beta, bias], {"epsilon": 1e-3}, wanted=(True, False, False, True))
    yield Case("SkipLayerNormalization", "plain", [x, skip, gamma])
    yield Case("SkipSimplifiedLayerNormalization", "all", [x, skip, gamma, bias], {"epsilon": 1e-3},
               wanted=(True, False, False, True))
    ids, segments = integers(0, 9, 2, 5, dtype=np.int32), integers(0, 2, 2, 5, dtype=np.int32)
    yield Case("EmbedLayerNormalization", "mask",
               [ids, segments, random(9, 8, seed=5), random(7, 8, seed=6), random(2, 8, seed=7), gamma, beta,
                np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)], wanted=(True, True))
    quant = [byte(9, 8, seed=5), byte(7, 8, seed=6), byte(2, 8, seed=7), byte(8, seed=8), byte(8, seed=9)]
    scales, zeros = [f32(each) for each in (0.1, 0.2, 0.05, 0.01, 0.02)], [u8(each) for each in (3, 100, 128, 7, 9)]
    yield Case("QEmbedLayerNormalization", "mask",
               [ids, segments, *quant, np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32), *scales, *zeros],
               wanted=(True, True), tolerance=(1e-3, 1e-3))


def attention():
    x, weights, bias = random(2, 3, 8), random(8, 24, seed=1, scale=0.5), random(24, seed=2)
    mask = np.array([[1, 1, 0], [1, 1, 1]], np.int32)
    yield Case("Attention", "mask", [x, weights, bias, mask], {"num_heads": 2})
    yield Case("Attention", "lengths", [x, weights, bias, np.array([2, 3], np.int32)], {"num_heads": 2})
    yield Case("Attention", "causal_past", [x, weights, bias, None, random(2, 2, 2, 4, 4, seed=3)],
               {"num_heads": 2, "unidirectional": 1}, wanted=(True, True))
    q, k, v = (random(2, n, 8, seed=seed) for n, seed in ((3, 1), (4, 2), (4, 3)))
    yield Case("MultiHeadAttention", "cross", [q, k, v, random(24, seed=4)], {"num_heads": 2})
    yield Case("MultiHeadAttention", "bias", [q, k, v, None, None, random(1, 2, 3, 4, seed=5)], {"num_heads": 2, "scale": 0.3})
    yield Case("MultiHeadAttention", "lengths", [q, k, v, None, np.array([2, 4], np.int32)], {"num_heads": 2})
    self_attention = [random(2, 3, 8, seed=seed) for seed in (1, 2, 3)]
    yield Case("MultiHeadAttention", "past", [*self_attention, None, None, None, random(2, 2, 5, 4, seed=6),
                                              random(2, 2, 5, 4, seed=7)], {"num_heads": 2}, wanted=(True, True, True))
    angles = random(16, 2, seed=8)
    yield Case("RotaryEmbedding", "pairs", [random(2, 3, 8), integers(0, 16, 2, 3), np.cos(angles), np.sin(angles)],
               {"interleaved": 1, "num_heads": 2})
    yield Case("RotaryEmbedding", "halves", [random(2, 3, 8), np.array([4], np.int64), np.cos(angles), np.sin(angles)],
               {"num_heads": 2})


def grouped_attention():
    angles = random(16, 8, seed=8)
    for rotary in (0, 1):
        for steps, lengths in ((4, [3, 3]), (1, [5, 2])):
            past = [random(2, 2, 8, 16, seed=seed) for seed in (4, 5)] if steps == 1 else [None, None]
            inputs = [random(2, steps, 64, seed=1), random(2, steps, 32, seed=2), random(2, steps, 32, seed=3), *past,
                      np.array(lengths, np.int32), np.array(max(lengths) + 1, np.int32)]
            inputs += [np.cos(angles), np.sin(angles)] if rotary else []
            yield Case("GroupQueryAttention", f"steps_{steps}_{rotary}", inputs,
                       {"num_heads": 4, "kv_num_heads": 2, "do_rotary": rotary}, wanted=(True, True, True))
    sinks = random(4, seed=6, scale=3)
    for name, given, attributes in (("smooth", None, {"smooth_softmax": 1}), ("sinks", sinks, {}),
                                    ("sinks_softcap", sinks, {"softcap": 0.5, "smooth_softmax": 1})):
        inputs = [random(2, 1, 64, seed=1), random(2, 1, 32, seed=2), random(2, 1, 32, seed=3),
                  random(2, 2, 8, 16, seed=4), random(2, 2, 8, 16, seed=5), np.array([5, 2], np.int32),
                  np.array(6, np.int32), None, None, None, None, given]
        yield Case("GroupQueryAttention", name, inputs, {"num_heads": 4, "kv_num_heads": 2, **attributes},
                   wanted=(True, True, True))
    inputs = [random(2, 4, 64, seed=1), random(2, 4, 32, seed=2), random(2, 4, 32, seed=3), None, None,
              np.array([3, 1], np.int32), np.array(4, np.int32)]
    yield Case("GroupQueryAttention", "all_steps", inputs, {"num_heads": 4, "kv_num_heads": 2, "causal": 0},
               wanted=(True, True, True))
    rows = [random(2, 3, 64, seed=1), random(2, 3, 32, seed=2), random(2, 3, 32, seed=3), random(2, 2, 8, 16, seed=4),
            random(2, 2, 8, 16, seed=5), np.array([5, 2], np.int32), np.array(8, np.int32), np.cos(angles), np.sin(angles)]
    yield Case("GroupQueryAttention", "chunks", [*rows, *[None] * 7, np.array([3, 3], np.int32)],
               {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1}, wanted=(True, True, True))
    for shown, name in ((1, "scores"), (2, "weights")):
        yield Case("GroupQueryAttention", name, [*inputs, None, None, None, None, sinks],
                   {"num_heads": 4, "kv_num_heads": 2, "qk_output": shown, "local_window_size": 2, "softcap": 3.0},
                   wanted=(True, True, True, True))


def quantization():
    x = random(3, 4, scale=3)
    for dtype in (np.uint8, np.int8, np.uint16, np.int16):
        zero = np.array(3, dtype)
        yield Case("QuantizeLinear", np.dtype(dtype).name, [x, f32(0.05), zero])
        yield Case("DequantizeLinear", np.dtype(dtype).name, [integers(0, 100, 3, 4, dtype=dtype), f32(0.05), zero])
    a, b = byte(2, 3, 4), byte(4, 5, seed=1)
    yield Case("MatMulIntegerToFloat", "columns", [a, b, f32(0.1), np.abs(random(5)) + f32(0.1), u8(7), byte(5, seed=2),
                                                   random(5, seed=3)])
    yield Case("DynamicQuantizeMatMul", "plain", [random(2, 3, 4), b, f32(0.1), u8(120), random(5, seed=3)],
               tolerance=(1e-3, 1e-3))
    yield Case("QGemm", "bytes", [byte(3, 4), f32(0.1), u8(7), byte(4, 5, seed=1), f32(0.2), u8(9),
                                  integers(-99, 99, 5, dtype=np.int32), f32(0.5), u8(100)])
    yield Case("QGemm", "floats", [byte(3, 4), f32(0.1), u8(7), byte(5, 4, seed=1), f32(0.2), u8(9)], {"transB": 1})
    yield Case("QAttention", "plain", [byte(2, 3, 8), byte(8, 24, seed=1), random(24, seed=2), f32(0.02), f32(0.01), None,
                                       u8(128), u8(120)], {"num_heads": 2}, tolerance=(1e-3, 1e-3))
    yield Case("QAttention", "mask", [byte(2, 3, 8), byte(8, 24, seed=1), random(24, seed=2), f32(0.02), f32(0.01),
                                      np.array([2, 3], np.int32), u8(128), u8(120)], {"num_heads": 2}, tolerance=(1e-3, 1e-3))
    size = 4
    yield Case("DynamicQuantizeLSTM", "lengths",
               [random(3, 2, 5), byte(1, 5, 4 * size, seed=1), byte(1, size, 4 * size, seed=2), random(1, 8 * size, seed=3),
                np.array([3, 3], np.int32), None, None, None, f32([0.01]), u8([120]), f32([0.02]), u8([130])],
               {"hidden_size": size}, wanted=(True, True, True), constants=("x1", "x2"), tolerance=(1e-3, 1e-3))
    yield Case("DynamicQuantizeLSTM", "plain",
               [random(3, 2, 5), byte(1, 5, 4 * size, seed=1), byte(1, size, 4 * size, seed=2), random(1, 8 * size, seed=3),
                None, None, None, None, f32([0.01]), u8([120]), f32([0.02]), u8([130])], {"hidden_size": size},
               wanted=(True, True, True), constants=("x1", "x2"), tolerance=(1e-3, 1e-3))


# The quantized results may fall on the other side of a tie: one step of the scale.
STEP = (0, 1)


def quantized_elementwise():
    for signed in (False, True):
        kind = "int8" if signed else "uint8"
        zero = (lambda value: np.array(value - 128, np.int8)) if signed else u8
        x, y = byte(2, 3, 4, 5, signed=signed), byte(3, 1, 5, seed=1, signed=signed)
        pair = [x, f32(0.1), zero(120), y, f32(0.05), zero(130), f32(0.1), zero(110)]
        yield Case("QLinearAdd", kind, pair, tolerance=STEP)
        yield Case("QLinearMul", kind, pair, tolerance=STEP)
        one = [x, f32(0.1), zero(120), f32(0.05), zero(110)]
        yield Case("QLinearLeakyRelu", kind, one, {"alpha": 0.2}, tolerance=STEP)
        yield Case("QLinearSigmoid", kind, [x, f32(0.05), zero(120), f32(1 / 256), zero(0)], tolerance=STEP)
        yield Case("QLinearSoftmax", kind, [x, f32(0.05), zero(120), f32(1 / 256), zero(0)], {"axis": 3, "opset": 13},
                   tolerance=STEP)
        yield Case("QLinearGlobalAveragePool", kind, one, {"channels_last": 0}, tolerance=STEP)
        yield Case("QLinearAveragePool", kind, one, {"kernel_shape": [2, 3], "strides": [1, 2], "pads": [1, 0, 0, 1]},
                   tolerance=STEP)
        yield Case("QLinearWhere", kind, [integers(0, 2, 4, 5).astype(bool), x, f32(0.1), zero(120), byte(1, 5, seed=2, signed=signed),
                                          f32(0.05), zero(130), f32(0.1), zero(110)], tolerance=STEP)
        yield Case("QLinearConcat", kind, [f32(0.1), zero(110), x, f32(0.1), zero(120), byte(2, 2, 4, 5, seed=1, signed=signed),
                                           f32(0.05), zero(130)], {"axis": 1}, tolerance=STEP)
    conv = [byte(1, 6, 5, 4), f32(0.1), u8(120), byte(6, 2, 3, 3, seed=1), np.abs(random(6)) * f32(0.1) + f32(0.01),
            np.full(6, 128, np.uint8), f32(2.0), u8(128), integers(-99, 99, 6, dtype=np.int32)]
    attributes = {"group": 2, "pads": [1, 1, 1, 1], "kernel_shape": [3, 3]}
    last = [np.moveaxis(byte(1, 4, 6, 5), 1, -1).copy(), *conv[1:]]
    yield Case("QLinearConv", "channels_last", last, attributes | {"channels_last": 1}, tolerance=STEP)


def cases():
    for family in (activations, products, normalizations, attention, grouped_attention, quantization, quantized_elementwise):
        yield from family()
