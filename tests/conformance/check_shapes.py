#!/usr/bin/env python3
"""Holds the inference of opscope-cli to onnx's own, on every conformance case.

    check_shapes.py CLI CASES_DIR [--more]          needs onnx

Each model is asked about twice, what it declares of anything but its inputs taken out: as it is, and with a symbol for
each number above 1 among the inputs' dims. What onnx knows of a value that the main graph makes (element type, rank, a
dim as a number or as a symbol of an input), ours knows too, and does not differ in, but for known_shapes.txt. Where onnx
says nothing, ours may know more: --more lists how much, by operator.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import onnx
from onnx import TensorProto, shape_inference

HERE = Path(__file__).resolve().parent
NAMES = {number: name.lower() for name, number in TensorProto.DataType.items()}


def stripped(model, is_symbolic):
    """Without declared types of what nodes make; with a symbol for each dim above 1 of the inputs, equal ones alike."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.graph.value_info[:]
    for output in copy.graph.output:
        output.ClearField("type")
    for value in copy.graph.input:
        if is_symbolic and value.type.HasField("tensor_type"):
            for dim in value.type.tensor_type.shape.dim:
                if dim.dim_value > 1:
                    dim.dim_param = f"s{dim.dim_value}"
    return copy


def known_to_onnx(model):
    """Value name -> element type and dims (numbers, input symbols, None), or None for dims if the rank is not known."""
    try:
        inferred = shape_inference.infer_shapes(model, data_prop=True)
    except Exception:
        return {}
    symbols = {
        dim.dim_param
        for value in model.graph.input
        for dim in value.type.tensor_type.shape.dim
        if value.type.HasField("tensor_type")
    } - {""}
    known = {}
    for value in list(inferred.graph.value_info) + list(inferred.graph.output):
        if not value.type.HasField("tensor_type"):
            continue
        tensor = value.type.tensor_type
        dims = None
        if tensor.HasField("shape"):
            dims = [
                dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else
                dim.dim_param if dim.dim_param in symbols else None
                for dim in tensor.shape.dim
            ]
        known[value.name] = (NAMES[tensor.elem_type], dims)
    return known


def known_to_ours(cli, path):
    answer = subprocess.run([cli, "info", path, "--values", "--json"], capture_output=True, text=True)
    if answer.returncode != 0:
        return None, answer.stderr.strip()
    return {value["name"]: value for value in json.loads(answer.stdout)["values"]}, ""


def without_zeros(dims, numeric):
    """onnx's inference now and then reads a symbol as the number 0, and multiplies and adds on: a 0 that is none among
    the numbers is taken for not known, and with it what else is a number then."""
    if dims is None or not numeric or len(numeric) != len(dims):
        return dims
    return [None if isinstance(dim, int) and isinstance(number, int) and dim < number else dim
            for dim, number in zip(dims, numeric, strict=True)]


def agrees(mine, theirs):
    return theirs is None or (mine == theirs if isinstance(theirs, int) else mine not in (None, "?"))


def compare(ours, theirs):
    """Problems, and how many dims (or whole shapes) ours knows and onnx does not."""
    problems, more = [], 0
    for name, (element, dims) in theirs.items():
        value = ours.get(name)
        if value is None:
            problems.append(f"{name}: ours has no such value")
            continue
        mine = value["dims"]
        if element != "undefined" and not value["type"].startswith(element):
            problems.append(f"{name}: ours is {value['type']}, onnx says {element}")
        if dims is None:
            more += mine is not None
        elif mine is None or len(mine) != len(dims) or not all(map(agrees, mine, dims)):
            problems.append(f"{name}: ours is {value['type']} {mine}, onnx says {dims}")
        else:
            more += sum(its is None and own not in (None, "?") for own, its in zip(mine, dims))
    return problems, more


def check(cli, folder, scratch):
    """One case: problems, and operator -> what ours knows beyond onnx."""
    model = onnx.load(folder / "model.onnx")
    operators = "+".join(sorted({node.op_type for node in model.graph.node}))
    problems, more, zeros = [], collections.Counter(), None
    for is_symbolic in (False, True):
        variant = stripped(model, is_symbolic)
        path = scratch / f"{folder.parent.name}.{folder.name}.{int(is_symbolic)}.onnx"
        path.write_bytes(variant.SerializeToString())
        ours, failure = known_to_ours(cli, path)
        path.unlink()
        where = f"{folder.parent.name}/{folder.name}{' (symbols)' if is_symbolic else ''}"
        if ours is None:
            problems.append(f"{where}: {failure}")
            continue
        theirs = known_to_onnx(variant)
        if is_symbolic:
            theirs = {name: (element, without_zeros(dims, zeros.get(name))) for name, (element, dims) in theirs.items()}
        zeros = {name: dims for name, (_, dims) in theirs.items()}
        found, count = compare(ours, theirs)
        problems += [f"{where} {operators}: {each}" for each in found]
        more[operators] += count
    return problems, more


def known_differences():
    """Case -> why ours differs."""
    lines = (line.partition("#") for line in (HERE / "known_shapes.txt").read_text().splitlines())
    return {case.strip(): reason.strip() for case, _, reason in lines if case.strip()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("cases", type=Path)
    parser.add_argument("--more", action="store_true")
    options = parser.parse_args()
    folders = sorted(path.parent for path in options.cases.glob("*/*/model.onnx"))
    known = known_differences()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = list(pool.map(lambda folder: check(options.cli, folder, Path(scratch)), folders))
    problems, met, more = [], set(), collections.Counter()
    for folder, (found, beyond) in zip(folders, results, strict=True):
        case = f"{folder.parent.name}/{folder.name}"
        met.update({case} if found else ())
        problems += [] if case in known else found
        more.update(beyond)
    problems += [f"{case}: agrees: its line in known_shapes.txt must go" for case in known if case not in met]
    print("\n".join(problems), end="\n" if problems else "")
    if options.more:
        print("\n".join(f"  {operator}: {count}" for operator, count in more.most_common() if count))
    print(f"{len(folders)} models, each with numbers and with symbols: {len(problems)} problems, {len(known)} known "
          f"differences; {sum(more.values())} dims known to ours alone, in models of "
          f"{sum(1 for count in more.values() if count)} sets of operators")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
