#!/usr/bin/env python3
"""Runs the conformance cases on opscope-cli and holds the outcome to the list of known misses.

    check.py CLI CASES_DIR PROVIDERS          CASES_DIR is what write_cases.py filled; PROVIDERS as in --providers

known_misses.txt has a case a line, KIND/NAME, and after `#` why it is missed. Fails on a case that does not pass and is
not listed, on a listed one that passes (its line must go: the list only shrinks), on a listed one that does not exist,
and on any crash.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("known_misses.txt")


def known_misses():
    names = [line.split("#")[0].strip() for line in LIST.read_text().splitlines()]
    names = [name for name in names if name]
    if names != sorted(set(names)):
        sys.exit(f"{LIST.name}: lines must be sorted, each once")
    return set(names)


def run(cli, cases, providers):
    command = [cli, "conformance", str(cases), "--providers", providers, "--jobs", str(os.cpu_count() or 1), "--json"]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {answer.returncode}\n{answer.stderr}")
    return json.loads(answer.stdout)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    cli, cases, providers = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    outcome, known = run(cli, cases, providers), known_misses()
    found = {str(Path(case["name"]).relative_to(cases)): case for case in outcome["cases"]}
    problems = []
    for name, case in found.items():
        reason = case.get("reason", "")
        if "crashed" in reason:
            problems.append(f"{name}: {reason}")
        elif case["result"] != "passed" and name not in known:
            problems.append(f"{name} does not pass ({case['result']}): {reason}")
        elif case["result"] == "passed" and name in known:
            problems.append(f"{name} passes: take its line out of {LIST.name}")
    problems += [f"{name}: no such case, but a line in {LIST.name}" for name in sorted(known - found.keys())]
    print("\n".join(problems))
    counts = "{passed} passed, {failed} failed, {unsupported} unsupported of {total}".format(**outcome)
    print(f"{providers}: {counts}; {len(known)} known misses, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
