#!/usr/bin/env python3
"""Fuzzes with one target; a finding fails, with the input's path and how to try it again.

    run.py BUILD_DIR TARGET [SECONDS [SEED]]      TARGET: open_model, run_model or read_files; SECONDS: 60;
                                                  SEED: of the changes tried, so that runs go alike; by default random

Starts from BUILD_DIR/corpus/TARGET, where new inputs of interest are kept, and from earlier findings (findings/TARGET).
What a finding is, with its input in base64, is also left in BUILD_DIR/findings/TARGET.txt.
"""

import base64
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MOST_SECONDS_PER_INPUT = 60  # inputs take milliseconds; a machine that does much else may stall
MOST_MEGABYTES = 3000
ESSENTIAL = ("runtime error", "ERROR:", "SUMMARY:", "terminate called", "what():")


def environment() -> dict[str, str]:
    suppressions = HERE.parent / "sanitizers" / "leak.supp"
    return os.environ | {
        "LSAN_OPTIONS": f"suppressions={suppressions}:print_suppressions=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "OMP_WAIT_POLICY": "passive",
    }


def main() -> int:
    build, target = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    program = build / "bin" / f"fuzz_{target}"
    kept = build / "findings" / target
    kept.mkdir(parents=True, exist_ok=True)
    report = kept.with_suffix(".txt")
    report.unlink(missing_ok=True)
    known = set(kept.iterdir())
    corpora = [build / "corpus" / target, HERE / "findings" / target]
    command = [program, f"-max_total_time={seconds}", f"-seed={seed}", f"-timeout={MOST_SECONDS_PER_INPUT}"]
    command += [f"-rss_limit_mb={MOST_MEGABYTES}", "-entropic=0", "-print_final_stats=1", f"-artifact_prefix={kept}/"]
    command += [folder for folder in corpora if folder.is_dir()]
    essence = []
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True, errors="replace") as process:
        for line in process.stderr:
            print(line, end="", flush=True)
            if any(word in line for word in ESSENTIAL):
                essence.append(line.strip())
    # Slow inputs are kept too, but only what ends the program is a finding.
    if process.returncode == 0:
        return 0
    essence.append(f"fuzz_{target} ended with {process.returncode}")
    for finding in sorted(set(kept.iterdir()) - known):
        essence.append(f"to try it again: {program} {finding}")
        essence.append(f"its bytes in base64: {base64.b64encode(finding.read_bytes()).decode()}")
    essence.append(f"once mended, the input belongs into {HERE / 'findings' / target}")
    report.write_text("\n".join(essence) + "\n")
    print(report.read_text(), end="")
    return 1


if __name__ == "__main__":
    sys.exit(main())
