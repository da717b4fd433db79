#!/usr/bin/env python3
"""Writes small models whose right values other tools have got wrong, for `opscope-cli conformance`.

    write_cases.py DEST            needs onnx and numpy

Each family below stands for one kind of fault. The values come from numpy in double precision or from exact
fractions, never from an inference engine. DEST/FAMILY/NAME/model.onnx with test_data_set_0/input_J.pb and
output_J.pb; DEST/stamp.json is written last, and while it fits nothing is done.
"""

import hashlib
import json
import shutil
import sys
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

OPSET = 21
FLOAT, FLOAT16 = TensorProto.FLOAT, TensorProto.FLOAT16


class Case:
    """One model with its inputs and outputs, both name -> array."""

    def __init__(self, name, nodes, inputs, outputs, constants=None, tolerance=None, has_open_dims=False):
        self.name, self.nodes, self.inputs, self.outputs = name, nodes, inputs, outputs
        self.constants, self.tolerance, self.has_open_dims = constants or {}, tolerance, has_open_dims

    def model(self):
        def declared(values):
            return [
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
                for name, value in values.items()
            ]

        initializers = [numpy_helper.from_array(np.asarray(value), name) for name, value in self.constants.items()]
        graph = helper.make_graph(
            self.nodes, self.name, declared(self.inputs), declared(self.outputs), initializers
        )
        if self.has_open_dims:
            for output in graph.output:
                output.type.tensor_type.ClearField("shape")
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
        if not self.has_open_dims:  # which the checker refuses, though it is sound
            checker.check_model(model)
        return model

    def write(self, folder):
        data = folder / "test_data_set_0"
        data.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(self.model().SerializeToString(deterministic=True))
        for side, values in (("input", self.inputs), ("output", self.outputs)):
            for index, (name, value) in enumerate(values.items()):
                message = numpy_helper.from_array(np.asarray(value), name)
                (data / f"{side}_{index}.pb").write_bytes(message.SerializeToString(deterministic=True))
        if self.tolerance:
            rtol, atol = self.tolerance
            (folder / "tolerance.json").write_text(json.dumps({"rtol": rtol, "atol": atol}) + "\n")


def random(*dims, seed=0, scale=1.0):
    return (np.random.default_rng(seed).standard_normal(dims) * scale).astype(np.float32)


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


# Resize: where the exact ratio lands on a whole pixel or halfway between two, float arithmetic must not decide.

ROUNDINGS = {
    "floor": floor,
    "ceil": ceil,
    "round_prefer_floor": lambda x: ceil(x - Fraction(1, 2)),
    "round_prefer_ceil": lambda x: floor(x + Fraction(1, 2)),
}
COORDINATES = {
    "asymmetric": lambda i, n, m: Fraction(i * n, m),
    "half_pixel": lambda i, n, m: (i + Fraction(1, 2)) * n / m - Fraction(1, 2),
    "pytorch_half_pixel": lambda i, n, m: (i + Fraction(1, 2)) * n / m - Fraction(1, 2) if m > 1 else Fraction(0),
    "align_corners": lambda i, n, m: Fraction(i * (n - 1), m - 1) if m > 1 else Fraction(0),
}
SIZES = [(26, 64), (26, 65), (64, 26), (7, 49), (49, 7), (10, 3), (3, 10), (5, 5), (13, 39), (80, 20), (1, 4), (9, 1)]


def resize_nearest():
    for size, target in SIZES:
        x = np.arange(size, dtype=np.float32).reshape(1, 1, size)
        for mode, coordinate in COORDINATES.items():
            for rounding, turn in ROUNDINGS.items():
                picks = [min(max(turn(coordinate(i, size, target)), 0), size - 1) for i in range(target)]
                yield Case(
                    f"{size}_to_{target}_{mode}_{rounding}",
                    [helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode="nearest", nearest_mode=rounding,
                                      coordinate_transformation_mode=mode)],
                    {"x": x},
                    {"y": x[..., picks]},
                    {"sizes": np.array([1, 1, target], np.int64)},
                )


# Convolution: channels that fill no vector are padded inside an engine, and what lies there must not leak.


def convolved(x, w, b):
    """Valid 3x3 convolution with stride 1, in double precision."""
    views = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), (3, 3), (2, 3))
    return np.einsum("nchwij,ocij->nohw", views, w.astype(np.float64)) + b.astype(np.float64)[:, None, None]


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


READERS = {
    # What each makes of a channel of zeros is not zero, or mixes channels.
    "global_average": ([node("GlobalAveragePool", "c", "y")], lambda c: c.mean((2, 3), keepdims=True)),
    "exp_sum": ([node("Exp", "c", "e"), node("ReduceSum", "e channels", "y")],
                lambda c: np.exp(c).sum(1, keepdims=True)),
    "softmax": ([node("Softmax", "c", "y", axis=1)], lambda c: softmax(c, 1)),
    "concat": ([node("Concat", "c x0 c", "y", axis=1)], None),
    "flatten": ([node("Sigmoid", "c", "s"), node("Flatten", "s", "y")],
                lambda c: (1 / (1 + np.exp(-c))).reshape(c.shape[0], -1)),
}


def conv_odd_channels():
    for channels in (1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33):
        x, w, b = random(2, 3, 9, 7, seed=1), random(channels, 3, 3, 3, seed=2, scale=0.3), random(channels, seed=3)
        c = convolved(x, w, b)
        for reader, (nodes, value) in READERS.items():
            x0 = random(2, 2, 7, 5, seed=4)
            y = np.concatenate([c, x0, c], 1) if value is None else value(c)
            inputs = {"x": x, "x0": x0} if value is None else {"x": x}
            constants = {"w": w, "b": b}
            if reader == "exp_sum":
                constants["channels"] = np.array([1], np.int64)
            yield Case(f"{channels}_{reader}", [node("Conv", "x w b", "c"), *nodes], inputs,
                       {"y": y.astype(np.float32)}, constants, (1e-4, 1e-5))


# Casts: two in a row are one only where the first loses nothing.

NUMBERS = np.array([0.0, -0.0, 0.5, -0.5, 0.99, 1.0, -1.0, 1.5, 2.5, 127.9, -127.9, 1e-30, 3.4e-39], np.float32)
CHAINS = ["int32 bool", "bool float32", "int8 float32", "float16 float32", "int64 int32 bool", "bool int32 float64",
          "float64 float32", "int32 float16", "bfloat16 float32", "float64 bool"]


def as_type(values, name):
    if name == "bfloat16":
        bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
        rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16).astype(np.uint32)
        return rounded.view(np.float32)
    return values.astype(name)


def casts():
    for chain in CHAINS:
        types = chain.split()
        nodes, values, last = [], NUMBERS, "x"
        for position, name in enumerate(types):
            result = "y" if position + 1 == len(types) else f"v{position}"
            nodes.append(node("Cast", last, result, to=getattr(TensorProto, {"float32": "FLOAT", "float64": "DOUBLE"}
                                                               .get(name, name.upper()))))
            values, last = as_type(values, name), result
        yield Case("_".join(types), nodes, {"x": NUMBERS}, {"y": values}, tolerance=(0, 0))


# QuantizeLinear and DequantizeLinear: a pair may go only where it changes nothing.

GRIDS = {"coarse": (0.5, 0), "fine": (0.01, 3), "narrow": (0.002, -5), "same": (0.5, 0)}


def on_grid(x, scale, zero):
    scale = np.float32(scale)
    q = np.clip(np.rint((x / scale).astype(np.float32)) + zero, -128, 127)
    return ((q - zero) * scale).astype(np.float32)


def quantized_pairs():
    x = np.linspace(-3, 3, 61, dtype=np.float32)
    for first in GRIDS:
        for second in GRIDS:
            nodes, constants, value, last = [], {}, x, "x"
            for number, name in enumerate((first, second)):
                scale, zero = GRIDS[name]
                constants[f"s{number}"] = np.array(scale, np.float32)
                constants[f"z{number}"] = np.array(zero, np.int8)
                result = "y" if number else "v"
                nodes += [node("QuantizeLinear", f"{last} s{number} z{number}", f"q{number}"),
                          node("DequantizeLinear", f"q{number} s{number} z{number}", result)]
                value, last = on_grid(value, scale, zero), result
            yield Case(f"{first}_then_{second}", nodes, {"x": x}, {"y": value}, constants, (0, 1e-6))


# Fusion: a value inside of what gets fused may be asked for.


def inner_outputs():
    x, w, b = random(1, 4, 8, 8, seed=5), random(6, 4, 3, 3, seed=6, scale=0.2), random(6, seed=7)
    scale, shift, mean, variance = (random(6, seed=s) for s in (8, 9, 10, 11))
    variance = np.abs(variance) + np.float32(0.5)
    constants = {"w": w, "b": b, "scale": scale, "shift": shift, "mean": mean, "variance": variance}
    c = convolved(x, w, b)
    per_channel = [v.astype(np.float64)[:, None, None] for v in (scale, shift, mean, variance)]
    n = (c - per_channel[2]) / np.sqrt(per_channel[3] + 1e-5) * per_channel[0] + per_channel[1]
    r = np.maximum(n, 0)
    nodes = [node("Conv", "x w b", "c"), node("BatchNormalization", "c scale shift mean variance", "n"),
             node("Relu", "n", "r")]
    values = {"c": c.astype(np.float32), "n": n.astype(np.float32), "r": r.astype(np.float32)}
    for wanted in ("c n r", "r c", "n r", "c n", "n", "r n c"):
        names = wanted.split()
        yield Case("conv_" + "_".join(names), nodes, {"x": x}, {name: values[name] for name in names}, constants,
                   (1e-4, 1e-5))
    a, m, bias = random(5, 16, seed=12), random(16, 24, seed=13, scale=0.3), random(24, seed=14)
    p = a.astype(np.float64) @ m
    s = p + bias
    g = 1 / (1 + np.exp(-s))
    values = {"p": p.astype(np.float32), "s": s.astype(np.float32), "g": g.astype(np.float32),
              "y": (s * g).astype(np.float32)}
    nodes = [node("MatMul", "a m", "p"), node("Add", "p bias", "s"), node("Sigmoid", "s", "g"),
             node("Mul", "s g", "y")]
    for wanted in ("p y", "s y", "g y", "p s g y", "y"):
        names = wanted.split()
        yield Case("matmul_" + "_".join(names), nodes, {"a": a}, {name: values[name] for name in names},
                   {"m": m, "bias": bias}, (1e-4, 1e-5))


# Reshape: a zero copies a dim, or with allowzero is one.


def reshapes():
    for name, dims, shape, allow_zero in [
        ("literal_zeros", (0, 8, 2), (0, 0, 4), 1),
        ("copied_zero", (0, 8, 2), (0, 4, 4), 0),
        ("copied_dim", (3, 8, 2), (0, 4, -1), 0),
        ("zero_moves", (4, 0), (0, 4), 1),
        ("rank_rises", (2, 0, 3), (1, 0, 5, 7), 1),
    ]:
        x = random(*dims, seed=15)
        real = [dims[i] if n == 0 and not allow_zero else n for i, n in enumerate(shape)]
        y = x.reshape(real)
        yield Case(name, [node("Reshape", "x shape", "r", allowzero=allow_zero), node("Shape", "r", "dims"),
                          node("Relu", "r", "y")],
                   {"x": x}, {"y": np.maximum(y, 0), "dims": np.array(y.shape, np.int64)},
                   {"shape": np.array(shape, np.int64)})


# If: the branches need not agree on more than the type.


def branches():
    x = random(3, 4, seed=16)
    axes = numpy_helper.from_array(np.array([1], np.int64), "axes")
    forms = {
        "rank_1": ([node("ReduceSum", "x axes", "t", keepdims=0)], [axes], x.sum(1)),
        "rank_0": ([node("ReduceSum", "x", "t", keepdims=0)], [], np.asarray(x.sum())),
        "rank_2": ([node("Relu", "x", "t")], [], np.maximum(x, 0)),
        "other_size": ([node("Concat", "x x", "t", axis=0)], [], np.concatenate([x, x])),
    }
    for yes, (yes_nodes, yes_constants, yes_value) in forms.items():
        for no, (no_nodes, no_constants, no_value) in forms.items():
            if yes == no:
                continue
            for condition in (True, False):
                bodies = {}
                for branch, nodes, constants in (("then_branch", yes_nodes, yes_constants),
                                                 ("else_branch", no_nodes, no_constants)):
                    result = helper.make_tensor_value_info("t", FLOAT, None)
                    bodies[branch] = helper.make_graph(nodes, branch, [], [result], constants)
                y = yes_value if condition else no_value
                yield Case(f"{yes}_or_{no}_{str(condition).lower()}",
                           [helper.make_node("If", ["condition"], ["y0"], **bodies), node("Neg", "y0", "y")],
                           {"condition": np.array(condition), "x": x}, {"y": -y}, tolerance=(1e-5, 1e-6), has_open_dims=True)


# Half precision: squares and sums overflow it, so they are kept in single precision.


def half_sums():
    x = (random(4, 64, seed=17) * 20 + 400).astype(np.float16)
    other = random(4, 64, seed=18).astype(np.float16)
    scale = np.ones(64, np.float16)
    total = (x + other).astype(np.float64)

    def normalized(v, axis=-1):
        return (v - v.mean(axis, keepdims=True)) / np.sqrt(v.var(axis, keepdims=True) + 1e-5)

    wide = x.astype(np.float64)
    image = x.reshape(2, 2, 8, 8)
    ones = np.ones(2, np.float16)
    half = (2e-3, 2e-3)
    yield Case("layer_normalization", [node("Add", "x other", "s"), node("LayerNormalization", "s scale", "y")],
               {"x": x, "other": other}, {"y": normalized(total).astype(np.float16)}, {"scale": scale}, half)
    yield Case("instance_normalization", [node("InstanceNormalization", "x one none", "y")], {"x": image},
               {"y": normalized(image.astype(np.float64).reshape(2, 2, 64)).reshape(image.shape).astype(np.float16)},
               {"one": ones, "none": np.zeros(2, np.float16)}, half)
    for op, value in [("ReduceL2", np.sqrt((wide**2).sum(1, keepdims=True))), ("ReduceMean", wide.mean(1, keepdims=True)),
                      ("ReduceLogSumExp", wide.max(1, keepdims=True)
                       + np.log(np.exp(wide - wide.max(1, keepdims=True)).sum(1, keepdims=True)))]:
        yield Case(op.lower(), [node(op, "x axes", "y")], {"x": x}, {"y": value.astype(np.float16)},
                   {"axes": np.array([1], np.int64)}, half)
    yield Case("softmax", [node("Softmax", "x", "y")], {"x": x}, {"y": softmax(wide, 1).astype(np.float16)},
               tolerance=half)
    signs = np.where(np.arange(64) % 2, -1, 1).astype(np.float16)
    matrix = (signs[:, None] * 200 * np.ones((1, 3))).astype(np.float16)
    yield Case("matmul_cancels", [node("MatMul", "x matrix", "y")], {"x": x},
               {"y": (wide @ matrix.astype(np.float64)).astype(np.float16)}, {"matrix": matrix}, (2e-3, 8))


# Small weights beside a large bias: what is lost when both share a grid.


def tiny_weights():
    x = random(1, 3, 8, 8, seed=19)
    w, b = random(2, 3, 3, 3, seed=20, scale=1e-7), np.array([5, -4.5], np.float32)
    yield Case("conv", [node("Conv", "x w b", "y")], {"x": x}, {"y": convolved(x, w, b).astype(np.float32)},
               {"w": w, "b": b}, (1e-6, 1e-6))


# Loop: every turn runs the body once.


def loops():
    for turns in (0, 1, 50):
        body = helper.make_graph(
            [node("Add", "v step", "w"), node("Identity", "condition", "goes_on"), node("Mul", "w w", "square")],
            "body",
            [helper.make_tensor_value_info("turn", TensorProto.INT64, []),
             helper.make_tensor_value_info("condition", TensorProto.BOOL, []),
             helper.make_tensor_value_info("v", FLOAT, [3])],
            [helper.make_tensor_value_info("goes_on", TensorProto.BOOL, []),
             helper.make_tensor_value_info("w", FLOAT, [3]),
             helper.make_tensor_value_info("square", FLOAT, [3])],
        )
        x = np.array([0, 1, 2], np.float32)
        w = [x + np.float32(0.5) * (i + 1) for i in range(turns)]
        squares = np.array([v * v for v in w], np.float32).reshape(turns, 3)
        yield Case(f"{turns}_turns", [helper.make_node("Loop", ["count", "", "x"], ["last", "squares"], body=body)],
                   {"x": x}, {"last": w[-1] if w else x, "squares": squares},
                   {"count": np.array(turns, np.int64), "step": np.array(0.5, np.float32)})


FAMILIES = [resize_nearest, conv_odd_channels, casts, quantized_pairs, inner_outputs, reshapes, branches, half_sums,
            tiny_weights, loops]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    dest = Path(sys.argv[1])
    stamp = {"script": hashlib.sha256(Path(__file__).read_bytes()).hexdigest()}
    stamp_file = dest / "stamp.json"
    if stamp_file.exists() and json.loads(stamp_file.read_text()) == stamp:
        return
    if dest.exists():
        shutil.rmtree(dest)
    count = 0
    for family in FAMILIES:
        for case in family():
            case.write(dest / family.__name__ / case.name)
            count += 1
    stamp_file.write_text(json.dumps(stamp) + "\n")
    print(f"{count} cases in {dest}")


if __name__ == "__main__":
    main()
