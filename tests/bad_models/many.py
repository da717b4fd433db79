"""Legal models of which there is much: what takes the square of a count, or a widget a part, takes too long here."""

from bad_case import FLOAT, Case, model, node, value
from onnx import helper

COUNT = 10_000
X = [value("x", FLOAT, [2])]


def parts():
    inputs = [value(f"x{index}", FLOAT, [f"size{index}"]) for index in range(COUNT)]
    yield Case("inputs", model([node("Relu", "x0", "y")], inputs), runs=True, info="more")
    dims = [f"size{index}" for index in range(1000)]
    yield Case("symbols_of_one_input", model([node("Relu", "x", "y")], [value("x", FLOAT, dims)]), runs=True, info="size999")
    relus = [node("Relu", "x", f"y{index}", name=f"relu{index}") for index in range(COUNT)]
    yield Case("readers", model(relus, X, ["y0"]), runs=True, info=f"{COUNT}")
    yield Case("outputs", model(relus, X, [f"y{index}" for index in range(COUNT)]), runs=True, info=f"{COUNT}")
    chain = [node("Relu", f"t{index}", f"t{index + 1}", name="") for index in range(COUNT)]
    yield Case("nodes_in_a_row", model(chain, [value("t0", FLOAT, [2])], [f"t{COUNT}"]), runs=True, info=f"{COUNT}")
    for name, attributes in (("Transpose", {"perm": [1, 0]}), ("Flatten", {})):
        views = [node(name, f"t{index}", f"t{index + 1}", name="", **attributes) for index in range(COUNT)]
        yield Case(f"{name.lower()}s_in_a_row", model(views, [value("t0", FLOAT, [2, 3])], [f"t{COUNT}"]), runs=True)
        views = [node(name, "x", f"y{index}", name="", **attributes) for index in range(COUNT)]
        yield Case(f"{name.lower()}s_beside", model(views, [value("x", FLOAT, [2, 3])], ["y0", f"y{COUNT - 1}"]), runs=True)
    operators = [node(f"Operator{index}", "x", f"y{index}", name=f"n{index}") for index in range(COUNT)]
    yield Case("operators", model(operators, X, ["y7"]), "there is no operator Operator", info="more")
    yield Case("inputs_of_one_node", model([node("Sum", "x " * COUNT, "y")], X), runs=True)
    names = " ".join(f"y{index}" for index in range(COUNT))
    yield Case("values_into_one_node", model([*relus, node("Concat", names, "all", axis=0)], X, ["all"]), runs=True)
    attributes = {f"attribute{index}": index for index in range(COUNT)}
    yield Case("attributes", model([node("Relu", "x", "y", **attributes)], X), ["'bad' (Relu)", "attribute0"])
    opsets = {f"domain{index}": 1 for index in range(COUNT)}
    yield Case("opsets", model([node("Relu", "x", "y")], X, opsets=opsets), runs=True)
    described = model([node("Relu", "x", "y")], X)
    helper.set_model_props(described, {f"key{index}": "text" for index in range(COUNT)})
    yield Case("metadata", described, runs=True)


def lengths():
    yield Case("scopes_in_a_name", model([node("Relu", "x", "t", name="a/" * 200_000 + "one"),
                                          node("Relu", "t", "y", name="a/" * 200_000 + "two")], X), runs=True)
    yield Case("long_node_name", model([node("Relu", "x", "y", name="name" * 1_000_000)], X), runs=True)
    yield Case("long_operator", model([node("Operator" * 500_000, "x", "y")], X), "OperatorOperator")
    yield Case("long_description", model([node("Relu", "x", "y")], X, doc_string="text " * 1_000_000), runs=True)
    yield Case("long_symbol", model([node("Relu", "x", "y")], [value("x", FLOAT, ["size" * 1_000_000])]), runs=True)
    long = node("Relu", "x", "y", unknown="text " * 1_000_000)
    yield Case("long_attribute", model([long], X), ["'bad' (Relu)", "unknown"])


def cases():
    for family in (parts, lengths):
        yield from family()
