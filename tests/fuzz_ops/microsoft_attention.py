"""Attention of com.microsoft, by ONNX Runtime alone where no formula is short."""

from typing import NamedTuple, Optional

import numpy as np
from onnx import TensorProto

from case import epsilon
from microsoft import DOMAIN, calm, case
from numeric import narrow, root_normalized, wide


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
    outputs = [None, "", "", None] if draw.chance(0.3) else [None]
    return case("MultiHeadAttention", inputs, attributes, outputs, tolerance=(1e-3, 1e-4), output_type=TensorProto.FLOAT)


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


class Steps(NamedTuple):
    everything: list  # how many each of the batch has in all
    real: list  # how many of the new ones of each count
    new: int
    total: int  # the largest number that there is said to be
    room: Optional[int]  # of the past; None without one
    is_padded: bool = False  # by query_seqlens

    def is_ragged_prompt(self):
        return self.new == self.total and min(self.everything) < self.new and not self.is_padded

    def places(self):
        """Where the new ones are."""
        before = np.array(self.everything) - self.real
        return before[:, None] + np.arange(self.new)


def draw_steps(draw):
    kind = draw.pick(["prompt", "step", "step", "step", "chunk", "padded"])
    batch = 1 if kind == "chunk" else draw.integer(1, 3)
    if kind == "prompt":
        new = draw.integer(1, 6)
        everything = [new] * batch if draw.chance(0.6) else [draw.integer(1, new) for _ in range(batch)]
        return Steps(everything, everything, new, new, draw.pick([None, None, new, new + 3]))
    new = 1 if kind == "step" else draw.integer(2, 4)
    total = new + draw.integer(1, 7)
    if kind == "padded":
        real = [new] * batch if draw.chance(0.5) else [draw.integer(0, new) for _ in range(batch)]
        everything = [draw.integer(max(count, 1), total - new + count) for count in real]
        return Steps(everything, real, new, total, draw.pick([total, total + 4]), True)
    everything = [total] if kind == "chunk" else [draw.integer(1, total) for _ in range(batch)]
    return Steps(everything, [new] * batch, new, total, draw.pick([total - new, total, total + 4]))


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


def extended(past, now, steps):
    """What is used of the past, then the new steps, those of a padded prompt all, then zeroes."""
    result = np.zeros((*now.shape[:2], max(steps.total, steps.room or 0), now.shape[3]))
    for b, (count, real) in enumerate(zip(steps.everything, steps.real)):
        before = count - real
        if before:
            result[b, :, :before] = wide(past[b, :, :before])
        kept = real if steps.is_padded else steps.new
        result[b, :, before:before + kept] = now[b, :, :kept]
    return result


def seen_by(place, count, rule):
    if not rule.get("causal", 1):
        return slice(0, count)
    end = min(place + 1, count)
    return slice(max(end - rule.get("local_window_size", end), 0), end)


def attended(query, key, value, steps, rule, bias, sinks):
    """The output, and the scores before and after the softmax. Heads of the query share those of the keys."""
    batch, heads, new = query.shape[:3]
    output, shown, places = np.zeros_like(query), np.zeros((2, batch, heads, new, steps.total)), steps.places()
    for b, head, i in np.ndindex(batch, heads, new):
        if steps.is_padded and i >= steps.real[b]:
            continue
        seen, shared = seen_by(places[b, i], steps.everything[b], rule), head * key.shape[1] // heads
        scores = key[b, shared, seen] @ query[b, head, i] * rule.get("scale", query.shape[3]**-0.5)
        if "softcap" in rule:
            scores = rule["softcap"] * np.tanh(scores / rule["softcap"])
        if bias is not None:
            scores = scores + wide(bias)[b % bias.shape[0], head % bias.shape[1], i, seen]
        sink = [] if sinks is None else [sinks[head]]
        largest = np.concatenate([scores, sink]).max()
        powers = np.exp(scores - largest)
        weights = powers / (powers.sum() + np.exp(sink - largest).sum())
        shown[:, b, head, i, seen] = scores, weights
        output[b, head, i] = weights @ value[b, shared, seen]
    return output.swapaxes(1, 2).reshape(batch, new, -1), *shown


def cache(draw, shape, steps, dtype):
    x = calm(draw, shape, 1.0, dtype)
    for b, (count, real) in enumerate(zip(steps.everything, steps.real)):
        x[b, :, count - real:] = draw.pick(REMNANTS)
    return x


def rotation(draw, steps, size, dtype):
    """Tables of cosines and sines, and now and then positions, with the positions that count."""
    batch, new = len(steps.everything), steps.new
    angles = calm(draw, (POSITIONS, draw.pick([half for half in (8, 16) if 2 * half <= size])))
    given = draw.values(np.dtype("int64"), (batch, new), low=0, high=POSITIONS - new) if draw.chance(0.3) else None
    counted = steps.places() if given is None else given
    if given is not None and new == steps.total and not steps.is_padded:
        counted = np.tile(given[0, 0] + np.arange(new), (batch, 1))
    return [narrow(np.cos(angles), dtype), narrow(np.sin(angles), dtype), given], counted


def group_rule(draw, steps):
    """What there is of attributes that say how scores become weights."""
    rule = {name: draw.pick(values) for name, values in (
        ("scale", [0.5, 0.25]), ("softcap", [0.5, 5.0]), ("local_window_size", [1, 2, 3, 9])) if draw.chance(0.3)}
    if steps.is_ragged_prompt():  # where the windows of its padding begin is nobody's concern
        rule.pop("local_window_size", None)
    if "local_window_size" not in rule and not steps.is_padded and draw.chance(0.2):
        rule["causal"] = 0
    if draw.chance(0.2):
        rule["smooth_softmax"] = draw.integer(0, 1)
    return rule


def group_query(draw):
    dtype, steps = draw.type(["float32", "float16"]), draw_steps(draw)
    key_heads, rotates, batch = draw.integer(1, 3), draw.chance(0.5), len(steps.everything)
    heads, size = key_heads * draw.integer(1, 3), draw.pick([16, 32] if rotates else [8, 16, 24])
    rule = group_rule(draw, steps)
    query, key, value = (calm(draw, (batch, steps.new, count * size), 1.0, dtype)
                         for count in (heads, key_heads, key_heads))
    packed = [np.concatenate([query, key, value], 2), None, None] if draw.chance(0.3) else [query, key, value]
    past = [None, None] if steps.room is None else [
        cache(draw, (batch, key_heads, steps.room, size), steps, dtype) for _ in range(2)]
    bias = (calm(draw, draw.pick([(batch, heads, steps.new, steps.total), (1, 1, steps.new, steps.total)]), 1.0, dtype)
            if draw.chance(0.3) else None)
    sinks = calm(draw, (heads,), draw.pick([1.0, 8.0]), dtype) if draw.chance(0.3) else None
    query, key, value = heads_of(query, heads), heads_of(key, key_heads), heads_of(value, key_heads)
    attributes, tables, norms = {"num_heads": heads, "kv_num_heads": key_heads, **rule}, [None] * 3, [None, None]
    if draw.chance(0.2):
        norms = [calm(draw, (size,), 1.0, dtype) for _ in range(2)]
        attributes.update({name: draw.pick([1e-5, 1e-2]) for name in ("qk_norm_epsilon", "q_norm_epsilon") if draw.chance(0.5)})
        shared = attributes.get("qk_norm_epsilon", 1e-6)
        query = root_normalized(query, norms[0], attributes.get("q_norm_epsilon", shared))
        key = root_normalized(key, norms[1], shared)
    if rotates:
        attributes.update(do_rotary=1, rotary_interleaved=draw.integer(0, 1))
        tables, positions = rotation(draw, steps, size, dtype)
        query, key = (turned(x, positions, *tables[:2], attributes["rotary_interleaved"]) for x in (query, key))
    keys, values = (extended(*each, steps) for each in zip(past, (key, value)))
    counted = np.zeros(heads) if sinks is None and rule.get("smooth_softmax") else sinks if sinks is None else wide(sinks)
    output, *shown = attended(query, keys, values, steps, rule, bias, counted)
    outputs = [narrow(y, dtype) for y in (output, keys, values)] if draw.chance(0.8) else [narrow(output, dtype), "", ""]
    if draw.chance(0.2):
        attributes["qk_output"] = draw.integer(1, 2)
        outputs.append(narrow(shown[attributes["qk_output"] - 1], dtype))
    return case("GroupQueryAttention",
                [*packed, *past, np.array(steps.everything, np.int32) - np.int32(1), np.array(steps.total, np.int32),
                 *tables, bias, sinks, None, None, *norms, np.array(steps.real, np.int32) if steps.is_padded else None],
                attributes, outputs, tolerance=(16 * epsilon(dtype), 8 * epsilon(dtype)))


def turned_by_sections(draw):
    """Pairs in three sections, each turned by the positions of its own axis."""
    batch, heads, steps = draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 5)
    sections = [draw.integer(1, 3) for _ in range(3)]
    half = sum(sections)
    angles = calm(draw, (16, half))
    interleaved = draw.integer(0, 1)
    attributes = {"mrope_section": sections, "num_heads": heads, "interleaved": interleaved}
    positions = draw.values(np.dtype("int64"), (3, batch, steps), low=0, high=15)
    return case("MRotaryEmbedding", [calm(draw, (batch, steps, heads * 2 * half)), positions, np.cos(angles), np.sin(angles)],
                attributes, tolerance=(1e-4, 1e-4))


def linear_attention(draw):
    batch, heads, steps = draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 6)
    size, value_size, rule = draw.pick([2, 4, 8]), draw.pick([2, 3, 8]), draw.pick(["linear", "gated", "delta", "gated_delta"])
    inputs = [calm(draw, (batch, steps, heads * size)), calm(draw, (batch, steps, heads * size), 0.3),
              calm(draw, (batch, steps, heads * value_size)),
              calm(draw, (batch, heads, size, value_size)) if draw.chance(0.6) else None,
              -np.abs(calm(draw, (batch, steps, heads))) if "gated" in rule else None,
              draw.values(np.dtype("float32"), (batch, steps, heads), low=0, high=1) if "delta" in rule else None]
    attributes = {"q_num_heads": heads, "kv_num_heads": heads, "update_rule": rule}
    if draw.chance(0.3):
        attributes["scale"] = draw.pick([0.5, 1.0])
    return case("LinearAttention", inputs, attributes, [None, None], tolerance=(1e-3, 1e-4))


def decoder_step(draw):
    batch, heads, size, room = draw.integer(1, 3), draw.integer(1, 3), draw.pick([4, 8]), draw.integer(2, 8)
    length = draw.integer(1, room - 1)
    mask = draw.values(np.dtype("int32"), (batch, length + 1), low=0, high=1)
    mask[:, -1] = 1
    shows = draw.chance(0.4)
    step = [calm(draw, (batch, 1, heads * size)) for _ in range(3)]
    past = [calm(draw, (batch, heads, room, size)) for _ in range(2)]
    return case("DecoderMaskedMultiHeadAttention",
                [*step, mask if draw.chance(0.4) else None, None, *past, np.array([length], np.int32)],
                {"num_heads": heads, "past_present_share_buffer": 1, **({"output_qk": 1} if shows else {})},
                [None] * (4 if shows else 3), tolerance=(1e-3, 1e-4), output_type=TensorProto.FLOAT)


FUNCTIONS = {"RotaryEmbedding": (3, rotary), "MultiHeadAttention": (4, multi_head), "Attention": (3, attention),
             "GroupQueryAttention": (4, group_query), "MRotaryEmbedding": (2, turned_by_sections),
             "LinearAttention": (2, linear_attention), "DecoderMaskedMultiHeadAttention": (2, decoder_step)}
OPS = {f"{DOMAIN}.{op}": entry for op, entry in FUNCTIONS.items()}
