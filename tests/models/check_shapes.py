#!/usr/bin/env python3
"""Holds the symbolic shapes of opscope-cli to onnx's own inference, on the models of models.json.

    check_shapes.py CLI MODELS_DIR            needs onnx

Where onnx knows a dim of what a node of the main graph makes as a number, ours is that number; where onnx knows an
input's symbol, ours is an expression. With the symbols bound to a case of models.json every dim is a number; without,
every rank is known but where an If decides by a symbol between branches of different rank.
"""

import json
import subprocess
import sys
from pathlib import Path

import onnx
from onnx import shape_inference


# What a file declares wrongly: the value really has another rank.
WRONG_DECLARATIONS = {"ddddocr_old": {"387"}}

# What an If on the number in an input, not on its shape, makes: its branches have other dims.
DECIDED_BY_DATA = {"silero_vad": {"If_0_outputs_0", "If_0_outputs_1", "output", "stateN"}}


def info(cli, model, bindings=()):
    command = [cli, "info", model, "--values", "--json", *(part for pair in bindings for part in ("--dim", pair))]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return answer, {value["name"]: value for value in answer["values"]}


def bindings_of(inputs, shapes):
    """The symbols of the inputs as the case binds them."""
    bound = {}
    for value in inputs:
        for dim, number in zip(value["dims"] or [], shapes.get(value["name"], [])):
            if isinstance(dim, str) and dim != "?":
                bound[dim] = number
    return [f"{symbol}={number}" for symbol, number in bound.items()]


def known_to_onnx(path):
    """Value name -> its dims as onnx infers them: numbers, symbols or None."""
    model = shape_inference.infer_shapes(onnx.load(path), data_prop=True)
    inputs = {dim.dim_param for value in model.graph.input for dim in value.type.tensor_type.shape.dim} - {""}
    shapes = {}
    for value in list(model.graph.value_info) + list(model.graph.output):
        if value.type.HasField("tensor_type") and value.type.tensor_type.HasField("shape"):
            dims = value.type.tensor_type.shape.dim
            shapes[value.name] = [
                dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else
                dim.dim_param if dim.dim_param in inputs else None
                for dim in dims
            ]
    return shapes


def is_open(value):
    """Whether it is a tensor of unknown rank."""
    return value["dims"] is None and not value["type"].startswith(("seq", "optional", "map"))


def problems_of(cli, path, case):
    answer, values = info(cli, path)
    bindings = bindings_of(answer["inputs"], case["shapes"])
    bound = info(cli, path, bindings)[1]
    for name, value in bound.items():
        is_number = value["dims"] is not None and all(isinstance(dim, int) for dim in value["dims"])
        by_data = name in DECIDED_BY_DATA.get(path.stem, ()) and not is_open(value)
        if not (is_number or by_data or value["type"].startswith(("seq", "optional", "map"))):
            yield f"{name}: {value['type']} with {' '.join(bindings)}"
    open_ranks = [name for name, value in values.items() if is_open(value)]
    decided = [name for name, value in values.items() if name in open_ranks and not is_open(bound[name])]
    has_if = any(operator == "If" for operator in answer["operators"])
    yield from (f"{name}: rank not known" for name in open_ranks if name not in decided or not has_if)
    for name, theirs in known_to_onnx(path).items():
        ours = values.get(name, {}).get("dims")
        if ours is None or name in WRONG_DECLARATIONS.get(path.stem, ()):
            continue
        are_known = len(ours) == len(theirs) and all(
            its is None or (mine == its if isinstance(its, int) else mine not in (None, "?"))
            for mine, its in zip(ours, theirs)
        )
        if not are_known:
            yield f"{name}: {ours}, onnx knows {theirs}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    cli, folder = sys.argv[1], Path(sys.argv[2])
    count = 0
    for model in json.loads(Path(__file__).with_name("models.json").read_text())["models"]:
        path = folder / f"{model['name']}.onnx"
        problems = list(problems_of(cli, path, next(iter(model["cases"].values()))))
        count += len(problems)
        print(f"{path.stem}: {len(problems)} problems")
        print("\n".join("  " + problem for problem in problems[:20]), end="\n" if problems else "")
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
