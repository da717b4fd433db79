"""Losses and the steps of optimizers."""

import numpy as np

from case import Case, Skip, epsilon
from numeric import accumulated, narrow, wide
from schema import types

TRAINING = "ai.onnx.preview.training"


def log_softmax(x):
    top = x.max(1, keepdims=True)
    return x - top - np.log(np.exp(x - top).sum(1, keepdims=True))


def loss(draw, op, dtype, index):
    """Inputs, attributes, the loss by the logarithms of probabilities."""
    n, c = draw.integer(1, 5), draw.integer(1, 7)
    shape = (n, c, *draw.shape(0, 2, most=20, zero=0, largest=5))
    x = draw.values(dtype, shape, special=0, scale=1.0)
    labels = draw.values(index, (n, *shape[2:]), low=0, high=c - 1)
    weights = draw.values(dtype, (c,), low=0.2, high=2) if draw.chance(0.5) else None
    reduction = draw.pick([None, "none", "mean", "sum"])
    attributes = {} if reduction is None else {"reduction": reduction}
    ignored = np.zeros(labels.shape, bool)
    if draw.chance(0.4):
        attributes["ignore_index"] = draw.pick([0, c - 1, -1, c + 3])
        if draw.chance(0.7):
            labels = np.where(draw.random.random(labels.shape) < 0.3, attributes["ignore_index"], labels).astype(index)
        ignored = labels == attributes["ignore_index"]
    logs = log_softmax(wide(x)) if op == "SoftmaxCrossEntropyLoss" else wide(x)
    safe = np.where(ignored, 0, labels)
    each = -np.take_along_axis(logs, np.expand_dims(safe, 1).astype(np.int64), 1).squeeze(1)
    weight = np.where(ignored, 0, 1.0 if weights is None else wide(weights)[safe])
    each = each * weight
    if reduction == "none":
        return x, labels, weights, attributes, each, logs
    if reduction == "sum":
        return x, labels, weights, attributes, each.sum(), logs
    if weight.sum() == 0:
        raise Skip("the mean of nothing is not said")
    return x, labels, weights, attributes, each.sum() / weight.sum(), logs


def cross_entropy(op):
    def make(draw):
        dtype = draw.type(types(op))
        index = draw.type(types(op, "Tind"))
        x, labels, weights, attributes, y, logs = loss(draw, op, dtype, index)
        outputs = [narrow(y, dtype)]
        if op == "SoftmaxCrossEntropyLoss" and draw.chance(0.5):
            outputs.append(narrow(logs, dtype))
        rtol, atol = accumulated(dtype, 4 * (np.abs(logs).max() + 1) * max(1, labels.size), labels.size)
        return Case(op, [x, labels, weights], outputs, attributes,
                    tolerance=(max(rtol, 8 * epsilon(dtype)), max(atol, 8 * epsilon(dtype))))
    return make


DEFAULTS = {
    "Adagrad": {"decay_factor": 0.0, "epsilon": 1e-6, "norm_coefficient": 0.0},
    "Adam": {"alpha": 0.9, "beta": 0.999, "epsilon": 1e-6, "norm_coefficient": 0.0, "norm_coefficient_post": 0.0},
}


def adagrad(rate, t, x, g, h, decay_factor, epsilon, norm_coefficient):
    g = g + norm_coefficient * x
    h = h + g * g
    return x - rate / (1 + t * decay_factor) * g / (np.sqrt(h) + epsilon), h


def adam(rate, t, x, g, v, h, alpha, beta, epsilon, norm_coefficient, norm_coefficient_post):
    g = g + norm_coefficient * x
    v, h = alpha * v + (1 - alpha) * g, beta * h + (1 - beta) * g * g
    if t > 0:
        rate = rate * np.sqrt(1 - beta**t) / (1 - alpha**t)
    return (1 - norm_coefficient_post) * (x - rate * v / (np.sqrt(h) + epsilon)), v, h


def momentum(rate, t, x, g, v, alpha, beta, mode, norm_coefficient):
    g = g + norm_coefficient * x
    v = alpha * v + (beta if t > 0 else 1) * g
    return x - rate * (g + alpha * v if mode == "nesterov" else v), v


STEPS = {"Adagrad": adagrad, "Adam": adam, "Momentum": momentum}


def optimizer(op):
    def make(draw):
        dtype = draw.type(["float32", "float64"])
        t = draw.integer(0, 5)
        rate = np.array(draw.pick([0.01, 0.1]), draw.type(["float32", "float64"]))
        shapes = [draw.shape(0, 3, most=30, zero=0) for _ in range(draw.integer(1, 3))]

        def tensors(**limits):
            return [draw.values(dtype, shape, special=0, **limits) for shape in shapes]
        states = [tensors(scale=1.0), tensors(scale=1.0)]  # tensors and their gradients
        if op != "Adagrad":
            states.append(tensors(scale=1.0))
        if op != "Momentum":
            states.append(tensors(low=0.1, high=2))
        if op == "Momentum":
            attributes = {"alpha": 0.9, "beta": 0.5, "norm_coefficient": 0.01,
                          "mode": draw.pick(["standard", "nesterov"])}
        else:
            attributes = {name: draw.pick([0.75, 0.01]) for name in DEFAULTS[op] if draw.chance(0.5)}
        used = {name: value if isinstance(value, str) else float(np.float32(value))
                for name, value in (DEFAULTS.get(op, {}) | attributes).items()}
        new = [STEPS[op](float(rate), t, *(wide(x) for x in one), **used) for one in zip(*states)]
        outputs = [narrow(value, dtype) for values in zip(*new) for value in values]
        bound = 1e-5 if dtype == np.float32 else 1e-12
        inputs = [rate, np.array(t, np.int64), *(x for state in states for x in state)]
        return Case(op, inputs, outputs, attributes, domain=TRAINING, tolerance=(bound, bound))
    return make


OPS = {
    **{op: (4, cross_entropy(op)) for op in ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")},
    **{op: (1, optimizer(op)) for op in ("Adagrad", "Adam", "Momentum")},
}
