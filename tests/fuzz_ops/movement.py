"""Operators that move elements or look at shapes: what comes out is exact for every type."""

import math

import numpy as np
from onnx import helper, numpy_helper

from case import Case, Skip
from draw import bounds, dtype_of, is_float, is_integer
from schema import types

INT64 = np.dtype(np.int64)


def array(values):
    return np.asarray(values, np.int64)


def any_of(draw, op, shape, constraint="T"):
    return draw.values(draw.type(types(op, constraint)), shape)


def identity(draw):
    x = draw.values(draw.type(types("Reshape")), draw.shape())
    return Case("Identity", [x], [x])


def transpose(draw):
    x = any_of(draw, "Transpose", draw.shape())
    if draw.chance(0.2):
        return Case("Transpose", [x], [x.transpose()])
    permutation = draw.sample(range(x.ndim), x.ndim)
    if x.ndim == 0:
        return Case("Transpose", [x], [x])
    return Case("Transpose", [x], [x.transpose(permutation)], {"perm": permutation})


def factors(draw, size, count):
    dims = []
    for _ in range(count - 1):
        fits = [d for d in range(1, min(size, 40) + 1) if size % d == 0]
        dims.append(draw.pick(fits))
        size //= dims[-1]
    return draw.sample([*dims, size], count)


def reshape(draw):
    x = any_of(draw, "Reshape", draw.shape())
    if x.size == 0:
        target = list(draw.shape(1, 5))
        target[draw.integer(0, len(target) - 1)] = 0
        return Case("Reshape", [x, array(target)], [x.reshape(target)], {"allowzero": 1})
    dims = factors(draw, x.size, draw.integer(1, 6))
    if x.size == 1 and draw.chance(0.2):
        return Case("Reshape", [x, array([])], [x.reshape(())])
    written = list(dims)
    if draw.chance(0.5):
        written[draw.integer(0, len(dims) - 1)] = -1
    for axis in range(min(len(dims), x.ndim)):
        if dims[axis] == x.shape[axis] and draw.chance(0.5):
            written[axis] = 0
    return Case("Reshape", [x, array(written)], [x.reshape(dims)])


def flatten(draw):
    x = any_of(draw, "Flatten", draw.shape())
    axis = draw.integer(-x.ndim, x.ndim)
    split = axis + x.ndim if axis < 0 else axis
    dims = (math.prod(x.shape[:split]), math.prod(x.shape[split:]))
    if draw.chance(0.2) and x.ndim >= 1:
        return Case("Flatten", [x], [x.reshape(x.shape[0], math.prod(x.shape[1:]))])
    return Case("Flatten", [x], [x.reshape(dims)], {"axis": axis})


def squeeze(draw):
    shape = list(draw.shape(0, 6))
    for _ in range(draw.integer(0, 2)):
        shape.insert(draw.integer(0, len(shape)), 1)
    x = any_of(draw, "Squeeze", shape)
    if draw.chance(0.3):
        return Case("Squeeze", [x], [np.squeeze(x)])
    ones = [axis for axis in range(x.ndim) if shape[axis] == 1]
    axes = draw.sample(ones, draw.integer(0, len(ones)))
    written = [axis - x.ndim if draw.chance(0.4) else axis for axis in axes]
    return Case("Squeeze", [x, array(written)], [np.squeeze(x, tuple(axes))])


def unsqueeze(draw):
    x = any_of(draw, "Unsqueeze", draw.shape(0, 6))
    count = draw.integer(1, 3) if x.ndim < 6 else 1
    axes = draw.sample(range(x.ndim + count), count)
    written = [axis - x.ndim - count if draw.chance(0.4) else axis for axis in axes]
    return Case("Unsqueeze", [x, array(written)], [np.expand_dims(x, tuple(axes))])


def concat(draw):
    dtype = draw.type(types("Concat"))
    shape = list(draw.shape(1, 6))
    axis = draw.axis(len(shape))
    parts = []
    for _ in range(draw.pick([1, 2, 3, 5], [1, 4, 3, 1])):
        shape[axis] = draw.dim(9)
        parts.append(draw.values(dtype, shape))
    return Case("Concat", parts, [np.concatenate(parts, axis)], {"axis": axis})


def split(draw):
    x = any_of(draw, "Split", draw.shape(1, 6))
    axis = draw.axis(x.ndim)
    size = x.shape[axis]
    attributes = {} if axis == 0 and draw.chance(0.5) else {"axis": axis}
    if draw.chance(0.5):
        cuts = sorted(draw.integer(0, size) for _ in range(draw.integer(0, 3)))
        sizes = np.diff([0, *cuts, size])
        return Case("Split", [x, array(sizes)], np.split(x, cuts, axis), attributes)
    count = draw.integer(1, max(1, min(4, size)))
    # All chunks are equal but the last, which is smaller.
    chunk = -(-size // count)
    cuts = [min(chunk * part, size) for part in range(1, count)]
    if size - chunk * (count - 1) < 0:
        raise Skip("no chunk is left for the last")
    return Case("Split", [x], np.split(x, cuts, axis), {**attributes, "num_outputs": count})


def slice_(draw):
    x = any_of(draw, "Slice", draw.shape(1, 8))
    axes = draw.axes(x.ndim)
    starts, ends, steps, cut = [], [], [], [slice(None)] * x.ndim
    for axis in axes:
        size = x.shape[axis]
        far = draw.pick([size + 3, 2**31 - 1, 2**63 - 1])
        steps.append(draw.pick([1, 2, 3, -1, -2, 100, -100, 2**40]))
        starts.append(draw.pick([draw.integer(-size - 2, size + 2), far if steps[-1] < 0 else -far]))
        ends.append(draw.pick([draw.integer(-size - 2, size + 2), -far if steps[-1] < 0 else far]))
        cut[axis] = picks(starts[-1], ends[-1], steps[-1], size)
    kind = draw.pick([np.int64, np.int32])
    if kind == np.int32 and max(map(abs, (*starts, *ends, *steps))) >= 2**31:
        kind = np.int64
    inputs = [x, np.array(starts, kind), np.array(ends, kind), np.array(axes, kind), np.array(steps, kind)]
    y = x
    for axis in axes:
        y = np.take(y, cut[axis], axis)
    if axes == list(range(x.ndim)) and draw.chance(0.6):
        inputs[3] = None
    if all(step == 1 for step in steps):
        inputs[4] = None
    return Case("Slice", inputs, [y])


def picks(start, end, step, size):
    """Indices that a slice takes, as the specification clamps them."""
    start, end = (value + size if value < 0 else value for value in (start, end))
    if step > 0:
        start, end = (min(max(value, 0), size) for value in (start, end))
    else:
        start, end = min(max(start, 0), size - 1), min(max(end, -1), size - 1)
    return list(range(start, end, step))


def expand(draw):
    left, right = draw.broadcast(2)
    x = any_of(draw, "Expand", left)
    return Case("Expand", [x, array(right)], [np.broadcast_to(x, np.broadcast_shapes(left, right))])


def tile(draw):
    x = any_of(draw, "Tile", draw.shape(0, 6, most=200))
    repeats = [draw.pick([1, 2, 3, 0], [5, 3, 1, 0.3]) for _ in x.shape]
    return Case("Tile", [x, array(repeats)], [np.tile(x, repeats)])


PAD_MODES = {"constant": "constant", "reflect": "reflect", "edge": "edge", "wrap": "wrap"}


def pad(draw):
    x = any_of(draw, "Pad", draw.shape(1, 5, most=300, zero=0.01))
    mode = draw.pick(["constant", "reflect", "edge", "wrap"], [4, 2, 2, 1])
    axes = draw.axes(x.ndim) if draw.chance(0.3) else list(range(x.ndim))
    before, after = [0] * x.ndim, [0] * x.ndim
    for axis in axes:
        size = x.shape[axis]
        most = 4 if mode == "constant" or size else 0
        if mode == "reflect":
            most = max(size - 1, 0)
        elif mode == "wrap":
            most = min(most, size)
        low = -min(2, size // 2) if mode == "constant" or draw.chance(0.1) else 0
        before[axis], after[axis] = draw.integer(low, min(most, 4)), draw.integer(low, min(most, 4))
    pads = [before[axis] for axis in axes] + [after[axis] for axis in axes]
    value = draw.values(x.dtype) if mode == "constant" and draw.chance(0.6) else None
    cut = tuple(slice(max(-b, 0), size - max(-a, 0)) for b, a, size in zip(before, after, x.shape))
    width = [(max(b, 0), max(a, 0)) for b, a in zip(before, after)]
    if value is None and x.dtype.name == "float8_e8m0fnu":
        raise Skip("that type has no zero")
    if mode != "constant":
        if any(value < 0 for value in pads):
            raise Skip("what a negative pad leaves of another mode is not said")
        y = np.pad(x[cut], width, PAD_MODES[mode])
    else:
        fill = value if value is not None else ("" if x.dtype.kind == "O" else x.dtype.type(0))
        y = np.full([size + b + a for size, b, a in zip(x.shape, before, after)], fill, x.dtype)
        inside = tuple(slice(b, b + n) for (b, _), n in zip(width, x[cut].shape))
        y[inside] = x[cut]
    kept = draw.pick([np.int64, np.int32])
    given = None if axes == list(range(x.ndim)) and draw.chance(0.7) else np.array(axes, kept)
    attributes = {} if mode == "constant" and draw.chance(0.5) else {"mode": mode}
    return Case("Pad", [x, array(pads), value, given], [y], attributes)


def depth_to_space(draw):
    block, mode = draw.integer(1, 3), draw.pick([None, "DCR", "CRD"])
    n, c, h, w = draw.dim(3), draw.integer(1, 4), draw.dim(5), draw.dim(5)
    x = any_of(draw, "DepthToSpace", (n, c * block * block, h, w))
    if mode == "CRD":
        y = x.reshape(n, c, block, block, h, w).transpose(0, 1, 4, 2, 5, 3)
    else:
        y = x.reshape(n, block, block, c, h, w).transpose(0, 3, 4, 1, 5, 2)
    return Case("DepthToSpace", [x], [y.reshape(n, c, h * block, w * block)],
                {"blocksize": block, **({"mode": mode} if mode else {})})


def space_to_depth(draw):
    block = draw.integer(1, 3)
    n, c, h, w = draw.dim(3), draw.integer(1, 4), draw.dim(4), draw.dim(4)
    x = any_of(draw, "SpaceToDepth", (n, c, h * block, w * block))
    y = x.reshape(n, c, h, block, w, block).transpose(0, 3, 5, 1, 2, 4).reshape(n, c * block * block, h, w)
    return Case("SpaceToDepth", [x], [y], {"blocksize": block})


def one_hot(draw):
    kinds = types("OneHot", "T1"), types("OneHot", "T2"), types("OneHot", "T3")
    index, depth, dtype = draw.type(kinds[0]), draw.type(kinds[1]), draw.type(kinds[2])
    size = draw.integer(1, 9)
    shape = draw.shape(0, 4, most=100)
    low = 0 if bounds(index)[0] == 0 else -size - 2 if is_integer(index) else 0
    picked = np.rint(draw.values(index, shape, low=low, high=size + 1).astype(float)).astype(index) \
        if is_float(index) else draw.values(index, shape, low=low, high=size + 1)
    values = draw.values(dtype, (2,))
    axis = draw.integer(-len(shape) - 1, len(shape))
    wrapped = picked.astype(np.int64)
    wrapped = np.where((wrapped < 0) & (wrapped >= -size), wrapped + size, wrapped)
    hot = np.stack([wrapped == place for place in range(size)], axis if axis >= 0 else axis + len(shape) + 1)
    depth_value = np.array(size if draw.chance(0.5) else [size]).astype(depth)
    y = np.where(hot, values[1], values[0]).astype(dtype)
    return Case("OneHot", [picked, depth_value, values], [y], {} if axis == -1 and draw.chance(0.5) else {"axis": axis})


def one_hot_safe(draw):
    try:
        return one_hot(draw)
    except (ValueError, TypeError):
        raise Skip("no such type of index") from None


def range_(draw):
    dtype = draw.type([name for name in types("Range") if name not in ("float16", "bfloat16")])
    if is_float(dtype):
        start, step = draw.integer(-20, 20) / 4, draw.pick([1, 0.5, -0.25, 2, -3])
    else:
        start, step = draw.integer(-20, 20), draw.pick([1, 2, -1, -3, 7])
    limit = start + draw.integer(-8, 25) * draw.pick([1, 1, step])
    count = max(math.ceil((limit - start) / step), 0)
    y = (start + np.arange(count) * step).astype(dtype)
    return Case("Range", [np.array(v, dtype) for v in (start, limit, step)], [y])


def trilu(draw):
    x = any_of(draw, "Trilu", draw.shape(2, 5))
    upper = draw.pick([None, 0, 1])
    k = draw.pick([None, draw.integer(-9, 9), draw.pick([-2**63, 2**63 - 1, 2**40])], [2, 5, 1])
    rows, columns = x.shape[-2:]
    offset = max(min(k or 0, columns + 1), -rows - 1)
    keep = np.arange(columns) - np.arange(rows)[:, None]
    keep = keep >= offset if upper != 0 else keep <= offset
    zero = "" if x.dtype.kind == "O" else x.dtype.type(0)
    return Case("Trilu", [x, None if k is None else np.array(k if draw.chance(0.5) else [k], np.int64).reshape(())],
                [np.where(keep, x, zero).astype(x.dtype)], {} if upper is None else {"upper": upper})


def reverse_sequence(draw):
    shape = draw.shape(2, 4, zero=0)
    x = any_of(draw, "ReverseSequence", shape)
    time_axis = draw.integer(0, 1)
    lengths = [draw.integer(1, shape[time_axis]) for _ in range(shape[1 - time_axis])]
    y = x.copy()
    for row, length in enumerate(lengths):
        if time_axis == 0:
            y[:length, row] = x[:length, row][::-1]
        else:
            y[row, :length] = x[row, :length][::-1]
    attributes = {"batch_axis": 0, "time_axis": 1} if time_axis == 1 else {}
    return Case("ReverseSequence", [x, array(lengths)], [y], attributes)


def shape_(draw):
    x = any_of(draw, "Shape", draw.shape())
    attributes, rank = {}, x.ndim
    if draw.chance(0.4):
        attributes["start"] = draw.integer(-rank - 1, rank + 1)
    if draw.chance(0.4):
        attributes["end"] = draw.integer(-rank - 1, rank + 1)
    return Case("Shape", [x], [array(x.shape[attributes.get("start", 0):attributes.get("end", rank)]
                                     if attributes.get("start", 0) >= -rank else
                                     x.shape[:attributes.get("end", rank)])], attributes)


def size_(draw):
    x = any_of(draw, "Size", draw.shape())
    return Case("Size", [x], [array(x.size)])


def constant_of_shape(draw):
    dims = draw.shape()
    if draw.chance(0.3):
        return Case("ConstantOfShape", [array(dims)], [np.zeros(dims, np.float32)])
    value = draw.values(draw.type(types("ConstantOfShape", "T2")), (1,))
    return Case("ConstantOfShape", [array(dims)], [np.full(dims, value[0], value.dtype)],
                {"value": numpy_helper.from_array(value)})


def eye_like(draw):
    x = any_of(draw, "EyeLike", draw.shape(2, 2), "T1")
    k = draw.pick([None, draw.integer(-5, 5)])
    dtype = x.dtype
    attributes = {} if k is None else {"k": k}
    if draw.chance(0.5):
        dtype = draw.type(types("EyeLike", "T2"))
        attributes["dtype"] = helper.np_dtype_to_tensor_dtype(dtype)
    return Case("EyeLike", [x], [np.eye(*x.shape, k or 0).astype(dtype)], attributes)


def center_crop_pad(draw):
    x = any_of(draw, "CenterCropPad", draw.shape(1, 4, most=200))
    axes = draw.axes(x.ndim) if draw.chance(0.5) else None
    chosen = list(range(x.ndim)) if axes is None else axes
    sizes = [draw.integer(0 if draw.chance(0.1) else 1, 8) for _ in chosen]
    y = x
    for axis, size in zip(chosen, sizes):
        have = y.shape[axis]
        if size <= have:
            begin = (have - size) // 2
            y = np.take(y, range(begin, begin + size), axis)
        else:
            before = (size - have) // 2
            target = list(y.shape)
            target[axis] = size
            filled = np.full(target, "" if x.dtype.kind == "O" else x.dtype.type(0), x.dtype)
            place = [slice(None)] * x.ndim
            place[axis] = slice(before, before + have)
            filled[tuple(place)] = y
            y = filled
    kind = draw.pick([np.int64, np.int32])
    return Case("CenterCropPad", [x, np.array(sizes, kind)], [y], {} if axes is None else {"axes": axes})


def bit_cast(draw):
    source = draw.type([n for n in types("BitCast", "T1") if dtype_of(n).kind != "O" and "4" != n[-1] and "2" != n[-1]
                        and "float4" not in n])
    same = [n for n in types("BitCast", "T2") if dtype_of(n).kind != "O" and dtype_of(n).itemsize == source.itemsize
            and n not in ("int4", "uint4", "int2", "uint2", "float4_e2m1fn", "bool")]
    if source.name in ("int4", "uint4", "int2", "uint2", "bool") or not same:
        raise Skip("packed")
    target = draw.type(same)
    x = draw.values(source, draw.shape())
    return Case("BitCast", [x], [np.ascontiguousarray(x).view(target).reshape(x.shape)],
                {"to": helper.np_dtype_to_tensor_dtype(target)})


OPS = {
    "Identity": (2, identity), "Transpose": (8, transpose), "Reshape": (8, reshape), "Flatten": (3, flatten),
    "Squeeze": (4, squeeze), "Unsqueeze": (4, unsqueeze), "Concat": (7, concat), "Split": (5, split),
    "Slice": (8, slice_), "Expand": (5, expand), "Tile": (4, tile), "Pad": (8, pad),
    "DepthToSpace": (3, depth_to_space), "SpaceToDepth": (2, space_to_depth), "OneHot": (3, one_hot_safe),
    "Range": (3, range_), "Trilu": (3, trilu), "ReverseSequence": (2, reverse_sequence), "Shape": (3, shape_),
    "Size": (1, size_), "ConstantOfShape": (3, constant_of_shape), "EyeLike": (2, eye_like),
    "CenterCropPad": (2, center_crop_pad), "BitCast": (2, bit_cast),
}
