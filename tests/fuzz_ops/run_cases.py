#!/usr/bin/env python3
"""Runs generated cases on opscope-cli: how many of each operator pass, and how to make the failing ones again.

    run_cases.py CLI CASES_DIR [--providers LIST] [--threads 1,2,3]

CASES_DIR is what write_cases.py made. Every case must pass; none is excused.
"""

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "conformance"))

from check import answer_of  # noqa: E402
from write_cases import operators  # noqa: E402


def operator_of(name):
    return name.split("_", 1)[1]


def summary(outcome):
    total, passed = Counter(), Counter()
    for case in outcome["cases"]:
        op = operator_of(Path(case["name"]).name)
        total[op] += 1
        passed[op] += case["result"] == "passed"
    return ", ".join(f"{op} {passed[op]}/{count}" if passed[op] < count else f"{op} {count}"
                     for op, count in sorted(total.items()))


def report(outcome, seed, run):
    failures = [case for case in outcome["cases"] if case["result"] != "passed"]
    for case in failures:
        name = Path(case["name"]).name
        print(f"{name}: {case['result']}: {case.get('reason', '')}")
        print(f"    again: write_cases.py DEST --seed {seed} --only {name} && {run}")
    return len(failures)


def check_drawn(cli):
    """Ends the program unless each operator of a file that `cli` runs is either drawn or listed as uncovered."""
    run = [op for op in answer_of([cli, "ops", "--json"])["operators"] if op["forms"][-1]["runs"] != "not"]
    # What is of "opscope" is written by our passes, which have their own tests.
    operators({f"{op['domain']}.{op['name']}".lstrip(".") for op in run if op["domain"] != "opscope"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("cases", type=Path)
    parser.add_argument("--providers", default="cpu,reference")
    parser.add_argument("--threads", default="1")
    options = parser.parse_args()
    check_drawn(options.cli)
    seed, failures = json.loads((options.cases / "stamp.json").read_text())["seed"], 0
    for number, threads in enumerate(options.threads.split(",")):
        arguments = ["--providers", options.providers, "--threads", threads]
        outcome = answer_of([options.cli, "conformance", options.cases, *arguments,
                             "--jobs", str(os.cpu_count() or 1), "--json"])
        if not outcome["cases"]:
            sys.exit(f"{options.cases}: no cases")
        if number == 0:
            print(summary(outcome))
        failures += report(outcome, seed, f"opscope-cli conformance DEST {' '.join(arguments)}")
        print("{providers}, {threads} threads, seed {seed}: {passed} of {total} cases pass".format(
            providers=options.providers, threads=threads, seed=seed, **outcome))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
