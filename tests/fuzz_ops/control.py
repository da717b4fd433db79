"""Control flow, and constants: bodies drawn with their meaning."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from case import Case
from draw import dtype_of
from schema import types

FLOAT = TensorProto.FLOAT
STEPS = {
    "Add": np.add, "Sub": np.subtract, "Mul": lambda a, b: (a * b).astype(a.dtype),
    "Max": np.maximum, "Min": np.minimum,
}


def info(name, element=FLOAT, dims=None):
    return helper.make_tensor_value_info(name, element, dims)


def whole(draw, shape):
    """Small whole numbers, of which sums and products are exact."""
    return draw.values(np.dtype(np.int8), shape, low=-2, high=2).astype(np.float32)


def branch(name, op):
    """A graph that works on two values of the graph around it."""
    return helper.make_graph([helper.make_node(op, ["x1", "x2"], [f"{name}_y"])], name, [], [info(f"{name}_y")])


def if_(draw):
    condition = np.asarray(draw.chance(0.5))
    left, right = draw.broadcast(2, high=4, most=60)
    a, b = whole(draw, left), whole(draw, right)
    yes, no = draw.sample(sorted(STEPS), 2)
    attributes = {"then_branch": branch("then", yes), "else_branch": branch("else", no)}
    nodes = [helper.make_node("If", ["x0"], ["y0"], **attributes)]
    return Case("If", [condition, a, b], [STEPS[yes if condition else no](a, b)], graph=nodes)


def loop(draw):
    """state = state op x each turn, which is also gathered; ends by the count or by a sum that is large."""
    op, shape = draw.pick(["Add", "Sub", "Max", "Min"]), draw.shape(0, 3, most=30)
    start, x = whole(draw, shape), whole(draw, shape)
    count = draw.integer(0, 5)
    limit = np.float32(draw.pick([3.0, 1000.0]))
    body = helper.make_graph(
        [helper.make_node(op, ["state", "x2"], ["next"]),
         helper.make_node("Constant", [], ["limit"], value=helper.make_tensor("limit", FLOAT, [], [limit])),
         helper.make_node("ReduceSum", ["next"], ["sum"], keepdims=0),
         helper.make_node("Less", ["sum", "limit"], ["go"]),
         helper.make_node("Identity", ["next"], ["seen"])],
        "body", [info("turn", TensorProto.INT64, []), info("on", TensorProto.BOOL, []), info("state", FLOAT, shape)],
        [info("go", TensorProto.BOOL, []), info("next", FLOAT, shape), info("seen", FLOAT, shape)])
    state, seen, goes = start, [], True
    while goes and len(seen) < count:
        state = STEPS[op](state, x)
        seen.append(state)
        goes = state.sum() < limit
    node = helper.make_node("Loop", ["x0", "", "x1"], ["y0", "y1"], body=body)
    stack = np.stack(seen) if seen else np.zeros((0, *shape), np.float32)
    return Case("Loop", [np.array(count, np.int64), start, x], [state, stack], graph=[node])


def scan(draw):
    op, shape = draw.pick(["Add", "Sub", "Max", "Min"]), list(draw.shape(0, 2, most=20))
    steps, axis = draw.integer(1, 5), draw.integer(0, len(shape))
    start = whole(draw, shape)
    x = whole(draw, [*shape[:axis], steps, *shape[axis:]])
    is_reverse, out_reverse = draw.integer(0, 1), draw.integer(0, 1)
    out_axis = draw.integer(0, len(shape))
    body = helper.make_graph(
        [helper.make_node(op, ["state", "slice"], ["next"]), helper.make_node("Neg", ["next"], ["seen"])], "body",
        [info("state", FLOAT, shape), info("slice", FLOAT, shape)],
        [info("next", FLOAT, shape), info("seen", FLOAT, shape)])
    state, seen = start, []
    for step in reversed(range(steps)) if is_reverse else range(steps):
        state = STEPS[op](state, np.take(x, step, axis))
        seen.append(-state)
    negative = draw.chance(0.3)
    node = helper.make_node(
        "Scan", ["x0", "x1"], ["y0", "y1"], body=body, num_scan_inputs=1, scan_input_directions=[is_reverse],
        scan_output_directions=[out_reverse], scan_input_axes=[axis - len(shape) - 1 if negative else axis],
        scan_output_axes=[out_axis - len(shape) - 1 if negative else out_axis])
    return Case("Scan", [start, x], [state, np.stack(seen[::-1] if out_reverse else seen, out_axis)], graph=[node])


def sequence_map(draw):
    op = draw.pick(sorted(STEPS))
    values = [whole(draw, draw.shape(0, 2, most=20)) for _ in range(draw.integer(1, 4))]
    other = [whole(draw, value.shape) for value in values] if draw.chance(0.5) else whole(draw, ())
    body = helper.make_graph([helper.make_node(op, ["a", "b"], ["c"])], "body", [info("a"), info("b")], [info("c")])
    found = [STEPS[op](value, other[at] if isinstance(other, list) else other) for at, value in enumerate(values)]
    return Case("SequenceMap", [values, other], [[np.asarray(value, np.float32) for value in found]], {"body": body})


def constant(draw):
    kind = draw.pick(["value", "float", "floats", "int", "ints", "string", "strings"], [8, 1, 1, 1, 1, 1, 1])
    if kind == "value":
        x = draw.values(draw.type(types("Constant")), draw.shape())
        return Case("Constant", [], [x], {"value": numpy_helper.from_array(x)})
    dtype = dtype_of("float32" if kind.startswith("float") else "int64" if kind.startswith("int") else "string")
    x = draw.values(dtype, (draw.integer(1, 5),) if kind.endswith("s") else ())
    return Case("Constant", [], [x], {f"value_{kind}": x.tolist()})


OPS = {
    "If": (3, if_), "Loop": (4, loop), "Scan": (4, scan), "SequenceMap": (2, sequence_map), "Constant": (2, constant),
}
