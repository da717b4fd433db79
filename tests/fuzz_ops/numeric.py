"""Arithmetic of the oracles: done wide, rounded once, with what rounding may cost a kernel that is right."""

import numpy as np

from case import epsilon
from draw import bounds, is_float


def rounding(dtype, places):
    """Tolerance of so many last places; what is smaller than a normal float32 may become zero."""
    tiny = {"float32": 2e-39, "float64": 5e-324, "float16": 6e-8, "bfloat16": 1e-40}.get(np.dtype(dtype).name, 0)
    return (places * epsilon(dtype), places * tiny)


def wide(x):
    """Float arithmetic is done in double precision and rounded once."""
    return x.astype(np.float64) if is_float(x.dtype) else x


def narrow(y, dtype):
    with np.errstate(all="ignore"):
        return np.asarray(y).astype(dtype)


def root_normalized(x, weight, epsilon, axes=-1):
    """What RMSNormalization makes of float64 numbers; `epsilon` is one of a float attribute."""
    return x / np.sqrt((x**2).mean(axes, keepdims=True) + np.float32(epsilon)) * wide(weight)


def truncated(a, b):
    quotient = np.abs(a.astype(object)) // np.abs(b.astype(object))
    return np.where((a < 0) != (b < 0), -quotient, quotient)


def wrapped(values, dtype):
    """Python integers as the type's, modulo its number of values."""
    low, high = bounds(dtype)
    flat = [(int(v) - low) % (high - low + 1) + low for v in np.asarray(values, object).ravel()]
    return np.array(flat, object).reshape(np.shape(values)).astype(dtype)


def accumulated(dtype, magnitude, count):
    """Tolerance of a sum of `count` terms whose absolute values add up to `magnitude` (an array: its largest counts).
    Kernels sum in float32, or double precision for double, in an order of their choice: rounding errors then grow like
    the root of the count, and twice as much is allowed."""
    inner = 2.0**-52 if np.dtype(dtype) in (np.float64, np.complex128) else 2.0**-23
    magnitude = np.asarray(magnitude, float)
    largest = float(magnitude[np.isfinite(magnitude)].max(initial=0))
    return (2 * epsilon(dtype), inner * (8 + 2 * np.sqrt(count)) * largest)


def is_large(magnitude):
    """Whether a sum of such magnitude may overflow float32 on its way."""
    magnitude = np.asarray(magnitude, float)
    return bool((magnitude[np.isfinite(magnitude)] > 1e37).any())
