"""Attention in its forms, and the rotation of positions."""

import numpy as np
from onnx import TensorProto, helper

from case import Case, Skip, epsilon
from draw import dtype_of
from numeric import narrow, wide
from schema import types

BOUNDS = {"float32": 2e-5, "float64": 1e-11, "float16": 1e-2, "bfloat16": 6e-2}


def softmax(x):
    """Along the last axis; zeros where all is masked."""
    with np.errstate(all="ignore"):
        top = x.max(-1, keepdims=True, initial=-np.inf)
        powers = np.where(np.isneginf(x), 0, np.exp(x - np.where(np.isneginf(top), 0, top)))
        total = powers.sum(-1, keepdims=True)
        return np.where(total == 0, 0, powers / np.where(total == 0, 1, total))


def spread(heads, count):
    """Each head of keys or values for its group of queries."""
    return np.repeat(heads, count // heads.shape[1], 1)


def packed(x, is_flat):
    """[batch, heads, length, size] as [batch, length, heads * size] if it is to be flat."""
    if not is_flat:
        return x
    return np.ascontiguousarray(x.transpose(0, 2, 1, 3)).reshape(x.shape[0], x.shape[2], -1)


def heads_of(draw):
    kv_heads = draw.integer(1, 3)
    return kv_heads, kv_heads * draw.pick([1, 1, 2, 3])


def mask_of(draw, dtype, shape):
    """A mask that broadcasts to that shape, and what it adds to the scores."""
    kind = draw.pick(["none", "bool", "float"])
    if kind == "none":
        return None, 0
    dims = [1 if draw.chance(0.4) else n for n in shape[:2]] + list(shape[2:])
    dims = dims[draw.pick([0, 1, 2]):]
    if kind == "bool":
        mask = draw.random.random(dims) < 0.8
        return mask, np.where(mask, 0, -np.inf)
    mask = draw.values(dtype, dims, special=0, scale=1.0)
    return mask, wide(mask)


def allowed(queries, keys, offset, is_causal, left, right):
    """Whether query i may look at key j, where it stands at i + offset."""
    place = np.arange(queries)[:, None] + offset
    key = np.arange(keys)[None, :]
    ok = np.ones((queries, keys), bool)
    if is_causal:
        ok &= key <= place
    if left >= 0:
        ok &= key >= place - left
    if right >= 0:
        ok &= key <= place + right
    return ok


def attention(draw):
    dtype = draw.type([name for name in types("Attention", "T1") if name != "float64"])
    kv_heads, heads = heads_of(draw)
    batch, queries, keys = draw.integer(1, 2), draw.integer(1, 6), draw.integer(1, 7)
    size, value_size = draw.pick([2, 4, 8, 16, 3]), draw.pick([2, 4, 5, 8])
    past = draw.integer(1, 4) if draw.chance(0.3) else 0

    def some(*shape):
        return draw.values(dtype, shape, special=0, scale=1.0)
    q, k = some(batch, heads, queries, size), some(batch, kv_heads, keys, size)
    v = some(batch, kv_heads, keys, value_size)
    past_k = some(batch, kv_heads, past, size) if past else None
    past_v = some(batch, kv_heads, past, value_size) if past else None
    full_k = k if past_k is None else np.concatenate([past_k, k], 2)
    full_v = v if past_v is None else np.concatenate([past_v, v], 2)
    mask, added = mask_of(draw, dtype, (batch, heads, queries, keys + past))
    valid = None
    if past_k is None and draw.chance(0.2):
        valid = draw.values(np.dtype(np.int64), (batch,), low=1, high=keys)
    flags = {"is_causal": 1} if draw.chance(0.4) else {}
    windows = {name: draw.integer(0, 3) for name in ("left_window_size", "right_window_size") if draw.chance(0.1)}
    attributes = flags | windows
    scale, cap = 1 / np.sqrt(size), 0
    if draw.chance(0.3):
        attributes["scale"] = scale = 0.25
    if draw.chance(0.2):
        attributes["softcap"] = cap = 2.0
    scores = np.einsum("bhqd,bhkd->bhqk", wide(q), spread(wide(full_k), heads)) * scale
    scores = cap * np.tanh(scores / cap) if cap else scores
    for row in range(batch):
        offset = past if valid is None else int(valid[row]) - queries
        ok = allowed(queries, keys + past, offset, bool(flags), windows.get("left_window_size", -1),
                     windows.get("right_window_size", -1))
        if valid is not None:
            ok &= np.arange(keys) < valid[row]
        scores[row] = np.where(ok, scores[row], -np.inf)
    y = softmax(scores + added) @ spread(wide(full_v), heads)
    is_flat = draw.chance(0.4)
    if is_flat:
        attributes |= {"q_num_heads": heads, "kv_num_heads": kv_heads}
    outputs = [packed(narrow(y, dtype), is_flat)]
    if past or draw.chance(0.1) and valid is None:
        outputs += [full_k, full_v]
    bound = BOUNDS[dtype.name]
    return Case("Attention", [packed(q, is_flat), packed(k, is_flat), packed(v, is_flat), mask, past_k, past_v, valid],
                outputs, attributes, tolerance=(bound, bound))


def rotated(x, cos, sin, width, interleaved):
    """x[batch, heads, length, size] turned by angles [batch, length, width / 2]."""
    x, cos, sin = wide(x).copy(), cos[:, None], sin[:, None]
    head, half = x[..., :width], width // 2
    first, second = (head[..., ::2], head[..., 1::2]) if interleaved else (head[..., :half], head[..., half:])
    real, imaginary = first * cos - second * sin, first * sin + second * cos
    turned = np.stack([real, imaginary], -1).reshape(head.shape) if interleaved \
        else np.concatenate([real, imaginary], -1)
    return np.concatenate([turned, x[..., width:]], -1)


def rotary(draw):
    dtype = draw.type(types("RotaryEmbedding"))
    batch, heads, length, size = draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 6), 2 * draw.integer(2, 8)
    width = 2 * draw.integer(1, size // 2 - 1) if draw.chance(0.3) else size
    attributes = {"rotary_embedding_dim": width} if width != size else {}
    if draw.chance(0.4):
        attributes["interleaved"] = draw.integer(0, 1)
    positions = draw.values(np.dtype(np.int64), (batch, length), low=0, high=9) if draw.chance(0.5) else None
    shape = (10, width // 2) if positions is not None else (batch, length, width // 2)
    angles = draw.random.uniform(-3, 3, shape)
    cos, sin = np.cos(angles).astype(dtype), np.sin(angles).astype(dtype)
    x = draw.values(dtype, (batch, heads, length, size), special=0, scale=1.0)
    at = (lambda cache: wide(cache)[positions]) if positions is not None else wide
    y = narrow(rotated(x, at(cos), at(sin), width, attributes.get("interleaved", 0)), dtype)
    is_flat = draw.chance(0.5)
    if is_flat:
        attributes["num_heads"] = heads
    bound = 4 * epsilon(dtype)
    return Case("RotaryEmbedding", [packed(x, is_flat), cos, sin, positions], [packed(y, is_flat)], attributes,
                tolerance=(bound, bound * float(np.abs(wide(x)).max() + 1)))


def linear_attention(draw):
    dtype = draw.type(types("LinearAttention"))
    rule = draw.pick([None, "linear", "gated", "delta", "gated_delta"])
    kind = rule or "gated_delta"
    kv_heads, heads = heads_of(draw)
    batch, length, size, value_size = draw.integer(1, 2), draw.integer(1, 5), draw.integer(2, 6), draw.integer(2, 6)

    def some(*shape, **limits):
        return draw.values(dtype, shape, **(limits or {"special": 0, "scale": 0.5}))
    q, k = some(batch, length, heads * size), some(batch, length, kv_heads * size)
    v = some(batch, length, kv_heads * value_size)
    past = some(batch, kv_heads, size, value_size) if draw.chance(0.5) else None
    decay_size = draw.pick([1, size])
    decay = some(batch, length, kv_heads * decay_size, low=-1, high=0) if "gated" in kind else None
    beta = some(batch, length, draw.pick([1, kv_heads]), low=0, high=1) if "delta" in kind else None
    attributes = {"q_num_heads": heads, "kv_num_heads": kv_heads} | ({"update_rule": rule} if rule else {})
    scale = 1 / np.sqrt(size)
    if draw.chance(0.3):
        attributes["scale"] = scale = 0.5
    state = np.zeros((batch, kv_heads, size, value_size)) if past is None else wide(past)
    out = np.zeros((batch, length, heads, value_size))
    for t in range(length):
        qt = wide(q)[:, t].reshape(batch, heads, size)
        kt, vt = wide(k)[:, t].reshape(batch, kv_heads, size), wide(v)[:, t].reshape(batch, kv_heads, value_size)
        if decay is not None:
            state = state * np.exp(wide(decay)[:, t].reshape(batch, kv_heads, decay_size))[..., None]
        if beta is not None:
            rate = np.broadcast_to(wide(beta)[:, t], (batch, kv_heads))[..., None]
            vt = rate * (vt - np.einsum("bhkv,bhk->bhv", state, kt))
        state = state + kt[..., None] * vt[..., None, :]
        out[:, t] = scale * np.einsum("bhkv,bhk->bhv", spread(state, heads), qt)
    bound = BOUNDS[dtype.name] * 4
    return Case("LinearAttention", [q, k, v, past, decay, beta],
                [narrow(out.reshape(batch, length, -1), dtype), narrow(state, dtype)], attributes,
                tolerance=(bound, bound))


def changed(draw, name, element):
    """A body that scales what it is given, and what that does."""
    factor = draw.pick([0.5, 2.0, -1.0])
    value = helper.make_tensor("factor", element, [], [factor])
    dims = [f"{name}{axis}" for axis in range(4)]
    body = helper.make_graph(
        [helper.make_node("Constant", [], ["f"], value=value), helper.make_node("Mul", ["s", "f"], ["t"])], name,
        [helper.make_tensor_value_info("s", element, dims)], [helper.make_tensor_value_info("t", element, dims)])
    return body, lambda x: x * factor


def flex_attention(draw):
    dtype = draw.type(["float32", "float64"])
    element = TensorProto.FLOAT if dtype == np.float32 else TensorProto.DOUBLE
    kv_heads, heads = heads_of(draw)
    batch, queries, keys = draw.integer(1, 2), draw.integer(1, 5), draw.integer(1, 6)
    size, value_size = draw.pick([2, 4, 8]), draw.pick([2, 4, 5])
    q, k, v = (draw.values(dtype, shape, special=0, scale=1.0) for shape in (
        (batch, heads, queries, size), (batch, kv_heads, keys, size), (batch, kv_heads, keys, value_size)))
    attributes, scale = {}, 1 / np.sqrt(size)
    if draw.chance(0.4):
        attributes["scale"] = scale = 0.5
    after_scores = after_softmax = lambda x: x  # noqa: E731
    if draw.chance(0.5):
        attributes["score_mod"], after_scores = changed(draw, "score", element)
    if draw.chance(0.5):
        attributes["prob_mod"], after_softmax = changed(draw, "prob", element)
    scores = after_scores(np.einsum("bhqd,bhkd->bhqk", wide(q), spread(wide(k), heads)) * scale)
    y = after_softmax(softmax(scores)) @ spread(wide(v), heads)
    bound = max(BOUNDS[dtype.name], 1e-6)  # its function body holds the scale as a float32
    return Case("FlexAttention", [q, k, v], [narrow(y, dtype)], attributes, domain="ai.onnx.preview",
                tolerance=(bound, bound))


def swiglu(draw):
    dtype = draw.type(types("SwiGLU"))
    shape = draw.shape(0, 4)
    a, b = (draw.values(dtype_of(dtype.name), shape, special=0, scale=draw.pick([1.0, 6.0])) for _ in range(2))
    attributes = {"alpha": 1.75} if draw.chance(0.4) else {}
    y = wide(a) / (1 + np.exp(-attributes.get("alpha", 1.0) * wide(a))) * wide(b)
    if not np.isfinite(y).all():
        raise Skip("too large")
    bound = 8 * epsilon(dtype)
    # The half before the product is rounded too.
    return Case("SwiGLU", [a, b], [narrow(y, dtype)], attributes, tolerance=(bound, bound))


OPS = {
    "Attention": (8, attention), "RotaryEmbedding": (4, rotary), "LinearAttention": (3, linear_attention),
    "FlexAttention": (2, flex_attention), "SwiGLU": (2, swiglu),
}
