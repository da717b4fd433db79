"""Tensors whose elements are not what type and dims promise."""

import numpy as np
from bad_case import FLOAT, Case, model, node, tensor, value
from onnx import SparseTensorProto, TensorProto, helper


def proto(element=FLOAT, dims=(4,), **fields):
    made = TensorProto(name="w", data_type=element, dims=dims)
    for key, content in fields.items():
        if key == "raw_data":
            made.raw_data = content
        else:
            getattr(made, key).extend(content)
    return made


def holding(name, weight, says, **expected):
    """The tensor as an initializer, and as the value of a Constant. The run fails over what is not there."""
    whole = model([node("Identity", "w", "y")], constants=[weight])
    yield Case(f"{name}_initializer", whole, "'w'", info=["initializer 'w'", *says], **expected)
    whole = model([node("Constant", "", "y", value=weight)])
    yield Case(f"{name}_constant", whole, "'bad' (Constant)", info=["'bad' (Constant)", "'value'", *says], **expected)


def lengths():
    yield from holding("raw_short", proto(raw_data=bytes(15)), ["15 bytes", "float[4]", "16", "byte "])
    yield from holding("raw_long", proto(raw_data=bytes(17)), ["17 bytes", "16", "byte "])
    yield from holding("typed_short", proto(float_data=[1, 2, 3]), ["3 entries in float_data", "needs 4"])
    yield from holding("typed_long", proto(float_data=[1] * 5), ["5 entries in float_data", "needs 4"])
    yield from holding("wrong_field", proto(int64_data=[1] * 4), ["0 entries in float_data", "needs 4"])
    yield from holding("nothing", proto(), ["0 entries", "needs 4"])
    yield from holding("strings_short", proto(TensorProto.STRING, string_data=[b"a"]), ["1 entries in string_data", "4"])
    yield from holding("strings_raw", proto(TensorProto.STRING, raw_data=b"abcd"), ["strings must stand in string_data"])
    yield from holding("complex_odd", proto(TensorProto.COMPLEX64, float_data=[1] * 7), ["7 entries", "needs 8"])
    yield from holding("half_byte", proto(TensorProto.INT4, (3,), raw_data=b"\x11"), ["1 bytes", "int4[3]", "2"])
    yield from holding("quarter_byte", proto(TensorProto.INT2, (5,), raw_data=b"\x11"), ["1 bytes", "int2[5]", "2"])
    yield from holding("half_byte_typed", proto(TensorProto.INT4, (3,), int32_data=[1]), ["1 entries", "2"])


def dims():
    yield from holding("dims_2_80", proto(dims=(1 << 40, 1 << 40)), ["[1099511627776, 1099511627776]", "overflows"])
    yield from holding("dims_2_62", proto(dims=(1 << 62,)), ["float[4611686018427387904]"])
    yield from holding("dims_2_62_raw", proto(dims=(1 << 62,), raw_data=b"abcd"), ["4611686018427387904"])
    yield from holding("dims_2_40", proto(dims=(1 << 40,), raw_data=bytes(64)), ["64 bytes", str(4 << 40)])
    yield from holding("dims_negative", proto(dims=(-4,), raw_data=bytes(16)), ["-4 is negative"])
    yield from holding("dims_negative_twice", proto(dims=(-2, -2), raw_data=bytes(16)), ["-2 is negative"])
    yield from holding("dims_smallest", proto(dims=(-(1 << 63),), raw_data=bytes(16)), ["is negative"])
    yield from holding("dims_2_62_strings", proto(TensorProto.STRING, (1 << 62,)), ["string[4611686018427387904]"])
    yield from holding("dims_2_62_quarters", proto(TensorProto.INT2, (1 << 62,)), ["int2[4611686018427387904]"])
    many = proto(dims=[1] * 100_000, raw_data=bytes(4))
    yield Case("dims_100000", model([node("Identity", "w", "y")], constants=[many]), ["'w'", "100000 axes"],
               info=["initializer 'w'", "100000 axes"])
    zero = proto(dims=(0, 1 << 62, 1 << 62))
    yield Case("dims_zero_and_huge", model([node("Identity", "w", "y")], constants=[zero]), runs=True)


def elements():
    for number in (0, -1, 29, 99, 1 << 30):
        name = str(number).replace("-", "minus_")
        yield from holding(f"element_{name}", proto(number, raw_data=bytes(16)), ["element type number", str(number)])
    segment = proto(raw_data=bytes(16))
    segment.segment.begin, segment.segment.end = 0, 2
    yield from holding("segment", segment, ["only a segment"])
    other = model([node("Identity", "w", "y")], [value("w", TensorProto.INT64, [2])], constants=[proto(raw_data=bytes(16))])
    yield Case("declared_otherwise", other, runs=True)
    unnamed = proto(raw_data=bytes(16))
    unnamed.name = ""
    yield Case("unnamed", model([node("Relu", "x", "y")], [value("x", FLOAT, [2])], constants=[unnamed]), runs=True)
    strings = proto(TensorProto.STRING, (2,), string_data=[b"\xff\xfe", b"a\0b"])
    yield Case("strings_not_utf8", model([node("Identity", "w", "y")], constants=[strings]), runs=True)


def sparse(values=(1.0, 2.0), indices=(0, 3), dims=(4,), index_type=TensorProto.INT64, **fields):
    made = SparseTensorProto(dims=dims)
    made.values.CopyFrom(fields.get("values_tensor") or tensor("w", np.array(values, np.float32)))
    shape = fields.get("index_dims", (len(indices),))
    made.indices.CopyFrom(helper.make_tensor("i", index_type, shape, indices))
    return made


def sparse_cases():
    def holding_sparse(name, content, says):
        whole = model([node("Identity", "w", "y")])
        whole.graph.sparse_initializer.append(content)
        yield Case(f"sparse_{name}_initializer", whole, "'w'", info=["sparse initializer 'w'", *says])
        whole = model([node("Constant", "", "y", sparse_value=content)])
        yield Case(f"sparse_{name}_constant", whole, "'bad' (Constant)", info=["'bad' (Constant)", *says])

    yield from holding_sparse("index_out", sparse(indices=(0, 4)), ["sparse index 4", "4 elements"])
    yield from holding_sparse("index_negative", sparse(indices=(-1, 2)), ["sparse index -1"])
    pairs = sparse(indices=(0, 0, 2, 1), dims=(2, 2), index_dims=(2, 2))
    yield from holding_sparse("pair_out", pairs, ["sparse index 2", "dim 2"])
    yield from holding_sparse("indices_short", sparse(indices=(0,)), ["[1]", "expected [2]"])
    yield from holding_sparse("indices_type", sparse(index_type=TensorProto.INT32), ["int32", "expected int64"])
    yield from holding_sparse("dims_overflow", sparse(dims=(1 << 40, 1 << 40)), ["overflows"])
    yield from holding_sparse("dims_negative", sparse(dims=(-4,)), ["-4 is negative"])
    twice = helper.make_tensor("w", FLOAT, (1, 2), [1, 2])
    yield from holding_sparse("values_rank", sparse(values_tensor=twice), ["rank 2", "expected 1"])
    huge = sparse(dims=(1 << 40,))
    whole = model([node("Identity", "w", "y")])
    whole.graph.sparse_initializer.append(huge)
    yield Case("sparse_terabytes_initializer", whole, ["(Identity)", str(4 << 40)])
    yield Case("sparse_terabytes_constant", model([node("Constant", "", "y", sparse_value=huge)]), runs=True)


def cases():
    for family in (lengths, dims, elements, sparse_cases):
        yield from family()
