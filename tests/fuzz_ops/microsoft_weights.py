"""Operators of com.microsoft with compressed weights, and mixtures of experts, by ONNX Runtime."""

import ml_dtypes
import numpy as np
from scipy import special

from microsoft import DOMAIN, FLOAT, calm, case, dims, grid, quantized, scalar, tanh_gelu
from numeric import narrow, wide

NUMBERS = (1e-3, 1e-3)
# The states are quantized anew at each step: one that falls on the other side of a tie moves the gates.
STATES = (0, 2e-2)


def blob(draw, *shape):
    return draw.values(np.dtype("uint8"), shape, low=0, high=255)


def scales(draw, shape, size=0.02):
    return np.asarray(np.abs(calm(draw, shape, size)) + size, np.float32)


# Mixtures of experts

def activated(h, attributes):
    kind = attributes["activation_type"]
    if kind == "swiglu":
        limit = attributes["swiglu_limit"]
        gate, up = np.minimum(h[..., ::2], limit), np.clip(h[..., 1::2], -limit, limit)
        return gate * special.expit(attributes["activation_alpha"] * gate) * (up + attributes["activation_beta"])
    return {"relu": lambda: np.maximum(h, 0), "gelu": lambda: tanh_gelu(h), "silu": lambda: h * special.expit(h),
            "identity": lambda: h}[kind]()


def mixed(x, router, first, first_bias, second, second_bias, attributes):
    """Of float64 matrices [experts, to, from]. Each token's experts are those that its row of the router has largest."""
    tokens = wide(x).reshape(-1, x.shape[-1])
    shares, y = special.softmax(wide(router), axis=-1), np.zeros((len(tokens), second.shape[1]))
    for token, share, row in zip(tokens, shares, y):
        chosen = np.argsort(-share)[:attributes["k"]]
        total = share[chosen].sum() if attributes.get("normalize_routing_weights") else 1
        for expert in chosen:
            h = first[expert] @ token + (0 if first_bias is None else first_bias[expert])
            out = second[expert] @ activated(h, attributes) + (0 if second_bias is None else second_bias[expert])
            row += share[expert] / total * out
    return narrow(y.reshape(x.shape), FLOAT)


def router_of(draw, tokens, count):
    """Without ties, in which any expert may be chosen."""
    return np.asarray(draw.random.standard_normal((tokens, count)), np.float32)


def routing(draw, experts):
    activation = draw.pick(["relu", "gelu", "silu", "identity", "swiglu"])
    attributes = {"k": draw.integer(1, min(experts, 3)), "activation_type": activation}
    if draw.chance(0.5):
        attributes["normalize_routing_weights"] = 1
    if activation == "swiglu":
        attributes.update(swiglu_fusion=1, activation_alpha=1.702, activation_beta=1.0, swiglu_limit=draw.pick([2.0, 7.0]))
    return attributes


def experts(draw):
    count, hidden, inner = draw.integer(2, 6), draw.pick([4, 8, 16, 24]), draw.pick([4, 8, 32])
    tokens = (draw.integer(1, 3), draw.integer(1, 5)) if draw.chance(0.3) else (draw.integer(1, 9),)
    attributes = routing(draw, count)
    width = 2 * inner if attributes["activation_type"] == "swiglu" else inner
    inputs = [calm(draw, (*tokens, hidden)), router_of(draw, int(np.prod(tokens)), count),
              calm(draw, (count, width, hidden), 0.2), calm(draw, (count, width)) if draw.chance(0.6) else None,
              calm(draw, (count, hidden, inner), 0.2), calm(draw, (count, hidden)) if draw.chance(0.6) else None]
    y = mixed(*inputs[:2], wide(inputs[2]), inputs[3], wide(inputs[4]), inputs[5], attributes)
    return case("MoE", inputs, attributes, [y], tolerance=(1e-4, 1e-4))


def unpacked(codes, scale, bits):
    """Weights with a scale for each row, or for each block of it."""
    codes = codes.astype(np.int64)
    if bits == 4:
        codes = np.stack([codes & 15, codes >> 4], -1).reshape(*codes.shape[:-1], -1)
    scale = wide(scale if scale.ndim == 3 else scale[..., None])
    return (codes - (1 << (bits - 1))) * np.repeat(scale, codes.shape[-1] // scale.shape[-1], -1)


def quantized_experts(draw):
    count, bits, block = draw.integer(2, 5), draw.pick([4, 8]), draw.pick([0, 16, 32])
    hidden, inner = draw.pick([32, 64]), draw.pick([32, 64])
    tokens, attributes, per_byte = draw.integer(1, 7), routing(draw, count), 8 // bits
    width = 2 * inner if attributes["activation_type"] == "swiglu" else inner
    size = 0.02 if bits == 4 else 0.002

    def scale(rows, columns):
        return scales(draw, (count, rows) if block == 0 else (count, rows, columns // block), size)

    inputs = [calm(draw, (tokens, hidden)), router_of(draw, tokens, count), blob(draw, count, width, hidden // per_byte),
              scale(width, hidden), calm(draw, (count, width)) if draw.chance(0.5) else None,
              blob(draw, count, hidden, inner // per_byte), scale(hidden, inner),
              calm(draw, (count, hidden)) if draw.chance(0.5) else None]
    first, second = (unpacked(inputs[i], inputs[i + 1], bits) for i in (2, 5))
    y = mixed(*inputs[:2], first, inputs[4], second, inputs[7], attributes)
    attributes["expert_weight_bits"] = bits
    if block:
        attributes["block_size"] = block
    return case("QMoE", inputs, attributes, [y], tolerance=NUMBERS)


# Weights of few bits

def bnb4(draw):
    n, k, block = draw.integer(1, 17), draw.pick([16, 32, 48, 64, 80]), draw.pick([16, 32, 64])
    inputs = [calm(draw, (*dims(draw, draw.integer(1, 2), 5), k)), blob(draw, (n * k + 1) // 2),
              scales(draw, (-(-n * k // block),), 0.2)]
    return case("MatMulBnb4", inputs, {"K": k, "N": n, "block_size": block, "quant_type": draw.integer(0, 1)},
                tolerance=NUMBERS, constants=[1, 2])


def gather_blocks(draw):
    block, rank = draw.pick([16, 32]), draw.integer(2, 3)
    shape = [*dims(draw, rank - 1, 6), draw.pick([16, 32, 48, 64])]
    kind, zeros = draw.pick(["int4", "uint4"]), draw.chance(0.5)
    numbers = np.dtype(getattr(ml_dtypes, kind))
    low, high = (-8, 7) if kind == "int4" else (0, 15)
    blocks = (*shape[:-1], -(-shape[-1] // block))
    axis = draw.integer(0, rank - 2)
    places = draw.values(np.dtype(draw.pick(["int32", "int64"])), draw.shape(low=0, high=2, zero=0, largest=4),
                         low=-shape[axis], high=shape[axis] - 1)
    inputs = [draw.values(numbers, shape, low=low, high=high), places, scales(draw, blocks),
              draw.values(numbers, blocks, low=low, high=high) if zeros else None]
    return case("GatherBlockQuantized", inputs, {"gather_axis": axis, "quantize_axis": rank - 1, "block_size": block},
                tolerance=(1e-5, 1e-6), constants=[0, 2, 3] if zeros else [0, 2])


# Bytes

def attention(draw):
    batch, steps = dims(draw, 2, 5)
    heads, size = draw.integer(1, 3), draw.pick([4, 8])
    hidden, kind = heads * size, draw.pick(["uint8", "int8"])
    mask = draw.pick([None, None, draw.values(np.dtype("int32"), (batch,), low=1, high=steps)])
    inputs = [quantized(draw, "uint8", (batch, steps, hidden)), quantized(draw, kind, (hidden, 3 * hidden)),
              calm(draw, (3 * hidden,)), scalar(0.02), scalar(0.01), mask, grid(draw, "uint8")[1], grid(draw, kind)[1]]
    attributes = {"num_heads": heads, "unidirectional": draw.integer(0, 1)}
    return case("QAttention", inputs, attributes, tolerance=(1e-3, 1e-3))


def lstm(draw):
    steps, batch, width, size = draw.integer(1, 5), draw.integer(1, 3), draw.integer(1, 7), draw.pick([2, 4, 5])
    direction, kind = draw.pick(["forward", "reverse", "bidirectional"]), draw.pick(["uint8", "int8"])
    ways = 2 if direction == "bidirectional" else 1
    inputs = [calm(draw, (steps, batch, width)), quantized(draw, kind, (ways, width, 4 * size)),
              quantized(draw, kind, (ways, size, 4 * size)), calm(draw, (ways, 8 * size)) if draw.chance(0.7) else None,
              draw.values(np.dtype("int32"), (batch,), low=1, high=steps) if draw.chance(0.4) else None,
              calm(draw, (ways, batch, size)) if draw.chance(0.4) else None,
              calm(draw, (ways, batch, size)) if draw.chance(0.4) else None, None]
    for _ in range(2):
        inputs += [scales(draw, (ways,), 0.01), np.full(ways, grid(draw, kind)[1], kind)]
    return case("DynamicQuantizeLSTM", inputs, {"hidden_size": size, "direction": direction}, [None] * 3,
                tolerance=STATES, constants=[1, 2])


def embed_normalization(draw):
    batch, steps, hidden = draw.integer(1, 3), draw.integer(1, 6), draw.pick([4, 8, 9])
    words, has_segments, kind = draw.integer(1, 9), draw.chance(0.6), draw.pick(["uint8", "int8"])

    def ids(high):
        return draw.values(np.dtype("int32"), (batch, steps), low=0, high=high)

    tables = [(words, hidden), (steps + 1, hidden), (2, hidden) if has_segments else None, (hidden,), (hidden,)]
    inputs = [ids(words - 1), ids(1) if has_segments else None,
              *(None if shape is None else quantized(draw, kind, shape) for shape in tables),
              ids(1) if draw.chance(0.5) else None]
    inputs += [None if shape is None else scalar(draw.random.uniform(0.01, 0.2)) for shape in tables]
    inputs += [None if shape is None else grid(draw, kind)[1] for shape in tables]
    return case("QEmbedLayerNormalization", inputs, {"epsilon": 1e-3}, [None, None], tolerance=NUMBERS)


FUNCTIONS = {
    "MoE": (3, experts), "QMoE": (3, quantized_experts), "MatMulBnb4": (2, bnb4), "GatherBlockQuantized": (3, gather_blocks),
    "QAttention": (3, attention), "DynamicQuantizeLSTM": (3, lstm), "QEmbedLayerNormalization": (2, embed_normalization),
}
OPS = {f"{DOMAIN}.{op}": entry for op, entry in FUNCTIONS.items()}
