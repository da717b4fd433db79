"""Operators that fold a tensor along axes, or run along one: sums, extremes, running sums, softmax."""

import math

import numpy as np

from case import Case, Skip, epsilon
from draw import bounds, is_float, is_integer
from numeric import accumulated, is_large, narrow, rounding, wide, wrapped
from schema import types


def chosen_axes(draw, rank):
    """The axes as written (None: not at all), the attributes, and the axes that are meant (None: all)."""
    attributes = {} if draw.chance(0.4) else {"keepdims": draw.integer(0, 1)}
    kind = draw.pick(["some", "omitted", "empty", "noop"], [8, 2, 1, 1])
    if kind == "omitted":
        return None, attributes, tuple(range(rank))
    if kind == "empty" or rank == 0:
        return np.array([], np.int64), attributes, tuple(range(rank))
    if kind == "noop":
        return np.array([], np.int64), attributes | {"noop_with_empty_axes": 1}, ()
    axes = draw.axes(rank)
    return np.array(axes, np.int64), attributes, tuple(axis % rank for axis in axes)


def log_of_sum(x, axes, keep):
    with np.errstate(all="ignore"):
        top = np.max(x, axis=axes, keepdims=True, initial=-np.inf)
        safe = np.where(np.isfinite(top), top, 0)
        total = np.log(np.sum(np.exp(x - safe), axis=axes, keepdims=True)) + safe
    return total if keep else total.reshape([n for axis, n in enumerate(total.shape) if axis not in axes])


# What is summed up, and what becomes of the sum.
SUMS = {
    "ReduceSum": (lambda x: x, lambda total, count: total),
    "ReduceMean": (lambda x: x, lambda total, count: total / count),
    "ReduceL1": (np.abs, lambda total, count: total),
    "ReduceL2": (np.square, lambda total, count: np.sqrt(total)),
    "ReduceSumSquare": (np.square, lambda total, count: total),
    "ReduceLogSum": (np.abs, lambda total, count: np.log(total)),
}


def integer_sum(op, x, axes, keep, count):
    term, after = SUMS[op]
    total = np.asarray(np.sum(term(x.astype(object)), axis=axes, keepdims=keep, initial=0), object)
    if op in ("ReduceSum", "ReduceL1", "ReduceSumSquare"):
        return wrapped(total, x.dtype)
    return np.trunc(np.asarray(after(total.astype(np.float64), count))).astype(x.dtype)


def reduce_sum(op):
    def make(draw):
        dtype = draw.type(types(op))
        shape = draw.shape(most=3000)
        exact = op in ("ReduceSum", "ReduceL1", "ReduceSumSquare")
        if is_integer(dtype):
            if op == "ReduceLogSum":
                raise Skip("what becomes of a fraction is not said")
            x = draw.values(dtype, shape, low=-9, high=9) if not exact else draw.values(dtype, shape)
        elif op == "ReduceLogSum":
            x = draw.values(dtype, shape, low=0.1, high=5)
        else:
            x = draw.values(dtype, shape, scale=draw.pick([1.0, 10.0]))
        written, attributes, axes = chosen_axes(draw, x.ndim)
        keep = bool(attributes.get("keepdims", 1))
        count = math.prod(x.shape[axis] for axis in axes)
        if count == 0 and op == "ReduceMean":
            raise Skip("the mean of nothing is not said")
        if is_integer(dtype):
            return Case(op, [x, written], [integer_sum(op, x, axes, keep, count)], attributes)
        with np.errstate(all="ignore"):
            terms = SUMS[op][0](wide(x))
            magnitude = np.sum(np.abs(terms), axis=axes, keepdims=keep)
            if is_large(magnitude):
                raise Skip("a sum may overflow on its way")
            y = SUMS[op][1](np.sum(terms, axis=axes, keepdims=keep), count)
        rtol, atol = accumulated(dtype, magnitude if op not in ("ReduceMean",) else magnitude / count, count)
        if op in ("ReduceL2", "ReduceLogSum"):  # all terms are positive: the error is relative to the sum
            rtol, atol = rtol + accumulated(dtype, 1, count)[1], rounding(dtype, 2)[1] + 2 * epsilon("float32")
        return Case(op, [x, written], [narrow(y, dtype)], attributes, tolerance=(rtol, atol))
    return make


def reduce_log_sum_exp(draw):
    dtype = draw.type([name for name in types("ReduceLogSumExp") if not name.endswith(("int32", "int64"))])
    x = draw.values(dtype, draw.shape(), special=0, scale=draw.pick([1.0, 30.0]))
    if draw.chance(0.2):
        x = np.where(draw.random.random(x.shape) < 0.3, np.array(-np.inf, dtype), x)
    written, attributes, axes = chosen_axes(draw, x.ndim)
    y = log_of_sum(wide(x), axes, bool(attributes.get("keepdims", 1)))
    return Case("ReduceLogSumExp", [x, written], [narrow(y, dtype)], attributes,
                tolerance=(16 * epsilon(dtype), 16 * epsilon(dtype)))


def lowest(dtype):
    return False if dtype == bool else bounds(dtype)[0] if is_integer(dtype) else -np.inf


def highest(dtype):
    return True if dtype == bool else bounds(dtype)[1] if is_integer(dtype) else np.inf


def reduce_extreme(op):
    fold, empty = (np.max, lowest) if op == "ReduceMax" else (np.min, highest)

    def make(draw):
        dtype = draw.type(types(op))
        x = draw.values(dtype, draw.shape())
        written, attributes, axes = chosen_axes(draw, x.ndim)
        y = fold(wide(x), axis=axes, keepdims=bool(attributes.get("keepdims", 1)), initial=empty(dtype))
        return Case(op, [x, written], [np.asarray(y).astype(dtype)], attributes)
    return make


def reduce_product(draw):
    dtype = draw.type(types("ReduceProd"))
    shape = draw.shape(most=300, largest=9)
    written, attributes, axes = chosen_axes(draw, len(shape))
    keep = bool(attributes.get("keepdims", 1))
    if is_integer(dtype):
        x = draw.values(dtype, shape)
        y = np.asarray(np.prod(x.astype(object), axis=axes, keepdims=keep, initial=1), object)
        return Case("ReduceProd", [x, written], [wrapped(y, dtype)], attributes)
    magnitude = draw.values(dtype, shape, low=0.8, high=1.25)
    x = (wide(magnitude) * draw.random.choice([-1, 1], shape)).astype(dtype)
    y = np.prod(wide(x), axis=axes, keepdims=keep)
    return Case("ReduceProd", [x, written], [narrow(y, dtype)], attributes,
                tolerance=(2 * epsilon(dtype) + 2.0**-23 * max(x.size, 1), 0))


def arg_extreme(op):
    def make(draw):
        dtype = draw.type(types(op))
        x = draw.values(dtype, draw.shape(1, 6, zero=0.01), special=0)
        if draw.chance(0.4):
            x = draw.values(dtype, x.shape, low=0, high=2)
            x = np.rint(x.astype(float)).astype(dtype) if is_float(dtype) else x
        axis = draw.axis(x.ndim)
        if x.shape[axis] == 0:
            raise Skip("nothing is no extreme")
        attributes = {} if axis == 0 and draw.chance(0.5) else {"axis": axis}
        if draw.chance(0.6):
            attributes["keepdims"] = draw.integer(0, 1)
        if draw.chance(0.6):
            attributes["select_last_index"] = draw.integer(0, 1)
        find = np.argmax if op == "ArgMax" else np.argmin
        w = wide(x)
        if attributes.get("select_last_index"):
            y = x.shape[axis] - 1 - find(np.flip(w, axis), axis)
        else:
            y = find(w, axis)
        if attributes.get("keepdims", 1):
            y = np.expand_dims(y, axis)
        return Case(op, [x], [np.asarray(y, np.int64)], attributes)
    return make


def top_k(draw):
    dtype = draw.type(types("TopK"))
    x = draw.values(dtype, draw.shape(1, 5, zero=0.01), special=0)
    if draw.chance(0.4):
        x = np.rint(draw.values(dtype, x.shape, low=0, high=4).astype(float)).astype(dtype)
    axis = draw.axis(x.ndim)
    k = draw.integer(0 if draw.chance(0.1) else min(1, x.shape[axis]), x.shape[axis])
    attributes = {} if axis == -1 and draw.chance(0.5) else {"axis": axis}
    if draw.chance(0.6):
        attributes["largest"] = draw.integer(0, 1)
    keys = x.astype(object) if is_integer(dtype) else x.astype(np.float64)
    order = np.argsort(-keys if attributes.get("largest", 1) else keys, axis, kind="stable")
    picked = np.take(order, range(k), axis).astype(np.int64)
    return Case("TopK", [x, np.array([k], np.int64)], [np.take_along_axis(x, picked, axis), picked], attributes)


def running(op):
    def make(draw):
        dtype = draw.type(types(op))
        shape = draw.shape(1, 5)
        axis = draw.axis(len(shape))
        flags = {name: draw.integer(0, 1) for name in ("exclusive", "reverse") if draw.chance(0.5)}
        product = op == "CumProd"
        if is_integer(dtype):
            x = draw.values(dtype, shape)
        elif product:
            x = draw.values(dtype, shape, low=0.9, high=1.1)
        else:
            x = draw.values(dtype, shape, special=0)
        w = x.astype(object) if is_integer(dtype) else wide(x)
        along = np.flip(w, axis) if flags.get("reverse") else w
        y = (np.cumprod if product else np.cumsum)(along, axis)
        if flags.get("exclusive"):
            first = np.full_like(np.take(along, range(min(1, x.shape[axis])), axis), 1 if product else 0)
            y = np.concatenate([first, np.take(y, range(max(x.shape[axis] - 1, 0)), axis)], axis)
        y = np.flip(y, axis) if flags.get("reverse") else y
        place = np.array(axis, draw.pick([np.int32, np.int64]))
        if is_integer(dtype):
            return Case(op, [x, place], [wrapped(y, dtype)], flags)
        count = x.shape[axis]
        # Each partial result is rounded to the type itself.
        magnitude = np.abs(wide(x)).sum(axis) if not product else np.abs(y)
        atol = epsilon(dtype) * (2 + np.sqrt(count)) * float(np.max(magnitude, initial=0))
        return Case(op, [x, place], [narrow(y, dtype)], flags, tolerance=(2 * epsilon(dtype), atol))
    return make


def softmax(op):
    def make(draw):
        dtype = draw.type(types(op))
        x = draw.values(dtype, draw.shape(1, 6), special=0, scale=draw.pick([1.0, 20.0]))
        axis = draw.axis(x.ndim)
        if op != "Hardmax" and x.shape[axis] > 1 and draw.chance(0.2):
            x = np.where(draw.random.random(x.shape) < 0.3, np.array(-np.inf, dtype), x)
        attributes = {} if axis == -1 and draw.chance(0.5) else {"axis": axis}
        w = wide(x)
        if op == "Hardmax":
            if x.shape[axis] == 0:
                raise Skip("nothing is no extreme")
            y = (np.expand_dims(np.argmax(w, axis), axis) == np.arange(x.shape[axis]).reshape(
                [-1 if place == axis % x.ndim else 1 for place in range(x.ndim)]))
            return Case(op, [x], [y.astype(dtype)], attributes)
        with np.errstate(all="ignore"):
            top = np.max(w, axis, keepdims=True, initial=-np.inf)
            powers = np.exp(w - top)
            total = powers.sum(axis, keepdims=True)
            y = w - top - np.log(total) if op == "LogSoftmax" else powers / total
        if np.isnan(y).any():
            raise Skip("a row of negative infinities alone has no sum")
        return Case(op, [x], [narrow(y, dtype)], attributes, tolerance=(16 * epsilon(dtype), 8 * epsilon(dtype)))
    return make


OPS = {
    **{op: (6 if op in ("ReduceSum", "ReduceMean") else 3, reduce_sum(op)) for op in SUMS},
    "ReduceLogSumExp": (3, reduce_log_sum_exp), "ReduceProd": (3, reduce_product),
    **{op: (4, reduce_extreme(op)) for op in ("ReduceMax", "ReduceMin")},
    **{op: (4, arg_extreme(op)) for op in ("ArgMax", "ArgMin")}, "TopK": (6, top_k),
    "CumSum": (4, running("CumSum")), "CumProd": (2, running("CumProd")),
    "Softmax": (8, softmax("Softmax")), "LogSoftmax": (4, softmax("LogSoftmax")), "Hardmax": (2, softmax("Hardmax")),
}
