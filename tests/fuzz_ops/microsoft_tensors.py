"""Operators of com.microsoft on tensors, images and spectra: by their formula where it is short, else by ONNX Runtime."""

import numpy as np
from scipy import special

from case import Case, epsilon
from microsoft import BYTES, DOMAIN, FLOAT, STEP, calm, case, dims, grid, quantized, scalar
from numeric import accumulated, narrow, root_normalized, wide

CLOSE = (1e-4, 1e-4)


def settled(op, inputs, outputs, attributes=None, tolerance=CLOSE):
    """A case whose values follow from a formula; floats of it are rounded once, to float32."""
    outputs = [narrow(y, FLOAT) if np.asarray(y).dtype.kind == "f" else y for y in outputs]
    return case(op, inputs, attributes, outputs, tolerance=tolerance)


# Shapes and places

def expand_dims(draw):
    x = draw.values(draw.type(["float32", "int64", "bool", "float64"]), draw.shape(high=5))
    axis = draw.integer(-x.ndim - 1, x.ndim)
    return case("ExpandDims", [x, np.array(axis, np.int32)], None, [np.expand_dims(x, axis)])


def triangle(draw):
    x = draw.values(draw.type(["float32", "int64", "bool", "float64", "int8"]), draw.shape(low=2, high=4, zero=0.05))
    k, upper = draw.integer(-9, 9), draw.integer(0, 1)
    inputs = [x, np.array(k, np.int64)] if draw.chance(0.7) else [x]
    k = k if len(inputs) > 1 else 0
    return case("Trilu", inputs, {"upper": upper}, [np.triu(x, k) if upper else np.tril(x, k)])


def pad(draw):
    shape, mode = dims(draw, draw.integer(1, 4), 6), draw.pick(["constant", "reflect", "edge"])
    most = [dim - 1 if mode == "reflect" else 3 for dim in shape]
    pads = [(draw.integer(0, most[axis]), draw.integer(0, most[axis])) for axis in range(len(shape))]
    x, value = calm(draw, shape), draw.pick([0.0, 0.5])
    numbers = np.array([before for before, _ in pads] + [after for _, after in pads], np.int64)
    inputs = [x, numbers] + ([scalar(value)] if mode == "constant" and value else [])
    y = np.pad(x, pads, **({"mode": "constant", "constant_values": np.float32(value)} if mode == "constant" else {"mode": mode}))
    return case("Pad", inputs, {"mode": mode}, [y])


def unfold(draw):
    x = draw.values(draw.type(["float32", "int64", "float64"]), dims(draw, draw.integer(1, 4), 9))
    dim = draw.axis(x.ndim)
    size, step = draw.integer(1, x.shape[dim]), draw.integer(1, 3)
    windows = np.lib.stride_tricks.sliding_window_view(x, size, axis=dim)
    places = [slice(None)] * windows.ndim
    places[dim % x.ndim] = slice(None, None, step)
    return case("UnfoldTensor", [x], {"dim": dim, "size": size, "step": step}, [windows[tuple(places)]])


def embedding(draw):
    table, shape = calm(draw, dims(draw, 2, 7)), draw.shape(low=0, high=3, zero=0)
    ids = draw.values(np.dtype("int64"), shape, low=0, high=len(table) - 1)
    return settled("TorchEmbedding", [table, ids], [table[ids]], tolerance=None)


def grid_sample(draw):
    n, c, h, w = dims(draw, 4, 7)
    places = draw.values(FLOAT, (n, *dims(draw, 2, 5), 2), low=-1.3, high=1.3)
    attributes = {"mode": draw.pick(["bilinear", "nearest", "bicubic"]), "align_corners": draw.integer(0, 1),
                  "padding_mode": draw.pick(["zeros", "border", "reflection"])}
    return case("GridSample", [calm(draw, (n, c, h, w)), places], attributes, tolerance=(1e-3, 1e-3))


def crop_and_resize(draw):
    n, c, h, w = dims(draw, 4, 7)
    count = draw.integer(1, 4)
    inputs = [calm(draw, (n, c, h, w)), draw.values(FLOAT, (count, 4), low=-0.3, high=1.3),
              draw.values(np.dtype("int32"), (count,), low=0, high=n - 1), np.array(dims(draw, 2, 5), np.int32)]
    return case("CropAndResize", inputs, {"mode": "bilinear", "extrapolation_value": draw.pick([0.0, 7.0])}, tolerance=CLOSE)


def words(draw):
    count, letters, size, width = draw.integer(1, 4), draw.integer(3, 7), draw.integer(1, 4), draw.integer(1, 3)
    features, symbols = draw.integer(1, 5), draw.integer(2, 9)
    ids = np.zeros((count, letters), np.int32)
    for word in ids:
        length = draw.integer(1, letters)
        word[:length] = draw.values(np.dtype("int32"), (length,), low=1, high=symbols - 1)
    inputs = [ids, calm(draw, (features, 1, width, size)), calm(draw, (features,)), calm(draw, (symbols, size))]
    return case("WordConvEmbedding", inputs, tolerance=CLOSE)


def warping(draw):
    return case("DynamicTimeWarping", [np.abs(calm(draw, (*([1] if draw.chance(0.3) else []), *dims(draw, 2, 9))))])


# Products

def transposed_matmul(draw):
    batch, (m, k, n) = dims(draw, draw.integer(0, 2), 3), dims(draw, 3, 9)
    flags = {name: 1 for name in ("transA", "transB") if draw.chance(0.4)}
    a = calm(draw, (*batch, *((k, m) if "transA" in flags else (m, k))))
    b = calm(draw, (*batch, *((n, k) if "transB" in flags else (k, n))))
    left, right = (np.swapaxes(wide(x), -1, -2) if name in flags else wide(x) for x, name in ((a, "transA"), (b, "transB")))
    alpha = draw.pick([1.0, 0.5, -2.0])
    magnitude = np.abs(left) @ np.abs(right) * abs(alpha)
    return case("TransposeMatMul", [a, b], {**flags, "alpha": alpha}, [narrow(left @ right * alpha, FLOAT)],
                tolerance=accumulated(FLOAT, magnitude, k))


def integers_of_16_bits(draw):
    batch, (m, k, n) = dims(draw, draw.integer(0, 2), 3), dims(draw, 3, 9)
    kind, high = draw.pick([("int16", 3000), ("uint16", 6000)])
    a, b = (draw.values(np.dtype(kind), shape, low=-high, high=high) for shape in ((*batch, m, k), (k, n)))
    to = np.int32 if kind == "int16" else np.uint32
    return settled("MatMulInteger16", [a, b], [a.astype(to) @ b.astype(to)], tolerance=None)


def gemm_fast_gelu(draw):
    m, k, n = dims(draw, 3, 9)
    x, w = calm(draw, (*dims(draw, draw.integer(0, 1), 3), m, k)), calm(draw, (k, n), 0.5)
    bias = calm(draw, (n,)) if draw.chance(0.5) else None
    y = wide(x) @ wide(w) + (0 if bias is None else bias)
    y = 0.5 * y * (1 + np.tanh(np.sqrt(2 / np.pi) * (y + 0.044715 * y**3)))
    return settled("GemmFastGelu", [x, w] if bias is None else [x, w, bias], [y])


def deconvolution(draw):
    channels, features = draw.integer(1, 3), draw.integer(1, 3)
    kernel, strides = [draw.integer(1, 3) for _ in range(2)], [draw.integer(1, 2) for _ in range(2)]
    pads = np.array([draw.integer(0, size - 1) for size in (*kernel, *kernel)], np.int64)
    inputs = [calm(draw, (draw.integer(1, 2), channels, *dims(draw, 2, 5))), calm(draw, (channels, features, *kernel)), pads]
    inputs += [calm(draw, (features,))] if draw.chance(0.5) else []
    shape = [(size - 1) * stride + extent - pads[axis] - pads[axis + 2]
             for axis, (size, stride, extent) in enumerate(zip(inputs[0].shape[2:], strides, kernel))]
    if min(shape) < 1:
        inputs[2] = np.zeros(4, np.int64)
    return case("ConvTransposeWithDynamicPads", inputs, {"kernel_shape": kernel, "strides": strides},
                tolerance=CLOSE)


def channels_last_conv(op):
    def make(draw):
        kernel, stride, pad = [draw.integer(1, 3) for _ in range(2)], draw.integer(1, 2), draw.integer(0, 2)
        channels, features = draw.integer(1, 4), draw.integer(1, 4)
        x = calm(draw, (draw.integer(1, 2), draw.integer(3, 7), draw.integer(3, 7), channels))
        w, bias = calm(draw, (features, channels, *kernel)), calm(draw, (features,)) if draw.chance(0.6) else None
        padded = np.pad(wide(x), ((0, 0), (pad, pad), (pad, pad), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, kernel, axis=(1, 2))[:, ::stride, ::stride]
        y = np.einsum("nhwcij,mcij->nhwm", windows, wide(w)) + (0 if bias is None else bias)
        inputs, attributes = [x, w, bias], {"kernel_shape": kernel, "strides": [stride] * 2, "pads": [pad] * 4}
        if op == "NhwcFusedConv" and draw.chance(0.5):
            inputs.append(calm(draw, y.shape))
            y = y + inputs[3]
        if op == "NhwcFusedConv" and draw.chance(0.4):
            attributes["activation"], y = "Relu", np.maximum(y, 0)
        if op == "NhwcConv":  # whose files have them last
            inputs[1] = np.moveaxis(w, 1, -1)
        return settled(op, inputs, [y], attributes)
    return make


def channels_last_pool(draw):
    kernel = [draw.integer(1, 3) for _ in range(2)]
    attributes = {"kernel_shape": kernel, "strides": [draw.integer(1, 2) for _ in range(2)],
                  "pads": [draw.integer(0, size - 1) for size in (*kernel, *kernel)]}
    x = quantized(draw, draw.pick(BYTES), (draw.integer(1, 2), draw.integer(3, 8), draw.integer(3, 8), draw.integer(1, 5)))
    return case("NhwcMaxPool", [x], attributes)


# Spectra

def complex_product(op):
    def make(draw):
        left, right = draw.broadcast(2, high=3, zero=0)
        a, b = (calm(draw, (*shape, 2)) for shape in (left, right))
        z, w = (wide(x)[..., 0] + 1j * wide(x)[..., 1] for x in (a, b))
        y = z * (np.conj(w) if op == "ComplexMulConj" else w)
        return settled(op, [a, b], [np.stack([y.real, y.imag], -1)], tolerance=(1e-5, 1e-5))
    return make


def spectrum(op):
    def make(draw):
        count = draw.integer(1, 2)
        shape = (*dims(draw, draw.integer(1, 2), 3), *(draw.pick([2, 4, 6, 8]) for _ in range(count)))
        x, over = calm(draw, shape), tuple(range(-count, 0))
        y = np.fft.rfftn(wide(x), axes=over)
        pairs = np.stack([y.real, y.imag], -1).astype(np.float32)
        attributes = {"signal_ndim": count, "onesided": 1, "normalized": 0}
        if op == "Rfft":
            return settled(op, [x], [pairs], attributes, tolerance=(1e-4, 1e-4))
        return settled(op, [pairs], [x], attributes, tolerance=(1e-4, 1e-4))
    return make


# Quantized numbers

def integer_product(draw):
    kind = draw.pick(BYTES)
    shapes = draw.broadcast(2, high=4, zero=0)
    a, b = (quantized(draw, kind, shape) for shape in shapes)
    zeros = [grid(draw, kind)[1] if draw.chance(0.6) else None for _ in range(2)]
    left, right = (x.astype(np.int32) - (0 if z is None else z.astype(np.int32)) for x, z in zip((a, b), zeros))
    inputs = [a, zeros[0], b] + ([] if zeros[1] is None else [zeros[1]])
    return settled("MulInteger", inputs, [left * right], tolerance=None)


def reduced(draw):
    x = quantized(draw, draw.pick(BYTES), dims(draw, draw.integer(1, 4), 5))
    axes, keep = draw.axes(x.ndim), draw.integer(0, 1)
    return x, tuple(axis % x.ndim for axis in axes), {"axes": axes, "keepdims": keep}


def integer_sum(draw):
    x, axes, attributes = reduced(draw)
    total = x.astype(np.int64).sum(axis=axes, keepdims=bool(attributes["keepdims"]))
    return settled("ReduceSumInteger", [x], [np.asarray(total, np.int32 if x.dtype == np.int8 else np.uint32)], attributes,
                   tolerance=None)


def quantized_mean(draw):
    x, axes, attributes = reduced(draw)
    (scale, zero), (to_scale, to_zero) = grid(draw, x.dtype.name), grid(draw, x.dtype.name)
    mean = ((x.astype(np.float64) - zero.astype(float)) * scale).mean(axis=axes, keepdims=bool(attributes["keepdims"]))
    limits = np.iinfo(x.dtype)
    y = np.clip(np.rint(mean / to_scale) + to_zero, limits.min, limits.max)
    return settled("QLinearReduceMean", [x, scale, zero, to_scale, to_zero], [np.asarray(y, x.dtype)], attributes, tolerance=STEP)


# Activations and normalizations

def sigmoid(x):
    return special.expit(x)


def all_finite(draw):
    inputs = [draw.values(FLOAT, draw.shape(low=1, high=3, zero=0), special=draw.pick([0, 0, 0.2]))
              for _ in range(draw.integer(1, 3))]
    attributes = draw.pick([{}, {"isinf_only": 1}, {"isnan_only": 1}])
    bad = {"isinf_only": np.isinf, "isnan_only": np.isnan}.get(next(iter(attributes), None), lambda x: ~np.isfinite(x))
    return settled("IsAllFinite", inputs, [np.array(not any(bad(x).any() for x in inputs))], attributes, tolerance=None)


def bias_softmax(draw):
    shape = dims(draw, 4, 5)
    is_inner = draw.integer(0, 1)
    bias = calm(draw, (shape[0], 1, 1, shape[3]) if is_inner else (1, 1, *shape[2:]))
    x = calm(draw, shape)
    return settled("BiasSoftmax", [x, bias], [special.softmax(wide(x) + bias, axis=-1)],
                   {"axis": 3, "is_inner_broadcast": is_inner})


def group_norm(op):
    def make(draw):
        groups = draw.integer(1, 3)
        n, h, w, channels = *dims(draw, 3, 5), groups * draw.integer(1, 4)
        last, silu = draw.integer(0, 1) if op == "GroupNorm" else 1, draw.integer(0, 1)
        x, gamma, beta = calm(draw, (n, h, w, channels)), calm(draw, (channels,)), calm(draw, (channels,))
        if h * w * channels // groups == 1:
            x = x + 1  # one number alone is its own mean
        inputs, total = [x, gamma, beta], wide(x)
        if op == "SkipGroupNorm":
            skip = calm(draw, draw.pick([x.shape, (n, channels), (n, 1, 1, channels)]))
            bias = calm(draw, (channels,)) if draw.chance(0.5) else None
            inputs += [skip] if bias is None else [skip, bias]
            total = total + (skip if skip.ndim == 4 else skip[:, None, None, :]) + (0 if bias is None else bias)
        grouped = total.reshape(n, -1, groups, channels // groups)
        mean, variance = grouped.mean(axis=(1, 3), keepdims=True), grouped.var(axis=(1, 3), keepdims=True)
        y = ((grouped - mean) / np.sqrt(variance + np.float32(1e-2))).reshape(total.shape) * gamma + beta
        y = y * sigmoid(y) if silu else y
        attributes = {"groups": groups, "activation": silu, "epsilon": 1e-2, "channels_last": last}
        if not last:
            inputs[0], y = np.ascontiguousarray(np.moveaxis(x, -1, 1)), np.moveaxis(y, -1, 1)
        outputs = [y, total] if op == "SkipGroupNorm" and draw.chance(0.5) else [y]
        return settled(op, inputs, outputs, attributes, tolerance=(1e-3, 1e-3))
    return make


def simplified_normalization(draw):
    x, size = calm(draw, draw.shape(low=1, high=4, zero=0)), scalar(draw.pick([1e-5, 1e-2]))
    axis = draw.axis(x.ndim)
    gamma, over = calm(draw, x.shape[axis % x.ndim:]), tuple(range(axis % x.ndim, x.ndim))
    y = root_normalized(wide(x), gamma, size, over)
    return Case("SimplifiedLayerNormalization", [x, gamma], [narrow(y, FLOAT)], {"axis": axis, "epsilon": float(size)},
                oracles=("runtime",), tolerance=CLOSE)


def bias_add(draw):
    x = calm(draw, dims(draw, 3, 7))
    bias, skip = calm(draw, x.shape[-1:]), calm(draw, x.shape)
    return settled("BiasAdd", [x, bias, skip], [wide(x) + bias + skip], tolerance=(4 * epsilon(FLOAT), 1e-6))


def split_gelu(draw):
    shape = (*dims(draw, 2, 5), 2 * draw.integer(1, 9))
    x, bias = calm(draw, shape), calm(draw, shape[-1:])
    left, right = np.split(wide(x) + bias, 2, axis=-1)
    return settled("BiasSplitGelu", [x, bias], [left * 0.5 * right * special.erfc(-right / np.sqrt(2))])


def scaled_silu(draw):
    x, alpha = calm(draw, draw.shape(zero=0)), draw.pick([1.0, 0.3, 1.7])
    scaled = wide(x) * np.float32(alpha)
    y = narrow(scaled * sigmoid(scaled), FLOAT)
    if draw.chance(0.5):
        return case("ScaledSiLU", [x, scalar(alpha)], None, [y], tolerance=CLOSE)
    return case("ScaledSiLU", [x], {"alpha": alpha}, [y], tolerance=CLOSE)


def rms_of_gate(draw):
    shape, size = dims(draw, 2, 5), draw.pick([2, 4])
    x, gate = (calm(draw, (*shape, size)) for _ in range(2))
    scale, kind = calm(draw, (size,)), draw.pick(["silu", "sigmoid"])
    y = root_normalized(wide(x), scale, 1e-3)
    opened = sigmoid(wide(gate)) * (wide(gate) if kind == "silu" else 1)
    return settled("GatedRMSNorm", [x, scale, gate], [y * opened], {"activation": kind, "epsilon": 1e-3})


def convolution_state(draw):
    batch, channels, steps = dims(draw, 3, 6)
    width, kind = draw.integer(2, 4), draw.pick(["none", "silu"])
    x, w = calm(draw, (batch, channels, steps)), calm(draw, (channels, 1, width))
    bias = calm(draw, (channels,)) if draw.chance(0.6) else None
    past = calm(draw, (batch, channels, width - 1)) if draw.chance(0.6) else None
    whole = np.concatenate([np.zeros((batch, channels, width - 1)) if past is None else wide(past), wide(x)], axis=2)
    windows = np.lib.stride_tricks.sliding_window_view(whole, width, axis=2)
    y = np.einsum("bcsw,cw->bcs", windows, wide(w)[:, 0]) + (0 if bias is None else bias[:, None])
    y = y * sigmoid(y) if kind == "silu" else y
    return settled("CausalConvWithState", [x, w, bias, past], [y, whole[:, :, -(width - 1):]], {"activation": kind})


FUNCTIONS = {
    "ExpandDims": (1, expand_dims), "Trilu": (1, triangle), "Pad": (2, pad), "UnfoldTensor": (1, unfold),
    "TorchEmbedding": (1, embedding), "GridSample": (2, grid_sample), "CropAndResize": (2, crop_and_resize),
    "WordConvEmbedding": (2, words), "DynamicTimeWarping": (2, warping), "TransposeMatMul": (1, transposed_matmul),
    "MatMulInteger16": (1, integers_of_16_bits), "GemmFastGelu": (1, gemm_fast_gelu),
    "ConvTransposeWithDynamicPads": (2, deconvolution), "NhwcMaxPool": (2, channels_last_pool),
    **{op: (2, channels_last_conv(op)) for op in ("NhwcConv", "NhwcFusedConv")},
    **{op: (1, complex_product(op)) for op in ("ComplexMul", "ComplexMulConj")},
    **{op: (1, spectrum(op)) for op in ("Rfft", "Irfft")},
    "MulInteger": (1, integer_product), "ReduceSumInteger": (1, integer_sum), "QLinearReduceMean": (2, quantized_mean),
    "IsAllFinite": (1, all_finite), "BiasSoftmax": (1, bias_softmax),
    **{op: (2, group_norm(op)) for op in ("GroupNorm", "SkipGroupNorm")},
    "BiasAdd": (1, bias_add), "BiasSplitGelu": (1, split_gelu), "ScaledSiLU": (1, scaled_silu),
    "GatedRMSNorm": (1, rms_of_gate), "CausalConvWithState": (2, convolution_state),
}
OPS = {**{f"{DOMAIN}.{op}": entry for op, entry in FUNCTIONS.items()},
       "SimplifiedLayerNormalization": (2, simplified_normalization)}
