"""What a bad model is, and short ways to make one."""

import json

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSETS = {"": 23, "ai.onnx.ml": 5, "com.microsoft": 1}
FLOAT, INT64, STRING, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING, TensorProto.BOOL


class Case:
    """One model and what is expected of it.

    says        words that the error of `run` must have, or that of `info` when the model does not open
    info        words that `info` must print
    opens       whether something of the model can be shown
    runs        whether it runs all the same: then it is legal
    inputs      name -> array, given to the run
    files       function that puts other files into the model's folder
    """

    def __init__(self, name, content, says=(), info=(), opens=True, runs=False, inputs=None, files=None):
        self.name, self.content = name, content
        self.says, self.info = _words(says), _words(info)
        self.opens, self.runs = opens, runs
        self.inputs, self.files = inputs or {}, files
        if not (self.says or runs):
            raise ValueError(f"{name}: neither runs nor says why not")

    def write(self, folder):
        folder.mkdir(parents=True)
        content = self.content
        if content is not None:
            whole = content if isinstance(content, bytes) else content.SerializeToString(deterministic=True)
            (folder / "model.onnx").write_bytes(whole)
        if self.files:
            self.files(folder)
        if self.inputs:
            (folder / "inputs").mkdir()
        for name, value in self.inputs.items():
            (folder / "inputs" / f"{name}.npy").parent.mkdir(exist_ok=True)
            np.save(folder / "inputs" / f"{name}.npy", value)

    def expectation(self):
        return {"opens": self.opens, "runs": self.runs, "says": self.says, "info": self.info}


def _words(words):
    return [words] if isinstance(words, str) else list(words)


def node(op, inputs, outputs, name="bad", domain="", **attributes):
    """Inputs and outputs as words; `_` is an omitted one."""

    def names(words):
        return ["" if word == "_" else word for word in words.split()]

    # onnx cannot tell the type of an empty list: then the attribute is left out.
    attributes = {key: content for key, content in attributes.items() if not (isinstance(content, list) and not content)}
    return helper.make_node(op, names(inputs), names(outputs), name=name, domain=domain, **attributes)


def value(name, element=FLOAT, dims=None):
    return helper.make_tensor_value_info(name, element, dims)


def tensor(name, array):
    array = np.asarray(array)
    return numpy_helper.from_array(array.astype(object) if array.dtype.kind == "U" else array, name)


def model(nodes, inputs=(), outputs=("y",), constants=(), opsets=None, **fields):
    """`inputs` and `outputs`: declarations, or names of floats of unknown rank."""

    def declared(items):
        return [value(item) if isinstance(item, str) else item for item in items]

    graph = helper.make_graph(nodes, "bad", declared(inputs), declared(outputs), list(constants))
    imports = [helper.make_opsetid(domain, version) for domain, version in {**OPSETS, **(opsets or {})}.items()]
    return helper.make_model(graph, opset_imports=imports, ir_version=10, **fields)


def declared_input(name, array, has_dims):
    element = STRING if array.dtype.kind == "U" else helper.np_dtype_to_tensor_dtype(array.dtype)
    return value(name, element, list(array.shape) if has_dims else None)


def operator(name, op, inputs, says=(), outputs=1, domain="", opset=None, runs=False, info=(), only=None, **attributes):
    """Cases of one node: its later inputs known when the file is opened (`NAME_known`), and all of them given to
    the run with nothing declared (`NAME_given`). `inputs`: arrays, None for an omitted one."""
    names = [f"x{index}" if array is not None else "_" for index, array in enumerate(inputs)]
    arrays = {n: np.asarray(a) for n, a in zip(names, inputs) if a is not None}
    made = " ".join(f"y{index}" for index in range(outputs))
    bad = node(op, " ".join(names), made, domain=domain, **attributes)
    outputs_declared = [onnx.ValueInfoProto(name=n) for n in made.split()]
    opsets = {domain: opset} if opset else None
    said = [] if runs else ["'bad' (" + (f"{domain}.{op}" if domain else op) + ")", *_words(says)]
    for kind in ("known", "given"):
        if only not in (None, kind):
            continue
        given = list(arrays) if kind == "given" else list(arrays)[:1]
        declared = [declared_input(n, arrays[n], kind == "known") for n in given]
        constants = [tensor(n, a) for n, a in arrays.items() if n not in given]
        yield Case(
            f"{name}_{kind}",
            model([bad], declared, outputs_declared, constants, opsets),
            said,
            info=info if kind == "known" else (),
            runs=runs,
            inputs={n: arrays[n] for n in given},
        )


def floats(*dims):
    """Numbers from 0 up to below 1."""
    count = int(np.prod(dims))
    return (np.arange(count, dtype=np.float32) / max(count, 1)).reshape(dims)


def ints(*numbers):
    return np.array(numbers, np.int64)


def write_json(path, content):
    path.write_text(json.dumps(content, indent=1, ensure_ascii=True) + "\n")
