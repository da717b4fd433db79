"""RNN, LSTM and GRU: every direction, optional input and attribute."""

import numpy as np

from case import Case
from numeric import narrow, wide
from schema import types

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
STANDARD = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
ACTIVATIONS = {
    "Tanh": np.tanh, "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Relu": lambda x: np.maximum(x, 0),
    "Softsign": lambda x: x / (1 + np.abs(x)), "HardSigmoid": lambda x: np.clip(float(np.float32(0.2)) * x + 0.5, 0, 1),
    "Softplus": lambda x: np.logaddexp(x, 0), "Elu": lambda x: np.where(x < 0, np.expm1(x), x),
    "LeakyRelu": lambda x: np.where(x < 0, float(np.float32(0.01)) * x, x),
}


class Cell:
    """One direction: weights, bias halves, peepholes, functions and flags."""

    def __init__(self, op, w, r, b, p, functions, clip, flags):
        self.op, self.w, self.r, self.flags = op, wide(w), wide(r), flags
        gates = GATES[op] * r.shape[1]
        self.wb, self.rb = (np.zeros(gates),) * 2 if b is None else (wide(b)[:gates], wide(b)[gates:])
        self.p = np.zeros(3 * r.shape[1]) if p is None else wide(p)
        bounded = (lambda x: x) if clip is None else (lambda x: np.clip(x, -clip, clip))
        self.f = [lambda x, name=name: ACTIVATIONS[name](bounded(x)) for name in functions]
        if op == "LSTM":  # the clip is one of gates: the state itself passes its function as it is
            self.f[2] = ACTIVATIONS[functions[2]]

    def step(self, x, h, c):
        return getattr(self, self.op.lower())(x, h, c)

    def rnn(self, x, h, c):
        return self.f[0](x @ self.w.T + h @ self.r.T + self.wb + self.rb), c

    def gru(self, x, h, c):
        n = h.shape[1]
        wx, rh = x @ self.w.T + self.wb, h @ self.r.T
        z = self.f[0](wx[:, :n] + rh[:, :n] + self.rb[:n])
        r = self.f[0](wx[:, n:2 * n] + rh[:, n:2 * n] + self.rb[n:2 * n])
        if self.flags.get("linear_before_reset"):
            candidate = self.f[1](wx[:, 2 * n:] + r * (rh[:, 2 * n:] + self.rb[2 * n:]))
        else:
            candidate = self.f[1](wx[:, 2 * n:] + (r * h) @ self.r[2 * n:].T + self.rb[2 * n:])
        return (1 - z) * candidate + z * h, c

    def lstm(self, x, h, c):
        n = h.shape[1]
        total = x @ self.w.T + h @ self.r.T + self.wb + self.rb
        i, o, f, g = (total[:, k * n:(k + 1) * n] for k in range(4))
        i = self.f[0](i + self.p[:n] * c)
        f = 1 - i if self.flags.get("input_forget") else self.f[0](f + self.p[2 * n:] * c)
        c = f * c + i * self.f[1](g)
        o = self.f[0](o + self.p[n:2 * n] * c)
        return o * self.f[2](c), c


def run(cell, x, lengths, h, c, is_reverse):
    """All hidden states and the last ones; past its length a sequence gives zeros."""
    steps, batch = x.shape[:2]
    y = np.zeros((steps, batch, h.shape[1]))
    h, c = h.copy(), c.copy()
    for row in range(batch):
        order = range(lengths[row])
        for t in reversed(order) if is_reverse else order:
            here = slice(row, row + 1)
            h[here], c[here] = cell.step(x[t, here], h[here], c[here])
            y[t, row] = h[row]
    return y, h, c


def recurrent(op):
    def make(draw):
        dtype = draw.type([name for name in types(op) if name in ("float32", "float64", "float16")])
        direction = draw.pick([None, "forward", "reverse", "bidirectional"])
        ways = 2 if direction == "bidirectional" else 1
        steps, batch, size, hidden = draw.integer(1, 6), draw.integer(1, 4), draw.pick([1, 3, 8, 17]), \
            draw.pick([1, 2, 5, 8, 16, 19])
        gates = GATES[op] * hidden

        def some(*shape, scale=0.5):
            return draw.values(dtype, shape, special=0, scale=scale)
        x, w, r = some(steps, batch, size, scale=1.0), some(ways, gates, size), some(ways, gates, hidden)
        b = some(ways, 2 * gates) if draw.chance(0.6) else None
        lengths = draw.values(np.dtype(np.int32), (batch,), low=1, high=steps) \
            if draw.chance(0.4) else None
        h0 = some(ways, batch, hidden) if draw.chance(0.4) else None
        c0 = some(ways, batch, hidden) if op == "LSTM" and draw.chance(0.4) else None
        p = some(ways, 3 * hidden) if op == "LSTM" and draw.chance(0.3) else None
        attributes, flags, functions = {"hidden_size": hidden}, {}, STANDARD[op] * ways
        if direction is not None:
            attributes["direction"] = direction
        if draw.chance(0.3):
            functions = [draw.pick(sorted(ACTIVATIONS)) for _ in functions]
            attributes["activations"] = functions
        clip = draw.pick([0.5, 2.0]) if draw.chance(0.2) else None
        if clip is not None:
            attributes["clip"] = clip
        for name, owner in (("linear_before_reset", "GRU"), ("input_forget", "LSTM")):
            if owner == op and draw.chance(0.3):
                attributes[name] = flags[name] = 1
        layout = int(draw.chance(0.25))
        if layout:
            attributes["layout"] = 1
        y, last_h, last_c = all_ways(op, x, w, r, b, lengths, h0, c0, p, functions, clip, flags, direction)
        if layout:
            x, h0, c0 = (None if a is None else np.ascontiguousarray(a.swapaxes(0, 1)) for a in (x, h0, c0))
            y, last_h, last_c = y.transpose(2, 0, 1, 3), last_h.swapaxes(0, 1), last_c.swapaxes(0, 1)
        inputs = [x, w, r, b, lengths, h0] + ([c0, p] if op == "LSTM" else [])
        outputs = [narrow(y, dtype), narrow(last_h, dtype)] + ([narrow(last_c, dtype)] if op == "LSTM" else [])
        if draw.chance(0.2):
            outputs[0] = ""
        # Errors of a step are carried on by the next ones.
        bound = {"float32": 2e-5, "float64": 1e-12, "float16": 2e-2}[dtype.name]
        return Case(op, inputs, outputs, attributes, tolerance=(bound, bound))
    return make


def all_ways(op, x, w, r, b, lengths, h0, c0, p, functions, clip, flags, direction):
    steps, batch, hidden = x.shape[0], x.shape[1], r.shape[2]
    each = len(STANDARD[op])
    found = []
    for way in range(w.shape[0]):
        pick = lambda a: None if a is None else a[way]  # noqa: E731
        cell = Cell(op, w[way], r[way], pick(b), pick(p), functions[way * each:(way + 1) * each], clip, flags)
        start = [np.zeros((batch, hidden)) if a is None else wide(a[way]) for a in (h0, c0)]
        many = [steps] * batch if lengths is None else lengths
        with np.errstate(all="ignore"):
            found.append(run(cell, wide(x), many, *start, direction == "reverse" or way == 1))
    y, h, c = (np.stack(parts) for parts in zip(*found))
    return y.transpose(1, 0, 2, 3), h, c


OPS = {op: (6, recurrent(op)) for op in GATES}
