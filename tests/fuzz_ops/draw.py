"""What is drawn at random: choices, shapes and values. All of it follows from one numpy generator."""

import ml_dtypes
import numpy as np

FLOAT_TYPES = ("float32", "float64", "float16", "bfloat16")
# Most files are float32; every other type gets its share.
TYPE_WEIGHTS = {"float32": 6.0, "int64": 2.0}

STRINGS = ["", "a", "B", "abc", "ABC", "déjà", "日本", "x y", " lead", "tail ", "0", "-1", "3.5", "nan", "a,b,,c",
           "ß", "😀"]


def dtype_of(name):
    """A numpy type by numpy's or ml_dtypes' name; strings are objects."""
    if name == "string":
        return np.dtype(object)
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


def is_float(dtype):
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def is_integer(dtype):
    return dtype.kind in "iu" or dtype.name in ("int4", "uint4", "int2", "uint2")


def bounds(dtype):
    """Smallest and largest number of an integer type, as Python's."""
    info = ml_dtypes.iinfo(dtype) if dtype.name in ("int4", "uint4", "int2", "uint2") else np.iinfo(dtype)
    return int(info.min), int(info.max)


def specials(dtype):
    """The numbers of a type at which kernels go wrong."""
    if dtype.name in ("float4_e2m1fn", "float8_e8m0fnu"):
        return np.array([0.5, 1, 2, 4], dtype)
    info = ml_dtypes.finfo(dtype)
    values = [0.0, -0.0, float(info.max), -float(info.max), float(info.tiny), float(info.smallest_subnormal),
              -float(info.smallest_subnormal), 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, float(info.eps),
              1 - float(info.eps)]
    with np.errstate(all="ignore"):
        return np.array([*values, np.nan, np.inf, -np.inf]).astype(dtype)


class Skip(Exception):
    """What was drawn makes no case; another draw will."""


class Draw:
    def __init__(self, *seed):
        self.random = np.random.default_rng(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def integer(self, low, high):
        """Of low..high, both included."""
        return int(self.random.integers(low, high, endpoint=True))

    def pick(self, choices, weights=None):
        if weights is not None:
            weights = np.asarray(weights, float)
            return choices[int(self.random.choice(len(choices), p=weights / weights.sum()))]
        return choices[self.integer(0, len(choices) - 1)]

    def sample(self, choices, count):
        return [choices[i] for i in self.random.permutation(len(choices))[:count]]

    def type(self, names):
        """One of these types, the common ones more often."""
        if not names:
            raise Skip("the form has none of these types")
        return dtype_of(self.pick(list(names), [TYPE_WEIGHTS.get(name, 1.0) for name in names]))

    # Shapes

    def dim(self, largest=9, zero=0.03):
        if self.chance(zero):
            return 0
        if largest >= 65:
            return self.pick([1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 65],
                             [4, 3, 4, 2, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1])
        return min(self.pick([1, 2, 3, 4, 5, 7, 8, 9, 17, 33], [4, 4, 5, 3, 3, 2, 2, 1, 1, 1]), largest)

    def shape(self, low=0, high=8, most=1500, zero=0.03, largest=70):
        """Dims of low to high axes with at most so many elements, now and then none."""
        rank = min(max(self.pick([0, 1, 2, 3, 4, 5, 6, 8], [1, 4, 5, 5, 5, 2, 1, 1]), low), high)
        dims = [self.dim(largest, zero) for _ in range(rank)]
        while np.prod(dims, dtype=np.int64) > most:
            axis = int(np.argmax(dims))
            dims[axis] = max(dims[axis] // 2, 1)
        return tuple(dims)

    def broadcast(self, count, **limits):
        """Shapes of so many operands which numpy's rule brings to one shape."""
        full = self.shape(**limits)
        shapes = []
        for _ in range(count):
            kind = self.pick(["full", "ones", "short", "scalar", "one axis"], [4, 3, 3, 1, 1])
            dims = list(full)
            if kind == "ones":
                dims = [1 if self.chance(0.5) else dim for dim in dims]
            elif kind == "short":
                dims = [1 if self.chance(0.3) else dim for dim in dims][self.integer(0, len(dims)):]
            elif kind == "scalar":
                dims = [] if self.chance(0.5) else [1]
            elif kind == "one axis" and dims:
                kept = self.integer(0, len(dims) - 1)
                dims = [dim if axis == kept else 1 for axis, dim in enumerate(dims)]
            shapes.append(tuple(dims))
        return shapes

    def axis(self, rank):
        """An axis of that rank, from either end."""
        axis = self.integer(0, rank - 1)
        return axis - rank if self.chance(0.4) else axis

    def axes(self, rank, low=1):
        """Different axes in any order, from either end."""
        axes = self.sample(range(rank), self.integer(min(low, rank), rank))
        return [axis - rank if self.chance(0.4) else axis for axis in axes]

    # Values

    def values(self, dtype, shape=(), special=None, scale=None, low=None, high=None):
        """Values of that type. `special` is the share of NaN, infinities, denormals and the like among floats,
        of the smallest and largest among integers; none where low and high bound the values."""
        dtype = np.dtype(dtype)
        if dtype.kind == "O":
            chosen = np.empty(shape, object)
            chosen.ravel()[:] = [self.pick(STRINGS) for _ in range(chosen.size)]
            return chosen
        if dtype == np.bool_:
            return np.asarray(self.random.random(shape) < 0.5)
        if dtype.kind == "c":
            part = np.dtype("float32" if dtype == np.complex64 else "float64")
            return (self.values(part, shape, special, scale) + 1j * self.values(part, shape, 0, scale)).astype(dtype)
        bounded = low is not None or high is not None
        if special is None:
            special = 0 if bounded else self.pick([0, 0.1, 0.6], [5, 3, 2])
        if is_integer(dtype):
            return self.integers(dtype, shape, special, low, high)
        if bounded:
            drawn = self.random.uniform(low, high, shape)
        else:
            scale = self.pick([1.0, 0.01, 10.0, 100.0], [8, 1, 3, 1]) if scale is None else scale
            drawn = self.random.standard_normal(shape) * scale
            if self.chance(0.15):
                drawn = np.rint(drawn * 2) / 2
        with np.errstate(all="ignore"):
            drawn = np.asarray(drawn).astype(dtype)
        if special:
            chosen = self.random.random(shape) < special
            numbers = specials(dtype)
            drawn = np.where(chosen, numbers[self.random.integers(0, len(numbers), shape)], drawn).astype(dtype)
        return drawn

    def integers(self, dtype, shape, special, low, high):
        smallest, largest = bounds(dtype)
        if low is None and high is None:
            low, high = self.pick([(-10, 10), (-100, 100), (smallest, largest)], [4, 2, 3])
        low = smallest if low is None else max(smallest, low)
        high = largest if high is None else min(largest, high)
        wide = np.uint64 if high > np.iinfo(np.int64).max else np.int64
        drawn = self.random.integers(low, high, shape, endpoint=True, dtype=wide).astype(dtype)
        if special:
            ends = np.array([smallest, largest, max(smallest, -1), 0, 1], object).astype(dtype)
            chosen = self.random.random(shape) < special
            drawn = np.where(chosen, ends[self.random.integers(0, 5, shape)], drawn).astype(dtype)
        return drawn
