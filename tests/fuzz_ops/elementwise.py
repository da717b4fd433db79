"""Operators that work on each element, with numpy's rule of broadcasting."""

import numpy as np
from scipy import special

from case import Case, Skip, epsilon
from draw import bounds, dtype_of, is_float, is_integer
from numeric import narrow, rounding, truncated, wide, wrapped
from schema import types


def sigmoid(x):
    return special.expit(x)


def softplus(x):
    return np.logaddexp(x, 0)


def erf_gelu(x):
    return np.where(np.isneginf(x), -0.0, 0.5 * x * special.erfc(-x / np.sqrt(2)))


def half_even(x):
    return np.rint(x)


# Functions of one tensor without attributes: value in double precision, last places allowed (0: exact).
EXACT = {
    "Abs": np.abs, "Neg": np.negative, "Ceil": np.ceil, "Floor": np.floor, "Round": half_even, "Sign": np.sign,
    "Sqrt": np.sqrt, "Reciprocal": lambda x: 1 / x, "Relu": lambda x: np.where(x > 0, x, np.where(np.isnan(x), x, 0))
    if x.dtype.kind == "f" else np.maximum(x, 0), "BitwiseNot": np.invert, "Not": np.logical_not,
}
CURVES = {
    "Exp": np.exp, "Log": np.log, "Sin": np.sin, "Cos": np.cos, "Tan": np.tan, "Asin": np.arcsin, "Acos": np.arccos,
    "Atan": np.arctan, "Sinh": np.sinh, "Cosh": np.cosh, "Tanh": np.tanh, "Asinh": np.arcsinh, "Acosh": np.arccosh,
    "Atanh": np.arctanh, "Erf": special.erf, "Sigmoid": sigmoid, "Softplus": softplus,
    "Softsign": lambda x: x / (1 + np.abs(x)),
    "HardSwish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1), "Mish": lambda x: x * np.tanh(softplus(x)),
}


# x / 6 + 0.5 may cancel. Where the smallest normal number counts as zero, up to 104 of it are lost by a product with x.
CURVE_TOLERANCES = {
    "HardSwish": lambda dtype, places: (places * epsilon(dtype), 4 * epsilon(dtype)),
    "Mish": lambda dtype, places: (places * epsilon(dtype), 104 * max(1.2e-38, rounding(dtype, places)[1])),
}


def unary_exact(op):
    def make(draw):
        dtype = draw.type(types(op))
        x = draw.values(dtype, draw.shape())
        with np.errstate(all="ignore"):
            y = narrow(EXACT[op](wide(x)), dtype)
        return Case(op, [x], [y])
    return make


def curve_values(draw, dtype, shape):
    return draw.values(dtype, shape, scale=draw.pick([1.0, 0.1, 8.0, 60.0], [6, 2, 3, 1]))


def unary_curve(op):
    def make(draw):
        dtype = draw.type(types(op))
        x = curve_values(draw, dtype, draw.shape())
        with np.errstate(all="ignore"):
            y = narrow(CURVES[op](wide(x)), dtype)
        return Case(op, [x], [y], tolerance=CURVE_TOLERANCES.get(op, rounding)(dtype, 8))
    return make


# Activations with attributes: names with their defaults, and the value.
ACTIVATIONS = {
    "LeakyRelu": ({"alpha": 0.01}, lambda x, alpha: np.where(x < 0, alpha * x, x)),
    "Elu": ({"alpha": 1.0}, lambda x, alpha: np.where(x < 0, alpha * np.expm1(x), x)),
    "Celu": ({"alpha": 1.0}, lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(x / alpha))),
    "Selu": ({"alpha": 1.67326319217681884765625, "gamma": 1.05070102214813232421875},
             lambda x, alpha, gamma: gamma * np.where(x > 0, x, alpha * np.expm1(x))),
    "HardSigmoid": ({"alpha": 0.2, "beta": 0.5}, lambda x, alpha, beta: np.clip(alpha * x + beta, 0, 1)),
    "ThresholdedRelu": ({"alpha": 1.0}, lambda x, alpha: np.where(x > alpha, x, 0)),
    "Shrink": ({"lambd": 0.5, "bias": 0.0},
               lambda x, lambd, bias: np.where(x < -lambd, x + bias, np.where(x > lambd, x - bias, 0))),
    "Swish": ({"alpha": 1.0}, lambda x, alpha: x * sigmoid(alpha * x)),
}


def activation(op):
    def make(draw):
        defaults, function = ACTIVATIONS[op]
        dtype = draw.type([name for name in types(op) if op != "Shrink" or is_float(dtype_of(name))])
        x = draw.values(dtype, draw.shape(), scale=draw.pick([1.0, 8.0]))
        given = {name: float(np.float32(draw.random.uniform(0.05, 2))) for name in defaults if draw.chance(0.5)}
        if op in ("LeakyRelu", "Elu") and given and draw.chance(0.3):
            given["alpha"] = -given["alpha"]
        with np.errstate(all="ignore"):
            used = {name: float(np.float32(value)) for name, value in {**defaults, **given}.items()}
            y = narrow(function(wide(x), **used), dtype)
        if np.isnan(y.astype(float)).any() or np.isinf(x.astype(float)).any():
            raise Skip("the formulas say nothing on infinities")
        return Case(op, [x], [y], given, tolerance=(8 * epsilon(dtype), 8 * epsilon(dtype)))
    return make


def gelu(draw):
    dtype = draw.type(types("Gelu"))
    x = draw.values(dtype, draw.shape(), special=0, scale=draw.pick([1.0, 4.0]))
    mode = draw.pick([None, "none", "tanh"])
    w = wide(x)
    y = 0.5 * w * (1 + np.tanh(np.sqrt(2 / np.pi) * (w + 0.044715 * w**3))) if mode == "tanh" else erf_gelu(w)
    # 1 + erf rounds at one, and a few times x / 2 of that remain.
    return Case("Gelu", [x], [narrow(y, dtype)], {"approximate": mode} if mode else {},
                tolerance=(16 * epsilon(dtype), 8 * epsilon(dtype)))


ARITHMETIC = {"Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b,
              "Div": lambda a, b: a / b}


def arithmetic(op):
    def make(draw):
        dtype = draw.type(types(op))
        shapes = draw.broadcast(2)
        a, b = (draw.values(dtype, shape) for shape in shapes)
        if is_integer(dtype):
            if op == "Div":
                b = np.where(b == 0, np.array(1, dtype), b)
                if bounds(dtype)[0] < 0:
                    b = np.where(b == -1, np.array(2, dtype), b)
                y = wrapped(truncated(*np.broadcast_arrays(a, b)), dtype)
            else:
                y = wrapped(ARITHMETIC[op](a.astype(object), b.astype(object)), dtype)
        else:
            with np.errstate(all="ignore"):
                y = narrow(ARITHMETIC[op](wide(a), wide(b)), dtype)
        # A division by a constant may be done by its reciprocal.
        return Case(op, [a, b], [y], tolerance=rounding(dtype, 2) if op == "Div" and is_float(dtype) else None)
    return make


COMPARISONS = {"Equal": np.equal, "Greater": np.greater, "GreaterOrEqual": np.greater_equal, "Less": np.less,
               "LessOrEqual": np.less_equal}
LOGICAL = {"And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor}
BITWISE = {"BitwiseAnd": np.bitwise_and, "BitwiseOr": np.bitwise_or, "BitwiseXor": np.bitwise_xor}


def binary(op, function):
    def make(draw):
        dtype = draw.type(types(op))
        a, b = (draw.values(dtype, shape) for shape in draw.broadcast(2))
        if draw.chance(0.5) and a.shape == b.shape and a.size:
            b = np.where(draw.random.random(a.shape) < 0.5, a, b).astype(dtype)
        left, right = (wide(a), wide(b)) if dtype.kind != "O" else (a, b)
        return Case(op, [a, b], [np.asarray(function(left, right)).astype(bool if op not in BITWISE else dtype)])
    return make


def bit_shift(draw):
    dtype = draw.type(types("BitShift"))
    direction = draw.pick(["LEFT", "RIGHT"])
    left, right = draw.broadcast(2)
    a, b = draw.values(dtype, left), draw.values(dtype, right, low=0, high=dtype.itemsize * 8 - 1)
    y = (np.left_shift if direction == "LEFT" else np.right_shift)(a, b)
    return Case("BitShift", [a, b], [y], {"direction": direction})


def mod(draw):
    dtype = draw.type(types("Mod"))
    a, b = (draw.values(dtype, shape) for shape in draw.broadcast(2))
    fmod = 1 if is_float(dtype) else draw.pick([0, 0, 1])
    if is_integer(dtype):
        b = np.where(b == 0, np.array(1, dtype), b)
        wide_a, wide_b = np.broadcast_arrays(a.astype(object), b.astype(object))
        y = wide_a - wide_b * truncated(wide_a, wide_b) if fmod else wide_a % wide_b
        return Case("Mod", [a, b], [wrapped(y, dtype)], {"fmod": 1} if fmod else {})
    with np.errstate(all="ignore"):
        return Case("Mod", [a, b], [narrow(np.fmod(wide(a), wide(b)), dtype)], {"fmod": 1})


def power(draw):
    base, exponent = draw.type(types("Pow", "T")), draw.type(types("Pow", "T1"))
    left, right = draw.broadcast(2)
    if is_integer(base):
        if is_float(exponent):
            exponent = base
        a, b = draw.values(base, left, low=-5, high=5), draw.values(exponent, right, low=0, high=6)
        y = wrapped(np.asarray(np.power(*np.broadcast_arrays(a.astype(object), b.astype(object)))), base)
        return Case("Pow", [a, b], [y])
    a = draw.values(base, left, special=draw.pick([0, 0.2]))
    b = draw.values(exponent, right, low=-4, high=4) if is_integer(exponent) or draw.chance(0.3) \
        else draw.values(exponent, right, special=draw.pick([0, 0.2]))
    if draw.chance(0.3):
        b = np.full(b.shape, draw.pick([0, 0.5, 1, 2, 3] if is_float(exponent) else [0, 1, 2, 3])).astype(exponent)
    with np.errstate(all="ignore"):
        y = narrow(np.power(wide(a), b.astype(np.float64)), base)
    return Case("Pow", [a, b], [y], tolerance=rounding(base, 16))


def prelu(draw):
    dtype = draw.type(types("PRelu"))
    shape = draw.shape()
    slope = [1 if draw.chance(0.4) else dim for dim in shape][draw.integer(0, len(shape)):]
    x, s = draw.values(dtype, shape), draw.values(dtype, slope)
    with np.errstate(all="ignore"):
        if is_integer(dtype):
            y = wrapped(np.where(x < 0, s.astype(object) * x.astype(object), x.astype(object)), dtype)
        else:
            y = narrow(np.where(wide(x) < 0, wide(s) * wide(x), wide(x)), dtype)
    return Case("PRelu", [x, s], [y])


VARIADIC = {"Max": np.maximum, "Min": np.minimum, "Sum": np.add, "Mean": np.add}


def variadic(op):
    def make(draw):
        dtype = draw.type(types(op))
        count = draw.pick([1, 2, 3, 5], [1, 3, 2, 1])
        inputs = [draw.values(dtype, shape) for shape in draw.broadcast(count)]
        with np.errstate(all="ignore"):
            y = wide(inputs[0])
            magnitude = np.abs(y)
            for other in inputs[1:]:
                y = VARIADIC[op](y, wide(other))
                magnitude = magnitude + np.abs(wide(other)) if is_float(dtype) else magnitude
            if op == "Mean":
                y = y / count
            y = narrow(y, dtype)
        if op in ("Max", "Min") or is_integer(dtype):
            return Case(op, inputs, [y])
        if np.isinf(wide(y)).any() or (magnitude > 0.1 * float(np.finfo(np.float32).max)).any():
            raise Skip("an infinite sum may overflow on its way")
        atol = 4 * epsilon(dtype) * float(magnitude[np.isfinite(magnitude)].max(initial=0))
        return Case(op, inputs, [y], tolerance=(2 * epsilon(dtype), atol))
    return make


def clip(draw):
    dtype = draw.type(types("Clip"))
    x = draw.values(dtype, draw.shape())
    low = draw.values(dtype, special=0) if draw.chance(0.6) else None
    high = draw.values(dtype, special=0) if draw.chance(0.6) else None
    y = x
    if low is not None:
        y = np.where(wide(y) < wide(low), low, y)
    if high is not None:
        y = np.where(wide(y) > wide(high), high, y)
    return Case("Clip", [x, low, high], [y.astype(dtype)])


def where(draw):
    dtype = draw.type(types("Where"))
    shapes = draw.broadcast(3)
    condition = draw.values(np.dtype(bool), shapes[0])
    x, y = draw.values(dtype, shapes[1]), draw.values(dtype, shapes[2])
    return Case("Where", [condition, x, y], [np.where(condition, x, y).astype(dtype)])


def is_nan(draw):
    dtype = draw.type(types("IsNaN", "T1"))
    x = draw.values(dtype, draw.shape(), special=0.5)
    return Case("IsNaN", [x], [np.isnan(wide(x))])


def is_inf(draw):
    dtype = draw.type(types("IsInf", "T1"))
    x = draw.values(dtype, draw.shape(), special=0.5)
    flags = {name: draw.integer(0, 1) for name in ("detect_negative", "detect_positive") if draw.chance(0.5)}
    w = wide(x)
    y = np.isneginf(w) & bool(flags.get("detect_negative", 1))
    y |= np.isposinf(w) & bool(flags.get("detect_positive", 1))
    return Case("IsInf", [x], [y], flags)


OPS = {
    **{op: (3 if op in ("Relu", "Sqrt", "Neg") else 2, unary_exact(op)) for op in EXACT},
    **{op: (3 if op in ("Exp", "Tanh", "Sigmoid", "Erf") else 2, unary_curve(op)) for op in CURVES},
    **{op: (2, activation(op)) for op in ACTIVATIONS},
    **{op: (8, arithmetic(op)) for op in ARITHMETIC},
    **{op: (3, binary(op, function)) for op, function in {**COMPARISONS, **LOGICAL, **BITWISE}.items()},
    **{op: (4, variadic(op)) for op in VARIADIC},
    "Gelu": (3, gelu), "BitShift": (2, bit_shift), "Mod": (4, mod), "Pow": (6, power), "PRelu": (3, prelu),
    "Clip": (4, clip), "Where": (6, where), "IsNaN": (1, is_nan), "IsInf": (2, is_inf),
}
