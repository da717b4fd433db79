"""Quantized values to and from real ones, and casts between all types."""

import ml_dtypes
import numpy as np
from onnx import helper

from case import Case, Skip, epsilon
from draw import bounds, dtype_of, is_float, is_integer
from numeric import wide, wrapped
from products import saturated, scale
from schema import types

FLOAT8 = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
NUMERALS = ["1.5", "-2", "1e-5", "1E8", "INF", "-inf", "NaN", "+INF", "0", "-0.25", "314.15926"]
NAMES = ("int8", "uint8", "int16", "uint16", "int4", "uint4", "int2", "uint2")


def granularity(draw, shape):
    """The shape of the scales, the attributes that say so, and scales spread over the elements as a function."""
    kind = draw.pick(["tensor", "axis", "block"], [3, 3, 2]) if shape else "tensor"
    if kind == "tensor":
        return (), {}, lambda values: values
    axis = draw.axis(len(shape))
    place = axis % len(shape)
    attributes = {} if axis == 1 and draw.chance(0.5) else {"axis": axis}
    if kind == "axis":
        along = [-1 if at == place else 1 for at in range(len(shape))]
        return (shape[place],), attributes, lambda values: values.reshape(along)
    size = draw.integer(1, max(shape[place], 1))
    blocks = list(shape)
    blocks[place] = -(-shape[place] // size)
    spread = lambda values: np.take(values.repeat(size, place), range(shape[place]), place)  # noqa: E731
    return tuple(blocks), attributes | {"block_size": size}, spread


def clamp(values, dtype):
    low, high = bounds(dtype)
    return np.clip(values, low, high).astype(np.int64).astype(dtype)


def quantize(draw):
    target = dtype_of(draw.pick(NAMES + FLOAT8, [3, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1]))
    shape = draw.shape(0, 5, zero=0.02)
    granular, attributes, spread = granularity(draw, shape)
    source = draw.type(["float32", "float32", "float16", "bfloat16"])
    # In float32 a quotient is rounded once; elsewhere only powers of two leave no doubt.
    scales = scale(draw, granular, source, is_exact=source != np.float32 or draw.chance(0.3))
    x = draw.values(source, shape, special=0, scale=draw.pick([1.0, 20.0]))
    zeros = None
    if is_integer(target):
        if draw.chance(0.7) or target.name != "uint8":
            zeros = draw.values(target, granular)
        with np.errstate(all="ignore"):
            quotient = (x / spread(scales)).astype(source).astype(np.float64)
        y = clamp(np.rint(quotient) + (0 if zeros is None else spread(zeros.astype(np.int64))), target)
    else:
        if draw.chance(0.5):
            zeros = np.zeros(granular, target)
        else:
            attributes["output_dtype"] = helper.np_dtype_to_tensor_dtype(target)
        quotient = (x.astype(np.float32) / spread(scales).astype(np.float32)).astype(source).astype(np.float32)
        saturate = draw.pick([None, 0, 1])
        if saturate is not None:
            attributes["saturate"] = saturate
        y = to_float8(quotient, target, saturate != 0)
    return Case("QuantizeLinear", [x, scales, zeros], [y], attributes)


def dequantize(draw):
    source = dtype_of(draw.pick(NAMES + FLOAT8 + ("int32", "float4_e2m1fn")))
    shape = draw.shape(0, 5, zero=0.02)
    granular, attributes, spread = granularity(draw, shape)
    target = draw.type(["float32", "float32", "float16", "bfloat16"])
    scales = scale(draw, granular, target, is_exact=target != np.float32)
    x = draw.values(source, shape, special=0)
    zeros = None
    if is_integer(source) and source != np.int32 and draw.chance(0.7):
        zeros = draw.values(source, granular)
    difference = x.astype(np.float64) - (0 if zeros is None else spread(zeros.astype(np.float64)))
    with np.errstate(all="ignore"):
        y = (difference * spread(scales.astype(np.float64))).astype(target)
    # Where a type holds no such difference, it is rounded before the product too.
    tolerance = (2 * epsilon(target), 0) if source == np.int32 or target != np.float32 else None
    return Case("DequantizeLinear", [x, scales, zeros], [y], attributes, tolerance=tolerance)


def dynamic_quantize(draw):
    x = draw.values(np.dtype(np.float32), draw.shape(0, 5, zero=0), special=0, scale=draw.pick([1.0, 50.0]))
    if draw.chance(0.2):
        x = np.abs(x) * np.float32(draw.pick([1, -1]))
    low, high = np.minimum(np.float32(0), x.min()), np.maximum(np.float32(0), x.max())
    step = np.float32((high - low) / np.float32(255))
    if step == 0:
        raise Skip("zeros alone have no scale")
    zero = np.uint8(np.clip(np.rint(np.float32(0) - low / step), 0, 255))
    y = saturated(np.rint(x / step).astype(np.int64) + int(zero), np.uint8)
    return Case("DynamicQuantizeLinear", [x], [y, np.array(step), np.array(zero)])


def to_float8(x, dtype, saturates):
    """As the tables of Cast say; x is float32."""
    largest = np.float32(ml_dtypes.finfo(dtype).max)
    with np.errstate(all="ignore"):
        y = x.astype(dtype)
        if saturates:
            y = np.where(np.isnan(x), x, np.clip(x, -largest, largest)).astype(dtype)
    return y


def cast_values(draw, source, target, shape):
    """Values of which the specification says what becomes of them."""
    if source.kind == "O":
        if is_integer(target) or target == bool:
            number = draw.values(np.dtype(np.int8) if target == bool else target, shape, special=0)
            return np.array([str(value) for value in np.ravel(number).tolist()], object).reshape(shape)
        texts = ["1", "2", "0.25"] if "e8m0" in target.name else NUMERALS
        return np.array([draw.pick(texts) for _ in range(int(np.prod(shape)))], object).reshape(shape)
    if is_float(source) and is_integer(target):
        low, high = bounds(target)
        if "e8m0" in source.name:
            return np.full(shape, 1.0)
        top = min(high, 1000, float(ml_dtypes.finfo(source).max))
        return draw.values(source, shape, low=max(low, -top), high=top)
    if "e8m0" in target.name:
        least, most = (0, (bounds(source)[1] + 1).bit_length() - 2) if is_integer(source) else (-1, 2)
        return 2.0 ** draw.random.integers(0 if source == bool else least, 1 + (0 if source == bool else most), shape)
    x = draw.values(source, shape)
    if source == np.float64 and target != np.float64:
        x = x.astype(np.float32).astype(np.float64)  # so that rounding twice is rounding once
    return x


def read(texts, target):
    """Numbers from texts, in a type that holds them all."""
    numbers = [float(text) if is_float(target) else int(text) for text in texts.ravel()]
    return np.array(numbers, np.float64 if is_float(target) else object).reshape(texts.shape)


def converted(x, source, target, saturates):
    if source.kind == "O":
        x = read(x, target)
        source = x.dtype
    if target == bool:
        return wide(x) != 0
    if target.name in FLOAT8:
        return to_float8(x.astype(np.float32), target, saturates)
    if target.name == "float4_e2m1fn":
        return np.clip(x.astype(np.float32), -6, 6).astype(target)
    if is_integer(target) and not is_float(source) and source != bool:
        return wrapped(x, target)
    with np.errstate(all="ignore"):
        return (np.trunc(wide(x)) if is_float(source) and is_integer(target) else x).astype(target)


def castable(op):
    return [name for name in types(op, "T1") if not name.startswith(("float6", "complex"))]


def cast(op):
    def make(draw):
        source, target = draw.type(castable(op)), draw.type(castable(op))
        shape = draw.shape(most=200)
        if target.kind == "O":
            if not is_integer(source):
                raise Skip("how many digits of a fraction are written is not said")
            x = draw.values(source, shape)
            y = np.array([str(value) for value in np.ravel(x).tolist()], object).reshape(shape)
        else:
            x = np.asarray(cast_values(draw, source, target, shape)).astype(source)
            if target.name == "float4_e2m1fn" and not np.isfinite(wide(x).astype(float)).all():
                raise Skip("that type has no NaN")
            y = converted(x, source, target, True)
        attributes = {}
        inputs = [x]
        if op == "Cast":
            attributes["to"] = helper.np_dtype_to_tensor_dtype(target) if target.kind != "O" else 8
        else:
            inputs.append(draw.values(target, draw.shape(0, 2, most=10), special=0))
        if target.name in FLOAT8 and draw.chance(0.5):
            attributes["saturate"] = draw.integer(0, 1)
            y = converted(x, source, target, bool(attributes["saturate"]))
        return Case(op, inputs, [y], attributes)
    return make


OPS = {
    "QuantizeLinear": (10, quantize), "DequantizeLinear": (10, dequantize),
    "DynamicQuantizeLinear": (3, dynamic_quantize), "Cast": (14, cast("Cast")), "CastLike": (4, cast("CastLike")),
}
