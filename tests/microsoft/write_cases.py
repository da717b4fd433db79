#!/usr/bin/env python3
"""Writes cases of the operators of com.microsoft, for `opscope-cli conformance`.

    write_cases.py DEST            needs onnx, numpy and onnxruntime

Right values are those of ONNX Runtime, or, where its CPU build has no kernel, numpy's by the formula that the
operator's documentation gives. DEST/OPERATOR/NAME/model.onnx with test_data_set_0/input_J.pb and output_J.pb;
DEST/stamp.json is written last, and while it fits nothing is done.
"""

import hashlib
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

import attention
import fused
import images
import moe
import tensors
from case import save

HERE = Path(__file__).resolve().parent
FAMILIES = (images, tensors, attention, moe, fused)


def model_of(case):
    names = [f"x{i}" if value is not None else "" for i, value in enumerate(case.inputs)]
    outputs = [f"y{i}" if wanted else "" for i, wanted in enumerate(case.wanted)]
    node = helper.make_node(case.op, names, outputs, domain=case.domain, **case.attributes)
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in zip(names, case.inputs, strict=True)
        if value is not None and name not in case.constants
    ]
    constants = [numpy_helper.from_array(case.inputs[int(name[1:])], name) for name in case.constants]
    results = [helper.make_empty_tensor_value_info(name) for name in outputs if name]
    dense = [each for each in constants if each.name not in case.sparse]
    graph = helper.make_graph([node], case.op, inputs, results, dense)
    graph.sparse_initializer.extend(sparse_of(case.inputs[int(name[1:])], name) for name in case.sparse)
    opsets = [helper.make_opsetid("", 21 if case.domain else 7)]
    if case.domain:
        opsets.append(helper.make_opsetid(case.domain, 1))
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def sparse_of(value, name):
    places = np.flatnonzero(value)
    return helper.make_sparse_tensor(
        numpy_helper.from_array(value.ravel()[places], name), numpy_helper.from_array(places.astype(np.int64)), value.shape
    )


def run(model, inputs):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def write(folder, case):
    case.inputs = [None if value is None else np.asarray(value) for value in case.inputs]
    model = model_of(case)
    inputs = {f"x{i}": value for i, value in enumerate(case.inputs) if value is not None and f"x{i}" not in case.constants}
    expected = case.expected
    if expected is None:
        try:
            expected = run(model, inputs)
        except Exception as problem:
            sys.exit(f"{case.op}/{case.name}: {problem}")
    for info, value in zip(model.graph.output, expected, strict=True):
        info.type.tensor_type.elem_type = helper.np_dtype_to_tensor_dtype(np.asarray(value).dtype)
    save(folder, model, inputs.values(), expected, case.tolerance)


def expected_stamp():
    sources = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")))
    return {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__,
            "scripts": hashlib.sha256(sources).hexdigest()}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    dest = Path(sys.argv[1])
    stamp = dest / "stamp.json"
    if stamp.exists() and json.loads(stamp.read_text()) == expected_stamp():
        print(f"{dest}: up to date")
        return
    shutil.rmtree(dest, ignore_errors=True)
    dest.mkdir(parents=True)
    cases = [case for family in FAMILIES for case in family.cases()]
    for case in cases:
        write(dest / case.op / case.name, case)
    stamp.write_text(json.dumps(expected_stamp(), indent=2) + "\n")
    print(f"{len(cases)} cases in {dest}")


if __name__ == "__main__":
    main()
