"""Writes where fuzzing starts: open_model/ (model files), run_model/ (models in text whose small integer inputs are
constants), read_files/ (tensors and traces in files, led by a letter that names the format).

Usage: seeds.py FOLDER CONFORMANCE_FOLDER
"""

import collections
import io
import json
import pathlib
import sys

import numpy
import onnx
from onnx import numpy_helper

MOST_MODEL_BYTES = 2500
MOST_MODELS_OF_ONE_KIND = 3
MOST_NODES = 12
MOST_CONSTANT_ELEMENTS = 24


def write(folder: pathlib.Path, name: str, content: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def with_constants(model: onnx.ModelProto, case: pathlib.Path) -> onnx.ModelProto:
    """The model with the small integer inputs of its test data as initializers: shapes, axes, indices."""
    kept = []
    for index, value in enumerate(model.graph.input):
        file = case / "test_data_set_0" / f"input_{index}.pb"
        if file.exists() and value.type.WhichOneof("value") == "tensor_type":
            tensor = onnx.TensorProto.FromString(file.read_bytes())
            is_integer = tensor.data_type in (onnx.TensorProto.INT64, onnx.TensorProto.INT32)
            if is_integer and numpy.prod(tensor.dims, initial=1) <= MOST_CONSTANT_ELEMENTS:
                typed = onnx.helper.make_tensor(
                    value.name, tensor.data_type, tensor.dims, numpy_helper.to_array(tensor).flatten().tolist()
                )
                model.graph.initializer.append(typed)
                continue
        kept.append(value)
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return model


def write_models(folder: pathlib.Path, cases: pathlib.Path) -> None:
    taken = collections.Counter()
    for file in sorted(cases.rglob("model.onnx")):
        content = file.read_bytes()
        kind = tuple(node.op_type for node in onnx.ModelProto.FromString(content).graph.node)
        if len(content) > MOST_MODEL_BYTES or len(kind) > MOST_NODES or taken[kind] == MOST_MODELS_OF_ONE_KIND:
            continue
        taken[kind] += 1
        name = file.parent.name
        write(folder / "open_model", name + ".onnx", content)
        text = onnx.printer.to_text(with_constants(onnx.ModelProto.FromString(content), file.parent))
        write(folder / "run_model", name + ".onnxtxt", text.encode())
        if len(content) < 700:
            write(folder / "read_files", name + ".onnxtxt", b"t" + text.encode())
        for tensor in (file.parent / "test_data_set_0").glob("input_0.pb"):
            data = tensor.read_bytes()
            if len(data) <= 500:
                kind = b"s" if "sequence" in name else b"o" if "optional" in name else b"p"
                write(folder / "read_files", name + ".pb", kind + data)


def write_arrays(folder: pathlib.Path) -> None:
    arrays = {
        "floats": numpy.arange(6, dtype=numpy.float32).reshape(2, 3),
        "column_major": numpy.asfortranarray(numpy.arange(6, dtype=numpy.int16).reshape(2, 3)),
        "big_endian": numpy.arange(4, dtype=">i8"),
        "text": numpy.array(["one", "three"]),
        "bytes": numpy.array([b"one", b"three"]),
        "complex": numpy.array([1 + 2j]),
        "scalar": numpy.array(True),
        "empty": numpy.zeros((0, 3), numpy.float16),
    }
    for name, array in arrays.items():
        buffer = io.BytesIO()
        numpy.save(buffer, array)
        write(folder, name + ".npy", b"n" + buffer.getvalue())
    for name, save in {"stored": numpy.savez, "deflated": numpy.savez_compressed}.items():
        buffer = io.BytesIO()
        save(buffer, x=arrays["floats"], y=arrays["text"])
        write(folder, name + ".npz", b"z" + buffer.getvalue())


TRACES = {
    "opscope": {
        "otherData": {"tool": "t"},
        "traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "m"}},
            {"ph": "X", "name": "run", "cat": "run", "ts": 0, "dur": 9.5, "tid": 0, "args": {"scope": "all"}},
            {"ph": "X", "name": "Loop l", "cat": "cpu", "ts": 1, "dur": 5, "tid": 0, "args": {"nodes": ["l"]}},
            {"ph": "X", "name": "Add", "cat": "cpu", "ts": 2, "dur": 1, "tid": 1, "args": {"flops": 8}},
        ],
    },
    "onnxruntime": [
        {"cat": "Session", "ph": "X", "name": "model_run", "ts": 0, "dur": 9, "tid": 5, "args": {}},
        {
            "cat": "Node", "ph": "X", "name": "a_kernel_time", "ts": 1, "dur": 2, "tid": 5,
            "args": {"op_name": "If", "output_size": "4", "input_type_shape": [{"float": [2, 3]}]},
        },
    ],
    "other": [{"ph": "X", "name": "a", "ts": 0, "dur": 3}, {"ph": "X", "name": "b", "ts": 1, "dur": 1}],
}  # fmt: skip


def main() -> None:
    folder, cases = map(pathlib.Path, sys.argv[1:])
    write_models(folder, cases)
    write_arrays(folder / "read_files")
    for name, trace in TRACES.items():
        write(folder / "read_files", name + ".json", b"j" + json.dumps(trace).encode())


if __name__ == "__main__":
    main()
