"""A generated case: one node, its inputs and what must come out, as a folder of onnx's backend tests."""

import json

import numpy as np
import onnx
from onnx import helper, numpy_helper

from draw import Skip, is_float  # noqa: F401: the families take both from here

IR_VERSION = 11
NEWEST = 28
DOMAIN_VERSIONS = {"": NEWEST, "ai.onnx.ml": 5, "ai.onnx.preview.training": 1, "ai.onnx.preview": 1, "com.microsoft": 1}

# Relative to the last place of a type: what one rounding may cost.
EPSILONS = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7, "complex64": 2.0**-23,
            "complex128": 2.0**-52, "float8_e4m3fn": 2.0**-3, "float8_e4m3fnuz": 2.0**-3, "float8_e5m2": 2.0**-2,
            "float8_e5m2fnuz": 2.0**-2, "float4_e2m1fn": 0.5, "float8_e8m0fnu": 1.0}


def epsilon(dtype):
    return EPSILONS.get(np.dtype(dtype).name, 0.0)


class Case:
    """`outputs` are arrays where numpy gives the values; None where the oracles have to; "" for one not asked for.
    Inputs are arrays, lists (sequences) or None for an omitted one. `tolerance` is (rtol, atol); None: exact."""

    def __init__(self, op, inputs, outputs, attributes=None, domain="", opset=None, tolerance=None, constants=(),
                 open_dims=False, oracles=("reference", "runtime"), graph=None, output_type=None):
        self.op, self.inputs, self.outputs = op, list(inputs), list(outputs)
        self.attributes, self.domain = attributes or {}, domain
        self.opset = opset or DOMAIN_VERSIONS[domain]
        self.tolerance, self.constants, self.open_dims = tolerance, set(constants), open_dims
        self.oracles, self.graph = oracles, graph
        self.output_type = output_type  # of all outputs, where an oracle cannot infer it
        self.is_aged = False  # brought to an older form; the outputs are then those of the newest one

    def key(self):
        return f"{self.domain}.{self.op}" if self.domain else self.op

    def feeds(self):
        return {f"x{i}": value for i, value in enumerate(self.inputs) if value is not None and i not in self.constants}

    def output_names(self):
        return [f"y{i}" for i, value in enumerate(self.outputs) if not (isinstance(value, str) and value == "")]

    def nodes(self):
        if self.graph is not None:
            return self.graph
        inputs = ["" if value is None else f"x{i}" for i, value in enumerate(self.inputs)]
        while inputs and inputs[-1] == "":
            inputs.pop()
        outputs = ["" if isinstance(value, str) and value == "" else f"y{i}" for i, value in enumerate(self.outputs)]
        while outputs and outputs[-1] == "":
            outputs.pop()
        return [helper.make_node(self.op, inputs, outputs, domain=self.domain, **self.attributes)]

    def model(self, values=None):
        """`values`, by output name, declare the outputs; without them they are declared by name alone."""
        declared_inputs = [declare(name, value, self.open_dims) for name, value in self.feeds().items()]
        declared_outputs = []
        for name in self.output_names():
            if values is None:
                declared_outputs.append(onnx.ValueInfoProto(name=name) if self.output_type is None
                                        else helper.make_tensor_value_info(name, self.output_type, None))
            else:
                declared_outputs.append(declare(name, values[name], self.open_dims))
        initializers = [tensor(f"x{i}", self.inputs[i]) for i in sorted(self.constants)]
        graph = helper.make_graph(self.nodes(), self.op, declared_inputs, declared_outputs, initializers)
        imports = [helper.make_opsetid(self.domain, self.opset)]
        if self.domain:
            imports.append(helper.make_opsetid("", NEWEST))
        return helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION)

    def write(self, folder, values):
        data = folder / "test_data_set_0"
        data.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(self.model(values).SerializeToString(deterministic=True))
        for index, (name, value) in enumerate(self.feeds().items()):
            (data / f"input_{index}.pb").write_bytes(message(name, value).SerializeToString(deterministic=True))
        for index, name in enumerate(self.output_names()):
            (data / f"output_{index}.pb").write_bytes(message(name, values[name]).SerializeToString(deterministic=True))
        rtol, atol = self.tolerance or (0, 0)
        (folder / "tolerance.json").write_text(json.dumps({"rtol": rtol, "atol": atol}) + "\n")


def tensor(name, value):
    return numpy_helper.from_array(np.asarray(value), name)


def message(name, value):
    return numpy_helper.from_list(value, name) if isinstance(value, list) else tensor(name, value)


def element_type(value):
    value = np.asarray(value)
    return onnx.TensorProto.STRING if value.dtype.kind in "OU" else helper.np_dtype_to_tensor_dtype(value.dtype)


def declare(name, value, is_open):
    if isinstance(value, list):
        of = element_type(value[0]) if value else onnx.TensorProto.FLOAT
        return helper.make_tensor_sequence_value_info(name, of, None)
    value = np.asarray(value)
    dims = [f"{name}_{axis}" for axis in range(value.ndim)] if is_open else value.shape
    return helper.make_tensor_value_info(name, element_type(value), dims)


def is_inexact(value):
    value = np.asarray(value)
    return value.dtype.kind == "c" or is_float(value.dtype)
