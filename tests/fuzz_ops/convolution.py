"""Convolutions of floats and integers in one to three dimensions, and their transposes."""

import numpy as np

from case import Case, Skip
from draw import dtype_of
from numeric import accumulated, narrow, wide, wrapped
from products import saturated, scale, zero_point
from schema import types
from windows import Windows, grouped


def sizes(draw, most=20):
    rank = draw.pick([1, 2, 3], [2, 6, 1])
    largest = {1: 40, 2: most, 3: 8}[rank]
    return [draw.integer(1, largest) for _ in range(rank)]


def channels(draw):
    """Groups, input and output channels; depthwise ones and odd numbers too."""
    kind = draw.pick(["one", "groups", "depthwise"], [5, 2, 2])
    groups = 1 if kind == "one" else draw.integer(2, 5) if kind == "groups" else draw.pick([3, 8, 17, 33])
    inner = 1 if kind == "depthwise" else draw.pick([1, 2, 3, 5, 8, 16, 17])
    outer = draw.pick([1, 2]) if kind == "depthwise" else draw.pick([1, 2, 3, 7, 8, 16, 19])
    return groups, groups * inner, groups * outer


def geometry(draw):
    windows = Windows(draw, sizes(draw), least_output=1)
    groups, c, m = channels(draw)
    if not windows.is_legal or np.prod(windows.output) * np.prod(windows.kernel) * c > 60000:
        raise Skip("no window fits, or too many")
    attributes = dict(windows.attributes)
    if groups != 1 or draw.chance(0.2):
        attributes["group"] = groups
    if draw.chance(0.5):
        attributes["kernel_shape"] = windows.kernel
    n = draw.pick([1, 2, 3, 0], [6, 3, 1, 0.2])
    return windows, groups, (n, c, *windows.spatial), (m, c // groups, *windows.kernel), attributes


def conv(draw):
    windows, groups, x_shape, w_shape, attributes = geometry(draw)
    dtype = draw.type(types("Conv"))
    x, w = draw.values(dtype, x_shape, special=0), draw.values(dtype, w_shape, special=0)
    b = draw.values(dtype, w_shape[:1], special=0) if draw.chance(0.6) else None
    y = grouped(windows.taps(wide(x)), wide(w), groups)
    magnitude = grouped(windows.taps(np.abs(wide(x))), np.abs(wide(w)), groups)
    if b is not None:
        along = (-1, *[1] * len(windows.spatial))
        y, magnitude = y + wide(b).reshape(along), magnitude + np.abs(wide(b)).reshape(along)
    return Case("Conv", [x, w, b], [narrow(y, dtype)], attributes,
                tolerance=accumulated(dtype, magnitude, int(np.prod(w_shape[1:])) + 1))


def conv_integer(draw):
    windows, groups, x_shape, w_shape, attributes = geometry(draw)
    kinds = [draw.type(types("ConvInteger", name)) for name in ("T1", "T2")]
    x, w = draw.values(kinds[0], x_shape), draw.values(kinds[1], w_shape)
    zx = zero_point(draw, kinds[0], ())
    zw = zero_point(draw, kinds[1], w_shape[:1] if draw.chance(0.4) else ())
    y = integer_sums(windows, groups, x, zx, w, zw)
    return Case("ConvInteger", [x, w, zx, zw], [wrapped(y, dtype_of("int32"))], attributes)


def integer_sums(windows, groups, x, zx, w, zw):
    """Padding is a real zero: the zero point."""
    shifted_x = x.astype(np.int64) - (0 if zx is None else int(zx))
    shift = np.zeros(1, np.int64) if zw is None else zw.astype(np.int64).reshape(-1)
    shifted_w = w.astype(np.int64) - shift.reshape(-1, *[1] * (w.ndim - 1))
    return grouped(windows.taps(shifted_x), shifted_w, groups)


def qlinear_conv(draw):
    windows, groups, x_shape, w_shape, attributes = geometry(draw)
    kinds = [draw.type(types("QLinearConv", name)) for name in ("T1", "T2", "T3")]
    is_exact, per_channel = draw.chance(0.5), draw.chance(0.5)
    x, w = draw.values(kinds[0], x_shape), draw.values(kinds[1], w_shape)
    many = w_shape[:1] if per_channel else ()
    x_scale, w_scale = scale(draw, (), is_exact=is_exact), scale(draw, many, is_exact=is_exact)
    y_scale = scale(draw, (), is_exact=is_exact) * np.float32(32)
    zx, zy = draw.values(kinds[0]), draw.values(kinds[2])
    # Weights with zero points per channel other than zero are refused by ONNX Runtime; both are drawn.
    zw = draw.values(kinds[1], many)
    b = draw.values(np.dtype(np.int32), w_shape[:1], low=-5000, high=5000) if draw.chance(0.6) else None
    along = (-1, *[1] * len(windows.spatial))
    total = integer_sums(windows, groups, x, zx, w, zw) + (0 if b is None else b.astype(np.int64).reshape(along))
    factor = x_scale.astype(float) * w_scale.astype(float).reshape(along if per_channel else ()) / y_scale.astype(float)
    y = saturated(np.rint(total * factor) + int(zy), kinds[2])
    inputs = [x, x_scale, zx, w, w_scale, zw, y_scale, zy, b]
    # In which order scales are joined is not said: near a tie the next integer is as right.
    return Case("QLinearConv", inputs, [y], attributes, tolerance=None if is_exact else (0, 1))


def transposed(x, w, groups):
    """Columns [taps, n, m, *input] of x[n, c, ...] by weights [c, m / groups, *kernel]."""
    n, c = x.shape[:2]
    inner = w.shape[1]
    columns = np.einsum("ngip,gimt->tngmp", x.reshape(n, groups, c // groups, -1),
                        w.reshape(groups, c // groups, inner, -1))
    return columns.reshape(-1, n, groups * inner, *x.shape[2:])


def conv_transpose(draw):
    windows = Windows(draw, sizes(draw, 9))
    groups, c, m = channels(draw)
    attributes, input_size = dict(windows.attributes), list(windows.spatial)
    extents = windows.extents()
    padding = [draw.integer(0, stride - 1) if draw.chance(0.3) else 0 for stride in windows.strides]
    full = [(n - 1) * stride + extent + more
            for n, stride, extent, more in zip(input_size, windows.strides, extents, padding)]
    auto = attributes.get("auto_pad", "NOTSET")
    if auto == "NOTSET" and draw.chance(0.15) or auto.startswith("SAME"):
        attributes.pop("pads", None)
        output = [n * stride for n, stride in zip(input_size, windows.strides)] if auto.startswith("SAME") \
            else [draw.integer(max(1, n - 3), n) for n in full]
        if not auto.startswith("SAME"):
            attributes["output_shape"] = output
        total = [n - out for n, out in zip(full, output)]
        if min(total) < 0:
            raise Skip("what lies beyond the windows is not said")
        less, more = [n // 2 for n in total], [n - n // 2 for n in total]
        windows.begin, windows.end = (less, more) if auto == "SAME_UPPER" else (more, less)
    output = [n - begin - end for n, begin, end in zip(full, windows.begin, windows.end)]
    if min(output) < 1 or np.prod(full) * c * m > 400000:
        raise Skip("nothing comes out, or too much")
    if any(padding):
        attributes["output_padding"] = padding
    if groups != 1:
        attributes["group"] = groups
    if draw.chance(0.5):
        attributes["kernel_shape"] = windows.kernel
    windows.output = input_size
    dtype = draw.type(types("ConvTranspose"))
    x = draw.values(dtype, (draw.integer(1, 2), c, *input_size), special=0)
    w = draw.values(dtype, (c, m // groups, *windows.kernel), special=0)
    b = draw.values(dtype, (m,), special=0) if draw.chance(0.6) else None
    y = windows.spread(transposed(wide(x), wide(w), groups), output)
    magnitude = windows.spread(transposed(np.abs(wide(x)), np.abs(wide(w)), groups), output)
    if b is not None:
        along = (-1, *[1] * len(input_size))
        y, magnitude = y + wide(b).reshape(along), magnitude + np.abs(wide(b)).reshape(along)
    return Case("ConvTranspose", [x, w, b], [narrow(y, dtype)], attributes,
                tolerance=accumulated(dtype, magnitude, c // groups * int(np.prod(windows.kernel)) + 1))


def col2im(draw):
    windows = Windows(draw, [draw.integer(1, 8) for _ in range(draw.pick([2, 3], [5, 1]))], least_output=1)
    if not windows.is_legal or "auto_pad" in windows.attributes:
        raise Skip("no window fits")
    dtype = draw.type([name for name in types("Col2Im") if name not in ("string", "bool")])
    n, c = draw.integer(1, 2), draw.integer(1, 3)
    taps, places = int(np.prod(windows.kernel)), int(np.prod(windows.output))
    # Small whole numbers: sums are exact in every type.
    x = draw.values(np.dtype(np.int8), (n, c * taps, places), low=0, high=2).astype(dtype)
    columns = wide(x).reshape(n, c, taps, *windows.output)
    y = windows.spread(np.moveaxis(columns, 2, 0), windows.spatial)
    return Case("Col2Im", [x, np.array(windows.spatial, np.int64), np.array(windows.kernel, np.int64)],
                [y.astype(dtype)], windows.attributes)


def causal_conv(draw):
    dtype = draw.type(types("CausalConvWithState"))
    n, c, length, k = draw.integer(1, 3), draw.integer(1, 9), draw.integer(1, 9), draw.integer(1, 5)
    x, w = draw.values(dtype, (n, c, length), special=0, scale=1.0), draw.values(dtype, (c, 1, k), special=0, scale=1.0)
    b = draw.values(dtype, (c,), special=0, scale=1.0) if draw.chance(0.6) else None
    past = draw.values(dtype, (n, c, k - 1), special=0, scale=1.0) if draw.chance(0.6) else None
    before = np.zeros((n, c, k - 1), dtype) if past is None else past
    line = np.concatenate([before, x], 2)
    y = sum(wide(line)[:, :, tap:tap + length] * wide(w)[:, 0, tap, None] for tap in range(k))
    y = y if b is None else y + wide(b)[:, None]
    activation = draw.pick([None, "none", "silu", "swish"])
    if activation in ("silu", "swish"):
        y = y / (1 + np.exp(-y))
    attributes = {} if activation is None else {"activation": activation}
    rtol, atol = accumulated(dtype, 20 if activation else np.abs(y).max() + 20, k)
    return Case("CausalConvWithState", [x, w, b, past], [narrow(y, dtype), line[:, :, length:]], attributes,
                tolerance=(rtol, max(atol, np.finfo(np.float32).eps * 8)))


def deform_conv(draw):
    windows = Windows(draw, [draw.integer(2, 7), draw.integer(2, 7)], least_output=1)
    if not windows.is_legal or "auto_pad" in windows.attributes:
        raise Skip("no window fits")
    dtype = draw.type(["float32", "float64"])
    groups, parts = draw.integer(1, 2), draw.integer(1, 2)
    c, m, n, taps = groups * parts * draw.integer(1, 2), groups * draw.integer(1, 3), draw.integer(1, 2), None
    taps = int(np.prod(windows.kernel))
    x = draw.values(dtype, (n, c, *windows.spatial), special=0, scale=1.0)
    w = draw.values(dtype, (m, c // groups, *windows.kernel), special=0, scale=1.0)
    offset = draw.values(dtype, (n, parts * taps * 2, *windows.output), special=0, scale=1.0)
    b = draw.values(dtype, (m,), special=0, scale=1.0) if draw.chance(0.5) else None
    mask = draw.values(dtype, (n, parts * taps, *windows.output), low=0, high=1) if draw.chance(0.5) else None
    attributes = dict(windows.attributes) | {"group": groups, "offset_group": parts}
    return Case("DeformConv", [x, w, offset, b, mask], [None], attributes,
                tolerance=(1e-4 if dtype == np.float32 else 1e-10, 1e-4 if dtype == np.float32 else 1e-10))


OPS = {
    "Conv": (16, conv), "ConvInteger": (6, conv_integer), "QLinearConv": (6, qlinear_conv),
    "ConvTranspose": (10, conv_transpose), "Col2Im": (3, col2im), "CausalConvWithState": (2, causal_conv),
    "DeformConv": (3, deform_conv),
}
