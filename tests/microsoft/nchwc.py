#!/usr/bin/env python3
"""Models as ONNX Runtime saves them optimized to the full, with channels in blocks: ours gives what it gives.

    nchwc.py CLI FOLDER            needs onnx, numpy and onnxruntime

ONNX Runtime takes the blocks that suit this processor, 8 or 16 channels, and runs no other ones. The models with the
other ones are made from it here, by another order of the weights.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from case import save

DOMAIN = "com.microsoft.nchwc"
OPERATORS = {"AveragePool", "Conv", "GlobalAveragePool", "GlobalMaxPool", "MaxPool", "ReorderInput", "ReorderOutput",
             "Upsample"}
VARIABLE = "OPSCOPE_NCHWC_BLOCK"
TOLERANCE = (1e-4, 1e-5)


class Network:
    def __init__(self, channels, height, width):
        self.nodes, self.weights, self.outputs = [], [], []
        self.random = np.random.default_rng(channels * 100 + height)
        self.input = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, channels, height, width])
        self.channels = {"x": channels}

    def add(self, op, inputs, channels=None, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        self.channels[name] = channels or self.channels[inputs[0]]
        return name

    def constant(self, value):
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(value.astype(np.float32), name))
        return name

    def conv(self, x, channels, kernel, group=1, bias=True, **attributes):
        dims = (channels, self.channels[x] // group, kernel, kernel)
        weights = self.random.standard_normal(dims) / np.sqrt(np.prod(dims[1:]))
        inputs = [x, self.constant(weights)] + ([self.constant(self.random.standard_normal(channels))] if bias else [])
        return self.add("Conv", inputs, channels, group=group, **attributes)

    def model(self):
        outputs = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in self.outputs]
        graph = helper.make_graph(self.nodes, "network", [self.input], outputs, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def residual():
    """Odd channels, depthwise, pointwise, a sum and its activation, and two kinds of output."""
    net = Network(3, 17, 15)
    x = net.add("Relu", [net.conv("x", 20, 3, pads=[1, 1, 1, 1], strides=[2, 2])])
    x = net.conv(x, 20, 3, group=20, bias=False, pads=[1, 1, 1, 1])
    x = net.add("Clip", [x, net.constant(np.array(0)), net.constant(np.array(6))])
    narrow = net.conv(x, 40, 1)
    x = net.add("Add", [net.conv(narrow, 40, 3, pads=[1, 1, 1, 1]), narrow])
    x = net.add("Relu", [x])
    net.outputs = [x, net.add("Sigmoid", [net.conv(x, 24, 3, dilations=[2, 2])])]
    return net.model()


def pooled():
    """All that is moved between blocks once channels come in whole ones."""
    net = Network(3, 24, 20)
    x = net.conv("x", 32, 3, pads=[1, 1, 1, 1])
    x = net.add("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    y = net.add("AveragePool", [x], kernel_shape=[2, 2], strides=[1, 1], pads=[0, 0, 1, 1], count_include_pad=1)
    z = net.conv(y, 64, 3, group=2, pads=[1, 1, 1, 1])
    z = net.add("Concat", [z, net.conv(y, 32, 1)], 96, axis=1)
    up = net.add("Resize", [z, "", net.constant(np.array([1, 1, 2, 2]))], mode="nearest", nearest_mode="floor",
                 coordinate_transformation_mode="asymmetric")
    smooth = net.add("Resize", [z, "", net.constant(np.array([1, 1, 2, 2]))], mode="linear",
                     coordinate_transformation_mode="half_pixel")
    last = net.conv(up, 48, 1)
    net.outputs = [net.conv(smooth, 16, 1), net.add("GlobalAveragePool", [last]), net.add("GlobalMaxPool", [last])]
    return net.model()


def wide():
    """An input that has to be brought into blocks first."""
    net = Network(36, 9, 9)
    net.outputs = [net.conv("x", 16, 3, auto_pad="SAME_UPPER")]
    return net.model()


def channels_last():
    net = Network(3, 8, 8)
    x = net.add("Transpose", [net.conv("x", 32, 3)], perm=[0, 2, 3, 1])
    net.outputs = [net.add("Softmax", [x], axis=-1)]
    return net.model()


NETWORKS = (residual, pooled, wide, channels_last)


def optimized(model, path):
    """The model as ONNX Runtime saves it, and what it computes from a random input."""
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(path)
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    dims = [each.dim_value for each in model.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(7).standard_normal(dims).astype(np.float32)
    return onnx.load(path), x, session.run(None, {"x": x})


def plain(weights, block):
    """Weights in the order of ONNX: inputs that make no block lie outside of the blocks of outputs."""
    outputs, inputs = weights.shape[:2]
    if inputs % block:
        ordered = weights.reshape(outputs // block, inputs, -1, block).transpose(0, 3, 1, 2)
    else:
        ordered = weights.reshape(outputs // block, inputs // block, -1, block, block).transpose(0, 4, 1, 3, 2)
    return ordered.reshape(weights.shape)


def in_blocks(weights, block):
    outputs, inputs = weights.shape[:2]
    if inputs % block:
        ordered = weights.reshape(outputs // block, block, inputs, -1).transpose(0, 2, 3, 1)
    else:
        ordered = weights.reshape(outputs // block, block, inputs // block, block, -1).transpose(0, 2, 4, 3, 1)
    return ordered.reshape(weights.shape)


def reordered(model, block, other):
    """The model with blocks of another size, or None where channels are padded to blocks of the first size alone."""
    result = onnx.ModelProto.FromString(model.SerializeToString())
    nodes = [node for node in result.graph.node if node.domain == DOMAIN]
    names = {node.input[1] for node in nodes if node.op_type == "Conv"}
    for each in result.graph.initializer:
        if each.name in names:
            if each.dims[0] % other or any(node.op_type == "ReorderInput" for node in nodes):
                return None
            weights = in_blocks(plain(numpy_helper.to_array(each), block), other)
            each.CopyFrom(numpy_helper.from_array(weights, each.name))
    return result


def conformance(cli, folder, block):
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    if block:
        environment[VARIABLE] = str(block)
    return subprocess.run([cli, "conformance", folder], env=environment, capture_output=True, text=True, check=False)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    cli, root = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    saved = {network.__name__: optimized(network(), root / "saved.onnx") for network in NETWORKS}
    block = 16 if saved["residual"][0].graph.initializer[0].dims[0] == 32 else 8
    other = 24 - block
    missing = OPERATORS - {node.op_type for model, _, _ in saved.values() for node in model.graph.node}
    problems = [f"no model has {', '.join(sorted(missing))}"] if missing else []
    for name, (model, x, outputs) in saved.items():
        save(root / str(block) / name, model, [x], outputs, TOLERANCE)
        changed = reordered(model, block, other)
        if changed is not None:
            save(root / str(other) / name, changed, [x], outputs, TOLERANCE)
    for size in (block, other):
        result = conformance(cli, root / str(size), size)
        print(f"blocks of {size}:\n{result.stdout}{result.stderr}")
        if result.returncode:
            problems.append(f"blocks of {size}: not all right")
    untold = conformance(cli, root / str(block), None)
    if not untold.returncode or f"set {VARIABLE} to 16" not in untold.stdout + untold.stderr:
        problems.append(f"without {VARIABLE}: expected to be told of it, found\n{untold.stdout}{untold.stderr}")
    print("\n".join(problems) or "all right")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
