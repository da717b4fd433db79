#!/usr/bin/env python3
"""Writes models that are wrong, each in its own way, for check.py.

    write_cases.py DEST            needs onnx and numpy

DEST/NAME/model.onnx, with inputs/INPUT.npy where the run is given inputs; DEST/manifest.json says what is expected of
each. It is written last and names the scripts' hash: while it fits nothing is done.
"""

import hashlib
import json
import shutil
import sys
from pathlib import Path

import crashes
import external
import files
import graphs
import many
import nesting
import operators
import operators_learning
import operators_microsoft
import sizes
import tensors
from bad_case import write_json

FAMILIES = (
    crashes, files, many, tensors, external, graphs, nesting, sizes, operators, operators_learning, operators_microsoft,
)


def stamp():
    digest = hashlib.sha256()
    for script in sorted(Path(__file__).parent.glob("*.py")):
        if script.name != "check.py":
            digest.update(script.read_bytes())
    return digest.hexdigest()


def main():
    destination = Path(sys.argv[1])
    manifest = destination / "manifest.json"
    if manifest.is_file() and json.loads(manifest.read_text())["stamp"] == stamp():
        return
    shutil.rmtree(destination, ignore_errors=True)
    expectations = {}
    for family in FAMILIES:
        for case in family.cases():
            name = f"{family.__name__}/{case.name}"
            if name in expectations:
                sys.exit(f"{name}: two cases of this name")
            case.write(destination / name)
            expectations[name] = case.expectation()
    write_json(manifest, {"stamp": stamp(), "cases": expectations})
    print(f"{len(expectations)} bad models")


if __name__ == "__main__":
    main()
