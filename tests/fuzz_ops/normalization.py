"""Normalizations: over batches, channels, layers and neighbours."""

import numpy as np

from case import Case, epsilon
from numeric import narrow, wide
from schema import types

# A quotient of sums: their errors are relative to spreads that the draws keep away from zero.
ROUNDINGS = 64


def tolerance(dtype, y):
    inner = max(epsilon(dtype) * 4, ROUNDINGS * (2.0**-52 if dtype == np.float64 else 2.0**-23))
    return inner, inner * float(np.abs(y).max(initial=1))


def spread_values(draw, dtype, shape):
    return draw.values(dtype, shape, special=0, scale=draw.pick([1.0, 10.0]))


def small_epsilon(draw, attributes, standard=1e-5):
    if draw.chance(0.6):
        attributes["epsilon"] = float(np.float32(draw.pick([1e-3, 1e-2, 0.5])))
    return attributes.get("epsilon", float(np.float32(standard)))


def channel_first(draw, least=2):
    shape = draw.shape(least, 5, zero=0.01, most=2000)
    return shape, (-1, *[1] * (len(shape) - 2))


def batch_normalization(draw):
    dtype, other, third = (draw.type(types("BatchNormalization", name)) for name in ("T", "T1", "T2"))
    shape, along = channel_first(draw)
    c = shape[1]
    attributes = {}
    eps = small_epsilon(draw, attributes)
    x = spread_values(draw, dtype, shape)
    scale, bias = draw.values(other, (c,), special=0, scale=1.0), draw.values(other, (c,), special=0, scale=1.0)
    mean, variance = draw.values(third, (c,), special=0, scale=1.0), draw.values(third, (c,), low=0.1, high=3)
    gain = wide(scale) / np.sqrt(wide(variance) + eps)
    if draw.chance(0.2) and x.size:
        attributes["training_mode"] = 1
        momentum = 0.9
        if draw.chance(0.5):
            attributes["momentum"] = momentum = 0.75
        axes = (0, *range(2, len(shape)))
        now, spread = wide(x).mean(axes), wide(x).var(axes)
        y = (wide(x) - now.reshape(along)) / np.sqrt(spread.reshape(along) + eps) * wide(scale).reshape(along) \
            + wide(bias).reshape(along)
        running = [narrow(wide(old) * momentum + new * (1 - momentum), third)
                   for old, new in ((mean, now), (variance, spread))]
        rtol, atol = tolerance(dtype, y)
        coarse = max(epsilon(third) * 4, rtol)
        return Case("BatchNormalization", [x, scale, bias, mean, variance], [narrow(y, dtype), *running], attributes,
                    tolerance=(coarse, max(atol * 4, coarse * 100)))
    y = (wide(x) - wide(mean).reshape(along)) * gain.reshape(along) + wide(bias).reshape(along)
    rtol, _ = tolerance(dtype, y)
    magnitude = (np.abs(wide(x)) + np.abs(wide(mean)).reshape(along)) * np.abs(gain).reshape(along) \
        + np.abs(wide(bias)).reshape(along)
    # Scale and shift may be joined before; they are then rounded by themselves.
    return Case("BatchNormalization", [x, scale, bias, mean, variance], [narrow(y, dtype)], attributes,
                tolerance=(2 * epsilon(dtype), 8 * max(2.0**-52 if dtype == np.float64 else 2.0**-23, 0)
                           * float(magnitude.max(initial=0))))


def normalized(x, axes, eps):
    w = wide(x)
    mean = w.mean(axes, keepdims=True)
    spread = np.square(w - mean).mean(axes, keepdims=True)
    return (w - mean) / np.sqrt(spread + eps), mean, 1 / np.sqrt(spread + eps)


def instance_normalization(draw):
    dtype = draw.type(types("InstanceNormalization"))
    n, c = draw.integer(1, 3), draw.pick([1, 3, 8, 17])
    shape = (n, c, *[draw.integer(2, 9) for _ in range(draw.integer(1, 3))])
    attributes = {}
    eps = small_epsilon(draw, attributes)
    along = (-1, *[1] * (len(shape) - 2))
    x = spread_values(draw, dtype, shape)
    scale, bias = (draw.values(dtype, (c,), special=0, scale=1.0) for _ in range(2))
    y = normalized(x, tuple(range(2, len(shape))), eps)[0] * wide(scale).reshape(along) + wide(bias).reshape(along)
    return Case("InstanceNormalization", [x, scale, bias], [narrow(y, dtype)], attributes,
                tolerance=tolerance(dtype, y))


def group_normalization(draw):
    dtype = draw.type(types("GroupNormalization"))
    groups, inner = draw.integer(1, 4), draw.integer(1, 5)
    c, n = groups * inner, draw.integer(1, 3)
    shape = (n, c, *[draw.integer(2, 7) for _ in range(draw.integer(1, 3))])
    attributes = {"num_groups": groups}
    eps = small_epsilon(draw, attributes)
    along = (-1, *[1] * (len(shape) - 2))
    x = spread_values(draw, dtype, shape)
    scale, bias = (draw.values(dtype, (c,), special=0, scale=1.0) for _ in range(2))
    y = normalized(x.reshape(n, groups, -1), (2,), eps)[0].reshape(shape) * wide(scale).reshape(along) \
        + wide(bias).reshape(along)
    # stash_type is float32 by default: what is normalized is rounded to it.
    bound = tolerance(np.dtype(np.float32), y) if dtype == np.float64 else tolerance(dtype, y)
    return Case("GroupNormalization", [x, scale, bias], [narrow(y, dtype)], attributes, tolerance=bound)


def layer_shape(draw):
    shape = list(draw.shape(1, 5, zero=0, most=2000))
    shape[-1] = max(shape[-1], 3)
    axis = draw.axis(len(shape))
    return tuple(shape), axis, axis % len(shape)


def layer_inputs(draw, op):
    """What both operators over the last axes take: attributes, their axes, epsilon, x and the scale."""
    dtype = draw.type(types(op))
    shape, axis, place = layer_shape(draw)
    attributes = {} if axis == -1 and draw.chance(0.5) else {"axis": axis}
    eps = small_epsilon(draw, attributes)
    x = spread_values(draw, dtype, shape)
    scale = draw.values(dtype, shape[place:], special=0, scale=1.0)
    return attributes, tuple(range(place, len(shape))), eps, x, scale


def layer_normalization(draw):
    attributes, axes, eps, x, scale = layer_inputs(draw, "LayerNormalization")
    dtype = x.dtype
    bias = draw.values(dtype, scale.shape, special=0, scale=1.0) if draw.chance(0.6) else None
    y, mean, inverse = normalized(x, axes, eps)
    y = y * wide(scale) + (0 if bias is None else wide(bias))
    outputs = [narrow(y, dtype)]
    if dtype in (np.float32, np.float64) and draw.chance(0.4):
        outputs += [mean.astype(np.float32), inverse.astype(np.float32)]
    rtol, atol = tolerance(dtype, y)
    return Case("LayerNormalization", [x, scale, bias], outputs, attributes,
                tolerance=(max(rtol, ROUNDINGS * 2.0**-23), atol) if len(outputs) > 1 else (rtol, atol))


def rms_normalization(draw):
    attributes, axes, eps, x, scale = layer_inputs(draw, "RMSNormalization")
    dtype = x.dtype
    square = np.square(wide(x)).mean(axes, keepdims=True)
    y = wide(x) / np.sqrt(square + eps) * wide(scale)
    return Case("RMSNormalization", [x, scale], [narrow(y, dtype)], attributes, tolerance=tolerance(dtype, y))


def lrn(draw):
    dtype = draw.type(types("LRN"))
    shape, _ = channel_first(draw, 3)
    size = draw.pick([1, 3, 5, 2, 4])
    attributes = {"size": size}
    alpha, beta, bias = float(np.float32(1e-4)), 0.75, 1.0
    if draw.chance(0.7):
        attributes |= {"alpha": 0.5, "beta": 0.5, "bias": 2.0}
        alpha, beta, bias = 0.5, 0.5, 2.0
    x = spread_values(draw, dtype, shape)
    squares = np.square(wide(x))
    total = np.zeros(shape)
    for c in range(shape[1]):
        low, high = max(0, c - (size - 1) // 2), min(shape[1] - 1, c + -(-(size - 1) // 2))
        total[:, c] = squares[:, low:high + 1].sum(1)
    y = wide(x) / (bias + alpha / size * total) ** beta
    return Case("LRN", [x], [narrow(y, dtype)], attributes, tolerance=tolerance(dtype, y))


def lp_normalization(draw):
    dtype = draw.type(types("LpNormalization"))
    shape = draw.shape(1, 5, zero=0.01)
    axis, p = draw.axis(len(shape)), draw.integer(1, 2)
    attributes = {name: value for name, value, standard in (("axis", axis, -1), ("p", p, 2))
                  if value != standard or draw.chance(0.5)}
    x = draw.values(dtype, shape, special=0, scale=1.0)
    norm = np.linalg.norm(wide(x), p, axis, keepdims=True) if x.size else 1
    with np.errstate(all="ignore"):
        y = np.where(norm == 0, 0, wide(x) / norm)
    return Case("LpNormalization", [x], [narrow(y, dtype)], attributes, tolerance=tolerance(dtype, y))


def mean_variance_normalization(draw):
    dtype = draw.type(types("MeanVarianceNormalization"))
    shape = [draw.integer(2, 6) for _ in range(4)]
    axes = draw.axes(4) if draw.chance(0.5) else [0, 2, 3]
    x = spread_values(draw, dtype, shape)
    w = wide(x)
    along = tuple(axis % 4 for axis in axes)
    y = (w - w.mean(along, keepdims=True)) / (w.std(along, keepdims=True) + 1e-9)
    attributes = {} if axes == [0, 2, 3] else {"axes": axes}
    rtol, atol = tolerance(dtype, y)
    # The function body takes E[x^2] - E[x]^2, in the type itself.
    return Case("MeanVarianceNormalization", [x], [narrow(y, dtype)], attributes,
                tolerance=(max(rtol, 64 * epsilon(dtype)), max(atol, 64 * epsilon(dtype))))


def dropout(draw):
    dtype = draw.type(types("Dropout"))
    x = draw.values(dtype, draw.shape())
    ratio = draw.values(draw.type(types("Dropout", "T1")), low=0, high=0.9, special=0) if draw.chance(0.5) else None
    training = None
    if draw.chance(0.5):
        training = np.array(draw.chance(0.5))
        if training:
            ratio = np.zeros((), np.float32)
    outputs = [x] if draw.chance(0.5) else [x, np.ones(x.shape, bool)]
    return Case("Dropout", [x, ratio, training], outputs, {"seed": 3} if draw.chance(0.2) else {})


OPS = {
    "BatchNormalization": (6, batch_normalization), "InstanceNormalization": (4, instance_normalization),
    "GroupNormalization": (4, group_normalization), "LayerNormalization": (6, layer_normalization),
    "RMSNormalization": (4, rms_normalization), "LRN": (3, lrn), "LpNormalization": (3, lp_normalization),
    "MeanVarianceNormalization": (2, mean_variance_normalization), "Dropout": (2, dropout),
}
