#!/usr/bin/env python3
"""Writes, for each model of models.json and each case of it, seeded inputs and what ONNX Runtime makes of them.

    oracle.py MODELS_DIR DEST [--only NAME]...     needs numpy and onnxruntime

DEST/MODEL/CASE/inputs/NAME.npy and outputs/NAME.npy, in names `/`, `\\` and `:` become `_`; case.json beside them maps
each name to its file and gives each output's `tolerance`: the largest allowed difference as a share of the largest
magnitude in it. ONNX Runtime runs on one thread with all graph optimisations off; inputs.py says what goes in. A case
that is there from the same model, table row, scripts and versions stays.
"""

import argparse
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

import destination
import inputs
import numpy as np
import onnxruntime

TOLERANCE, HALF_TOLERANCE = 1e-4, 1e-2


def key_of(model_path, case):
    """Whatever the files of a case depend on."""
    content = model_path.stat()
    sources = [Path(module).read_text() for module in (__file__, inputs.__file__)]
    versions = [np.__version__, onnxruntime.__version__]
    facts = [content.st_size, content.st_mtime_ns, case, sources, versions]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def is_current(folder, key):
    try:
        return json.loads((folder / "case.json").read_text())["key"] == key
    except (OSError, ValueError, KeyError):
        return False


def element_type(declared):
    """The numpy type of ONNX Runtime's "tensor(float)"."""
    word = declared[len("tensor(") : -1]
    return np.dtype({"float": "float32", "double": "float64"}.get(word, word))


def open_session(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def write_case(session, case, key, folder):
    """Runs one case and puts its folder in place whole."""
    declared = {value.name: element_type(value.type) for value in session.get_inputs()}
    fed = inputs.make_inputs(declared, case)
    names = [value.name for value in session.get_outputs()]
    outputs = dict(zip(names, session.run(names, fed), strict=True))
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    facts = {"key": key, "shapes": case["shapes"], "inputs": {}, "outputs": {}}
    for side, values in (("inputs", fed), ("outputs", outputs)):
        (part / side).mkdir(parents=True)
        for name, value in values.items():
            if not np.isfinite(value).all():
                raise ValueError(f"{folder}: {name} is not finite everywhere")
            facts[side][name] = {"file": f"{side}/{inputs.file_name(name)}"}
            np.save(part / facts[side][name]["file"], value)
    for name, value in outputs.items():
        facts["outputs"][name]["tolerance"] = HALF_TOLERANCE if value.dtype == np.float16 else TOLERANCE
    (part / "case.json").write_text(json.dumps(facts, indent=2) + "\n")
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(part, folder)


def remove_old_cases(model, folder):
    """Removes cases that the table no longer has."""
    for facts in folder.glob("*/case.json"):
        if facts.parent.name not in model["cases"]:
            shutil.rmtree(facts.parent)


def write_model(model, models, dest):
    """Writes the cases of one model that are missing or old; returns how many."""
    path = models / f"{model['name']}.onnx"
    if not path.exists():
        sys.exit(f"{path}: no such file; fetch.py and make.py bring the models")
    remove_old_cases(model, dest / model["name"])
    due = {}
    for name, case in model["cases"].items():
        key = key_of(path, case)
        if not is_current(dest / model["name"] / name, key):
            due[name] = (case, key)
    if due:
        session = open_session(path)
        for name, (case, key) in due.items():
            write_case(session, case, key, dest / model["name"] / name)
        print(f"{model['name']}: {', '.join(due)}", flush=True)
    return len(due)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path)
    parser.add_argument("dest", type=Path)
    parser.add_argument("--only", action="append", metavar="NAME", help="just this model; may be repeated")
    options = parser.parse_args()
    table = json.loads(Path(__file__).with_name("models.json").read_text())["models"]
    if unknown := set(options.only or ()) - {model["name"] for model in table}:
        sys.exit(f"no such model: {', '.join(sorted(unknown))}")
    chosen = [model for model in table if not options.only or model["name"] in options.only]
    with destination.filling(options.dest):
        written = sum(write_model(model, options.models, options.dest) for model in chosen)
    if not written:
        print(f"{sum(len(model['cases']) for model in chosen)} cases in {options.dest}: up to date")


if __name__ == "__main__":
    main()
