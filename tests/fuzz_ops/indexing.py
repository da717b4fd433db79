"""Operators that pick elements by index or write them there."""

import math

import numpy as np

from case import Case, Skip
from draw import is_float, is_integer
from movement import INT64, any_of, array
from schema import types


def indices(draw, shape, size, negative=True):
    dtype = draw.pick([np.int64, np.int32])
    return draw.values(dtype, shape, low=-size if negative else 0, high=size - 1)


def gather(draw):
    x = any_of(draw, "Gather", draw.shape(1, 5))
    axis = draw.axis(x.ndim)
    shape = draw.shape(0, 3, most=30)
    if x.shape[axis] == 0:
        shape = (*shape, 0)
    picked = indices(draw, shape, max(x.shape[axis], 1))
    attributes = {} if axis == 0 and draw.chance(0.5) else {"axis": axis}
    return Case("Gather", [x, picked], [np.take(x, picked, axis)], attributes)


def gather_elements(draw):
    x = any_of(draw, "GatherElements", draw.shape(1, 5, zero=0.01))
    axis = draw.axis(x.ndim)
    shape = [draw.integer(1, size) if size else 0 for size in x.shape]
    shape[axis] = draw.dim(9) if x.shape[axis] else 0
    picked = indices(draw, shape, max(x.shape[axis], 1))
    around = x[tuple(slice(0, n) if i != axis % x.ndim else slice(None) for i, n in enumerate(shape))]
    y = np.take_along_axis(around, np.where(picked < 0, picked + x.shape[axis], picked).astype(np.int64), axis)
    return Case("GatherElements", [x, picked], [y], {} if axis == 0 and draw.chance(0.5) else {"axis": axis})


def gather_nd(draw):
    x = any_of(draw, "GatherND", draw.shape(1, 5, zero=0))
    batch = draw.integer(0, min(2, x.ndim - 1))
    depth = draw.integer(1, x.ndim - batch)
    shape = (*x.shape[:batch], *draw.shape(0, 2, most=20), depth)
    picked = np.stack([draw.values(INT64, shape[:-1], low=-n, high=n - 1) for n in x.shape[batch:batch + depth]], -1)
    y = np.empty((*shape[:-1], *x.shape[batch + depth:]), x.dtype)
    for place in np.ndindex(*shape[:-1]):
        y[place] = x[(*place[:batch], *picked[place])]
    return Case("GatherND", [x, picked], [y], {} if batch == 0 and draw.chance(0.5) else {"batch_dims": batch})


REDUCTIONS = {"none": lambda old, new: new, "add": lambda old, new: old + new, "mul": lambda old, new: old * new,
              "max": lambda old, new: max(old, new), "min": lambda old, new: min(old, new)}


def reduction_of(draw, dtype):
    """A reduction and values with which its order does not matter."""
    if dtype.kind == "O" or dtype.name == "bool" or dtype.kind == "c" or not (is_float(dtype) or is_integer(dtype)):
        return "none"
    return draw.pick(["none", "add", "mul", "max", "min"], [4, 1, 1, 1, 1])


def small(draw, dtype, shape, reduction):
    return draw.values(dtype, shape) if reduction == "none" else draw.values(dtype, shape, low=0, high=3).astype(dtype)


def scatter(op):
    def make(draw):
        dtype = draw.type(types(op))
        x_shape = draw.shape(1, 4, most=300, zero=0)
        reduction = "none" if op == "Scatter" else reduction_of(draw, dtype)
        x = small(draw, dtype, x_shape, reduction)
        axis = draw.axis(x.ndim)
        shape = [draw.integer(1, size) for size in x.shape]
        size = x.shape[axis]
        picked = indices(draw, shape, size)
        if reduction == "none":  # where two hit one place, which stays is not said
            order = np.argsort(draw.random.random([*shape[:axis % x.ndim], size, *shape[axis % x.ndim + 1:]]), axis)
            picked = np.take(order, range(shape[axis]), axis).astype(picked.dtype)
        updates = small(draw, dtype, shape, reduction)
        if reduction in ("add", "mul") and is_float(dtype):
            x, updates = np.rint(x.astype(float)).astype(dtype), np.rint(updates.astype(float)).astype(dtype)
        y = x.copy()
        with np.errstate(all="ignore"):
            for place in np.ndindex(*shape):
                target = list(place)
                target[axis] = int(picked[place])
                y[tuple(target)] = REDUCTIONS[reduction](y[tuple(target)], updates[place])
        if reduction in ("add", "mul") and is_float(dtype) and np.abs(y.astype(float)).max(initial=0) > 100:
            raise Skip("beyond what every float type holds exactly")
        attributes = {} if axis == 0 and draw.chance(0.5) else {"axis": axis}
        if reduction != "none":
            attributes["reduction"] = reduction
        return Case(op, [x, picked, updates], [y], attributes, opset=10 if op == "Scatter" else None)
    return make


def scatter_nd(draw):
    dtype = draw.type(types("ScatterND"))
    reduction = reduction_of(draw, dtype)
    x = small(draw, dtype, draw.shape(1, 4, most=300, zero=0), reduction)
    depth = draw.integer(1, x.ndim)
    places = math.prod(x.shape[:depth])
    count = draw.integer(0, min(places, 8))
    flat = draw.sample(range(places), count)
    if reduction != "none" and flat:
        flat = [draw.pick(flat) for _ in range(count)]
    picked = array(np.stack(np.unravel_index(array(flat), x.shape[:depth]), -1) if places else []).reshape(count, depth)
    picked = np.where(draw.random.random(picked.shape) < 0.2, picked - array(x.shape[:depth]), picked)
    updates = small(draw, dtype, (count, *x.shape[depth:]), reduction)
    if reduction in ("add", "mul") and is_float(dtype):
        x, updates = np.rint(x.astype(float)).astype(dtype), np.rint(updates.astype(float)).astype(dtype)
    y = x.copy()
    with np.errstate(all="ignore"):
        for row in range(count):
            here = tuple(picked[row])
            old, new = np.atleast_1d(y[here]), np.atleast_1d(updates[row])
            merged = [REDUCTIONS[reduction](a, b) for a, b in zip(old.ravel(), new.ravel())]
            y[here] = np.array(merged, dtype).reshape(np.shape(y[here]))[()]
    if reduction in ("add", "mul") and is_float(dtype) and np.abs(y.astype(float)).max(initial=0) > 100:
        raise Skip("beyond what every float type holds exactly")
    return Case("ScatterND", [x, picked, updates], [y], {} if reduction == "none" else {"reduction": reduction})


def tensor_scatter(draw):
    rank = draw.integer(3, 4)
    axis = draw.pick([-2, rank - 2, 1, 1 - rank])
    shape = [draw.integer(1, 5) for _ in range(rank)]
    place = axis % rank
    updates_shape = list(shape)
    updates_shape[place] = draw.integer(1, shape[place])
    dtype = draw.type(types("TensorScatter"))
    x, updates = draw.values(dtype, shape), draw.values(dtype, updates_shape)
    mode = draw.pick([None, "linear", "circular"])
    most = shape[place] - (updates_shape[place] if mode != "circular" else 1)
    starts = array([draw.integer(0, most) for _ in range(shape[0])]) if draw.chance(0.7) else None
    y = x.copy()
    for batch in range(shape[0]):
        for step in range(updates_shape[place]):
            at = ((0 if starts is None else int(starts[batch])) + step) % shape[place]
            there, here = [slice(None)] * rank, [slice(None)] * rank
            there[0] = here[0] = batch
            there[place], here[place] = at, step
            y[tuple(there)] = updates[tuple(here)]
    attributes = {} if axis == -2 and draw.chance(0.5) else {"axis": axis}
    return Case("TensorScatter", [x, updates, starts], [y], {**attributes, **({"mode": mode} if mode else {})})


def compress(draw):
    x = any_of(draw, "Compress", draw.shape(1, 4))
    axis = None if draw.chance(0.3) else draw.axis(x.ndim)
    size = x.size if axis is None else x.shape[axis]
    condition = draw.values(np.dtype(bool), (draw.integer(0, size),))
    y = np.compress(condition, x, axis)
    return Case("Compress", [x, condition], [y], {} if axis is None else {"axis": axis})


def non_zero(draw):
    x = draw.values(draw.type([n for n in types("NonZero") if n != "string"]), draw.shape(1, 5))
    x = np.where(draw.random.random(x.shape) < 0.5, x, np.zeros((), x.dtype)).astype(x.dtype)
    return Case("NonZero", [x], [array(np.nonzero(x.astype(float) if is_float(x.dtype) else x)).reshape(x.ndim, -1)])


def unique(draw):
    kinds = [name for name in types("Unique") if not name.startswith("complex")]  # which have no order
    x = draw.values(draw.type(kinds), draw.shape(0, 3, most=60, zero=0.01), special=0)
    if draw.chance(0.7) and is_integer(x.dtype):
        x = draw.values(x.dtype, x.shape, low=0, high=3)
    axis = draw.axis(x.ndim) if x.ndim and draw.chance(0.5) else None
    attributes = {} if axis is None else {"axis": axis}
    if draw.chance(0.6):
        attributes["sorted"] = draw.integer(0, 1)
    rows = list(x.ravel()) if axis is None else [x.take(i, axis) for i in range(x.shape[axis])]
    first, inverse, counts = [], [], []
    for place, row in enumerate(rows):
        same = [k for k, other in enumerate(first) if np.array_equal(rows[other], row)]
        if not same:
            first.append(place)
            counts.append(0)
        inverse.append(same[0] if same else len(first) - 1)
        counts[inverse[-1]] += 1
    order = list(range(len(first)))
    if attributes.get("sorted", 1):
        order.sort(key=lambda k: np.asarray(rows[first[k]]).ravel().tolist())
    places = [first[k] for k in order]
    y = x.ravel()[places] if axis is None else x.take(places, axis)
    renamed = [order.index(k) for k in inverse]
    return Case("Unique", [x], [y, array(places), array(renamed), array([counts[k] for k in order])], attributes)


OPS = {
    "Gather": (6, gather), "GatherElements": (4, gather_elements), "GatherND": (4, gather_nd),
    "Scatter": (1, scatter("Scatter")), "ScatterElements": (4, scatter("ScatterElements")),
    "ScatterND": (4, scatter_nd), "Compress": (2, compress), "NonZero": (2, non_zero), "Unique": (2, unique),
    "TensorScatter": (2, tensor_scatter),
}
