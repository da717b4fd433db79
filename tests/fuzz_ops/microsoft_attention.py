"""Attention of com.microsoft, by ONNX Runtime alone where no formula is short."""

import numpy as np

from case import epsilon
from microsoft import DOMAIN, calm, case
from numeric import narrow, wide


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


# Attention with a cache

# What may lie in a cache behind the steps that are used: nobody reads it.
REMNANTS = (0.0, 3.0, 1e4, np.inf, np.nan)
POSITIONS = 32


def steps_and_room(draw):
    """How many steps each of the batch has in all, how many are new, the largest number of them that there is said to
    be, and the room of the past, None without one."""
    kind = draw.pick(["prompt", "step", "step", "step", "chunk"])
    batch = 1 if kind == "chunk" else draw.integer(1, 3)
    if kind == "prompt":
        new = draw.integer(1, 6)
        return [new] * batch, new, new, draw.pick([None, None, new, new + 3])
    new = 1 if kind == "step" else draw.integer(2, 4)
    total = new + draw.integer(1, 7)
    everything = [total] if kind == "chunk" else [draw.integer(1, total) for _ in range(batch)]
    return everything, new, total, draw.pick([total - new, total, total + 4])


def heads_of(x, heads):
    """[batch, steps, heads * size] as [batch, heads, steps, size]."""
    return wide(x).reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def turned(x, positions, cosines, sines, interleaved):
    """Heads of which pairs of numbers, side by side or half of what is turned apart, are turned."""
    half = cosines.shape[1]
    c, s = (wide(table)[positions][:, None] for table in (cosines, sines))
    first, second = ((slice(0, 2 * half, 2), slice(1, 2 * half, 2)) if interleaved
                     else (slice(0, half), slice(half, 2 * half)))
    y = x.copy()
    y[..., first], y[..., second] = x[..., first] * c - x[..., second] * s, x[..., second] * c + x[..., first] * s
    return y


def extended(past, now, everything, room):
    """What is used of the past, then the new steps, then zeroes."""
    result = np.zeros((*now.shape[:2], room, now.shape[3]))
    for b, count in enumerate(everything):
        before = count - now.shape[2]
        if before:
            result[b, :, :before] = wide(past[b, :, :before])
        result[b, :, before:count] = now[b]
    return result


def attended(query, key, value, everything, rule, bias):
    """Each step sees those up to itself, as far as the window goes; heads of the query share those of the keys."""
    heads, new = query.shape[1:3]
    output = np.zeros_like(query)
    for b, head, i in np.ndindex(query.shape[0], heads, new):
        end = everything[b] - new + i + 1
        seen = slice(max(end - rule.get("local_window_size", end), 0), end)
        shared = head * key.shape[1] // heads
        scores = key[b, shared, seen] @ query[b, head, i] * rule.get("scale", query.shape[3]**-0.5)
        if "softcap" in rule:
            scores = rule["softcap"] * np.tanh(scores / rule["softcap"])
        if bias is not None:
            scores = scores + wide(bias)[b % bias.shape[0], head % bias.shape[1], i, seen]
        weights = np.exp(scores - scores.max())
        output[b, head, i] = weights / weights.sum() @ value[b, shared, seen]
    return output.swapaxes(1, 2).reshape(query.shape[0], new, -1)


def cache(draw, shape, everything, new, dtype):
    x = calm(draw, shape, 1.0, dtype)
    for b, count in enumerate(everything):
        x[b, :, count - new:] = draw.pick(REMNANTS)
    return x


def rotation(draw, batch, new, total, size, dtype):
    """Tables of cosines and sines, and now and then positions, with the positions that count."""
    angles = calm(draw, (POSITIONS, draw.pick([half for half in (8, 16) if 2 * half <= size])))
    given = draw.values(np.dtype("int64"), (batch, new), low=0, high=POSITIONS - new) if draw.chance(0.3) else None
    counted = given
    if given is not None and new == total:
        counted = np.tile(given[0, 0] + np.arange(new), (batch, 1))
    return [narrow(np.cos(angles), dtype), narrow(np.sin(angles), dtype), given], counted


def group_query(draw):
    dtype = draw.type(["float32", "float16"])
    everything, new, total, room = steps_and_room(draw)
    key_heads, rotates = draw.integer(1, 3), draw.chance(0.5)
    heads, size, batch = key_heads * draw.integer(1, 3), draw.pick([16, 32] if rotates else [8, 16, 24]), len(everything)
    rule = {name: draw.pick(values) for name, values in (
        ("scale", [0.5, 0.25]), ("softcap", [0.5, 5.0]), ("local_window_size", [1, 2, 3, 9])) if draw.chance(0.3)}
    query, key, value = (calm(draw, (batch, new, count * size), 1.0, dtype) for count in (heads, key_heads, key_heads))
    packed = [np.concatenate([query, key, value], 2), None, None] if draw.chance(0.3) else [query, key, value]
    past = [None, None] if room is None else [
        cache(draw, (batch, key_heads, room, size), everything, new, dtype) for _ in range(2)]
    bias = calm(draw, draw.pick([(batch, heads, new, total), (1, 1, new, total)]), 1.0, dtype) if draw.chance(0.3) else None
    query, key, value = heads_of(query, heads), heads_of(key, key_heads), heads_of(value, key_heads)
    attributes, tables = {"num_heads": heads, "kv_num_heads": key_heads, **rule}, [None] * 3
    if rotates:
        attributes.update(do_rotary=1, rotary_interleaved=draw.integer(0, 1))
        tables, positions = rotation(draw, batch, new, total, size, dtype)
        if positions is None:
            positions = np.array(everything)[:, None] - new + np.arange(new)
        query, key = (turned(x, positions, *tables[:2], attributes["rotary_interleaved"]) for x in (query, key))
    keys, values = (extended(*each, everything, max(total, room or 0)) for each in zip(past, (key, value)))
    outputs = [narrow(y, dtype) for y in (attended(query, keys, values, everything, rule, bias), keys, values)]
    return case("GroupQueryAttention",
                [*packed, *past, np.array(everything, np.int32) - np.int32(1), np.array(total, np.int32), *tables, bias],
                attributes, outputs if draw.chance(0.8) else [outputs[0], "", ""],
                tolerance=(16 * epsilon(dtype), 8 * epsilon(dtype)))


FUNCTIONS = {"RotaryEmbedding": (3, rotary), "MultiHeadAttention": (4, multi_head), "Attention": (3, attention),
             "GroupQueryAttention": (4, group_query)}
OPS = {f"{DOMAIN}.{op}": entry for op, entry in FUNCTIONS.items()}
