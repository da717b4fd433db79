"""Parts of attention."""

import numpy as np

from case import Case, integers, random, sigmoid


def rotary():
    emb, q, k = random(2, 3, 8), random(2, 4, 3, 8, seed=1).astype(np.float16), random(2, 4, 3, 8, seed=2).astype(np.float16)
    q_rot, k_rot = np.roll(q, 4, axis=-1), np.roll(k, 4, axis=-1)
    sine, cosine = (each.astype(np.float16)[:, None] for each in (np.sin(emb), np.cos(emb)))
    yield Case("GemmaRotaryEmbedding", "half", [emb, q, q_rot, k, k_rot], wanted=(True, True), tolerance=(1e-2, 1e-2),
               expected=[q * cosine + q_rot * sine, k * cosine + k_rot * sine])
    angles = random(16, 6, seed=3)
    cosines, sines = np.cos(angles), np.sin(angles)
    positions = integers(0, 16, 3, 2, 5, seed=4)
    for layout in (0, 1):
        for interleaved in (0, 1):
            attributes = {"mrope_section": [2, 2, 2], "num_heads": 2, "mrope_layout": layout, "interleaved": interleaved}
            name = f"layout_{layout}_{'pairs' if interleaved else 'halves'}"
            yield Case("MRotaryEmbedding", name, [random(2, 5, 24), positions, cosines, sines], attributes)
    yield Case("MRotaryEmbedding", "four_axes", [random(2, 3, 5, 12), positions, cosines, sines],
               {"mrope_section": [3, 2, 1]})
    yield Case("MRotaryEmbedding", "partial", [random(2, 5, 32), positions, cosines, sines],
               {"mrope_section": [3, 2, 1], "num_heads": 2, "rotary_embedding_dim": 12})


def bucket(relative, buckets, distance, is_both):
    """Of T5."""
    result = 0
    if is_both:
        buckets //= 2
        result += buckets if relative > 0 else 0
        relative = abs(relative)
    else:
        relative = max(-relative, 0)
    exact = buckets // 2
    if relative < exact:
        return result + relative
    large = exact + int(np.log(relative / exact) / np.log(distance / exact) * (buckets - exact))
    return result + min(large, buckets - 1)


def biases():
    table = random(8, 3)
    for both in (0, 1):
        buckets = np.array([[bucket(k - q, 8, 20, both) for k in range(30)] for q in range(30)])
        # The table's buffer lies by heads.
        expected = table.reshape(3, 8)[:, buckets][None]
        yield Case("RelativePositionBias", f"bidirectional_{both}", [table, np.array(30), np.array(30)],
                   {"max_distance": 20, "is_bidirectional": both}, expected=[expected])
    batch, steps, heads, size, wide = 2, 3, 2, 4, 6
    query, bias = random(batch, steps, heads * size), random(heads * size, seed=1)
    position, weight = random(1, heads, steps, steps, seed=2), random(size, wide, seed=3)
    offset, eco = random(wide, seed=4), random(1, heads, 1, 1, seed=5)
    q = (query + bias).reshape(batch, steps, heads, size).transpose(0, 2, 1, 3)
    gates = sigmoid((q @ weight + offset).reshape(batch, heads, steps, 2, wide // 2).sum(-1))
    gate = gates[..., :1] * (gates[..., 1:] * eco - 1) + 2
    yield Case("GatedRelativePositionBias", "plain", [query, bias, position, weight, offset, eco], {"num_heads": heads},
               expected=[gate * position])


def states():
    query, key, value = random(1, 4, 8), random(1, 4, 8, seed=1) / 3, random(1, 4, 12, seed=2)
    decay, beta = -np.abs(random(1, 4, 2, seed=3)), sigmoid(random(1, 4, 2, seed=4))
    past = random(1, 2, 4, 6, seed=5)
    attributes = {"q_num_heads": 2, "kv_num_heads": 2}
    for rule in ("linear", "gated", "delta", "gated_delta"):
        inputs = [query, key, value, past, decay if "gated" in rule else None, beta if "delta" in rule else None]
        while inputs[-1] is None:
            inputs.pop()
        yield Case("LinearAttention", rule, inputs, attributes | {"update_rule": rule}, wanted=(True, True))
    x, weight, bias = random(2, 3, 5), random(3, 1, 4, seed=1), random(3, seed=2)
    for activation in ("none", "silu"):
        yield Case("CausalConvWithState", activation, [x, weight, bias, random(2, 3, 3, seed=3)],
                   {"activation": activation}, wanted=(True, True))


def packed():
    """Two sequences, of 2 and 4 tokens."""
    batch = random(2, 4, 6)
    counts = np.array([2, 4], np.int32)
    offsets = np.array([[0, 1, 4, 5], [6, 7, 2, 3]], np.int32)
    real = batch.reshape(8, 6)[[0, 1, 4, 5, 6, 7]]
    totals = np.array([0, 2, 6], np.int32)
    yield Case("RemovePadding", "plain", [batch, counts], wanted=(True,) * 4,
               expected=[real, offsets, totals, np.array([4], np.int32)])
    restored = np.zeros((8, 6), np.float32)
    restored[[0, 1, 4, 5, 6, 7]] = real
    yield Case("RestorePadding", "plain", [real, offsets], expected=[restored.reshape(2, 4, 6)])
    weights, bias = random(6, 24, seed=1), random(24, seed=2)
    expected = np.concatenate([attention(part @ weights + bias, 2) for part in (real[:2], real[2:])])
    yield Case("PackedAttention", "plain", [real, weights, bias, offsets, totals], {"num_heads": 2}, expected=[expected])
    q, k, v = (random(6, 8, seed=seed) for seed in (3, 4, 5))
    joined = np.concatenate([q, k, v], axis=1)
    expected = np.concatenate([attention(part, 2) for part in (joined[:2], joined[2:])])
    yield Case("PackedMultiHeadAttention", "plain", [q, k, v, None, offsets, totals], {"num_heads": 2}, expected=[expected])


def attention(qkv, heads):
    """Of one sequence [steps, 3 * hidden]."""
    steps, hidden = qkv.shape[0], qkv.shape[1] // 3
    q, k, v = (part.reshape(steps, heads, -1).transpose(1, 0, 2) for part in np.split(qkv.astype(np.float64), 3, axis=1))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(hidden // heads)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    result = powers / powers.sum(-1, keepdims=True) @ v
    return result.transpose(1, 0, 2).reshape(steps, hidden).astype(np.float32)


def sparse():
    """Blocks of 16 over 64 steps, two layouts, of which the second leaves more out."""
    rows = np.array([[0, 1, 3, 5, 8], [0, 1, 3, 6, 9]], np.int32)
    columns = np.array([[0, 0, 1, 1, 2, 1, 2, 3, -1], [0, 0, 1, 0, 1, 2, 0, 2, 3]], np.int32)
    heads, size, room = 4, 8, 64
    for name, steps, totals in (("prompt", 40, [40, 40]), ("token", 1, [50, 37])):
        q, k, v = (random(2, steps, n * size, seed=seed) for seed, n in ((1, heads), (2, 2), (3, 2)))
        past = [random(2, 2, room, size, seed=seed) for seed in (4, 5)]
        yield Case("SparseAttention", name,
                   [q, k, v, *past, rows, columns, np.array([max(totals)], np.int32), np.array(totals, np.int32)],
                   {"num_heads": heads, "kv_num_heads": 2, "sparse_block_size": 16},
                   expected=[sparse_attention(q, k, v, past, rows, columns, totals, heads)])


def sparse_attention(q, k, v, past, rows, columns, totals, heads):
    batch, steps, size = q.shape[0], q.shape[1], q.shape[2] // heads
    groups = heads // past[0].shape[1]
    result = np.zeros_like(q, dtype=np.float64)
    for b in range(batch):
        before = totals[b] - steps
        keys, values = (
            np.concatenate([old[b, :, :before], new[b].reshape(steps, -1, size).transpose(1, 0, 2)], axis=1)
            for old, new in zip(past, (k, v))
        )
        for h in range(heads):
            layout = h % len(rows)
            for i in range(steps):
                block = (before + i) // 16
                kept = set(columns[layout, rows[layout, block] : rows[layout, block + 1]])
                seen = [j for j in range(before + i + 1) if j // 16 in kept]
                scores = keys[h // groups, seen] @ q[b, i, h * size : (h + 1) * size] / np.sqrt(size)
                powers = np.exp(scores - scores.max())
                result[b, i, h * size : (h + 1) * size] = powers / powers.sum() @ values[h // groups, seen]
    return result.astype(np.float32)


def decoding():
    step = [random(2, 1, 8, seed=seed) for seed in (1, 2, 3)]
    past = [random(2, 2, 6, 4, seed=seed) for seed in (4, 5)]
    length = np.array([3], np.int32)
    mask = np.array([[1, 1, 0, 1], [1, 1, 1, 1]], np.int32)
    attributes = {"num_heads": 2, "past_present_share_buffer": 1}
    for name, given in (("plain", None), ("mask", mask)):
        yield Case("DecoderMaskedMultiHeadAttention", name, [*step, given, None, *past, length], attributes,
                   wanted=(True, True, True))


def text():
    words = np.array(["ab c, d", "xyz"], dtype=object)
    yield Case("Tokenizer", "separators", [words], {"mark": 1, "mincharnum": 1, "pad_value": "#", "separators": ["[ ,]+"]})
    ids = np.array([[1, 2, 3, 1, 2], [4, 4, 4, 4, 4]], np.int64)
    for size in (1, 2, 3):
        yield Case("NGramRepeatBlock", f"size_{size}", [ids, random(2, 6)], {"ngram_size": size})
    for number, shape in enumerate(((5, 7), (1, 6, 4), (3, 1))):
        yield Case("DynamicTimeWarping", f"costs_{number}", [np.abs(random(*shape, seed=number))])
    yield Case("DynamicTimeWarping", "ties", [np.ones((4, 5), np.float32)])
    for dtype in (np.int32, np.uint32):
        for positive in (0, 1):
            yield Case("MurmurHash3", f"{np.dtype(dtype).name}_{positive}", [integers(0, 1000, 7, dtype=dtype)],
                       {"seed": 42, "positive": positive})
    words = np.array([[1, 2, 3, 0, 0], [4, 1, 0, 0, 0], [1, 2, 3, 4, 5]], np.int32)
    yield Case("WordConvEmbedding", "plain", [words, random(3, 1, 3, 4, seed=1), random(3, seed=2), random(6, 4, seed=3)])


def cases():
    for family in (rotary, biases, states, packed, sparse, decoding, text):
        yield from family()
