"""The sample network: its shape, and how it becomes an ONNX model."""

from pathlib import Path

import layers
import onnx
from onnx import TensorProto, helper, numpy_helper


def conv_block(scope, random, inputs, outputs, size, stride=1, act=None):
    """Convolution and BatchNormalization, then the activation if there is one."""
    steps = [
        layers.Conv(f"{scope}/conv", random, inputs, outputs, size, stride),
        layers.BatchNormalization(f"{scope}/bn", outputs),
    ]
    return layers.Sequence(*steps, *([layers.Activation(f"{scope}/act", act)] if act else []))


def squeeze_excite(scope, random, channels, hidden):
    return layers.Gate(
        scope,
        layers.Sequence(
            layers.GlobalAveragePool(f"{scope}/pool"),
            layers.Conv(f"{scope}/reduce", random, channels, hidden, 1, bias=True),
            layers.Activation(f"{scope}/relu", "Relu"),
            layers.Conv(f"{scope}/expand", random, hidden, channels, 1, bias=True),
            layers.Activation(f"{scope}/sigmoid", "Sigmoid"),
        ),
    )


def build(random, mean, deviation):
    """The network with fresh weights; [n, 8, 8, 1] pixels of the given mean and deviation -> [n, 10] logits."""
    residual = layers.Sequence(
        conv_block("/block1/a", random, 16, 16, 3, act="Relu"),
        conv_block("/block1/b", random, 16, 16, 3),
        squeeze_excite("/block1/se", random, 16, 4),
    )
    down = layers.Branches(
        "/down",
        layers.MaxPool("/down/pool"),
        conv_block("/down/conv3x3", random, 16, 16, 3, stride=2, act="Relu"),
    )
    mixed = layers.Branches(
        "/mixed",
        conv_block("/mixed/branch1x1", random, 32, 12, 1, act="Relu"),
        layers.Sequence(
            conv_block("/mixed/branch3x3/reduce", random, 32, 12, 1, act="Relu"),
            conv_block("/mixed/branch3x3", random, 12, 24, 3, act="Relu"),
        ),
        layers.Sequence(
            layers.AveragePool("/mixed/branch_pool/pool"),
            conv_block("/mixed/branch_pool", random, 32, 12, 1, act="Relu"),
        ),
    )
    separable = layers.Sequence(
        layers.DepthwiseConv("/separable/depthwise/conv", random, 48, 3),
        layers.BatchNormalization("/separable/depthwise/bn", 48),
        layers.Activation("/separable/depthwise/act", "Clip"),
        conv_block("/separable/pointwise", random, 48, 32, 1, act="HardSwish"),
    )
    head = layers.Sequence(
        layers.Flatten("/head"),
        layers.Linear("/head/fc1", random, 32 * 4 * 4, 64),
        layers.Activation("/head/relu", "Relu"),
        layers.Linear("/head/fc2", random, 64, 10),
    )
    return layers.Sequence(
        layers.Normalize("/input", mean, deviation),
        conv_block("/stem", random, 1, 16, 3, act="Relu"),
        layers.Residual("/block1", residual),
        layers.Activation("/block1/relu", "Relu"),
        down,
        mixed,
        separable,
        head,
    )


class GraphWriter:
    """Collects nodes and weights under the names that exporters give: "/stem/conv/Conv", "stem.conv.weight"."""

    def __init__(self):
        self.nodes, self.initializers, self.used = [], [], set()

    def name(self, scope, op):
        """scope/op, numbered from the second one of that name on."""
        name, k = f"{scope}/{op}", 0
        while name in self.used:
            k += 1
            name = f"{scope}/{op}_{k}"
        self.used.add(name)
        return name

    def node(self, op, inputs, scope, output=None, **attributes):
        name = self.name(scope, op)
        output = output or f"{name}_output_0"
        self.nodes.append(helper.make_node(op, inputs, [output], name=name, **attributes))
        return output

    def constant(self, value, scope):
        name = self.name(scope, "Constant")
        return self.node("Constant", [], scope, f"{name}_output_0", value=numpy_helper.from_array(value))

    def weight(self, name, value):
        self.initializers.append(numpy_helper.from_array(value, name))
        return name


def write_model(network, properties):
    """The trained network as a checked ONNX model with the outputs `probabilities` and `digit`."""
    graph = GraphWriter()
    logits = network.write(graph, "image")
    graph.node("Softmax", [logits], "/output", "probabilities", axis=1)
    graph.node("ArgMax", ["probabilities"], "/output", "digit", axis=1, keepdims=0, select_last_index=0)
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 1, 8, 8])
    image.doc_string = "Grey picture of one handwritten digit: 0 is paper, 1 is full ink."
    probabilities = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["batch", 10])
    probabilities.doc_string = "How likely each digit from 0 to 9 is; the ten add up to 1."
    digit = helper.make_tensor_value_info("digit", TensorProto.INT64, ["batch"])
    digit.doc_string = "The likeliest digit."
    proto = helper.make_graph(
        graph.nodes,
        "digits",
        [image],
        [probabilities, digit],
        graph.initializers,
        doc_string="Reads handwritten digits of 8 by 8 pixels: stem, residual block with squeeze and excite, "
        "halving by two branches, a block of three branches, a depthwise separable block, two dense layers.",
    )
    model = helper.make_model(
        proto,
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
        producer_name="opscope-sample",
        producer_version="1",
        domain="opscope.sample",
        model_version=1,
        doc_string="Opscope's sample model, made by resources/sample/train_digits.py.",
    )
    helper.set_model_props(model, properties)
    onnx.checker.check_model(model, full_check=True)
    return model


def save(model, path: Path):
    path.write_bytes(model.SerializeToString(deterministic=True))
