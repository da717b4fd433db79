"""Faults that ended the processes of other runtimes, where no other family has them."""

import numpy as np
from bad_case import BOOL, FLOAT, INT64, Case, floats, ints, model, node, operator, tensor, value
from onnx import TensorProto, ValueInfoProto, helper

MS = "com.microsoft"
IMAGE = floats(1, 2, 8, 8)


def behind_a_transpose():
    """Optimizers move a Transpose through what follows it, and take the lengths of its lists for the rank."""
    x = value("x", FLOAT, [2, 3, 4])
    turned = node("Transpose", "x", "t", name="turn", perm=[2, 0, 1])
    for name, op, lists, says in (
        ("slice", "Slice", {"s": [0, 0, 0, 0], "e": [1, 1, 1, 1]}, "4"),
        ("slice_axes", "Slice", {"s": [0], "e": [1], "a": [0, 1]}, "differ in length"),
        ("pad", "Pad", {"p": [1, 1]}, "expected 6"),
        ("tile", "Tile", {"r": [1, 1]}, ""),
        ("squeeze", "Squeeze", {"a": [7]}, "7"),
        ("reduce", "ReduceSum", {"a": [9]}, "9"),
    ):
        nodes = [turned, node(op, " ".join(["t", *lists]), "z"), node("Transpose", "z", "y", name="back", perm=[1, 2, 0])]
        constants = [tensor(key, ints(*numbers)) for key, numbers in lists.items()]
        yield Case(f"{name}_behind_transpose", model(nodes, [x], constants=constants), [f"'bad' ({op})", says])


def packed_elements():
    """Elements of less than a byte, through operators that copy them."""
    for element in (TensorProto.INT4, TensorProto.UINT4, TensorProto.INT2, TensorProto.UINT2, TensorProto.FLOAT4E2M1):
        weight = helper.make_tensor("w", element, [5], np.zeros(5, np.float32))
        kind = TensorProto.DataType.Name(element).lower()
        opsets = {"": 25}
        whole = value("y", element, None)
        yield Case(f"{kind}_reshape", model([node("Reshape", "w s", "y")], outputs=[whole], opsets=opsets,
                                            constants=[weight, tensor("s", ints(5, 1))]), runs=True)
        yield Case(f"{kind}_identity", model([node("Identity", "w", "y")], outputs=[whole], opsets=opsets, constants=[weight]), runs=True)


def sums_and_smallest():
    for name, axes in (("given", ints()), ("none", None)):
        yield from operator(f"reduce_axes_{name}", "ReduceSum", [floats(2, 3), axes], runs=True)
        yield from operator(f"reduce_axes_{name}_noop", "ReduceSum", [floats(2, 3), axes], runs=True, noop_with_empty_axes=1)
    half = floats(5).astype(np.float16)
    yield from operator("min_of_halves", "Min", [half, np.float16(0.5), floats(3, 1).astype(np.float16)], runs=True)
    yield from operator("max_of_halves_unlike", "Max", [half, floats(4).astype(np.float16)])


def early_operators():
    for name, changes in (("border_short", dict(border=[1])), ("none", {})):
        yield from operator(f"crop_{name}", "Crop", [IMAGE], opset=1, only="known", **changes)
    # What lies outside of the picture is not there.
    for name, changes in (("border_huge", dict(border=[99, 0, 0, 0])), ("border_negative", dict(border=[-9, 0, 0, 0])),
                          ("scale_huge", dict(border=[0, 0, 0, 0], scale=[99, 99]))):
        yield from operator(f"crop_{name}", "Crop", [IMAGE], opset=1, only="known", runs=True, **changes)


def searches():
    for op in ("BeamSearch", "Sampling", "GreedySearch", "WhisperBeamSearch"):
        whole = model([node(op, "x", "y", domain=MS)], [value("x", TensorProto.INT32, [1, 2])])
        yield Case(op.lower(), whole, [f"'bad' ({MS}.{op})", "is not run"])
    whole = model([node("MaxpoolWithMask", "x m", "y", domain=MS, kernel_shape=[3, 3])], [value("x", FLOAT, [1, 1, 8, 8]), value("m", TensorProto.INT32, [1])])
    yield Case("maxpool_with_mask", whole, [f"'bad' ({MS}.MaxpoolWithMask)", "is not run"])
    beams = [node("DecoderMaskedMultiHeadAttention", "q k k _ _ _ _ _ b c", "y", domain=MS, num_heads=2)]
    given = [value("q", FLOAT, [1, 1, 8]), value("k", FLOAT, [1, 1, 8]), value("b", TensorProto.INT32, [1]), value("c", TensorProto.INT32, [1, 1, 9])]
    yield Case("cache_indirection", model(beams, given), [f"'bad' ({MS}.DecoderMaskedMultiHeadAttention)", "cache_indirection"])


def four_bits():
    a, packed, largest = floats(1, 32), np.zeros(64, np.uint8), floats(2)
    for name, inputs, changes in (
        ("packed_short", [a, packed[:5], largest], {}), ("scales_short", [a, packed, floats(1)], {}), ("k_negative", [a, packed, largest], dict(K=-32)),
        ("n_huge", [a, packed, largest], dict(N=1 << 62)), ("block_0", [a, packed, largest], dict(block_size=0)),
        ("kind", [a, packed, largest], dict(quant_type=7)), ("inner", [floats(1, 31), packed, largest], {}),
    ):
        yield from operator(f"matmul_bnb4_{name}", "MatMulBnb4", inputs, domain=MS, **{**dict(K=32, N=4, block_size=64, quant_type=1), **changes})


def untyped():
    """No type is known of a value that is used nevertheless."""
    own = model([node("Mystery", "x", "t", name="mystery", domain="nowhere"), node("If", "c", "y", name="if",
                then_branch=helper.make_graph([node("Relu", "t", "r", name="inner")], "t", [], [helper.make_tensor_value_info("r", FLOAT, None)]),
                else_branch=helper.make_graph([node("Neg", "t", "n", name="other")], "e", [], [helper.make_tensor_value_info("n", FLOAT, None)]))],
                [value("x", FLOAT, [2]), value("c", BOOL, [])])
    yield Case("unknown_into_branch", own, ["'mystery' (nowhere.Mystery)", "unknown"])
    loop = helper.make_graph([node("Identity", "k", "k2", name="keep"), node("Add", "v v", "w", name="grow")], "body",
                             [value("i", INT64, []), value("k", BOOL, []), ValueInfoProto(name="v")],
                             [value("k2", BOOL, []), ValueInfoProto(name="w")])
    yield Case("untyped_in_loop", model([node("Loop", "n c x", "y", body=loop)], [value("x", FLOAT, [2])],
                                        constants=[tensor("n", np.int64(3)), tensor("c", np.array(True))]), runs=True)


def cases():
    for family in (behind_a_transpose, packed_elements, sums_and_smallest, early_operators, searches, four_bits, untyped):
        yield from family()
