"""What a case of an operator is."""

import json
from dataclasses import dataclass, field

import numpy as np
from onnx import numpy_helper


@dataclass
class Case:
    op: str
    name: str
    inputs: list  # None: omitted
    attributes: dict = field(default_factory=dict)
    wanted: tuple = (True,)  # for each output whether the node has it
    expected: list | None = None  # None: what ONNX Runtime gives
    tolerance: tuple = (1e-4, 1e-5)
    constants: tuple = ()  # names of inputs ("x1") that are initializers
    sparse: tuple = ()  # names of those that the file holds as sparse tensors
    domain: str = "com.microsoft"


def save(folder, model, inputs, outputs, tolerance):
    """As onnx lays its test data out, for `opscope-cli conformance`."""
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    for side, values in (("input", inputs), ("output", outputs)):
        for index, value in enumerate(values):
            message = numpy_helper.from_array(np.asarray(value))
            (data / f"{side}_{index}.pb").write_bytes(message.SerializeToString(deterministic=True))
    rtol, atol = tolerance
    (folder / "tolerance.json").write_text(json.dumps({"rtol": rtol, "atol": atol}) + "\n")


def random(*dims, seed=0, scale=1.0):
    return (np.random.default_rng(seed).standard_normal(dims) * scale).astype(np.float32)


def integers(low, high, *dims, dtype=np.int64, seed=0):
    return np.random.default_rng(seed).integers(low, high, dims).astype(dtype)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
