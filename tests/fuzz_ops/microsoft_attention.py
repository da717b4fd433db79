"""Attention of com.microsoft, by ONNX Runtime alone where no formula is short."""

import numpy as np

from microsoft import DOMAIN, calm, case


def rotary(draw):
    batch, heads, steps, half = draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 6), draw.pick([2, 3, 4, 8])
    angles = calm(draw, (16, half))
    start = draw.chance(0.4)
    positions = draw.values(np.dtype("int64"), (1,) if start else (batch, steps), low=0, high=9 if start else 15)
    shape, attributes = draw.pick([((batch, steps, heads * 2 * half), {}), ((batch, heads, steps, 2 * half), {})])
    return case("RotaryEmbedding", [calm(draw, shape), positions, np.cos(angles), np.sin(angles)],
                {**attributes, "interleaved": draw.integer(0, 1)}, tolerance=(1e-4, 1e-4))


def key_mask(draw, batch, keys):
    """Lengths, or which keys count: the first always, for scores far below zero keep few digits."""
    kind = draw.pick(["none", "none", "lengths", "keys"])
    if kind == "none":
        return None
    if kind == "lengths":
        return draw.values(np.dtype("int32"), (batch,), low=1, high=keys)
    mask = draw.values(np.dtype("int32"), (batch, keys), low=0, high=1)
    mask[:, 0] = 1
    return mask


def multi_head(draw):
    batch, heads, steps, keys = draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 6), draw.integer(1, 6)
    size, value_size = draw.pick([2, 4, 8]), draw.pick([4, 8])
    attributes = {"num_heads": heads}
    if draw.chance(0.3):
        attributes["scale"] = draw.pick([0.5, 0.25])
    if draw.chance(0.3):
        attributes["unidirectional"] = 1
    inputs = [calm(draw, (batch, steps, heads * size)), calm(draw, (batch, keys, heads * size)),
              calm(draw, (batch, keys, heads * value_size))]
    inputs.append(calm(draw, (2 * heads * size + heads * value_size,)) if draw.chance(0.4) else None)
    inputs.append(key_mask(draw, batch, keys))
    inputs.append(calm(draw, draw.pick([(batch, heads, steps, keys), (1, heads, steps, keys), (1, 1, steps, keys)]))
                  if draw.chance(0.3) else None)
    return case("MultiHeadAttention", inputs, attributes, tolerance=(1e-3, 1e-4))


def attention(draw):
    batch, heads, steps, size = draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 6), draw.pick([2, 4, 8])
    width, hidden = draw.integer(1, 9), heads * size
    inputs = [calm(draw, (batch, steps, width)), calm(draw, (width, 3 * hidden), 0.5), calm(draw, (3 * hidden,)),
              key_mask(draw, batch, steps)]
    attributes = {"num_heads": heads, "unidirectional": draw.integer(0, 1)}
    return case("Attention", inputs, attributes, tolerance=(1e-3, 1e-4))


FUNCTIONS = {"RotaryEmbedding": (3, rotary), "MultiHeadAttention": (4, multi_head), "Attention": (3, attention)}
OPS = {f"{DOMAIN}.{op}": entry for op, entry in FUNCTIONS.items()}
