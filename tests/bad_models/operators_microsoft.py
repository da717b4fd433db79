"""Nodes of com.microsoft whose attributes, shapes and values do not go together."""

import numpy as np
from bad_case import floats, ints, operator

MS = "com.microsoft"
X = floats(2, 3)
HIDDEN = floats(1, 4, 8)


def i32(*numbers):
    return np.array(numbers, np.int32)


def half(*dims):
    return floats(*dims).astype(np.float16)


def attention():
    weight, bias = floats(8, 24), floats(24)
    for name, changes, inputs in (
        ("heads_0", dict(num_heads=0), [HIDDEN, weight, bias]), ("heads_3", dict(num_heads=3), [HIDDEN, weight, bias]),
        ("bias", dict(num_heads=2), [HIDDEN, weight, floats(23)]), ("weight", dict(num_heads=2), [HIDDEN, floats(7, 24), bias]),
        ("mask_rank", dict(num_heads=2), [HIDDEN, weight, bias, np.ones((1, 2, 3, 4, 5), np.int32)]),
        ("mask_size", dict(num_heads=2), [HIDDEN, weight, bias, np.ones((1, 9), np.int32)]),
        ("past", dict(num_heads=2, outputs=2), [HIDDEN, weight, bias, None, floats(2, 1, 2, 3, 5)]),
        ("sizes", dict(num_heads=2, qkv_hidden_sizes=[8, 8, -8]), [HIDDEN, weight, bias]),
        ("sizes_short", dict(num_heads=2, qkv_hidden_sizes=[8]), [HIDDEN, weight, bias]),
    ):
        yield from operator(f"attention_{name}", "Attention", inputs, domain=MS, **changes)
    yield from operator("attention_mask_negative", "Attention", [HIDDEN, weight, bias, i32(-5)], runs=True, domain=MS, num_heads=2)
    yield from operator("multi_head_heads_3", "MultiHeadAttention", [HIDDEN, HIDDEN, HIDDEN], domain=MS, num_heads=3)
    yield from operator("multi_head_heads_0", "MultiHeadAttention", [HIDDEN, HIDDEN, HIDDEN], domain=MS, num_heads=0)
    yield from operator("multi_head_lengths", "MultiHeadAttention", [HIDDEN, floats(1, 3, 8), floats(1, 5, 8)], domain=MS, num_heads=2)
    yield from operator("multi_head_bias", "MultiHeadAttention", [HIDDEN, HIDDEN, HIDDEN, floats(7)], domain=MS, num_heads=2)
    query, key, past = floats(1, 1, 8), floats(1, 1, 4), floats(1, 1, 4, 4)
    grouped = dict(domain=MS, num_heads=2, kv_num_heads=1, outputs=3)
    for name, lengths, total in (("long", 99, 100), ("negative", -5, 1), ("largest", (1 << 31) - 1, 5)):
        inputs = [query, key, key, past, past, i32(lengths), np.int32(total)]
        yield from operator(f"grouped_lengths_{name}", "GroupQueryAttention", inputs, **grouped)
    for name, inputs in (
        ("past", [query, key, key, floats(1, 1, 4, 5), past, i32(1), np.int32(2)]),
        ("lengths_of_two", [query, key, key, past, past, i32(1, 1), np.int32(2)]),
        ("key_size", [query, floats(1, 1, 5), key, past, past, i32(1), np.int32(2)]),
        ("sinks", [query, key, key, past, past, i32(1), np.int32(2), None, None, None, None, floats(3)]),
    ):
        yield from operator(f"grouped_{name}", "GroupQueryAttention", inputs, **grouped)
    yield from operator("grouped_scores", "GroupQueryAttention", [query, key, key, past, past, i32(1), np.int32(2)],
                        **{**grouped, "outputs": 4})
    for heads in ((0, 1), (2, 0), (3, 2), (-2, 1)):
        name = f"grouped_heads_{heads[0]}_{heads[1]}".replace("-", "minus_")
        yield from operator(name, "GroupQueryAttention", [query, key, key, past, past, i32(1), np.int32(2)],
                            domain=MS, num_heads=heads[0], kv_num_heads=heads[1], outputs=3)
    yield from operator("grouped_rotary_small", "GroupQueryAttention",
                        [query, key, key, past, past, i32(3), np.int32(4), floats(2, 2), floats(2, 2)], do_rotary=1, **grouped)
    caches = [floats(8, 2), floats(8, 2)]
    for name, positions in (("out", ints(99).reshape(1, 1)), ("negative", ints(-1).reshape(1, 1)), ("rank", ints(1).reshape(1, 1, 1))):
        yield from operator(f"rotary_{name}", "RotaryEmbedding", [floats(1, 2, 1, 4), positions, *caches], domain=MS)
    yield from operator("rotary_cache", "RotaryEmbedding", [floats(1, 2, 1, 4), ints(0).reshape(1, 1), floats(8, 3), floats(8, 3)], domain=MS)
    yield from operator("rotary_odd", "RotaryEmbedding", [floats(1, 1, 6), ints(0).reshape(1, 1), *caches], domain=MS, num_heads=4)


def embeddings():
    ids, words, places, segments = i32(0, 1).reshape(1, 2), floats(5, 4), floats(6, 4), floats(2, 4)
    scale = floats(4)
    for name, inputs in (
        ("id_out", [i32(0, 9).reshape(1, 2), None, words, places, None, scale, scale]),
        ("id_negative", [i32(0, -1).reshape(1, 2), None, words, places, None, scale, scale]),
        ("segment_out", [ids, i32(0, 7).reshape(1, 2), words, places, segments, scale, scale]),
        ("too_long", [np.zeros((1, 9), np.int32), None, words, places, None, scale, scale]),
        ("scale", [ids, None, words, places, None, floats(3), scale]),
        ("places", [ids, None, words, floats(6, 3), None, scale, scale]),
        ("words_rank", [ids, None, floats(5), places, None, scale, scale]),
        ("ids_rank", [i32(0, 1), None, words, places, None, scale, scale]),
        ("mask", [ids, None, words, places, None, scale, scale, np.ones((3, 3), np.int32)]),
        ("position_out", [ids, None, words, places, None, scale, scale, None, i32(0, 77).reshape(1, 2)]),
    ):
        yield from operator(f"embed_{name}", "EmbedLayerNormalization", inputs, domain=MS, outputs=2)
    yield from operator("skip_norm_unlike", "SkipLayerNormalization", [HIDDEN, floats(1, 4, 7), floats(8)], domain=MS)
    yield from operator("skip_norm_scale", "SkipLayerNormalization", [HIDDEN, HIDDEN, floats(7)], domain=MS)
    yield from operator("skip_rms_scale", "SkipSimplifiedLayerNormalization", [HIDDEN, HIDDEN, floats(7)], domain=MS)
    yield from operator("bias_gelu", "BiasGelu", [HIDDEN, floats(7)], domain=MS)
    tokens, scores = ints(1, 2, 1, 2).reshape(1, 4), floats(1, 3)
    yield from operator("ngram_token_out", "NGramRepeatBlock", [ints(7, 9, 7, 9, 7).reshape(1, 5), scores], domain=MS, ngram_size=2)
    yield from operator("ngram_size_0", "NGramRepeatBlock", [tokens, scores], domain=MS, ngram_size=0)
    yield from operator("ngram_batch", "NGramRepeatBlock", [tokens, floats(2, 3)], domain=MS, ngram_size=2)


def low_bits():
    packed, scales = np.zeros((4, 1, 16), np.uint8), floats(4)
    for name, inputs, changes in (
        ("k", [floats(1, 31), packed, scales], {}), ("n", [floats(1, 32), packed, scales], dict(N=5)), ("bits_3", [floats(1, 32), packed, scales], dict(bits=3)),
        ("block_0", [floats(1, 32), packed, scales], dict(block_size=0)), ("block_7", [floats(1, 32), packed, scales], dict(block_size=7)),
        ("scales", [floats(1, 32), packed, floats(3)], {}), ("zero_points", [floats(1, 32), packed, scales, np.zeros(1, np.uint8)], {}),
        ("groups_out", [floats(1, 32), packed, scales, None, np.full(32, 9, np.int32)], {}),
        ("groups_negative", [floats(1, 32), packed, scales, None, np.full(32, -1, np.int32)], {}),
        ("groups_short", [floats(1, 32), packed, scales, None, np.zeros(3, np.int32)], {}),
        ("bias", [floats(1, 32), packed, scales, None, None, floats(3)], {}), ("n_huge", [floats(1, 32), packed, scales], dict(N=1 << 62)),
        ("k_negative", [floats(1, 32), packed, scales], dict(K=-32)),
    ):
        yield from operator(f"matmul_nbits_{name}", "MatMulNBits", inputs, domain=MS, **{**dict(K=32, N=4, bits=4, block_size=32), **changes})
    data, block_scales = np.zeros((4, 16), np.uint8), floats(4, 1)
    for name, inputs, changes in (
        ("scales", [data, ints(0), floats(3, 1)], {}),
        ("block_8", [data, ints(0), block_scales], dict(block_size=8)), ("axis", [data, ints(0), block_scales], dict(quantize_axis=9)),
        ("gather_axis", [data, ints(0), block_scales], dict(gather_axis=9)), ("bits", [data, ints(0), block_scales], dict(bits=5)),
        ("zero_points", [data, ints(0), block_scales, np.zeros((3, 1), np.uint8)], {}),
    ):
        yield from operator(f"gather_block_{name}", "GatherBlockQuantized", inputs, domain=MS,
                            **{**dict(bits=4, block_size=32, gather_axis=0, quantize_axis=1), **changes})
    # 0 asks for one block. What is not there is zeros, as ONNX Runtime has it.
    for name, index, size in (("block_0", 0, 0), ("index_out", 9, 32), ("index_negative", -9, 32)):
        yield from operator(f"gather_block_{name}", "GatherBlockQuantized", [data, ints(index), block_scales], domain=MS, runs=True,
                            bits=4, block_size=size, gather_axis=0, quantize_axis=1)
    byte, small = np.zeros((2, 4), np.uint8), np.float32(0.1)
    yield from operator("matmul_to_float_bias", "MatMulIntegerToFloat", [byte, byte.T.copy(), small, small, None, None, floats(5)], domain=MS)
    yield from operator("matmul_to_float_inner", "MatMulIntegerToFloat", [byte, byte, small, small], domain=MS)
    yield from operator("dynamic_matmul_bias", "DynamicQuantizeMatMul", [X, np.zeros((3, 4), np.int8), small, None, floats(5)], domain=MS)
    yield from operator("qattention_heads", "QAttention", [np.zeros((1, 4, 8), np.uint8), np.zeros((8, 24), np.int8), floats(24), small, small, None, np.uint8(0), np.int8(0)],
                        domain=MS, num_heads=3)
    yield from operator("qattention_bias", "QAttention", [np.zeros((1, 4, 8), np.uint8), np.zeros((8, 24), np.int8), floats(23), small, small, None, np.uint8(0), np.int8(0)],
                        domain=MS, num_heads=2)
    yield from operator("qattention_scales", "QAttention", [np.zeros((1, 4, 8), np.uint8), np.zeros((8, 24), np.int8), floats(24), small, floats(5), None, np.uint8(0), np.int8(0)],
                        domain=MS, num_heads=2)
    lstm = [floats(2, 1, 3), np.zeros((1, 3, 16), np.int8), np.zeros((1, 4, 16), np.int8), None, None, None, None, None]
    yield from operator("quantized_lstm_scales", "DynamicQuantizeLSTM", [*lstm, floats(1, 3), np.zeros((1,), np.int8), floats(1), np.zeros((1,), np.int8)],
                        domain=MS, hidden_size=4, outputs=3)
    yield from operator("quantized_lstm_zero_points", "DynamicQuantizeLSTM", [*lstm, floats(1), np.zeros((7,), np.int8), floats(1), np.zeros((1,), np.int8)],
                        domain=MS, hidden_size=4, outputs=3)
    yield from operator("qlinear_add_scale", "QLinearAdd", [byte, floats(3), np.uint8(0), byte, small, np.uint8(0), small, np.uint8(0)], domain=MS)


def others():
    yield from operator("moe_k_large", "MoE", [floats(2, 4), floats(2, 3), floats(3, 8, 4), None, floats(3, 4, 8)], "9", domain=MS, k=9)
    yield from operator("moe_k_0", "MoE", [floats(2, 4), floats(2, 3), floats(3, 8, 4), None, floats(3, 4, 8)], domain=MS, k=0)
    yield from operator("moe_weights", "MoE", [floats(2, 4), floats(2, 3), floats(3, 8, 5), None, floats(3, 4, 8)], domain=MS, k=1)
    yield from operator("moe_experts", "MoE", [floats(2, 4), floats(2, 3), floats(2, 8, 4), None, floats(3, 4, 8)], domain=MS, k=1)
    yield from operator("qmoe_bits", "QMoE", [floats(2, 4), floats(2, 3), np.zeros((3, 8, 2), np.uint8), floats(3, 8), None, np.zeros((3, 4, 4), np.uint8), floats(3, 4)],
                        domain=MS, k=1, expert_weight_bits=7)
    yield from operator("qmoe_scales", "QMoE", [floats(2, 4), floats(2, 3), np.zeros((3, 8, 2), np.uint8), floats(3, 5), None, np.zeros((3, 4, 4), np.uint8), floats(3, 4)],
                        domain=MS, k=1, expert_weight_bits=4)
    image = floats(1, 2, 8, 8)
    box = np.array([[0, 0, 1, 1]], np.float32)
    yield from operator("crop_resize_batch", "CropAndResize", [image, box, i32(9), i32(2, 2)], "9", domain=MS)
    yield from operator("crop_resize_negative", "CropAndResize", [image, box, i32(-1), i32(2, 2)], "-1", domain=MS)
    yield from operator("crop_resize_huge", "CropAndResize", [image, box, i32(0), i32(2147483647, 2147483647)], domain=MS)
    yield from operator("crop_resize_nan", "CropAndResize", [image, box * np.float32("nan"), i32(0), i32(2, 2)], runs=True, domain=MS)
    yield from operator("fused_conv_activation", "FusedConv", [image, floats(4, 2, 3, 3)], "Cube", domain=MS, activation="Cube")
    yield from operator("fused_gemm_bias", "FusedGemm", [X, floats(3, 4), floats(5)], domain=MS, activation="Relu")
    yield from operator("fused_matmul_inner", "FusedMatMul", [X, X], domain=MS)
    yield from operator("unknown", "NoSuchOperator", [X], domain=MS)


def cases():
    for family in (attention, embeddings, low_bits, others):
        yield from family()
