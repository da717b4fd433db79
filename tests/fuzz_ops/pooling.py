"""Pooling: largest values, means and norms of windows or whole images."""

import numpy as np

from case import Case, Skip
from convolution import sizes
from numeric import accumulated, narrow, wide
from schema import types
from windows import Windows


def image(draw, op, takes_ceil=True):
    windows = Windows(draw, sizes(draw), takes_ceil, least_output=1)
    if not windows.is_legal or any(max(begin, end) >= extent for begin, end, extent
                                   in zip(windows.begin, windows.end, windows.extents())):
        raise Skip("a window sees nothing but padding")
    dtype = draw.type(types(op))
    n, c = draw.pick([1, 2, 0], [6, 3, 0.2]), draw.pick([1, 2, 3, 7, 16, 17, 33])
    if np.prod(windows.output) * np.prod(windows.kernel) * n * c > 60000:
        raise Skip("too many")
    return windows, dtype, (n, c, *windows.spatial), windows.attributes | {"kernel_shape": windows.kernel}


def flat_index(places, dims, is_column_major):
    """A number for places[axis]: row by row, or with the first spatial axis innermost."""
    order = range(len(dims) - 1, -1, -1) if is_column_major else range(len(dims))
    found = 0
    for axis in order:
        found = found * dims[axis] + places[axis]
    return found


def max_pool(draw):
    windows, dtype, shape, attributes = image(draw, "MaxPool")
    x = draw.values(dtype, shape, special=0)
    w = wide(x).astype(float)
    taps = windows.taps(w, -np.inf)
    seen = windows.taps(np.ones(shape), 0) > 0
    if not seen.any(0).all():
        raise Skip("a window sees nothing but padding")
    y = taps.max(0)
    if draw.chance(0.5):
        return Case("MaxPool", [x], [narrow(y, dtype)], attributes)
    is_column_major = draw.chance(0.3) and len(windows.spatial) == 2
    if is_column_major or draw.chance(0.2):
        attributes["storage_order"] = int(is_column_major)
    spatial = np.indices(windows.spatial)
    local = np.broadcast_to(flat_index(spatial, windows.spatial, is_column_major), shape)
    planes = np.arange(shape[0] * shape[1]).reshape(shape[0], shape[1], *[1] * len(windows.spatial))
    numbers = local + planes * int(np.prod(windows.spatial))
    # Of equal ones the first counts.
    best = np.where(seen, taps, -np.inf).argmax(0)
    index = np.take_along_axis(windows.taps(numbers, -1), best[None], 0)[0]
    return Case("MaxPool", [x], [narrow(y, dtype), index.astype(np.int64)], attributes)


def average_pool(draw):
    windows, dtype, shape, attributes = image(draw, "AveragePool")
    x = draw.values(dtype, shape, special=0)
    counts_pads = draw.chance(0.4)
    if counts_pads or draw.chance(0.2):
        attributes["count_include_pad"] = int(counts_pads)
    inside = np.ones(shape)
    if counts_pads:
        # What lies beyond the padding, where the last window is cut by ceil_mode, never counts.
        width = [(0, 0), (0, 0), *zip(windows.begin, windows.end)]
        bare = Bare(windows)
        count = bare.taps(np.pad(inside, width, constant_values=1)).sum(0)
    else:
        count = windows.taps(inside).sum(0)
    if (count == 0).any():
        raise Skip("a window sees nothing but padding")
    y = windows.taps(wide(x)).sum(0) / count
    magnitude = windows.taps(np.abs(wide(x))).sum(0) / count
    return Case("AveragePool", [x], [narrow(y, dtype)], attributes,
                tolerance=accumulated(dtype, magnitude, int(np.prod(windows.kernel))))


class Bare(Windows):
    """The same windows over an image that already has its padding."""

    def __init__(self, windows):
        self.__dict__.update(windows.__dict__)
        self.spatial = tuple(n + begin + end for n, begin, end in zip(windows.spatial, windows.begin, windows.end))
        self.begin = self.end = [0] * len(self.spatial)


def lp_pool(draw):
    windows, dtype, shape, attributes = image(draw, "LpPool")
    x = draw.values(dtype, shape, special=0)
    p = draw.pick([None, 1, 2, 3])
    if p is not None:
        attributes["p"] = p
    p = p or 2
    y = (windows.taps(np.abs(wide(x)) ** p).sum(0)) ** (1 / p)
    rtol, _ = accumulated(dtype, 0, 1)
    return Case("LpPool", [x], [narrow(y, dtype)], attributes,
                tolerance=(rtol + accumulated(dtype, 1, int(np.prod(windows.kernel)))[1], 1e-30))


def whole(op):
    def make(draw):
        dtype = draw.type(types(op))
        rank = draw.integer(1, 3)
        shape = (draw.pick([1, 2, 3]), draw.pick([1, 3, 8, 17]), *[draw.integer(1, 12) for _ in range(rank)])
        x = draw.values(dtype, shape, special=0)
        axes, count, attributes = tuple(range(2, rank + 2)), int(np.prod(shape[2:])), {}
        w = wide(x)
        if op == "GlobalMaxPool":
            return Case(op, [x], [narrow(w.max(axes, keepdims=True), dtype)])
        if op == "GlobalAveragePool":
            magnitude = np.abs(w).mean(axes)
            return Case(op, [x], [narrow(w.mean(axes, keepdims=True), dtype)],
                        tolerance=accumulated(dtype, magnitude, count))
        p = draw.pick([1, 2, 3])
        if p != 2:
            attributes["p"] = p
        y = (np.abs(w) ** p).sum(axes, keepdims=True) ** (1 / p)
        return Case(op, [x], [narrow(y, dtype)], attributes,
                    tolerance=(accumulated(dtype, 1, count)[1] + accumulated(dtype, 0, 1)[0], 1e-30))
    return make


def max_unpool(draw):
    dtype = draw.type(types("MaxUnpool", "T1"))
    rank = draw.integer(1, 3)
    n, c = draw.integer(1, 2), draw.integer(1, 3)
    spatial = [draw.integer(1, 4) for _ in range(rank)]
    kernel, strides = [draw.integer(1, 3) for _ in spatial], [draw.integer(1, 3) for _ in spatial]
    output = [(size - 1) * stride + k for size, stride, k in zip(spatial, strides, kernel)]
    larger = [size + draw.integer(0, 2) for size in output] if draw.chance(0.4) else None
    places = int(np.prod(output))
    x = draw.values(dtype, (n, c, *spatial), special=0)
    total = n * c * places
    # Indices count over the output that kernel and strides give, also where a larger one is asked for.
    if int(np.prod(spatial)) > places:
        raise Skip("more values than places")
    flat = np.stack([np.array(draw.sample(range(places), int(np.prod(spatial)))) + plane * places
                     for plane in range(n * c)])
    y = np.zeros(total, dtype)
    y[flat.ravel()] = x.ravel()
    attributes = {"kernel_shape": kernel, "strides": strides}
    y, given = y.reshape(n, c, *output), None
    if larger is not None:
        given = np.array([n, c, *larger], np.int64)
        y = np.pad(y, [(0, 0), (0, 0), *((0, more - size) for more, size in zip(larger, output))])
    return Case("MaxUnpool", [x, flat.reshape(x.shape).astype(np.int64), given], [y], attributes)


OPS = {
    "MaxPool": (10, max_pool), "AveragePool": (8, average_pool), "LpPool": (4, lp_pool),
    **{op: (2, whole(op)) for op in ("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool")},
    "MaxUnpool": (2, max_unpool),
}
