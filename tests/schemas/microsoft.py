#!/usr/bin/env python3
"""Walks the types that ONNX Runtime allows for the operators of com.microsoft, as check.py does those of onnx.

    microsoft.py CLI CASES_DIR [--providers LIST] [--keep DIR] [--only NAME]

The seeds are the cases of tests/microsoft. Every operator must be listed by `opscope-cli ops`, and those that are run
must have a seed, and a documentation that names the same inputs, outputs and attributes as ONNX Runtime's schema. What
is refused must stand in refused_microsoft.txt.
"""

import collections
import sys
from pathlib import Path
from types import SimpleNamespace

import onnx
import onnxruntime.capi.onnxruntime_pybind11_state as runtime
from onnx import numpy_helper

import check
from seeds import Seed

DOMAIN = "com.microsoft"
UNBOUND = 2**31 - 1


def schema_of(theirs):
    """ONNX Runtime's schema, in the names of onnx's."""
    inputs = [SimpleNamespace(type_str=each.typeStr, option=str(each.option)) for each in theirs.inputs]
    outputs = [SimpleNamespace(type_str=each.typeStr, option=str(each.option)) for each in theirs.outputs]
    constraints = [
        SimpleNamespace(type_param_str=each.type_param_str, allowed_type_strs=each.allowed_type_strs)
        for each in theirs.type_constraints
    ]
    is_variadic = any("Variadic" in each.option for each in inputs)
    return SimpleNamespace(
        domain=DOMAIN, name=theirs.name, since_version=1, inputs=inputs, outputs=outputs, type_constraints=constraints,
        attributes={name: SimpleNamespace(required=False, type=each.type) for name, each in theirs.attributes.items()},
        min_input=0, max_input=UNBOUND if is_variadic else len(inputs), max_output=len(outputs),
    )


def seeds_in(root):
    seeds = collections.defaultdict(list)
    for path in sorted(root.glob("*/*/model.onnx")):
        model = onnx.load(path)
        node = model.graph.node[0]
        values = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
        for i, info in enumerate(model.graph.input):
            message = onnx.TensorProto.FromString((path.parent / "test_data_set_0" / f"input_{i}.pb").read_bytes())
            values[info.name] = numpy_helper.to_array(message)
        if node.domain == DOMAIN and not model.graph.sparse_initializer:
            seeds[DOMAIN, node.op_type].append(
                Seed(DOMAIN, node.op_type, 1, [values.get(name) for name in node.input], len(node.output),
                     {each.name: each for each in node.attribute}))
    return seeds


def named(parameters):
    return [(each["name"], "Optional" if each["is_optional"] else "Variadic" if each["is_variadic"] else "Single")
            for each in parameters]


def undocumented(cli, schemas):
    """What the documentation of the operators that are run lacks, or names otherwise."""
    for theirs in schemas:
        ours = check.answer_of([cli, "ops", f"{DOMAIN}.{theirs.name}", "--json"])
        if ours["forms"][-1]["runs"] == "not":
            continue
        definition = ours["definition"]
        attributes = {each["name"]: (each["kind"], each["is_required"]) for each in definition["attributes"]}
        wanted = {name: (str(each.type).split(".")[-1].lower(), each.required) for name, each in theirs.attributes.items()}
        for what, found, expected in (
            ("inputs", named(definition["inputs"]), [(i.name, str(i.option).split(".")[-1]) for i in theirs.inputs]),
            ("outputs", named(definition["outputs"]), [(o.name, str(o.option).split(".")[-1]) for o in theirs.outputs]),
            ("attributes", sorted(attributes.items()), sorted(wanted.items())),
        ):
            if found != expected:
                yield f"{theirs.name}: {what}: documented {found}, expected {expected}"


def main():
    options = check.arguments(__doc__, "cases")
    runtimes = [each for each in runtime.get_all_operator_schema() if each.domain == DOMAIN]
    if problems := list(undocumented(options.cli, runtimes)):
        sys.exit("\n".join(problems))
    schemas = [schema_of(each) for each in runtimes]
    schemas.sort(key=lambda each: each.name)
    check.walk(options, schemas, seeds_in(options.cases), lambda each: each.name,
               check.HERE / "refused_microsoft.txt", "operators")


if __name__ == "__main__":
    main()
