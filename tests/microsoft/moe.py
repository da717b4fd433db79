"""Mixtures of experts, and products with weights of 4 bits."""

import numpy as np

from case import Case, integers, random

TOKENS, HIDDEN, INNER, EXPERTS = 6, 16, 32, 4


def mixtures():
    x, router = random(TOKENS, HIDDEN), random(TOKENS, EXPERTS, seed=1)
    fc1, b1 = random(EXPERTS, INNER, HIDDEN, seed=2, scale=0.2), random(EXPERTS, INNER, seed=3)
    fc2, b2 = random(EXPERTS, HIDDEN, INNER, seed=4, scale=0.2), random(EXPERTS, HIDDEN, seed=5)
    for activation in ("relu", "gelu", "silu", "identity"):
        for normalize in (0, 1):
            yield Case("MoE", f"{activation}_{normalize}", [x, router, fc1, b1, fc2, b2],
                       {"k": 2, "activation_type": activation, "normalize_routing_weights": normalize})
    yield Case("MoE", "three_axes", [x.reshape(2, 3, HIDDEN), router, fc1, None, fc2], {"k": 1, "activation_type": "relu"})
    wide, wide_bias = random(EXPERTS, 2 * INNER, HIDDEN, seed=6, scale=0.2), random(EXPERTS, 2 * INNER, seed=7)
    yield Case("MoE", "swiglu", [x, router, wide, wide_bias, fc2, b2],
               {"k": 2, "activation_type": "swiglu", "swiglu_fusion": 1, "activation_alpha": 1.702, "activation_beta": 1.0,
                "swiglu_limit": 2.0, "normalize_routing_weights": 1})


def quantized():
    x, router = random(TOKENS, HIDDEN), random(TOKENS, EXPERTS, seed=1)
    for bits in (4, 8):
        per_byte = 8 // bits
        fc1 = integers(0, 256, EXPERTS, 2 * INNER, HIDDEN // per_byte, dtype=np.uint8, seed=2)
        fc2 = integers(0, 256, EXPERTS, HIDDEN, INNER // per_byte, dtype=np.uint8, seed=3)
        scale = 0.02 if bits == 4 else 0.002
        s1 = np.abs(random(EXPERTS, 2 * INNER, seed=4, scale=scale)) + np.float32(scale)
        s2 = np.abs(random(EXPERTS, HIDDEN, seed=5, scale=scale)) + np.float32(scale)
        attributes = {"k": 2, "activation_type": "swiglu", "swiglu_fusion": 1, "expert_weight_bits": bits,
                      "activation_alpha": 1.702, "activation_beta": 1.0, "swiglu_limit": 7.0, "normalize_routing_weights": 1}
        yield Case("QMoE", f"rows_{bits}", [x, router, fc1, s1, None, fc2, s2], attributes, tolerance=(1e-3, 1e-4))
        s1 = np.abs(random(EXPERTS, 2 * INNER, 1, seed=4, scale=scale)) + np.float32(scale)
        s2 = np.abs(random(EXPERTS, HIDDEN, 2, seed=5, scale=scale)) + np.float32(scale)
        yield Case("QMoE", f"blocks_{bits}", [x, router, fc1, s1, random(EXPERTS, 2 * INNER, seed=8), fc2, s2,
                                              random(EXPERTS, HIDDEN, seed=9)],
                   attributes | {"block_size": 16}, tolerance=(1e-3, 1e-4))


def four_bits():
    for kind in (0, 1):
        for n, k in ((8, 32), (5, 48)):
            blob = integers(0, 256, (n * k + 1) // 2, dtype=np.uint8, seed=kind)
            largest = np.abs(random((n * k + 15) // 16, seed=2)) + np.float32(0.1)
            yield Case("MatMulBnb4", f"type_{kind}_{n}_{k}", [random(2, 3, k), blob, largest],
                       {"K": k, "N": n, "block_size": 16, "quant_type": kind}, constants=("x1", "x2"))


def cases():
    yield from mixtures()
    yield from quantized()
    yield from four_bits()
