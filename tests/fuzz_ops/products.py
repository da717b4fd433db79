"""Products of matrices and tensors, of floats and of integers."""

import numpy as np

from case import Case, Skip
from draw import dtype_of, is_integer
from numeric import accumulated, is_large, narrow, wide, wrapped
from schema import types


def matrix_shapes(draw):
    """Two shapes that MatMul takes: vectors, matrices and broadcast batches of them."""
    m, k, n = draw.dim(20), draw.dim(40), draw.dim(20)
    kind = draw.pick(["both", "left vector", "right vector", "vectors"], [8, 1, 1, 1])
    if kind == "vectors":
        return (k,), (k,)
    left, right = draw.broadcast(2, low=0, high=4, most=12, largest=4) if draw.chance(0.6) else ((), ())
    if kind == "left vector":
        return (k,), (*right, k, n)
    if kind == "right vector":
        return (*left, m, k), (k,)
    return (*left, m, k), (*right, k, n)


def product(x, y):
    """numpy's of doubles; that of objects is exact but takes no empty sums."""
    if x.dtype.kind == "O" and x.shape[-1] == 0:
        return np.zeros(np.matmul(x.astype(float), y.astype(float)).shape, object)
    return np.matmul(x, y)


def tame(x):
    """Without finite numbers of which products overflow float32, for then the order of a sum shows."""
    w = wide(x)
    return np.where(np.isfinite(w) & (np.abs(w) > 1e15), np.ones((), x.dtype), x)


def matmul(draw):
    dtype = draw.type(types("MatMul"))
    left, right = matrix_shapes(draw)
    if is_integer(dtype):
        a, b = draw.values(dtype, left), draw.values(dtype, right)
        return Case("MatMul", [a, b], [wrapped(product(a.astype(object), b.astype(object)), dtype)])
    special = draw.pick([0, 0.02], [4, 1])
    a, b = (tame(draw.values(dtype, shape, special=special)) for shape in (left, right))
    with np.errstate(all="ignore"):
        magnitude = np.matmul(np.abs(wide(a)), np.abs(wide(b)))
        if is_large(magnitude):
            raise Skip("a sum may overflow on its way")
        y = np.matmul(wide(a), wide(b))
    return Case("MatMul", [a, b], [narrow(y, dtype)], tolerance=accumulated(dtype, magnitude, a.shape[-1]))


def bias_shape(draw, m, n):
    return draw.pick([(m, n), (1, n), (m, 1), (n,), (1,), (), (1, 1)])


def gemm(draw):
    dtype = draw.type(types("Gemm"))
    m, k, n = draw.dim(33), draw.dim(40), draw.dim(33)
    flags = {name: 1 for name in ("transA", "transB") if draw.chance(0.4)}
    factors = {} if is_integer(dtype) else {
        name: draw.pick([0.0, 1.0, -1.0, 0.5, 1.75]) for name in ("alpha", "beta") if draw.chance(0.4)}
    a = draw.values(dtype, (k, m) if "transA" in flags else (m, k), special=0)
    b = draw.values(dtype, (n, k) if "transB" in flags else (k, n), special=0)
    c = draw.values(dtype, bias_shape(draw, m, n), special=0) if draw.chance(0.8) else None
    left, right = (a.T if "transA" in flags else a), (b.T if "transB" in flags else b)
    if is_integer(dtype):
        y = product(left.astype(object), right.astype(object)) + (0 if c is None else c.astype(object))
        return Case("Gemm", [a, b, c], [wrapped(y, dtype)], flags)
    alpha, beta = factors.get("alpha", 1.0), factors.get("beta", 1.0)
    y = alpha * (wide(left) @ wide(right))
    magnitude = abs(alpha) * (np.abs(wide(left)) @ np.abs(wide(right)))
    if c is not None:
        y, magnitude = y + beta * wide(c), magnitude + abs(beta) * np.abs(wide(c))
    return Case("Gemm", [a, b, c], [narrow(y, dtype)], flags | factors, tolerance=accumulated(dtype, magnitude, k + 1))


def equation(draw):
    """Random terms over few letters, now and then with an ellipsis or a letter twice."""
    letters = draw.sample("abcijkXY", draw.integer(1, 5))
    count = draw.pick([1, 2, 3], [3, 5, 1])
    terms = ["".join(draw.sample(letters, draw.integer(1, len(letters)))) for _ in range(count)]
    if draw.chance(0.15):
        terms[0] += draw.pick(terms[0])
    used = sorted(set("".join(terms)))
    out = "".join(draw.sample(used, draw.integer(0, len(used))))
    if draw.chance(0.3):
        at = [draw.integer(0, len(term)) for term in terms]
        terms = [term[:place] + "..." + term[place:] for term, place in zip(terms, at)]
        out = "..." + out
    return terms, out if draw.chance(0.8) else None


def einsum(draw):
    dtype = draw.type(types("Einsum"))
    terms, out = equation(draw)
    sizes = {letter: draw.integer(1, 5) if draw.chance(0.97) else 0 for letter in "abcijkXY"}
    middle = draw.shape(0, 2, most=6, largest=3)
    shapes = []
    for term in terms:
        shape = []
        for letter in term.replace("...", "."):
            shape += [1 if draw.chance(0.2) else n for n in middle] if letter == "." else [sizes[letter]]
        shapes.append(shape)
    text = ",".join(terms) + ("" if out is None else "->" + out)
    if draw.chance(0.3):
        text = text.replace(",", " , ").replace("->", " -> ")
    inputs = [draw.values(dtype, shape, special=0) for shape in shapes]
    plain = text.replace(" ", "")
    count = int(np.prod([max(n, 1) for n in sizes.values()]))
    if is_integer(dtype):
        work = np.uint64 if dtype.kind == "u" else np.int64
        with np.errstate(all="ignore"):
            y = np.einsum(plain, *[x.astype(work) for x in inputs])
        return Case("Einsum", inputs, [np.asarray(y).astype(dtype)], {"equation": text})
    y = np.einsum(plain, *[wide(x) for x in inputs])
    magnitude = np.einsum(plain, *[np.abs(wide(x)) for x in inputs])
    return Case("Einsum", inputs, [narrow(y, dtype)], {"equation": text},
                tolerance=accumulated(dtype, magnitude, count))


def zero_point(draw, dtype, shape):
    return draw.values(dtype, shape) if draw.chance(0.8) else None


def shifted(x, zero):
    return x.astype(np.int64) - (0 if zero is None else zero.astype(np.int64))


def matmul_integer(draw):
    first, second = (draw.type(types("MatMulInteger", name)) for name in ("T1", "T2"))
    left, right = matrix_shapes(draw)
    a, b = draw.values(first, left), draw.values(second, right)
    rows = draw.chance(0.3) and len(left) == 2
    za = zero_point(draw, first, (left[-2],) if rows else ())
    zb = zero_point(draw, second, (right[-1],) if draw.chance(0.4) and len(right) == 2 else ())
    shifted_a = shifted(a, za if za is None or za.ndim == 0 else za[:, None])
    y = np.matmul(shifted_a, shifted(b, zb))
    return Case("MatMulInteger", [a, b, za, zb], [wrapped(y, dtype_of("int32"))])


def saturated(values, dtype):
    info = np.iinfo(dtype)
    return np.clip(values, info.min, info.max).astype(dtype)


def power_of_two(draw, dtype=np.float32, shape=()):
    """A scale by which products and quotients are exact."""
    return (2.0 ** draw.random.integers(-6, 1, shape)).astype(dtype)


def scale(draw, shape=(), dtype=np.float32, is_exact=False):
    if is_exact:
        return power_of_two(draw, dtype, shape)
    return draw.values(np.dtype(dtype), shape, low=0.003, high=0.4)


def qlinear_matmul(draw):
    kinds = [draw.type([n for n in types("QLinearMatMul", name) if "int" in n]) for name in ("T1", "T2", "T3")]
    left, right = matrix_shapes(draw)
    if len(left) < 2 or len(right) < 2:
        raise Skip("vectors are not quantized")
    is_exact = draw.chance(0.5)
    a, b = draw.values(kinds[0], left), draw.values(kinds[1], right)
    per_column = draw.chance(0.3) and len(right) == 2
    scales = [scale(draw, (), is_exact=is_exact), scale(draw, (right[-1],) if per_column else (), is_exact=is_exact),
              scale(draw, (), is_exact=is_exact) * np.float32(16)]
    zeros = [draw.values(kinds[0]), draw.values(kinds[1], (right[-1],) if per_column else ()), draw.values(kinds[2])]
    total = np.matmul(shifted(a, zeros[0]), shifted(b, zeros[1]))
    real = total * scales[0].astype(float) * scales[1].astype(float) / scales[2].astype(float)
    y = saturated(np.rint(real) + zeros[2].astype(int), kinds[2])
    inputs = [a, scales[0], zeros[0], b, scales[1], zeros[1], scales[2], zeros[2]]
    # In which order scales are joined is not said: near a tie the next integer is as right.
    return Case("QLinearMatMul", inputs, [y], tolerance=None if is_exact else (0, 1))


def det(draw):
    dtype = draw.type(types("Det"))
    n = draw.integer(1, 6)
    x = draw.values(dtype, (*draw.shape(0, 2, most=8, largest=4), n, n), special=0, scale=1.0)
    w = wide(x)
    bound = np.prod(np.sqrt(np.square(w).sum(-1)), -1)  # of Hadamard
    return Case("Det", [x], [narrow(np.linalg.det(w), dtype)], tolerance=accumulated(dtype, 4 * bound, n * n))


OPS = {
    "MatMul": (12, matmul), "Gemm": (12, gemm), "Einsum": (6, einsum), "MatMulInteger": (6, matmul_integer),
    "QLinearMatMul": (5, qlinear_matmul), "Det": (1, det),
}
