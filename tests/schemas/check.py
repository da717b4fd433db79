#!/usr/bin/env python3
"""Walks every form of every operator that onnx specifies, and every type each allows.

    check.py CLI CONFORMANCE_DIR [--keep DIR] [--only NAME]

A form must be run by a kernel, be rewritten into one that is, be run by its function body, or stand with its reason
among what `opscope-cli ops` says is not run. For each type that a form's constraints allow, a model of one node is made
up of the seeds (seeds.py) and run; its outputs must have the types that the schema gives them. What is refused must
stand in refused.txt, with the reason; a line there that is run must go.
"""

import argparse
import collections
import fnmatch
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import onnx
from onnx import TensorProto, helper

import seeds as seed_file
from values import ELEMENTS, inner, is_tensor, message_of, type_of, type_proto, value_as

HERE = Path(__file__).resolve().parent
PREFERRED = ("float", "int64", "int32", "bool", "float16", "double")
ATTEMPTS = 4
# Operators whose sequence holds what their tensor is, or whose optional does.
SEQUENCES = {"SequenceAt", "SequenceConstruct", "SequenceInsert", "ConcatFromSequence", "SplitToSequence"}
OPTIONALS = {"Optional", "OptionalGetElement"}


def answer_of(command, codes=(0,)):
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode not in codes:
        sys.exit(f"{' '.join(map(str, command))}: exit status {answer.returncode}\n{answer.stderr}")
    return json.loads(answer.stdout)


def label_of(schema):
    return f"{schema.domain + '.' if schema.domain else ''}{schema.name}-{schema.since_version}"


# --- Forms ---

def check_forms(cli, schemas):
    """Counts how the forms are run; problems are forms that are not, without a reason."""
    listed = answer_of([cli, "ops", "--json"])["operators"]
    forms = {(op["domain"], op["name"], form["since_version"]): form for op in listed for form in op["forms"]}
    counts, problems = collections.Counter(), []
    for schema in schemas:
        form = forms.get((schema.domain, schema.name, schema.since_version))
        if form is None:
            problems.append(f"{label_of(schema)}: ops does not list it")
            continue
        counts[form["runs"]] += 1
        if form["runs"] == "not" and not form.get("reason"):
            problems.append(f"{label_of(schema)}: is not run, without a reason")
    return counts, problems, forms


# --- Types ---

def formal_type(formals, index):
    return formals[min(index, len(formals) - 1)].type_str


def constraints(schema):
    return {each.type_param_str: list(each.allowed_type_strs) for each in schema.type_constraints}


def couple(schema, types, focus):
    """Types of the other labels that follow from the one looked at."""
    if schema.name in SEQUENCES and {"S", "T"} <= types.keys():
        if focus == "S":
            types["T"] = inner(types["S"])
        else:
            types["S"] = f"seq({types['T']})"
    if schema.name in OPTIONALS:
        if focus == "O":
            types["V"] = inner(types["O"]) if types["O"].startswith("optional(") else types["O"]
        else:
            types["O"] = f"optional({types['V']})"
    if schema.name == "CategoryMapper" or (schema.name == "LabelEncoder" and schema.since_version == 1):
        other = {"tensor(string)": "tensor(int64)", "tensor(int64)": "tensor(string)"}[types[focus]]
        types["T2" if focus == "T1" else "T1"] = other
    if schema.name == "DictVectorizer" and focus == "T1":
        types["T2"] = f"tensor({inner(types['T1']).split(', ')[1]})"
    if schema.name == "DictVectorizer" and focus == "T2":
        key = "string" if types["T2"] == "tensor(int64)" else "int64"
        types["T1"] = f"map({key}, {inner(types['T2'])})"
    if schema.name == "QGemm":
        types["TYZ"] = types["TY"] if focus == "TY" else types["TYZ"]
        types["TY"] = types["TYZ"]
    if schema.name == "ReduceSumInteger" and focus == "T1":
        types["T2"] = {"tensor(int8)": "tensor(int32)", "tensor(uint8)": "tensor(uint32)"}[types["T1"]]
    if schema.name == "ReduceSumInteger" and focus == "T2":
        types["T1"] = {"tensor(int32)": "tensor(int8)", "tensor(uint32)": "tensor(uint8)"}[types["T2"]]
    if schema.name == "BitCast":
        types.update(T1=types[focus], T2=types[focus])


def bound_types(schema, seed, focus, type_text):
    allowed = constraints(schema)
    types = {"has_more": len(seed.inputs) > 1, "version": schema.since_version}
    for index, value in enumerate(seed.inputs):
        label = formal_type(schema.inputs, index)
        if value is None or label not in allowed or label in types:
            continue
        if not isinstance(value, dict) and type_of(value) in allowed[label]:
            types[label] = type_of(value)
    for label, choices in allowed.items():
        wanted = [f"tensor({each})" for each in PREFERRED] + choices
        types.setdefault(label, next(each for each in wanted if each in choices))
    types[focus] = type_text
    couple(schema, types, focus)
    return types


def fits(schema, seed, focus):
    """Whether the schema takes the seed's inputs, and the label looked at matters for it."""
    if not schema.min_input <= len(seed.inputs) or (seed.inputs and not schema.inputs):
        return False
    given = set(seed.attributes) | {"value", "to", "body", "then_branch", "else_branch", "num_scan_inputs"}
    if any(each.required and name not in given for name, each in schema.attributes.items()):
        return False
    inputs = seed.inputs[: schema.max_input]
    used = {formal_type(schema.inputs, i) for i, value in enumerate(inputs) if value is not None}
    anywhere = {each.type_str for each in schema.inputs}
    if schema.name == "Optional":
        return True
    return focus in used or focus not in anywhere


def candidates(schema, seeds, focus):
    """The seeds for a form, best first: those of its version, then of the next newer ones."""
    fitting = [seed for seed in seeds.get((schema.domain, schema.name), []) if fits(schema, seed, focus)]

    def distance(seed):
        gap = seed.version - schema.since_version
        return (gap < 0, abs(gap))

    return sorted(fitting, key=distance)


def trimmed(schema, seed):
    """Inputs and attributes that this form has."""
    inputs = seed.inputs[: schema.max_input]
    attributes = {name: each for name, each in seed.attributes.items() if name in schema.attributes}
    kinds = {name: int(each.type.value if hasattr(each.type, "value") else each.type)
             for name, each in schema.attributes.items()}
    attributes = {name: each for name, each in attributes.items() if kinds[name] == each.type}
    return inputs, attributes


def make_model(schema, seed, types):
    inputs, attributes = trimmed(schema, seed)
    anywhere = {each.type_str for each in schema.inputs}
    output_only = [label for label in constraints(schema) if label not in anywhere]
    made = {
        **seed_file.bodies_of(schema.name, types),
        **(seed_file.vocabulary(schema.name, types) if schema.domain == "ai.onnx.ml" else {}),
        **seed_file.type_attributes(schema, types, output_only),
    }
    attributes.update({name: helper.make_attribute(name, value) for name, value in made.items()})
    if schema.name == "Optional" and not inputs:
        attributes["type"] = helper.make_attribute("type", type_proto(inner(types["O"])))
    if schema.name == "QuantizeLinear" and len(inputs) > 2:
        attributes.pop("output_dtype", None)
    names, infos, values = [], [], []
    for index, value in enumerate(inputs):
        label = formal_type(schema.inputs, index)
        type_text = types.get(label, label)
        names.append("" if value is None else f"x{index}")
        if value is None and not type_text.startswith("optional("):
            names[-1] = ""
            continue
        names[-1] = f"x{index}"
        values.append((value_as(value, type_text), type_text))
        infos.append(helper.make_value_info(names[-1], type_proto(type_text, values[-1][0])))
    if schema.name == "If":
        values.append((value_as(seed.inputs[1], types["V"]), types["V"]))
        infos.append(helper.make_value_info("x1", type_proto(types["V"])))
    outputs = [types.get(label, label) for label in
               (formal_type(schema.outputs, i) for i in range(min(seed.outputs, schema.max_output)))]
    node = helper.make_node(schema.name, names, [f"y{i}" for i in range(len(outputs))], domain=schema.domain)
    node.attribute.extend(attributes.values())
    results = [helper.make_value_info(f"y{i}", type_proto(each)) for i, each in enumerate(outputs)]
    graph = helper.make_graph([node], "form", infos, results)
    opsets = [helper.make_opsetid(schema.domain, schema.since_version)]
    if schema.domain:
        opsets.append(helper.make_opsetid("", onnx.defs.onnx_opset_version()))
    return helper.make_model(graph, opset_imports=opsets), values, outputs


def write_case(folder, model, values, outputs):
    """With expected outputs of nonsense dims: how they differ tells which type came out."""
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for i, (value, type_text) in enumerate(values):
        (data / f"input_{i}.pb").write_bytes(message_of(value, type_text).SerializeToString())
    for i, type_text in enumerate(outputs):
        if is_tensor(type_text):
            nothing = TensorProto(data_type=ELEMENTS[inner(type_text)], dims=[0] * 9)
            (data / f"output_{i}.pb").write_bytes(nothing.SerializeToString())
            return


def problem_of(case, outputs):
    """Why a case did not run as the schema says, or nothing."""
    reason = case.get("reason", "")
    tensors = [each for each in outputs if is_tensor(each)]
    if not tensors:
        return "" if reason.startswith("there is no expected output") else reason
    expected = inner(tensors[0])
    if f"expected {expected}[0, 0, 0, 0, 0, 0, 0, 0, 0]" in reason and "it is " in reason:
        found = reason.split("it is ")[1].split("[")[0]
        return "" if found == expected else f"gives {found}, the schema says {expected}"
    return reason or "passes with nonsense for an expected output"


def run_cases(cli, cases, folder, providers):
    """Runs cases (key -> model, values, outputs); gives key -> problem."""
    for number, (model, values, outputs) in enumerate(cases.values()):
        write_case(folder / f"{number:05}", model, values, outputs)
    answer = answer_of([cli, "conformance", folder, "--providers", providers, "--no-optimize", "--json",
                        "--jobs", str(os.cpu_count() or 1)], codes=(0, 1))
    by_number = {int(Path(case["name"]).name): case for case in answer["cases"]}
    return {key: problem_of(by_number[i], outputs) for i, (key, (_, _, outputs)) in enumerate(cases.items())}


def walk_types(cli, schemas, seeds, providers, keep):
    """Every (form, constraint, type): key -> problem, "" where it runs. A seed that does not work out is followed by
    the next."""
    waiting = {}
    for schema in schemas:
        for label, choices in constraints(schema).items():
            for type_text in choices:
                waiting[f"{label_of(schema)} {label} {type_text}"] = (schema, label, type_text)
    problems = {key: "no seed" for key in waiting}
    for attempt in range(ATTEMPTS):
        cases = {}
        for key, (schema, label, type_text) in waiting.items():
            choice = candidates(schema, seeds, label)
            if attempt >= len(choice):
                continue
            try:
                types = bound_types(schema, choice[attempt], label, type_text)
                cases[key] = make_model(schema, choice[attempt], types)
            except (ValueError, TypeError, KeyError, IndexError, OverflowError) as problem:
                problems[key] = f"cannot be made: {type(problem).__name__} {problem}"
        if not cases:
            break
        outcome = run_cases(cli, cases, keep / f"{attempt}", providers)
        if attempt == 0:
            problems.update(outcome)
        else:
            problems.update({key: problem for key, problem in outcome.items() if not problem})
        waiting = {key: each for key, each in waiting.items() if problems[key]}
    return problems


def known_refusals(path):
    """Patterns -> reason, from lines "PATTERN # REASON"."""
    known = {}
    for line in path.read_text().splitlines():
        pattern, _, reason = line.partition("#")
        if pattern.strip():
            known[pattern.strip()] = reason.strip()
    return known


def check_types(cli, schemas, seeds, providers, folder, refusals):
    outcome = walk_types(cli, schemas, seeds, providers, folder)
    refused = {key: problem for key, problem in outcome.items() if problem}
    known = known_refusals(refusals)
    matched, unexpected = set(), []
    for key, problem in refused.items():
        patterns = [each for each in known if fnmatch.fnmatchcase(key, each)]
        matched.update(patterns)
        if not patterns:
            unexpected.append(f"{key}: {problem}")
    return len(outcome), len(refused), unexpected, [each for each in known if each not in matched]


def arguments(description, corpus):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", type=Path)
    parser.add_argument(corpus, type=Path)
    parser.add_argument("--providers", default="reference")
    parser.add_argument("--keep", type=Path, help="leave the models in this folder")
    parser.add_argument("--only", help="forms whose label fits this pattern, e.g. 'Cast-*'")
    return parser.parse_args()


def walk(options, schemas, seeds, label, refusals, what):
    """Checks forms and types, says what came out, and ends the process; `what` names the schemas in the plural."""
    counts, problems, forms = check_forms(options.cli, schemas)
    runnable = [each for each in schemas if forms.get((each.domain, each.name, each.since_version), {}).get("runs", "not")
                not in ("not", "removed")]
    if options.only:
        runnable = [each for each in runnable if fnmatch.fnmatchcase(label(each), options.only)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        total, refused, unexpected, stale = check_types(
            options.cli, runnable, seeds, options.providers, folder, refusals)
    problems += unexpected
    if not options.only:
        problems += [f"{refusals.name}: nothing is refused that fits '{each}': its line must go" for each in stale]
    print("\n".join(problems), end="\n" if problems else "")
    print(f"{len(schemas)} {what}: " + ", ".join(f"{count} {runs}" for runs, count in sorted(counts.items())))
    print(f"{total} {what} with a type, on {options.providers}: {total - refused} run, {refused} refused, "
          f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


def main():
    options = arguments(__doc__, "conformance")
    schemas = onnx.defs.get_all_schemas_with_history()
    schemas.sort(key=lambda each: (each.domain, each.name, each.since_version))
    seeds = collections.defaultdict(list)
    for seed in seed_file.FORMS + seed_file.conformance_seeds(options.conformance):
        seeds[seed.domain, seed.name].append(seed)
    walk(options, schemas, seeds, label_of, HERE / "refused.txt", "forms")


if __name__ == "__main__":
    main()
