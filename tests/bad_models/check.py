#!/usr/bin/env python3
"""Opens, runs and optimises each bad model with opscope-cli, each in a process of its own.

    check.py CLI MODELS_DIR [--only WORD] [--say]

Fails where a process crashes or does not end, where the outcome or the words are not those in
MODELS_DIR/manifest.json, where it takes over 1 GB of memory or more processor time than --most-seconds, and where
something printed could drive a terminal. Time waited for a processor does not count, but on a loaded machine the rest
takes longer, too: the bar of 1 s is for quiet ones. --say prints what each process said.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MOST_BYTES = 1_000_000_000
MOST_WALL_SECONDS = 30
# Well below the bound on memory, so that the error comes before it.
LIMITS = ["--limit-memory", "200000000"]
LIMIT_SECONDS = 0.4  # of what runs into a limit
PATIENCE_SECONDS = 10.0  # of all else: how much of it was the processor's is judged below


class Outcome:
    def __init__(self, command, status, said, seconds, size):
        self.command, self.status, self.said, self.seconds, self.size = command, status, said, seconds, size


def run(command):
    """`subprocess` does not tell what one child alone has used; wait4 does."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        stop = time.monotonic() + MOST_WALL_SECONDS
        while True:
            waited, status, usage = os.wait4(child.pid, os.WNOHANG)
            if waited:
                break
            if time.monotonic() > stop:
                child.kill()
                _, status, usage = os.wait4(child.pid, 0)
                break
            time.sleep(0.002)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    return Outcome(command, child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def commands(cli, folder, expected, scratch):
    path = str(folder / "model.onnx")
    limits = [*LIMITS, "--limit-seconds", str(LIMIT_SECONDS if "limit" in expected["says"] else PATIENCE_SECONDS)]
    inputs = ["--inputs", str(folder / "inputs")] if (folder / "inputs").is_dir() else []
    yield "info", [cli, "info", path]
    yield "run cpu", [cli, "run", path, "--threads", "1", *limits, *inputs]
    yield "run reference", [cli, "run", path, "--providers", "reference", "--threads", "1", *limits, *inputs]
    yield "run unoptimised", [cli, "run", path, "--no-optimize", "--threads", "1", *limits, *inputs]
    yield "optimize", [cli, "optimize", path, "--out", str(scratch / f"{folder.parent.name}_{folder.name}.onnx")]


def control_characters(said):
    return sorted({hex(ord(letter)) for letter in said if (ord(letter) < 32 and letter != "\n") or 127 <= ord(letter) < 160})


def problems_of(kind, outcome, expected, most_seconds):
    if outcome.status < 0:
        crash = signal.Signals(-outcome.status).name
        yield f"ended by {crash}" if -outcome.status != signal.SIGKILL else "did not end"
        return
    isRun = kind.startswith("run")
    if kind == "optimize":  # must only end well or say why not
        wanted = (0, 2)
    else:
        wanted = (0,) if (expected["runs"] or not isRun) and expected["opens"] else (2,)
    if outcome.status not in wanted:
        yield f"exit status {outcome.status}, expected {wanted[-1]}"
    words = expected["info"] if kind == "info" and expected["opens"] else []
    if isRun and not expected["runs"] or not expected["opens"]:
        words = expected["says"]
    for word in words:
        if word not in outcome.said:
            yield f"does not say “{word}”"
    if outcome.seconds > most_seconds:
        yield f"took {outcome.seconds:.2f} s of processor time"
    if outcome.size > MOST_BYTES:
        yield f"took {outcome.size / 1e6:.0f} MB"
    if len(outcome.said) > 100_000:
        yield f"printed {len(outcome.said)} characters"
    if control := control_characters(outcome.said):
        yield f"printed control characters: {' '.join(control)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("models", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--most-seconds", type=float, default=1.0)
    parser.add_argument("--say", action="store_true")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    manifest = json.loads((options.models / "manifest.json").read_text())["cases"]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(name, kind, command) for name in manifest if options.only in name
                for kind, command in commands(options.cli, options.models / name, manifest[name], Path(scratch))]
        outcomes = list(pool.map(lambda job: run(job[2]), jobs))
    bad = set()
    for (name, kind, _), outcome in zip(jobs, outcomes):
        problems = list(problems_of(kind, outcome, manifest[name], options.most_seconds))
        if problems or options.say:
            print(f"{name}, {kind}: {'; '.join(problems)}\n    {outcome.said[:800].strip()}")
        if problems:
            bad.add(name)
    if not jobs:
        sys.exit(f"no case has '{options.only}' in its name")
    slowest = max(zip(jobs, outcomes), key=lambda pair: pair[1].seconds)
    largest = max(zip(jobs, outcomes), key=lambda pair: pair[1].size)
    print(f"{len({name for name, _, _ in jobs})} bad models, {len(jobs)} processes; {len(bad)} models with problems")
    print(f"most time: {slowest[1].seconds:.2f} s, {' '.join(slowest[0][:2])}; "
          f"most memory: {largest[1].size / 1e6:.0f} MB, {' '.join(largest[0][:2])}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
