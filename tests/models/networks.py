"""Well-known network shapes with seeded random weights, written as exporters write them: a BatchNormalization after
each convolution, LayerNormalization and GELU taken apart, shape arithmetic before each Reshape, opsets of their time."""

import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Network:
    """A graph under construction. Weights come from one seeded stream, so the order of calls is part of the result."""

    def __init__(self, name):
        self.name = name
        self.nodes, self.weights, self.inputs = [], [], []
        self.random = np.random.default_rng(0)
        self.names = {}

    def unique(self, name):
        """The name, with a number after it from its second use on."""
        uses = self.names[name] = self.names.get(name, -1) + 1
        return f"{name}_{uses}" if uses else name

    def input(self, name, element_type, shape):
        self.inputs.append(helper.make_tensor_value_info(name, element_type, shape))
        return name

    def add(self, scope, op, *inputs, **attributes):
        """Appends a node; returns the name of what it makes."""
        name = self.unique(f"{scope}/{op}")
        self.nodes.append(helper.make_node(op, inputs, [f"{name}_output_0"], name=name, **attributes))
        return f"{name}_output_0"

    def constant(self, scope, value):
        return self.add(scope, "Constant", value=numpy_helper.from_array(np.asarray(value)))

    def weight(self, scope, kind, values):
        name = self.unique(f"{scope.strip('/').replace('/', '.')}.{kind}")
        self.weights.append(numpy_helper.from_array(np.asarray(values, np.float32), name))
        return name

    def normal(self, shape, deviation):
        return self.random.standard_normal(shape) * deviation

    def he_normal(self, *shape):
        """Random values that keep a ReLU network's activations at one scale."""
        return self.normal(shape, math.sqrt(2 / max(math.prod(shape[1:]), 1)) if len(shape) > 1 else math.sqrt(2))

    def model(self, result, output, shape, opset):
        """The checked model, whose output is `result` under the name `output`."""
        last = next(node for node in self.nodes if node.output[0] == result)
        last.output[0] = output
        outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
        graph = helper.make_graph(self.nodes, self.name, self.inputs, outputs, self.weights)
        opsets = [helper.make_opsetid("", opset)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="opscope-tests")
        onnx.checker.check_model(model)
        return model


def conv(net, scope, x, inputs, outputs, size, stride=1, groups=1, act=None):
    """Convolution, BatchNormalization and perhaps an activation: Relu, or Clip from 0 to 6."""
    weight = net.weight(f"{scope}/conv", "weight", net.he_normal(outputs, inputs // groups, size, size))
    attributes = {"dilations": [1, 1], "group": groups, "kernel_shape": [size, size], "pads": [size // 2] * 4}
    x = net.add(f"{scope}/conv", "Conv", x, weight, strides=[stride, stride], **attributes)
    bn = f"{scope}/bn"
    scale = net.weight(bn, "weight", net.random.random(outputs) + 0.5)
    shift = net.weight(bn, "bias", net.normal(outputs, 0.1))
    mean = net.weight(bn, "running_mean", np.zeros(outputs))
    variance = net.weight(bn, "running_var", np.ones(outputs))
    x = net.add(bn, "BatchNormalization", x, scale, shift, mean, variance, epsilon=1e-5)
    if act == "Relu":
        return net.add(scope, "Relu", x)
    if act == "Clip":
        return net.add(scope, "Clip", x, *(net.constant(scope, np.float32(bound)) for bound in (0, 6)))
    return x


def classifier(net, x, channels):
    """Global pooling and a dense layer of 1000 classes: the finished model of an image network."""
    x = net.add("/flatten", "Flatten", net.add("/pool", "GlobalAveragePool", x), axis=1)
    weight = net.weight("/fc", "weight", net.he_normal(1000, channels))
    bias = net.weight("/fc", "bias", net.he_normal(1000))
    return net.model(net.add("/fc", "Gemm", x, weight, bias, transB=1), "logits", ["batch", 1000], 13)


def resnet50():
    net = Network("resnet50")
    x = net.input("image", TensorProto.FLOAT, ["batch", 3, 224, 224])
    x = conv(net, "/stem", x, 3, 64, 7, 2, act="Relu")
    x = net.add("/stem", "MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    channels = 64
    for stage, (blocks, width) in enumerate(((3, 64), (4, 128), (6, 256), (3, 512)), start=1):
        for block in range(blocks):
            scope = f"/layer{stage}/layer{stage}.{block}"
            stride = 2 if stage > 1 and block == 0 else 1
            y = conv(net, f"{scope}/a", x, channels, width, 1, act="Relu")
            y = conv(net, f"{scope}/b", y, width, width, 3, stride, act="Relu")
            y = conv(net, f"{scope}/c", y, width, 4 * width, 1)
            if block == 0:
                x = conv(net, f"{scope}/downsample", x, channels, 4 * width, 1, stride)
            x = net.add(scope, "Relu", net.add(scope, "Add", y, x))
            channels = 4 * width
    return classifier(net, x, channels)


# Expansion, channels, blocks and first stride of each stage.
MOBILENET_V2 = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def mobilenet_v2():
    net = Network("mobilenet_v2")
    x = net.input("image", TensorProto.FLOAT, ["batch", 3, 224, 224])
    x = conv(net, "/features.0", x, 3, 32, 3, 2, act="Clip")
    channels, number = 32, 0
    for expansion, outputs, blocks, first_stride in MOBILENET_V2:
        for block in range(blocks):
            number += 1
            scope, hidden = f"/features.{number}", channels * expansion
            stride, y = 1 if block else first_stride, x
            if expansion > 1:
                y = conv(net, f"{scope}/expand", y, channels, hidden, 1, act="Clip")
            y = conv(net, f"{scope}/depthwise", y, hidden, hidden, 3, stride, hidden, act="Clip")
            y = conv(net, f"{scope}/project", y, hidden, outputs, 1)
            x = net.add(scope, "Add", x, y) if stride == 1 and channels == outputs else y
            channels = outputs
    return classifier(net, conv(net, "/last", x, channels, 1280, 1, act="Clip"), 1280)


def layer_norm(net, scope, x, width):
    """LayerNormalization over the last axis, as ten nodes."""
    mean = net.add(scope, "ReduceMean", x, axes=[-1])
    centred = net.add(scope, "Sub", x, mean)
    square = net.add(scope, "Pow", centred, net.constant(scope, np.float32(2)))
    variance = net.add(scope, "ReduceMean", square, axes=[-1])
    variance = net.add(scope, "Add", variance, net.constant(scope, np.float32(1e-12)))
    x = net.add(scope, "Div", centred, net.add(scope, "Sqrt", variance))
    x = net.add(scope, "Mul", x, net.weight(scope, "weight", np.ones(width)))
    return net.add(scope, "Add", x, net.weight(scope, "bias", np.zeros(width)))


def dense(net, scope, x, inputs, outputs):
    bias = net.weight(scope, "bias", net.normal(outputs, 0.02))
    weight = net.weight(scope, "weight", net.normal((inputs, outputs), 0.02))
    return net.add(scope, "Add", bias, net.add(scope, "MatMul", x, weight))


def split_heads(net, scope, x, heads, size):
    """[batch, sequence, heads * size] -> [batch, heads, sequence, size], by way of the shape."""
    shape, dims = net.add(scope, "Shape", x), []
    for axis in range(2):
        dim = net.add(scope, "Gather", shape, net.constant(scope, np.int64(axis)), axis=0)
        dims.append(net.add(scope, "Unsqueeze", dim, axes=[0]))
    dims += [net.constant(scope, np.array([value], np.int64)) for value in (heads, size)]
    x = net.add(scope, "Reshape", x, net.add(scope, "Concat", *dims, axis=0))
    return net.add(scope, "Transpose", x, perm=[0, 2, 1, 3])


def attention(net, scope, x, mask, width, heads):
    size = width // heads
    query, key, value = (
        split_heads(net, scope, dense(net, f"{scope}/{name}", x, width, width), heads, size)
        for name in ("query", "key", "value")
    )
    key = net.add(scope, "Transpose", key, perm=[0, 1, 3, 2])
    scores = net.add(scope, "MatMul", query, key)
    scores = net.add(scope, "Div", scores, net.constant(scope, np.float32(math.sqrt(size))))
    scores = net.add(scope, "Softmax", net.add(scope, "Add", scores, mask), axis=-1)
    x = net.add(scope, "Transpose", net.add(scope, "MatMul", scores, value), perm=[0, 2, 1, 3])
    x = net.add(scope, "Reshape", x, net.constant(scope, np.array([0, 0, width], np.int64)))
    return dense(net, f"{scope}/output", x, width, width)


def gelu(net, scope, x):
    ratio = net.add(scope, "Div", x, net.constant(scope, np.float32(math.sqrt(2))))
    erf = net.add(scope, "Erf", ratio)
    one_more = net.add(scope, "Add", erf, net.constant(scope, np.float32(1)))
    product = net.add(scope, "Mul", x, one_more)
    return net.add(scope, "Mul", product, net.constant(scope, np.float32(0.5)))


def feed_forward(net, scope, x, width, hidden):
    x = gelu(net, scope, dense(net, f"{scope}/intermediate", x, width, hidden))
    return dense(net, f"{scope}/output", x, hidden, width)


def block_norm_after(net, scope, x, mask, width, heads, hidden):
    """A transformer block as in BERT."""
    x = net.add(scope, "Add", attention(net, f"{scope}/attention", x, mask, width, heads), x)
    x = layer_norm(net, f"{scope}/attention/output/LayerNorm", x, width)
    x = net.add(scope, "Add", feed_forward(net, scope, x, width, hidden), x)
    return layer_norm(net, f"{scope}/output/LayerNorm", x, width)


def block_norm_before(net, scope, x, mask, width, heads, hidden):
    """A transformer block as in GPT-2."""
    y = layer_norm(net, f"{scope}/ln_1", x, width)
    x = net.add(scope, "Add", attention(net, f"{scope}/attention", y, mask, width, heads), x)
    y = layer_norm(net, f"{scope}/ln_2", x, width)
    return net.add(scope, "Add", feed_forward(net, scope, y, width, hidden), x)


def embeddings(net, ids, vocabulary, width):
    scope = "/embeddings"
    words = net.weight(scope, "word.weight", net.normal((vocabulary, width), 0.02))
    x = net.add(scope, "Gather", words, ids)
    shape = net.add(scope, "Shape", ids)
    length = net.add(scope, "Gather", shape, net.constant(scope, np.int64(1)), axis=0)
    places = net.weight(scope, "position.weight", net.normal((1, 512, width), 0.02))
    start = net.constant(scope, np.array([0], np.int64))
    end = net.add(scope, "Unsqueeze", length, axes=[0])
    places = net.add(scope, "Slice", places, start, end, net.constant(scope, np.array([1], np.int64)))
    return layer_norm(net, f"{scope}/LayerNorm", net.add(scope, "Add", x, places), width)


def additive_mask(net, mask):
    """[batch, sequence] of ones and zeros -> [batch, 1, 1, sequence] of 0 and nearly minus infinity."""
    for axis in (1, 2):
        mask = net.add("", "Unsqueeze", mask, axes=[axis])
    mask = net.add("", "Cast", mask, to=TensorProto.FLOAT)
    hidden = net.add("", "Sub", net.constant("", np.float32(1)), mask)
    return net.add("", "Mul", hidden, net.constant("", np.float32(-3.4e38)))


def blocks(net, block, x, mask, count, width, heads, hidden):
    for number in range(count):
        x = block(net, f"/encoder/layer.{number}", x, mask, width, heads, hidden)
    return net.model(net.add("", "Identity", x), "last_hidden_state", ["batch", "sequence", width], 12)


def language_model(name, block, vocabulary, count, width):
    net = Network(name)
    ids = net.input("input_ids", TensorProto.INT64, ["batch", "sequence"])
    mask = additive_mask(net, net.input("attention_mask", TensorProto.INT64, ["batch", "sequence"]))
    return blocks(net, block, embeddings(net, ids, vocabulary, width), mask, count, width, 12, 4 * width)


def decoder(count):
    """Many small transformer blocks, some 90 nodes each: for graph layout."""
    net = Network(f"decoder_{count}")
    x = net.input("hidden", TensorProto.FLOAT, ["batch", "sequence", 32])
    mask = net.input("mask", TensorProto.FLOAT, ["batch", 1, 1, "sequence"])
    return blocks(net, block_norm_before, x, mask, count, 32, 4, 64)


def elementwise():
    """Eleven rounds of scale, shift, SiLU and Tanh over one large tensor."""
    net, shape = Network("elementwise"), [1, 64, 128, 128]
    x = net.input("x", TensorProto.FLOAT, shape)
    for turn in range(11):
        factor = np.float32(0.5 + turn / 20)
        for op in ("Mul", "Add"):
            x = net.add("", op, x, net.constant("", factor))
        x = net.add("", "Mul", x, net.add("", "Sigmoid", x))
        x = net.add("", "Tanh", x)
    return net.model(net.add("", "Identity", x), "y", shape, 17)


def mlp_small():
    """Thirty dense layers so small that the cost of a step itself shows."""
    net = Network("mlp_small")
    x = net.input("x", TensorProto.FLOAT, ["batch", 64])
    for number in range(30):
        scope = f"/layers.{number}"
        weight = net.weight(scope, "weight", net.he_normal(64, 64))
        bias = net.weight(scope, "bias", net.he_normal(64))
        x = net.add(scope, "Relu", net.add(scope, "Gemm", x, weight, bias, transB=1))
    return net.model(net.add("", "Identity", x), "y", ["batch", 64], 17)


NETWORKS = {
    "resnet50": resnet50,
    "mobilenet_v2": mobilenet_v2,
    "bert_base": lambda: language_model("bert_base", block_norm_after, 30522, 12, 768),
    "minilm": lambda: language_model("minilm", block_norm_after, 30522, 6, 384),
    "gpt2_block_12": lambda: language_model("gpt2_block_12", block_norm_before, 50257, 12, 768),
    "elementwise": elementwise,
    "mlp_small": mlp_small,
}
