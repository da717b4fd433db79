#!/usr/bin/env python3
"""Writes the conformance cases of onnx to files, for `opscope-cli conformance`.

    write_cases.py DEST            needs onnx 1.23.2 and numpy

Node cases come from onnx's generators; simple, pytorch-operator and pytorch-converted ones lie in its wheel:
2,024 in all, as DEST/KIND/NAME/model.onnx with test_data_set_K/input_J.pb and output_J.pb, each one a TensorProto,
SequenceProto or OptionalProto as the model declares it. Values compare within rtol 1e-3 and atol 1e-7 unless
DEST/KIND/NAME/tolerance.json says otherwise. DEST/stamp.json is written last; while it fits, nothing is done.
"""

import fcntl
import hashlib
import json
import os
import shutil
import sys
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test
import onnx.backend.test.case.node
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

ONNX_VERSION = "1.23.2"
FILE_KINDS = ("simple", "pytorch-operator", "pytorch-converted")
CASES = 2024
RTOL, ATOL = 1e-3, 1e-7
# onnx's own runner allows bfloat16 results two units in the last place.
BFLOAT16_RTOL = 2**-6


def data_bytes(value, declared):
    """One input or output as the protobuf message that its declared type asks for."""
    kind = declared.type.WhichOneof("value")
    if kind == "sequence_type":
        message = numpy_helper.from_list(value, declared.name)
    elif kind == "optional_type":
        message = numpy_helper.from_optional(value, declared.name)
    elif kind != "tensor_type":
        raise ValueError(f"{declared.name}: a value of kind {kind}, expected tensor, sequence or optional")
    elif isinstance(value, onnx.TensorProto):
        message = value
    else:
        message = numpy_helper.from_array(np.asarray(value), declared.name)
    return message.SerializeToString(deterministic=True)


def write_data_set(folder, graph, inputs, outputs):
    folder.mkdir(parents=True)
    for side, declared, values in (("input", graph.input, inputs), ("output", graph.output, outputs)):
        for index, (value, info) in enumerate(zip(values, declared, strict=True)):
            (folder / f"{side}_{index}.pb").write_bytes(data_bytes(value, info))


def write_tolerance(folder, case, output_types=()):
    rtol = case.rtol
    if onnx.TensorProto.BFLOAT16 in output_types:
        rtol = max(rtol, BFLOAT16_RTOL)
    if (rtol, case.atol) != (RTOL, ATOL):
        (folder / "tolerance.json").write_text(json.dumps({"rtol": rtol, "atol": case.atol}) + "\n")


def write_generated_case(folder, case):
    graph = case.model.graph
    for index, (inputs, outputs) in enumerate(case.data_sets):
        write_data_set(folder / f"test_data_set_{index}", graph, inputs, outputs)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString(deterministic=True))
    write_tolerance(folder, case, {output.type.tensor_type.elem_type for output in graph.output})


def copy_shipped_case(folder, case):
    shutil.copytree(case.model_dir, folder)
    write_tolerance(folder, case)


def expected_stamp():
    script = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return {"onnx": ONNX_VERSION, "numpy": np.__version__, "cases": CASES, "script": script}


def is_current(dest):
    try:
        return json.loads((dest / "stamp.json").read_text()) == expected_stamp()
    except (OSError, ValueError):
        return False


def write_all(dest):
    """Writes every case under dest; returns how many there are of each kind."""
    counts = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        generated = onnx.backend.test.case.node.collect_testcases(None)
    for kind in ("node", *FILE_KINDS):
        cases = generated if kind == "node" else load_model_tests(kind=kind)
        write = write_generated_case if kind == "node" else copy_shipped_case
        shutil.rmtree(dest / kind, ignore_errors=True)
        for case in cases:
            write(dest / kind / case.name, case)
        counts[kind] = len(cases)
    return counts


def update(dest):
    if is_current(dest):
        print(f"{CASES} cases in {dest}: up to date")
        return
    (dest / "stamp.json").unlink(missing_ok=True)
    counts = write_all(dest)
    total = sum(counts.values())
    if total != CASES:
        sys.exit(f"conformance cases: found {total}, expected {CASES}")
    part = dest / "stamp.json.part"
    part.write_text(json.dumps(expected_stamp(), indent=2) + "\n")
    os.replace(part, dest / "stamp.json")
    print(f"{total} cases in {dest}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if onnx.__version__ != ONNX_VERSION:
        sys.exit(f"onnx: found {onnx.__version__}, expected {ONNX_VERSION}")
    dest = Path(sys.argv[1])
    dest.mkdir(parents=True, exist_ok=True)
    with (dest / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        update(dest)


if __name__ == "__main__":
    main()
