#!/usr/bin/env python3
"""Runs folders of onnx test data on opscope-cli and holds the outcome to a list of known misses.

    check.py CLI CASES_DIR [--providers LIST] [--known FILE] [--passes all|none|each] [--threads 1,2,3]

--known FILE has a case a line, its folder below CASES_DIR, and after `#` why it is missed. Fails on a case that does
not pass and is not listed, on a listed one that passes (its line must go: the list only shrinks), on a listed one that
does not exist, and on any crash. --passes each runs the cases once for every pass, with that pass alone; --threads
once for each number.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path


def known_misses(path):
    if path is None:
        return set()
    names = [line.split("#")[0].strip() for line in path.read_text().splitlines()]
    names = [name for name in names if name]
    if names != sorted(set(names)):
        sys.exit(f"{path.name}: lines must be sorted, each once")
    return set(names)


def answer_of(command):
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}: exit status {answer.returncode}\n{answer.stderr}")
    return json.loads(answer.stdout)


def ways(cli, passes):
    """What to call a run, and its options."""
    if passes == "all":
        return [("every pass", [])]
    if passes == "none":
        return [("no pass", ["--no-optimize"])]
    names = [entry["name"] for entry in answer_of([cli, "optimize", "--list", "--json"])["passes"]]
    return [(f"{only} alone", [part for name in names if name != only for part in ("--without", name)]) for only in names]


def with_threads(all_ways, numbers):
    return [
        (f"{name}, threads {threads}", [*arguments, "--threads", threads])
        for name, arguments in all_ways
        for threads in numbers.split(",")
    ]


def problems_of(outcome, cases, known):
    found = {str(Path(case["name"]).relative_to(cases)): case for case in outcome["cases"]}
    for name, case in found.items():
        reason = case.get("reason", "")
        if "crashed" in reason:
            yield f"{name}: {reason}"
        elif case["result"] != "passed" and name not in known:
            yield f"{name} does not pass ({case['result']}): {reason}"
        elif case["result"] == "passed" and name in known:
            yield f"{name} passes: take its line out of the list of known misses"
    for name in sorted(known - found.keys()):
        yield f"{name}: no such case, but a line in the list of known misses"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("cases", type=Path)
    parser.add_argument("--providers", default="cpu,reference")
    parser.add_argument("--known", type=Path)
    parser.add_argument("--passes", choices=("all", "none", "each"), default="all")
    parser.add_argument("--threads", default="1")
    options = parser.parse_args()
    known, is_right = known_misses(options.known), True
    for name, arguments in with_threads(ways(options.cli, options.passes), options.threads):
        outcome = answer_of([options.cli, "conformance", options.cases, "--providers", options.providers,
                             "--jobs", str(os.cpu_count() or 1), "--json", *arguments])
        problems = list(problems_of(outcome, options.cases, known))
        print("\n".join(problems), end="\n" if problems else "")
        counts = "{passed} passed, {failed} failed, {unsupported} unsupported of {total}".format(**outcome)
        print(f"{options.providers}, {name}: {counts}; {len(known)} known misses, {len(problems)} problems")
        is_right = is_right and not problems
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
