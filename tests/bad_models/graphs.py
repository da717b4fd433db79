"""Graphs that do not hang together."""

import numpy as np
import onnx
from bad_case import BOOL, FLOAT, INT64, Case, model, node, tensor, value
from onnx import AttributeProto, TensorProto, helper

X = [value("x", FLOAT, [2, 3])]


def names():
    both = [node("Relu", "x", "y", name="first"), node("Abs", "x", "y", name="second")]
    yield Case("output_twice", model(both, X), runs=True, info=["'second' (Abs)", "'y'", "exists already"])
    yield Case("output_twice_in_node", model([node("Split", "x", "y y", axis=0)], X), runs=True, info=["'y'", "exists already"])
    yield Case("output_is_input", model([node("Relu", "x", "x")], X, X), runs=True, info=["'x'", "exists already"])
    yield Case("input_twice", model([node("Relu", "x", "y")], X + X), runs=True, info=["'x'", "second input"])
    weight = tensor("w", np.ones(3, np.float32))
    yield Case("initializer_twice", model([node("Add", "x w", "y")], X, constants=[weight, weight]), runs=True,
               info=["'w'", "second initializer"])
    yield Case("missing_input", model([node("Relu", "absent", "y")]), "'absent'", info=["'bad' (Relu)", "'absent'"])
    yield Case("missing_output", model([node("Relu", "x", "z")], X), "'y'", info="'y'")
    yield Case("missing_in_branch", in_branch("absent"), "'absent'", info=["'bad' (If)", "'absent'"])
    yield Case("nul_in_name", model([node("Relu", "a\0b", "y")], [value("a\0b", FLOAT, [2])]), runs=True)
    yield Case("control_in_name", model([node("Relu", "x", "y", name="a\x1b[2J\nb\x07")], [value("x", FLOAT, [2])],
                                        ["y\r\x1b]0;title\x07"]), "'y")
    yield Case("long_name", model([node("Relu", "x" * 1_000_000, "y")], [value("x" * 1_000_000, FLOAT, [2])]), runs=True)
    unicode = "\u202e\U0001f600\ufeff\u0000\uffff"
    yield Case("odd_name", model([node("Relu", unicode, "y")], [value(unicode, FLOAT, [2])]), runs=True)
    whole = model([node("Relu", "QQQQ", "y")], [value("QQQQ", FLOAT, [2])]).SerializeToString()
    yield Case("name_not_utf8", whole.replace(b"QQQQ", b"\xff\xc0\xaf\x80"), runs=True)
    yield Case("empty_names", model([node("Relu", "_", "_", name="")], X, [""]), "''")


def in_branch(name, **other):
    graph = helper.make_graph([node("Relu", name, "b", name="inner")], "branch", [], [value("b")])
    return model([node("If", "c", "y", then_branch=graph, else_branch=graph)], [value("c", BOOL, [])], **other)


def scopes():
    inner = helper.make_graph([node("Relu", "x", "t", name="inner")], "branch", [], [value("t")])
    nodes = [node("Abs", "x", "t", name="abs"), node("If", "c", "y", then_branch=inner, else_branch=inner)]
    yield Case("name_again_in_branch", model(nodes, X + [value("c", BOOL, [])]), runs=True)
    later = helper.make_graph([node("Relu", "y", "t", name="inner")], "branch", [], [value("t")])
    yield Case("branch_reads_its_own_result", model([node("If", "c", "y", then_branch=later, else_branch=later)],
               [value("c", BOOL, [])]), "'bad' (If)", info="cycle")
    yield Case("branch_reads_sibling", model([
        node("If", "c", "y", then_branch=inner, else_branch=helper.make_graph(
            [node("Relu", "inner_of_then", "u", name="inner")], "branch", [], [value("u")]))],
        X + [value("c", BOOL, [])]), "'inner_of_then'", info="'inner_of_then'")


def cycles():
    yield Case("cycle_of_one", model([node("Add", "x y", "y")], X), "'bad' (Add)", info=["'bad' (Add)", "cycle"])
    two = [node("Add", "x b", "a", name="first"), node("Add", "x a", "b", name="second"), node("Relu", "a", "y")]
    yield Case("cycle_of_two", model(two, X), "'first' (Add)", info=["3 nodes", "cycle"])
    count = 50_000
    ring = [node("Relu", f"t{(index + count - 1) % count}", f"t{index}", name="") for index in range(count)]
    yield Case("cycle_of_50000", model(ring, [], ["t7"]), "Relu", info=["50000 nodes", "cycle"])


def operators():
    yield Case("no_operator", model([node("", "x", "y")], X), "'bad'", info="which operator")
    yield Case("unknown_operator", model([node("Relux", "x", "y")], X), ["'bad' (Relux)", "Relu"])
    yield Case("unknown_domain", model([node("Relu", "x", "y", domain="nowhere")], X), ["'bad' (nowhere.Relu)"],
               info="nowhere")
    future = model([node("Relu", "x", "y")], X, opsets={"": 9999})
    yield Case("future_opset", future, runs=True, info=["9999"])
    for version in (0, -1):
        name = str(version).replace("-", "minus_")
        yield Case(f"opset_{name}", model([node("Relu", "x", "y")], X, opsets={"": version}), ["'bad' (Relu)", "version 1"],
                   info=["expected one from 1"])
    yield Case("opset_2_40", model([node("Relu", "x", "y")], X, opsets={"": 1 << 40}), runs=True)
    bare = model([node("Relu", "x", "y")], X)
    del bare.opset_import[:]
    yield Case("no_opset", bare, runs=True, info="version 1 is taken")
    bare = model([node("Relu", "x", "y")], X)
    bare.ir_version = 1 << 60
    yield Case("future_ir", bare, runs=True, info=str(1 << 60))
    yield Case("no_inputs", model([node("Relu", "", "y")]), ["'bad' (Relu)", "input"])
    yield Case("no_outputs", model([node("Relu", "x", ""), node("Abs", "x", "y", name="abs")], X), "'bad' (Relu)", info="0 outputs")
    yield Case("omitted_input", model([node("Relu", "_", "y")]), ["'bad' (Relu)", "input"])
    yield Case("too_many_inputs", model([node("Relu", "x x x", "y")], X), ["'bad' (Relu)", "3"])
    yield Case("too_many_outputs", model([node("Relu", "x", "y z")], X), ["'bad' (Relu)", "2"])
    yield Case("strings_for_floats", model([node("Relu", "x", "y")], [value("x", TensorProto.STRING, [2])]),
               ["'bad' (Relu)", "string"])
    other = model([node("Shape", "x", "t", name="shape"), node("Relu", "t", "y")], X)
    yield Case("type_mismatch", model([node("Shape", "x", "t", name="shape"), node("Add", "x t", "y")], X),
               ["'bad' (Add)", "int64", "float"])
    yield Case("unlike_declared", other, runs=True, info="declared")


def attributes():
    def typed(name, says, **fields):
        bad = node("Softmax", "x", "y")
        bad.attribute.add(name="axis", **fields)
        yield Case(f"attribute_{name}", model([bad], X), ["'bad' (Softmax)", "axis", *says])

    yield from typed("string_for_int", ["string"], type=AttributeProto.STRING, s=b"1")
    yield from typed("ints_for_int", ["int"], type=AttributeProto.INTS, ints=[1])
    yield from typed("float_for_int", ["float"], type=AttributeProto.FLOAT, f=1)
    yield from typed("out_of_range", ["5", "rank 2"], type=AttributeProto.INT, i=5)
    yield from typed("largest", [str((1 << 63) - 1)], type=AttributeProto.INT, i=(1 << 63) - 1)
    yield from typed("smallest", [str(-1 << 63)], type=AttributeProto.INT, i=-1 << 63)
    graph = helper.make_graph([], "g", [], [])
    yield from typed("graph_for_int", ["graph"], type=AttributeProto.GRAPH, g=graph)
    bad = node("Softmax", "x", "y")
    bad.attribute.add(name="axis", type=AttributeProto.INT, f=1)
    yield Case("attribute_says_int_holds_float", model([bad], X), runs=True)
    bad = node("Softmax", "x", "y")
    bad.attribute.add(name="axis", type=AttributeProto.INT, i=1)
    bad.attribute.add(name="axis", type=AttributeProto.INT, i=9)
    yield Case("attribute_twice", model([bad], X), runs=True, info=["second attribute 'axis'"])
    yield Case("attribute_unknown", model([node("Softmax", "x", "y", axes=1)], X),
               ["'bad' (Softmax)", "attribute 'axes'", "expected one of axis"],
               info="attribute 'axes'")
    yield Case("attribute_of_its_own", model([node("Softmax", "x", "y", __note=1)], X), runs=True)
    # What once was an attribute is an input now.
    yield Case("attribute_removed", model([node("ReduceMax", "x", "y", axes=[0])], X),
               ["'bad' (ReduceMax)", "attribute 'axes'", "noop_with_empty_axes"])
    bad = node("Softmax", "x", "y")
    bad.attribute.add(name="axis", ref_attr_name="outer", type=AttributeProto.INT)
    yield Case("attribute_reference_in_graph", model([bad], X), "'bad' (Softmax)")
    whole = model([node("Softmax", "x", "y", axis=1)], X)
    encoded = whole.SerializeToString()
    declared = b"\xa0\x01" + bytes([AttributeProto.INT])
    yield Case("attribute_type_unknown", encoded.replace(declared, b"\xa0\x01\x63"), runs=True)
    yield Case("attribute_missing", model([node("Cast", "x", "y")], X), ["'bad' (Cast)", "'to'"])
    yield Case("attribute_enum", model([node("Cast", "x", "y", to=99)], X), ["'bad' (Cast)", "99"])
    yield Case("attribute_word", model([node("Pad", "x p", "y", mode="mirror")], X, constants=[tensor("p", np.zeros(4, np.int64))]),
               ["'bad' (Pad)", "mirror"])
    yield Case("attribute_infinite", model([node("LeakyRelu", "x", "y", alpha=float("inf"))], X), runs=True)


def types():
    def declared(name, type_proto, says=None, **expected):
        info = onnx.ValueInfoProto(name="x", type=type_proto)
        return Case(f"type_{name}", model([node("Identity", "x", "y")], [info], [onnx.ValueInfoProto(name="y")]), says or (), **expected)

    def tensor_type(element, dims):
        return helper.make_tensor_type_proto(element, dims)

    yield declared("none", onnx.TypeProto(), "'x'")
    yield declared("element_99", tensor_type(99, [2]), "'x'", info=["'x'", "99"])
    yield declared("dim_negative", tensor_type(FLOAT, [-2, 3]), runs=True, info=["'x'", "-2"])
    yield declared("dim_2_62", tensor_type(FLOAT, [1 << 62]), ["'x'", "float[4611686018427387904]"])
    yield declared("dims_2_80", tensor_type(FLOAT, [1 << 40, 1 << 40]), ["'x'", "[1099511627776, 1099511627776]"])
    yield declared("dims_1000", tensor_type(FLOAT, [1] * 1000), runs=True)
    yield declared("dims_2000", tensor_type(FLOAT, [1] * 2000), "'x'", info="2000 axes")
    yield declared("dims_2_40", tensor_type(FLOAT, [1 << 40]), ["'x'", str(4 << 40)])
    yield declared("sequence", helper.make_sequence_type_proto(tensor_type(FLOAT, [2])), "'x'")
    deep = tensor_type(FLOAT, [2])
    for _ in range(40):
        deep = helper.make_sequence_type_proto(deep)
    yield declared("sequence_40_deep", deep, "'x'")
    key = helper.make_map_type_proto(TensorProto.FLOAT, tensor_type(FLOAT, [2]))
    yield declared("map_of_float_keys", key, "'x'")


def bodies():
    empty = helper.make_graph([], "empty", [], [])
    one = helper.make_graph([node("Relu", "x", "b", name="inner")], "one", [], [value("b")])
    condition = X + [value("c", BOOL, [])]
    yield Case("if_without_branches", model([node("If", "c", "y")], condition), ["'bad' (If)", "then_branch"])
    yield Case("if_without_else", model([node("If", "c", "y", then_branch=one)], condition), ["'bad' (If)", "else_branch"])
    yield Case("if_empty_branches", model([node("If", "c", "y", then_branch=empty, else_branch=empty)], condition),
               ["'bad' (If)", "1"])
    yield Case("if_unlike_branches", model([node("If", "c", "y", then_branch=one, else_branch=empty)], condition),
               ["'bad' (If)"])
    taking = helper.make_graph([node("Relu", "i", "b", name="inner")], "one", [value("i")], [value("b")])
    yield Case("if_branch_with_input", model([node("If", "c", "y", then_branch=taking, else_branch=taking)], condition),
               ["'bad' (If)", "input"])
    yield Case("if_condition_of_two", model([node("If", "c", "y", then_branch=one, else_branch=one)],
               X + [value("c", BOOL, [2])]), ["'bad' (If)", "2"])
    yield Case("if_condition_float", model([node("If", "x", "y", then_branch=one, else_branch=one)], X),
               ["'bad' (If)", "float"])
    yield Case("loop_empty_body", model([node("Loop", "m _ x", "y", body=empty)], X + [value("m", INT64, [])]),
               ["'bad' (Loop)"])
    yield Case("loop_without_body", model([node("Loop", "m _ x", "y")], X + [value("m", INT64, [])]),
               ["'bad' (Loop)", "body"])
    endless = helper.make_graph([node("Identity", "k", "n", name="go"), node("Identity", "a", "b", name="keep")], "endless",
                                [value("i", INT64, []), value("k", BOOL, []), value("a")], [value("n", BOOL, []), value("b")])
    yield Case("loop_endless", model([node("Loop", "_ t x", "y", body=endless)], X, constants=[tensor("t", np.array(True))]),
               ["'bad' (Loop)", "limit"])
    yield Case("loop_2_62_turns", model([node("Loop", "m t x", "y", body=endless)], X,
               constants=[tensor("t", np.array(True)), tensor("m", np.int64(1 << 62))]), ["'bad' (Loop)", "limit"])
    stacking = helper.make_graph([node("Identity", "k", "n", name="go"), node("Concat", "a a", "b", name="double", axis=0)], "stacking",
                                 [value("i", INT64, []), value("k", BOOL, []), value("a")], [value("n", BOOL, []), value("b")])
    yield Case("loop_doubles", model([node("Loop", "_ t x", "y", body=stacking)], X, constants=[tensor("t", np.array(True))]),
               ["'bad' (Loop)", "limit"])
    growing = helper.make_graph([node("Identity", "k", "n", name="go"), node("StringConcat", "a a", "b", name="double")], "growing",
                                [value("i", INT64, []), value("k", BOOL, []), value("a", TensorProto.STRING)],
                                [value("n", BOOL, []), value("b", TensorProto.STRING)])
    yield Case("loop_doubles_strings", model([node("Loop", "_ t s", "y", body=growing)],
               [value("s", TensorProto.STRING, [2])], [value("y", TensorProto.STRING)], constants=[tensor("t", np.array(True))]),
               ["'bad' (Loop)", "limit"])
    scanning = helper.make_graph([node("Relu", "a", "b", name="inner")], "scanning", [value("a")], [value("b")])
    for count in (0, 2, -1, 1 << 62):
        name = str(count).replace("-", "minus_")
        yield Case(f"scan_inputs_{name}", model([node("Scan", "x", "y", body=scanning, num_scan_inputs=count)], X),
                   ["'bad' (Scan)"])


def cases():
    for family in (names, scopes, cycles, operators, attributes, types, bodies):
        yield from family()
