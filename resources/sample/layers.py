"""Layers of the sample network in plain numpy. Each one runs forward, runs backward and writes itself as ONNX nodes.

Arrays are [image, row, column, channel] here, so that a convolution is one matrix product; ONNX's own
[image, channel, row, column] order is made when a layer is written. Backward must follow the forward call it
belongs to: layers keep what they need from it.
"""

import numpy as np


class Layer:
    """One step of a network under a scope such as "/stem/conv"; `parameters` are trained, in place."""

    def __init__(self, scope):
        self.scope = scope
        self.parameters, self.gradients = {}, {}

    def parts(self):
        """This layer and every layer inside it."""
        return [self]

    def key(self, name):
        """Name of a stored tensor: "/stem/conv" and "weight" give "stem.conv.weight"."""
        return f"{self.scope.strip('/').replace('/', '.')}.{name}"


class Sequence(Layer):
    """Layers one after the other."""

    def __init__(self, *layers):
        super().__init__("")
        self.layers = layers

    def parts(self):
        return [part for layer in self.layers for part in layer.parts()]

    def forward(self, x, training):
        for layer in self.layers:
            x = layer.forward(x, training)
        return x

    def backward(self, gradient):
        for layer in reversed(self.layers):
            gradient = layer.backward(gradient)
        return gradient

    def write(self, graph, x):
        for layer in self.layers:
            x = layer.write(graph, x)
        return x


class Normalize(Layer):
    """(x - mean) / deviation with two fixed numbers."""

    def __init__(self, scope, mean, deviation):
        super().__init__(scope)
        self.mean, self.deviation = np.float32(mean), np.float32(deviation)

    def forward(self, x, training):
        return (x - self.mean) / self.deviation

    def backward(self, gradient):
        return gradient / self.deviation

    def write(self, graph, x):
        centred = graph.node("Sub", [x, graph.constant(self.mean, self.scope)], self.scope)
        return graph.node("Div", [centred, graph.constant(self.deviation, self.scope)], self.scope)


def windows(x, size, stride):
    """The size*size shifted views of x, padded so that stride 1 keeps the picture's size: row by row."""
    pad = size // 2
    padded = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    rows, columns = (-(-extent // stride) for extent in x.shape[1:3])
    return [
        padded[:, i : i + rows * stride : stride, j : j + columns * stride : stride]
        for i in range(size)
        for j in range(size)
    ]


def scatter(parts, shape, size, stride):
    """The transpose of `windows`: adds each part back to where its view was taken from."""
    pad = size // 2
    padded = np.zeros((shape[0], shape[1] + 2 * pad, shape[2] + 2 * pad, shape[3]), np.float32)
    for k, part in enumerate(parts):
        i, j = divmod(k, size)
        padded[:, i : i + part.shape[1] * stride : stride, j : j + part.shape[2] * stride : stride] += part
    return padded[:, pad : pad + shape[1], pad : pad + shape[2]]


class Conv(Layer):
    """A square convolution that keeps the picture's size but for its stride."""

    def __init__(self, scope, random, inputs, outputs, size, stride=1, bias=False):
        super().__init__(scope)
        self.size, self.stride = size, stride
        fan = inputs * size * size
        weight = random.standard_normal((fan, outputs)) * np.sqrt(2 / fan)
        self.parameters["weight"] = weight.astype(np.float32)
        if bias:
            self.parameters["bias"] = np.zeros(outputs, np.float32)

    def forward(self, x, training):
        self.shape = x.shape
        self.columns = np.concatenate(windows(x, self.size, self.stride), axis=3)
        y = self.columns @ self.parameters["weight"]
        return y + self.parameters["bias"] if "bias" in self.parameters else y

    def backward(self, gradient):
        flat = gradient.reshape(-1, gradient.shape[3])
        self.gradients["weight"] = self.columns.reshape(len(flat), -1).T @ flat
        if "bias" in self.parameters:
            self.gradients["bias"] = flat.sum(axis=0)
        columns = gradient @ self.parameters["weight"].T
        parts = np.split(columns, self.size * self.size, axis=3)
        return scatter(parts, self.shape, self.size, self.stride)

    def write(self, graph, x):
        weight = self.parameters["weight"].reshape(self.size, self.size, -1, self.parameters["weight"].shape[1])
        inputs = [x, graph.weight(self.key("weight"), weight.transpose(3, 2, 0, 1))]
        if "bias" in self.parameters:
            inputs.append(graph.weight(self.key("bias"), self.parameters["bias"]))
        return graph.node("Conv", inputs, self.scope, **conv_attributes(self.size, self.stride, 1))


class DepthwiseConv(Layer):
    """A square convolution of each channel by itself."""

    def __init__(self, scope, random, channels, size):
        super().__init__(scope)
        self.size = size
        weight = random.standard_normal((size * size, channels)) * np.sqrt(2) / size
        self.parameters["weight"] = weight.astype(np.float32)

    def forward(self, x, training):
        self.shape = x.shape
        self.views = windows(x, self.size, 1)
        return sum(view * row for view, row in zip(self.views, self.parameters["weight"]))

    def backward(self, gradient):
        self.gradients["weight"] = np.stack([(view * gradient).sum(axis=(0, 1, 2)) for view in self.views])
        return scatter([gradient * row for row in self.parameters["weight"]], self.shape, self.size, 1)

    def write(self, graph, x):
        channels = self.parameters["weight"].shape[1]
        weight = self.parameters["weight"].T.reshape(channels, 1, self.size, self.size)
        inputs = [x, graph.weight(self.key("weight"), weight)]
        return graph.node("Conv", inputs, self.scope, **conv_attributes(self.size, 1, channels))


def conv_attributes(size, stride, groups):
    return {
        "dilations": [1, 1],
        "group": groups,
        "kernel_shape": [size, size],
        "pads": [size // 2] * 4,
        "strides": [stride, stride],
    }


class BatchNormalization(Layer):
    """Normalises each channel: by the batch while training, by the running statistics afterwards."""

    epsilon, momentum = 1e-5, 0.9

    def __init__(self, scope, channels):
        super().__init__(scope)
        self.parameters["weight"] = np.ones(channels, np.float32)
        self.parameters["bias"] = np.zeros(channels, np.float32)
        self.running_mean = np.zeros(channels, np.float32)
        self.running_var = np.ones(channels, np.float32)

    def forward(self, x, training):
        mean, variance = self.running_mean, self.running_var
        if training:
            mean, variance = x.mean(axis=(0, 1, 2)), x.var(axis=(0, 1, 2))
            count = x.size // x.shape[3]
            self.running_mean += np.float32(1 - self.momentum) * (mean - self.running_mean)
            unbiased = variance * np.float32(count / (count - 1))
            self.running_var += np.float32(1 - self.momentum) * (unbiased - self.running_var)
        self.inverse = 1 / np.sqrt(variance + np.float32(self.epsilon))
        self.normalised = (x - mean) * self.inverse
        return self.normalised * self.parameters["weight"] + self.parameters["bias"]

    def backward(self, gradient):
        self.gradients["weight"] = (gradient * self.normalised).sum(axis=(0, 1, 2))
        self.gradients["bias"] = gradient.sum(axis=(0, 1, 2))
        count = np.float32(gradient.size // gradient.shape[3])
        inner = self.gradients["bias"] + self.normalised * self.gradients["weight"]
        return self.parameters["weight"] * self.inverse * (gradient - inner / count)

    def write(self, graph, x):
        inputs = [x] + [graph.weight(self.key(name), self.parameters[name]) for name in ("weight", "bias")]
        inputs.append(graph.weight(self.key("running_mean"), self.running_mean))
        inputs.append(graph.weight(self.key("running_var"), self.running_var))
        attributes = {"epsilon": self.epsilon, "momentum": self.momentum}
        return graph.node("BatchNormalization", inputs, self.scope, **attributes)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


# Name of the operator: its function and its derivative.
ACTIVATIONS = {
    "Relu": (lambda x: np.maximum(x, 0), lambda x: (x > 0).astype(np.float32)),
    "Clip": (lambda x: np.clip(x, 0, 6), lambda x: ((x > 0) & (x < 6)).astype(np.float32)),
    "Sigmoid": (sigmoid, lambda x: sigmoid(x) * (1 - sigmoid(x))),
    "HardSwish": (
        lambda x: x * np.clip(x / 6 + np.float32(0.5), 0, 1),
        lambda x: np.where(np.abs(x) < 3, x / 3 + np.float32(0.5), (x > 0).astype(np.float32)),
    ),
}


class Activation(Layer):
    """An element-wise function of the table above; Clip is the one from 0 to 6."""

    def __init__(self, scope, name):
        super().__init__(scope)
        self.name = name

    def forward(self, x, training):
        self.x = x
        return ACTIVATIONS[self.name][0](x)

    def backward(self, gradient):
        return gradient * ACTIVATIONS[self.name][1](self.x)

    def write(self, graph, x):
        inputs = [x]
        if self.name == "Clip":
            inputs += [graph.constant(np.float32(bound), self.scope) for bound in (0, 6)]
        return graph.node(self.name, inputs, self.scope)


class MaxPool(Layer):
    """Halves the picture: the largest of each 2x2 square."""

    def forward(self, x, training):
        self.tiles = x.reshape(len(x), x.shape[1] // 2, 2, x.shape[2] // 2, 2, x.shape[3])
        self.largest = self.tiles.max(axis=(2, 4), keepdims=True)
        return self.largest[:, :, 0, :, 0]

    def backward(self, gradient):
        hit = self.tiles == self.largest
        share = gradient[:, :, None, :, None] / hit.sum(axis=(2, 4), keepdims=True, dtype=np.float32)
        return (hit * share).reshape(len(hit), hit.shape[1] * 2, hit.shape[3] * 2, hit.shape[5])

    def write(self, graph, x):
        return graph.node("MaxPool", [x], self.scope, ceil_mode=0, kernel_shape=[2, 2], strides=[2, 2])


class AveragePool(Layer):
    """The mean of each 3x3 neighbourhood, zeros beyond the edge counted."""

    def forward(self, x, training):
        self.shape = x.shape
        return sum(windows(x, 3, 1)) / np.float32(9)

    def backward(self, gradient):
        return scatter([gradient / np.float32(9)] * 9, self.shape, 3, 1)

    def write(self, graph, x):
        attributes = {"ceil_mode": 0, "count_include_pad": 1, "kernel_shape": [3, 3], "pads": [1] * 4}
        return graph.node("AveragePool", [x], self.scope, strides=[1, 1], **attributes)


class GlobalAveragePool(Layer):
    """The mean of each channel's picture."""

    def forward(self, x, training):
        self.shape = x.shape
        return x.mean(axis=(1, 2), keepdims=True)

    def backward(self, gradient):
        return np.broadcast_to(gradient / np.float32(self.shape[1] * self.shape[2]), self.shape)

    def write(self, graph, x):
        return graph.node("GlobalAveragePool", [x], self.scope)


class Gate(Layer):
    """x times what the inner layers make of it (one number a channel): squeeze and excite."""

    def __init__(self, scope, inner):
        super().__init__(scope)
        self.inner = inner

    def parts(self):
        return self.inner.parts()

    def forward(self, x, training):
        self.x, self.gate = x, self.inner.forward(x, training)
        return x * self.gate

    def backward(self, gradient):
        return gradient * self.gate + self.inner.backward((gradient * self.x).sum(axis=(1, 2), keepdims=True))

    def write(self, graph, x):
        return graph.node("Mul", [x, self.inner.write(graph, x)], self.scope)


class Residual(Layer):
    """x plus what the inner layers make of it."""

    def __init__(self, scope, inner):
        super().__init__(scope)
        self.inner = inner

    def parts(self):
        return self.inner.parts()

    def forward(self, x, training):
        return self.inner.forward(x, training) + x

    def backward(self, gradient):
        return self.inner.backward(gradient) + gradient

    def write(self, graph, x):
        return graph.node("Add", [self.inner.write(graph, x), x], self.scope)


class Branches(Layer):
    """What each branch makes of x, side by side along the channels."""

    def __init__(self, scope, *branches):
        super().__init__(scope)
        self.branches = branches

    def parts(self):
        return [part for branch in self.branches for part in branch.parts()]

    def forward(self, x, training):
        outputs = [branch.forward(x, training) for branch in self.branches]
        self.borders = np.cumsum([output.shape[3] for output in outputs])[:-1]
        return np.concatenate(outputs, axis=3)

    def backward(self, gradient):
        pieces = np.split(gradient, self.borders, axis=3)
        return sum(branch.backward(piece) for branch, piece in zip(self.branches, pieces))

    def write(self, graph, x):
        return graph.node("Concat", [branch.write(graph, x) for branch in self.branches], self.scope, axis=1)


class Flatten(Layer):
    """[batch, features], written as the shape arithmetic that exporters make of x.view(x.size(0), -1)."""

    def forward(self, x, training):
        self.shape = x.shape
        return x.transpose(0, 3, 1, 2).reshape(len(x), -1)

    def backward(self, gradient):
        images, rows, columns, channels = self.shape
        return gradient.reshape(images, channels, rows, columns).transpose(0, 2, 3, 1)

    def write(self, graph, x):
        shape = graph.node("Shape", [x], self.scope)
        batch = graph.node("Gather", [shape, graph.constant(np.int64(0), self.scope)], self.scope, axis=0)
        batch = graph.node("Unsqueeze", [batch, graph.constant(np.array([0]), self.scope)], self.scope)
        target = graph.node("Concat", [batch, graph.constant(np.array([-1]), self.scope)], self.scope, axis=0)
        return graph.node("Reshape", [x, target], self.scope, allowzero=0)


class Linear(Layer):
    """A fully connected layer."""

    def __init__(self, scope, random, inputs, outputs):
        super().__init__(scope)
        weight = random.standard_normal((outputs, inputs)) * np.sqrt(2 / inputs)
        self.parameters["weight"] = weight.astype(np.float32)
        self.parameters["bias"] = np.zeros(outputs, np.float32)

    def forward(self, x, training):
        self.x = x
        return x @ self.parameters["weight"].T + self.parameters["bias"]

    def backward(self, gradient):
        self.gradients["weight"] = gradient.T @ self.x
        self.gradients["bias"] = gradient.sum(axis=0)
        return gradient @ self.parameters["weight"]

    def write(self, graph, x):
        inputs = [x] + [graph.weight(self.key(name), self.parameters[name]) for name in ("weight", "bias")]
        return graph.node("Gemm", inputs, self.scope, alpha=1.0, beta=1.0, transB=1)
