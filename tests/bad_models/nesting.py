"""What is nested too deeply, calls itself, or grows when it is expanded."""

import numpy as np
from bad_case import BOOL, FLOAT, INT64, Case, model, node, tensor, value
from files import field
from onnx import helper

X = [value("x", FLOAT, [2])]
CONDITION = [value("c", BOOL, [])]
OPSET = [helper.make_opsetid("", 23)]


def nested_ifs(depth):
    """Written by hand: protobuf itself would refuse to."""
    relu = field(1, field(1, b"x") + field(2, b"b") + field(4, b"Relu"))
    graph = relu + field(2, b"g") + field(12, field(1, b"b"))
    for _ in range(depth):
        branches = b"".join(field(5, field(1, name) + field(6, graph) + b"\xa0\x01\x05") for name in (b"then_branch",))
        other = field(5, field(1, b"else_branch") + field(6, relu + field(2, b"g") + field(12, field(1, b"b"))) + b"\xa0\x01\x05")
        inner = field(1, field(1, b"c") + field(2, b"b") + field(4, b"If") + branches + other)
        graph = inner + field(2, b"g") + field(12, field(1, b"b"))
    shape = field(11, field(1, b"x") + field(2, field(1, b"\x08\x01" + field(2, field(1, b"\x08\x02")))))
    condition = field(11, field(1, b"c") + field(2, field(1, b"\x08\x09" + field(2, b""))))
    return b"\x08\x0a" + field(7, graph + shape + condition) + field(8, b"\x10\x17")


def ifs():
    for depth in (10, 20, 30):
        yield Case(f"if_{depth}_deep", nested_ifs(depth), runs=True)
    for depth in (100, 1000, 5000):
        yield Case(f"if_{depth}_deep", nested_ifs(depth), ["damaged at byte", "more than 300 deep"],
                   info="nested more than 300 deep")


def nested_loops(depth, op):
    inputs = [value("i", INT64, []), value("k", BOOL, []), value("a")]
    body = helper.make_graph([node("Identity", "k", "n", name="go"), node("Relu", "a", "b", name="inner")], "body", inputs,
                             [value("n", BOOL, []), value("b")])
    for _ in range(depth - 1):
        nodes = [node("Identity", "k", "n", name="go"), node("Loop", "m k a", "b", name="loop", body=body)]
        body = helper.make_graph(nodes, "body", inputs, [value("n", BOOL, []), value("b")])
    return model([node(op, "m t x", "y", body=body)], X, constants=[tensor("m", np.int64(1)), tensor("t", np.array(True))])


def loops():
    """Inference goes through a body more than once, and so through the innermost exponentially often."""
    for depth in (5, 15, 23):
        yield Case(f"loop_{depth}_deep", nested_loops(depth, "Loop"), runs=True)
    yield Case("scan_12_deep", nested_scans(12), runs=True)
    yield Case("sequence_map_12_deep", nested_maps(12), runs=True)


def nested_scans(depth):
    body = helper.make_graph([node("Identity", "s", "t", name="state"), node("Relu", "a", "b", name="inner")], "body",
                             [value("s"), value("a")], [value("t"), value("b")])
    for _ in range(depth - 1):
        nodes = [node("Identity", "s", "t", name="state"), node("Scan", "s a", "u b", name="scan", body=body, num_scan_inputs=1)]
        body = helper.make_graph(nodes, "body", [value("s"), value("a")], [value("t"), value("b")])
    dims = [2] * (depth + 1)
    return model([node("Scan", "x z", "y w", body=body, num_scan_inputs=1)], X + [value("z", FLOAT, dims)])


def nested_maps(depth):
    body = helper.make_graph([node("Relu", "a", "b", name="inner")], "body", [value("a")], [value("b")])
    for level in range(depth - 1):
        nodes = [node("SequenceConstruct", "a", "q", name="one"), node("SequenceMap", "q", "r", name="map", body=body),
                 node("SequenceAt", "r zero", "b", name="at")]
        body = helper.make_graph(nodes, "body", [value("a")], [value("b")])
    nodes = [node("SequenceConstruct", "x", "q", name="one"), node("SequenceMap", "q", "r", body=body),
             node("SequenceAt", "r zero", "y", name="at")]
    return model(nodes, X, constants=[tensor("zero", np.int64(0))])


def function(name, nodes, **fields):
    return helper.make_function("mine", name, ["a"], ["z"], nodes, OPSET + [helper.make_opsetid("mine", 1)], **fields)


def calling(functions, called="F0"):
    return model([node(called, "x", "y", domain="mine")], X, opsets={"mine": 1}, functions=functions)


def call(name, inputs="a", outputs="z", label="call"):
    return node(name, inputs, outputs, name=label, domain="mine")


def functions():
    yield Case("function_calls_itself", calling([function("F0", [call("F0")])]), "F0", info=["mine.F0", "calls itself"])
    ring = [function(f"F{index}", [call(f"F{(index + 1) % 3}")]) for index in range(3)]
    yield Case("functions_call_each_other", calling(ring), "F0", info=["calls itself", "mine.F0 -> mine.F1 -> mine.F2"])
    unused = [function("F0", [node("Relu", "a", "z")]), function("F1", [call("F1")])]
    yield Case("unused_function_calls_itself", calling(unused), runs=True)
    branch = helper.make_graph([call("F0", "a", "b")], "branch", [], [value("b")])
    recursive = function("F0", [node("Constant", "", "c", value=tensor("", np.array(True)), name="c"),
                                node("If", "c", "z", then_branch=branch, else_branch=branch, name="if")])
    yield Case("function_calls_itself_in_branch", calling([recursive]), "F0", info=["mine.F0", "calls itself"])
    wide = [function(f"F{level}", [call(f"F{level + 1}", "a" if i == 0 else f"t{i - 1}", f"t{i}" if i < 9 else "z") for i in range(10)])
            for level in range(20)] + [function("F20", [node("Relu", "a", "z")])]
    yield Case("functions_grow_exponentially", calling(wide), "F0", info=["more than", "nodes"])
    chain = [function(f"F{level}", [call(f"F{level + 1}")]) for level in range(1000)] + [function("F1000", [node("Relu", "a", "z")])]
    yield Case("functions_1000_deep", calling(chain), "F0", info=["deep"])
    chain = [function(f"F{level}", [call(f"F{level + 1}")]) for level in range(60)] + [function("F60", [node("Relu", "a", "z")])]
    yield Case("functions_60_deep", calling(chain), runs=True)
    hollow = [function(f"F{level}", [call(f"F{level + 1}", "a", f"t{i}") for i in range(10)] + [node("Relu", "a", "z")])
              for level in range(20)] + [function("F20", [])]
    yield Case("functions_of_nothing", calling(hollow), "F0", info=["F"])
    yield Case("function_takes_more", model([node("F0", "x x", "y", domain="mine")], X, opsets={"mine": 1},
               functions=[function("F0", [node("Relu", "a", "z")])]), "F0", info=["takes 1 inputs", "2"])
    yield Case("function_makes_nothing", calling([function("F0", [])]), "output 'z'", info=["function 'F0'", "output 'z'"])
    needs = function("F0", [node("Softmax", "a", "z")], attributes=["axis"])
    needs.node[0].attribute.add(name="axis", ref_attr_name="axis", type=2)
    yield Case("function_attribute_left_out", calling([needs]), runs=True)
    body = helper.make_graph([node("Relu", "a", "b", name="inner")], "b", [], [value("b")])
    takes_graph = function("F0", [node("If", "a", "z", name="if")], attributes=["g"])
    for branch_name in ("then_branch", "else_branch"):
        takes_graph.node[0].attribute.add(name=branch_name, ref_attr_name="g", type=5)
    whole = calling([takes_graph])
    whole.graph.node[0].attribute.add(name="g", type=5, g=body)
    yield Case("function_takes_graph", whole, "'bad/if' (If)", info="input 'a'")
    twice = [function("F0", [node("Relu", "a", "z")]), function("F0", [node("Abs", "a", "z")])]
    yield Case("function_twice", calling(twice), runs=True)


def cases():
    for family in (ifs, loops, functions):
        yield from family()
