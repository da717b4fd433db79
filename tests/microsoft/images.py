"""Operators on images."""

import math

import numpy as np

from case import Case, integers, random, sigmoid


def group_norm(x, gamma, beta, groups, epsilon, silu):
    """Channels last."""
    n, c = x.shape[0], x.shape[-1]
    grouped = x.astype(np.float64).reshape(n, -1, groups, c // groups)
    mean = grouped.mean(axis=(1, 3), keepdims=True)
    variance = grouped.var(axis=(1, 3), keepdims=True)
    y = ((grouped - mean) / np.sqrt(variance + epsilon)).reshape(x.shape) * gamma + beta
    return (y * sigmoid(y) if silu else y).astype(np.float32)


def first(x):
    return np.moveaxis(x, -1, 1)


def conv(x, w, bias, pad, stride):
    """Channels last, weights [M, C, kH, kW]."""
    x = np.pad(x.astype(np.float64), ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=(1, 2))[:, ::stride, ::stride]
    return (np.einsum("nhwcij,mcij->nhwm", windows, w.astype(np.float64)) + bias).astype(np.float32)


def group_norms():
    x, gamma, beta = random(2, 3, 5, 8), random(8, seed=1), random(8, seed=2)
    skip, bias = random(2, 3, 5, 8, seed=3), random(8, seed=4)
    for activation in (0, 1):
        attributes = {"groups": 4, "activation": activation, "epsilon": 1e-3}
        y = group_norm(x, gamma, beta, 4, 1e-3, activation)
        yield Case("GroupNorm", f"channels_last_{activation}", [x, gamma, beta], attributes, expected=[y])
        yield Case("GroupNorm", f"channels_first_{activation}", [first(x), gamma, beta],
                   attributes | {"channels_last": 0}, expected=[first(y)])
        half = x.astype(np.float16)
        yield Case("GroupNorm", f"half_{activation}", [half, gamma.astype(np.float16), beta.astype(np.float16)], attributes,
                   expected=[group_norm(half.astype(np.float32), gamma, beta, 4, 1e-3, activation).astype(np.float16)],
                   tolerance=(1e-2, 1e-2))
        total = x + skip + bias
        y = group_norm(total, gamma, beta, 4, 1e-3, activation)
        yield Case("SkipGroupNorm", f"with_bias_{activation}", [x, gamma, beta, skip, bias], attributes,
                   wanted=(True, True), expected=[y, total])
        row = skip[:, 0, 0, :]
        total = x + row[:, None, None, :]
        y = group_norm(total, gamma, beta, 4, 1e-3, activation)
        yield Case("SkipGroupNorm", f"row_{activation}", [x, gamma, beta, row], attributes, expected=[y])


def convolutions():
    x, w, bias = random(1, 6, 5, 3), random(4, 3, 3, 3, seed=1), random(4, seed=2)
    y = conv(x, w, bias, 1, 2)
    attributes = {"pads": [1, 1, 1, 1], "strides": [2, 2], "kernel_shape": [3, 3]}
    yield Case("NhwcConv", "weights_first", [x[..., :2], w[:, :2], bias], attributes,
               expected=[conv(x[..., :2], w[:, :2], bias, 1, 2)])
    yield Case("NhwcConv", "weights_last", [x, np.moveaxis(w, 1, -1), bias], attributes, expected=[y])
    # Where the channels lie follows from kernel_shape alone.
    uneven = random(4, 3, 2, 3, seed=4)
    yield Case("NhwcConv", "weights_by_kernel", [x, uneven, bias], attributes | {"kernel_shape": [2, 3]},
               expected=[conv(x, uneven, bias, 1, 2)])
    z = random(*y.shape, seed=3)
    yield Case("NhwcFusedConv", "plain", [x, w, bias], attributes, expected=[y])
    yield Case("NhwcFusedConv", "relu", [x, w, bias], attributes | {"activation": "Relu"}, expected=[np.maximum(y, 0)])
    yield Case("NhwcFusedConv", "adds", [x, w, None, z], attributes, expected=[conv(x, w, 0, 1, 2) + z])


def crops():
    x = random(2, 3, 6, 7)
    boxes = np.array([[0, 0, 1, 1], [0.2, 0.6, 0.9, 0.1], [-0.5, 0, 0.5, 1.5]], np.float32)
    images = np.array([0, 1, 1], np.int32)
    for mode in ("bilinear", "nearest"):
        for size in ([4, 5], [1, 3], [2, 1]):
            yield Case("CropAndResize", f"{mode}_{size[0]}_{size[1]}", [x, boxes, images, np.array(size, np.int32)],
                       {"mode": mode, "extrapolation_value": 7.0})


def cases():
    yield from group_norms()
    yield from convolutions()
    yield from crops()
    for dtype, low in ((np.int8, -128), (np.uint8, 0)):
        yield Case("NhwcMaxPool", np.dtype(dtype).name, [integers(low, low + 256, 1, 6, 7, 3, dtype=dtype)],
                   {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]})
    x, bias, skip = random(2, 6, 8), random(8, seed=1), random(2, 6, 8, seed=2)
    yield Case("BiasAdd", "plain", [x, bias, skip], expected=[x + bias + skip])
    total = (x + bias).astype(np.float64)
    erf = np.vectorize(math.erf)
    left, right = total[..., :4], total[..., 4:]
    y = left * right * 0.5 * (1 + erf(right / np.sqrt(2)))
    yield Case("BiasSplitGelu", "plain", [x, bias], expected=[y.astype(np.float32)])
