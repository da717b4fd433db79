"""Operators on tensors of any meaning."""

import numpy as np

from case import Case, integers, random, sigmoid, softmax


def shapes():
    x = random(2, 3, 4)
    for axis in (0, 1, -1, 3):
        yield Case("ExpandDims", f"axis_{axis}", [x, np.array(axis, np.int32)])
    for dtype in (np.float32, np.int32, np.int64, np.int16, np.float64):
        numbers = [np.array(each, dtype) for each in (1, 8, 2)]
        yield Case("Range", np.dtype(dtype).name, numbers)
        yield Case("Range", f"{np.dtype(dtype).name}_no_step", [each.reshape(1) for each in numbers[:2]])
    yield Case("Range", "downwards", [np.array(each, np.float32) for each in (3, -1.5, -0.5)])
    yield Case("Unique", "in_order", [np.array([2, 1, 1, 3, 4, 3], np.float32)], wanted=(True, True, True))
    yield Case("GatherND", "elements", [x, np.array([[0, 1, 2], [1, 0, -1]], np.int64)])
    yield Case("GatherND", "int32", [x, np.array([[[0, 1]], [[1, 2]]], np.int32)])
    for dim, size, step in ((-1, 2, 1), (1, 3, 2), (0, 1, 1)):
        y = np.moveaxis(np.lib.stride_tricks.sliding_window_view(random(2, 7, 5), size, axis=dim), -1, -1)
        index = [slice(None)] * 4
        index[dim % 3] = slice(None, None, step)
        yield Case("UnfoldTensor", f"dim_{dim}", [random(2, 7, 5)], {"dim": dim, "size": size, "step": step},
                   expected=[y[tuple(index)]])
    yield Case("TorchEmbedding", "plain", [random(5, 3), integers(0, 5, 2, 4)], expected=[random(5, 3)[integers(0, 5, 2, 4)]])
    few, many = np.array([[0, 2, 0], [0, 0, -1]], np.float32), random(2, 4, seed=3)
    yield Case("SparseToDenseMatMul", "turned", [few, many], {"transA": 1, "alpha": 0.5}, constants=("x0",),
               sparse=("x0",), expected=[few.T @ many * np.float32(0.5)])
    yield Case("SparseToDenseMatMul", "integers", [few.astype(np.int64), integers(-9, 9, 2, 3)], {"transB": 1},
               constants=("x0",), sparse=("x0",), expected=[few.astype(np.int64) @ integers(-9, 9, 2, 3).T])
    a, b = random(2, 4, 3, seed=1), random(2, 4, 5, seed=2)
    yield Case("TransposeMatMul", "first", [a, b], {"transA": 1, "alpha": 0.5})


def finite():
    good, nan, inf = (np.array([[1, each]], np.float32) for each in (2, np.nan, np.inf))
    for name, inputs, attributes, expected in (
        ("good", [good], {}, True), ("two", [good, nan], {}, False), ("infinite", [inf, good], {}, False),
        ("nan_only", [inf], {"isnan_only": 1}, True), ("inf_only", [nan], {"isinf_only": 1}, True),
        ("inf_only_found", [inf], {"isinf_only": 1}, False),
    ):
        yield Case("IsAllFinite", name, inputs, attributes, expected=[np.array(expected)])


def complex_of(x):
    return x[..., 0].astype(np.float64) + 1j * x[..., 1].astype(np.float64)


def pairs(z):
    return np.stack([z.real, z.imag], axis=-1).astype(np.float32)


def spectra():
    a, b = random(3, 4, 2, seed=1), random(4, 2, seed=2)
    yield Case("ComplexMul", "broadcast", [a, b], expected=[pairs(complex_of(a) * complex_of(b))])
    yield Case("ComplexMulConj", "broadcast", [a, b], expected=[pairs(complex_of(a) * np.conj(complex_of(b)))])
    x = random(2, 4, 6)
    attributes = {"onesided": 1, "normalized": 0}
    for axes in (1, 2):
        over = tuple(range(-axes, 0))
        spectrum = np.fft.rfftn(x, axes=over)
        yield Case("Rfft", f"{axes}d", [x], attributes | {"signal_ndim": axes}, expected=[pairs(spectrum)])
        yield Case("Irfft", f"{axes}d", [pairs(spectrum)], attributes | {"signal_ndim": axes}, expected=[x])


def quantized():
    for low, dtype in ((-128, np.int8), (0, np.uint8)):
        kind = np.dtype(dtype).name
        a, b = integers(low, low + 256, 2, 3, 4, dtype=dtype), integers(low, low + 256, 4, dtype=dtype, seed=1)
        za, zb = np.array(low + 100, dtype), np.array(low + 3, dtype)
        wide = [each.astype(np.int32) for each in (a, za, b, zb)]
        yield Case("MulInteger", kind, [a, za, b, zb], expected=[(wide[0] - wide[1]) * (wide[2] - wide[3])])
        yield Case("MulInteger", f"{kind}_no_zero", [a, None, b], expected=[wide[0] * wide[2]])
        for keep in (0, 1):
            attributes = {"axes": [0, 2], "keepdims": keep}
            total = a.astype(np.int64).sum(axis=(0, 2), keepdims=bool(keep))
            yield Case("ReduceSumInteger", f"{kind}_{keep}", [a], attributes,
                       expected=[total.astype(np.int32 if low < 0 else np.uint32)])
            mean = ((a.astype(np.float64) - za) * 0.5).mean(axis=(0, 2), keepdims=bool(keep))
            y = np.clip(np.rint(mean / 0.25) + zb, low, low + 255).astype(dtype)
            yield Case("QLinearReduceMean", f"{kind}_{keep}",
                       [a, np.float32(0.5), za, np.float32(0.25), zb], attributes, expected=[y])
    a, b = integers(-300, 300, 2, 3, 4, dtype=np.int16), integers(-300, 300, 4, 5, dtype=np.int16, seed=1)
    yield Case("MatMulInteger16", "signed", [a, b])
    yield Case("MatMulInteger16", "unsigned", [np.abs(a).astype(np.uint16), np.abs(b).astype(np.uint16)],
               expected=[(np.abs(a).astype(np.uint32) @ np.abs(b).astype(np.uint32))])


def activations():
    x, bias = random(2, 3, 4), random(4, seed=1)
    yield Case("GemmFastGelu", "with_bias", [x, random(4, 5, seed=2), random(5, seed=3)],
               expected=[fast_gelu(x @ random(4, 5, seed=2) + random(5, seed=3))])
    yield Case("BiasDropout", "inference", [x, bias, x * 2], expected=[x + bias + x * 2])
    yield Case("BitmaskDropout", "inference", [random(5, 9)], wanted=(True, True),
               expected=[random(5, 9), np.array([0xFFFFFFFF, 0x1FFF], np.uint32)])
    yield Case("BitmaskBiasDropout", "inference", [x, bias], wanted=(True, True),
               expected=[x + bias, np.array([0xFFFFFF], np.uint32)])
    ratio, no_training = np.float32(0.4), np.array(False)
    yield Case("BiasDropout", "ratio", [x, bias, x * 2, ratio, no_training], wanted=(True, True),
               expected=[x + bias + x * 2, np.ones(x.shape, bool)])
    yield Case("BitmaskDropout", "ratio", [x, ratio, no_training], expected=[x])
    yield Case("BitmaskBiasDropout", "ratio", [x, bias, None, ratio, no_training], expected=[x + bias])
    scores = random(2, 3, 4, 5)
    mask = random(2, 1, 1, 5, seed=1)
    yield Case("BiasSoftmax", "inner", [scores, mask], {"axis": 3, "is_inner_broadcast": 1},
               expected=[softmax(scores + mask)])
    yield Case("BiasSoftmax", "outer", [scores, random(1, 1, 4, 5, seed=2)], {"axis": 3, "is_inner_broadcast": 0},
               expected=[softmax(scores + random(1, 1, 4, 5, seed=2))])
    flat = (scores + mask).reshape(2, 3, 20)
    yield Case("BiasSoftmax", "two_axes", [scores, mask], {"axis": 2, "is_inner_broadcast": 1},
               expected=[softmax(flat).reshape(scores.shape)])
    yield Case("ScaledSiLU", "alpha", [x], {"alpha": 1.7})
    yield Case("ScaledSiLU", "input", [x, np.float32(0.3).reshape(())])
    gate = random(2, 3, 1, seed=5)
    yield Case("GatedAdd", "plain", [x, x * 0.5, gate])
    wide, weight = random(2, 3, 6, seed=6), random(6, 1, seed=7)
    yield Case("GatedAdd", "projected", [x, x * 0.5, wide, weight], expected=[x + x * 0.5 * sigmoid(wide @ weight)])
    for activation in ("silu", "sigmoid"):
        yield Case("GatedRMSNorm", activation, [random(2, 3, 8), random(4, seed=1), random(2, 3, 8, seed=2)],
                   {"activation": activation, "epsilon": 1e-3})
    up = random(2, 3, 4, seed=8) * 3
    y = np.minimum(x * 3, 2) * sigmoid(1.7 * np.minimum(x * 3, 2)) * (np.clip(up, -2, 2) + 1)
    yield Case("SwiGLU", "two_halves", [x * 3, up], {"limit": 2.0, "activation_alpha": 1.7, "activation_beta": 1.0},
               expected=[y.astype(np.float32)])
    yield Case("LinearAttentionGate", "both", [x, bias, -np.abs(bias), x * 2], wanted=(True, True))
    yield Case("LinearAttentionGate", "decay", [x, bias, -np.abs(bias)])


def fast_gelu(x):
    return (0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x**3)))).astype(np.float32)


def branches():
    x, scale = random(2, 3, 4, 5), random(4, 5, seed=1)
    flat = x.reshape(2, 3, 20)
    yield Case("BranchwiseRMSNorm", "grouped", [x, scale])
    yield Case("BranchwiseRMSNorm", "flat", [flat, scale.reshape(20)], {"num_branches": 4, "epsilon": 1e-2})
    yield Case("BranchwiseRMSNorm", "one_row", [flat, scale[0]], {"num_branches": 4})
    yield Case("BranchwiseRMSNorm", "no_scale", [x])
    for name, gates in (("branch", random(2, 3, 4, seed=2)), ("axis", random(2, 3, 4, 1, seed=2)),
                        ("element", random(2, 3, 4, 5, seed=2))):
        yield Case("HyperConnectionPreMix", name, [x, gates], {"reduction_scale": 0.5})
        yield Case("HyperConnectionPostMix", name, [x, random(2, 3, 5, seed=3), gates, random(2, 3, 4, 4, seed=4)])
    yield Case("HyperConnectionPreMix", "flat", [flat, random(2, 3, 20, seed=2)], {"num_branches": 4})
    yield Case("HyperConnectionPostMix", "flat", [flat, random(2, 3, 5, seed=3), random(2, 3, 4, seed=2)],
               {"num_branches": 4})
    yield Case("EngramGate", "both", [x, random(2, 3, 4, 5, seed=5), random(2, 3, 5, seed=6), scale, random(4, 5, seed=7),
                                      random(4, 5, seed=8)], wanted=(True, True))
    yield Case("EngramGate", "plain", [x, random(2, 3, 4, 5, seed=5), random(2, 3, 5, seed=6), scale, random(4, 5, seed=7)])


def early():
    x = random(1, 2, 5, 6)
    yield Case("Affine", "plain", [x], {"alpha": 2.0, "beta": 0.5}, domain="", expected=[2 * x + np.float32(0.5)])
    yield Case("Scale", "plain", [x], {"scale": 0.5}, domain="", expected=[x * np.float32(0.5)])
    yield Case("ImageScaler", "plain", [x], {"scale": 2.0, "bias": [1.0, -1.0]}, domain="",
               expected=[2 * x + np.array([1, -1], np.float32).reshape(1, 2, 1, 1)])
    yield Case("ParametricSoftplus", "plain", [x], {"alpha": 0.5, "beta": 2.0}, domain="",
               expected=[(0.5 * np.log1p(np.exp(2 * x))).astype(np.float32)])
    yield Case("ScaledTanh", "plain", [x], {"alpha": 0.5, "beta": 2.0}, domain="",
               expected=[(0.5 * np.tanh(2 * x)).astype(np.float32)])
    yield Case("Crop", "border", [x], {"border": [1, 2, 0, 1]}, domain="", expected=[x[:, :, 2:4, 1:]])
    yield Case("Crop", "size", [x], {"border": [1, 2, 0, 0], "scale": [2, 3]}, domain="", expected=[x[:, :, 2:4, 1:4]])
    yield Case("DynamicSlice", "plain", [x, np.array([1, 0], np.int64), np.array([4, -1], np.int64),
                                         np.array([2, 3], np.int64)], domain="", expected=[x[:, :, 1:4, :-1]])


def cases():
    for family in (shapes, finite, spectra, quantized, activations, branches, early):
        yield from family()
    for metric in ("euclidean", "sqeuclidean"):
        yield Case("CDist", metric, [random(3, 4), random(5, 4, seed=1)], {"metric": metric}, tolerance=(1e-3, 1e-4))
