#!/usr/bin/env python3
"""Walks the types that ONNX Runtime allows for the operators of com.microsoft, as check.py does those of onnx.

    microsoft.py CLI CASES_DIR [--providers LIST] [--keep DIR] [--only NAME]

The seeds are the cases of tests/microsoft. Every operator must be listed by `opscope-cli ops`, and those that are run
must have a seed. What is refused must stand in refused_microsoft.txt.
"""

import argparse
import collections
import fnmatch
import sys
import tempfile
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=Path)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--providers", default="reference")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only")
    options = parser.parse_args()
    schemas = [schema_of(each) for each in runtime.get_all_operator_schema() if each.domain == DOMAIN]
    schemas.sort(key=lambda each: each.name)
    counts, problems, forms = check.check_forms(options.cli, schemas)
    run = [each for each in schemas if forms.get((DOMAIN, each.name, 1), {}).get("runs", "not") != "not"]
    run = [each for each in run if fnmatch.fnmatchcase(each.name, options.only or "*")]
    with tempfile.TemporaryDirectory() as temporary:
        total, refused, unexpected, stale = check.check_types(
            options.cli, run, seeds_in(options.cases), options.providers, options.keep or Path(temporary),
            check.HERE / "refused_microsoft.txt")
    problems += unexpected
    if not options.only:
        problems += [f"refused_microsoft.txt: nothing is refused that fits '{each}': its line must go" for each in stale]
    print("\n".join(problems), end="\n" if problems else "")
    print(f"{len(schemas)} operators: " + ", ".join(f"{count} {runs}" for runs, count in sorted(counts.items())))
    print(f"{total} operators with a type, on {options.providers}: {total - refused} run, {refused} refused, "
          f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
