#!/usr/bin/env python3
"""Writes generated cases of every operator with their right values, for `opscope-cli conformance`.

    write_cases.py DEST [--seed N] [--count N] [--shard K/N] [--only NAME]

Case i follows from the seed and i alone. NAME is a case (its folder), an operator or a family. DEST/CASE/model.onnx
with test_data_set_0/input_J.pb and output_J.pb; DEST/stamp.json is written last, and while it fits nothing is done.
Needs the packages of packaging/requirements.txt.
"""

import argparse
import hashlib
import importlib
import json
import shutil
import time
import warnings
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

from ageing import aged, draw_opset
from case import DOMAIN_VERSIONS, Skip
from draw import Draw
from oracles import settle
from schema import Opset
from uncovered import UNCOVERED

FAMILIES = (
    "elementwise", "movement", "indexing", "reduction", "products", "quantization", "convolution", "pooling",
    "normalization", "recurrent", "attention", "losses", "resampling", "signals", "sequences",
    "machine", "control", "microsoft", "microsoft_attention", "microsoft_tensors", "microsoft_weights",
)
ATTEMPTS = 40
# A share of the cases is drawn for an older form; where that many attempts make none, for the newest.
AGED_SHARE, AGED_ATTEMPTS = 0.3, 15


def operators(others=()):
    """By operator: its family, its weight and the function that draws a case of it. Ends the program unless each
    operator that onnx specifies, and each of the others, is either drawn or listed as uncovered."""
    found = {}
    for family in FAMILIES:
        for op, (weight, make) in importlib.import_module(family).OPS.items():
            found[op] = (family, weight, make)
    check_coverage(found, others)
    return found


def check_coverage(found, others):
    specified = {schema.name: f"{schema.domain}.{schema.name}".lstrip(".") for schema in onnx.defs.get_all_schemas()}
    drawn = {specified.get(op, op) for op in found}
    missing, odd = {*specified.values(), *others} - drawn - set(UNCOVERED), drawn & set(UNCOVERED)
    if missing or odd:
        raise SystemExit(f"neither drawn nor listed in uncovered.py: {sorted(missing)}; both: {sorted(odd)}")


def schedule(table, seed):
    """Operators in turn: first each once, then as often as its weight says, shuffled."""
    draw = Draw(seed, 1 << 32)
    once = draw.sample(sorted(table), len(table))
    rest = [op for op in sorted(table) for _ in range(table[op][1] - 1)]
    return once + draw.sample(rest, len(rest))


def older_opset(op, draw):
    """An opset for a share of the cases of operators that have older forms, else None."""
    domain, name = op.rsplit(".", 1) if "." in op else ("", op)
    return draw_opset(draw, name, domain) if draw.chance(AGED_SHARE) else None


def draw_case(make, draw, opset):
    Opset.current = opset
    try:
        case = make(draw)
    finally:
        Opset.current = None
    is_newest = case.opset == DOMAIN_VERSIONS[case.domain]
    return aged(case, opset) if opset is not None and case.graph is None and is_newest else case


def make_case(op, table, seed, index, quarrels):
    """The case with its outputs; what the oracles cannot settle is drawn anew."""
    opset = older_opset(op, Draw(seed, index, ATTEMPTS))
    for attempt in range(ATTEMPTS):
        try:
            case = draw_case(table[op][2], Draw(seed, index, attempt), opset if attempt < AGED_ATTEMPTS else None)
        except Skip:
            continue
        draw = Draw(seed, index, attempt, 1)
        case.open_dims = draw.chance(0.25)
        if draw.chance(0.3):
            tensors = [i for i, value in enumerate(case.inputs) if isinstance(value, np.ndarray)]
            case.constants |= {i for i in tensors if draw.chance(0.5)}
        values, problems = settle(case)
        for problem in problems:
            quarrels[f"{op}: {problem}" + ("" if values else "; drawn anew")].append(index)
        if values is not None:
            return case, values
    raise SystemExit(f"{op}, case {index}: no oracle settles any of {ATTEMPTS} draws; {sorted(quarrels)}")


def expected_stamp(options):
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    chosen = {name: value for name, value in vars(options).items() if name != "dest"}
    return {"script": digest.hexdigest(), "numpy": np.__version__, "onnx": onnx.__version__,
            "onnxruntime": onnxruntime.__version__, **chosen}


def is_current(options):
    try:
        return json.loads((options.dest / "stamp.json").read_text()) == expected_stamp(options)
    except (OSError, ValueError):
        return False


def chosen_cases(options, table):
    order = schedule(table, options.seed)
    shard, shards = (int(part) for part in options.shard.split("/"))
    for index in range(options.count):
        op = order[index % len(order)]
        name = f"{index:05d}_{op.replace('.', '_')}"
        if index % shards == shard and options.only in (None, op, name, table[op][0]):
            yield index, op, name


def update(options):
    table, quarrels, families = operators(), defaultdict(list), Counter()
    shutil.rmtree(options.dest, ignore_errors=True)
    options.dest.mkdir(parents=True)
    start = time.monotonic()
    for index, op, name in chosen_cases(options, table):
        case, values = make_case(op, table, options.seed, index, quarrels)
        case.write(options.dest / name, values)
        families[table[op][0]] += 1
    (options.dest / "stamp.json").write_text(json.dumps(expected_stamp(options), indent=2) + "\n")
    print(f"{sum(families.values())} cases in {time.monotonic() - start:.1f} s: "
          + ", ".join(f"{count} {family}" for family, count in families.items()))
    for problem, cases in sorted(quarrels.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(cases)} times, first in case {cases[0]}: {problem}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dest", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--shard", default="0/1", help="K/N: cases K, K+N, …")
    parser.add_argument("--only", help="a case, an operator or a family")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if is_current(options):
        print(f"{options.dest}: up to date")
        return
    update(options)


if __name__ == "__main__":
    main()
