#!/usr/bin/env python3
"""Changes models of one or a few nodes at random, and runs them: each may fail with an error, none may crash.

    check.py CLI CASES_DIR... [--count N] [--seed N] [--providers LIST] [--keep DIR]

The cases are folders of onnx test data whose inputs are tensors. Attributes get other numbers, also the largest and the
smallest, or go; inputs are left out or get other dims and numbers; declared shapes stay, follow, turn to symbols or go.
The same seed makes the same models.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, numpy_helper

INTEGERS = [-1, 0, 1, 2, 3, 7, 2**20, 2**31, 2**40 + 1, -(2**63), 2**63 - 1, -5]
REALS = [0.0, -1.0, float("nan"), float("inf"), 1e30]
WORDS = [b"", b'x"y', b"silu", b"\xff"]


def change_attribute(rng, node):
    attribute = rng.choice(node.attribute)
    if attribute.type == AttributeProto.INT:
        attribute.i = rng.choice(INTEGERS)
    elif attribute.type == AttributeProto.FLOAT:
        attribute.f = rng.choice(REALS)
    elif attribute.type == AttributeProto.STRING:
        attribute.s = rng.choice(WORDS)
    elif attribute.type == AttributeProto.INTS and attribute.ints:
        values = list(attribute.ints)
        if rng.random() < 0.3:
            values.pop()
        else:
            values[rng.randrange(len(values))] = rng.choice(INTEGERS)
        del attribute.ints[:]
        attribute.ints.extend(values)


def declare(rng, info, array, index):
    """What the file says of the changed input's shape."""
    tensor = info.type.tensor_type
    choice = rng.randrange(4)
    if choice == 0:
        return
    tensor.ClearField("shape")
    if choice == 1:
        return
    tensor.shape.SetInParent()
    for axis, size in enumerate(array.shape):
        dim = tensor.shape.dim.add()
        if choice == 2:
            dim.dim_value = size
        else:
            dim.dim_param = f"d{index}_{axis}"


def changed_array(rng, array):
    dims = list(array.shape)
    choice = rng.random()
    if choice < 0.3:
        dims.append(1)
    elif choice < 0.5 and dims:
        dims.pop()
    elif dims:
        dims[rng.randrange(len(dims))] = rng.choice([0, 1, 2, 5])
    count = int(np.prod(dims))
    blank = np.full(count, "", dtype=object) if array.dtype == object else np.zeros(count, array.dtype)
    flat = np.resize(array.ravel(), count) if array.size else blank
    if array.dtype.kind in "iu" and flat.size and rng.random() < 0.3:
        limits = np.iinfo(array.dtype)
        flat[rng.randrange(flat.size)] = rng.choice([limits.min, limits.max])
    return flat.reshape(dims)


def mutate(rng, model, arrays):
    node = rng.choice(model.graph.node)
    for _ in range(rng.randint(1, 3)):
        choice = rng.random()
        if choice < 0.45 and node.attribute:
            change_attribute(rng, node)
        elif choice < 0.55 and node.attribute:
            del node.attribute[rng.randrange(len(node.attribute))]
        elif choice < 0.65 and node.input:
            node.input[rng.randrange(len(node.input))] = ""
        elif arrays:
            index = rng.randrange(len(arrays))
            arrays[index] = changed_array(rng, arrays[index])
            declare(rng, model.graph.input[index], arrays[index], index)


def write(folder, model, arrays):
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for index, array in enumerate(arrays):
        array = array if array.dtype == object else np.ascontiguousarray(array).reshape(array.shape)
        (data / f"input_{index}.pb").write_bytes(numpy_helper.from_array(array).SerializeToString())


def read(path):
    """The model and its inputs; nothing if some are no tensors."""
    model = onnx.load(path)
    values = list(model.graph.input) + list(model.graph.output)
    if not model.graph.node or any(each.type.WhichOneof("value") not in ("tensor_type", None) for each in values):
        return None
    files = [path.parent / "test_data_set_0" / f"input_{i}.pb" for i in range(len(model.graph.input))]
    if not all(file.exists() for file in files):
        return None
    return model, [numpy_helper.to_array(onnx.TensorProto.FromString(file.read_bytes())) for file in files]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=Path)
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--providers", default="cpu,reference")
    parser.add_argument("--keep", type=Path, help="leave the models in this folder")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    paths = sorted(path for root in options.cases for path in root.glob("**/model.onnx") if path.stat().st_size < 2**16)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        for number in range(options.count):
            path = rng.choice(paths)
            if (content := read(path)) is None:
                continue
            mutate(rng, *content)
            write(folder / f"{number:05}_{path.parent.name}", *content)
        answer = subprocess.run(
            [options.cli, "conformance", folder, "--providers", options.providers, "--jobs", str(os.cpu_count() or 1),
             "--limit-seconds", "20", "--limit-memory", "2G", "--json"], capture_output=True, text=True)
        if answer.returncode not in (0, 1):
            sys.exit(f"exit status {answer.returncode}\n{answer.stderr}")
        cases = json.loads(answer.stdout)["cases"]
    crashes = [case for case in cases if "crashed" in case.get("reason", "")]
    for case in crashes:
        print(f"{Path(case['name']).name}: {case['reason']}")
    print(f"{len(cases)} changed models, seed {options.seed}, on {options.providers}: {len(crashes)} crashes, the slowest "
          f"took {max(case['elapsed_ns'] for case in cases) / 1e9:.2f} s")
    sys.exit(1 if crashes else 0)


if __name__ == "__main__":
    main()
