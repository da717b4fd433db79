#!/usr/bin/env python3
"""Fuzzes with one target; a finding fails, with the input's path and how to try it again.

    run.py BUILD_DIR TARGET [SECONDS [SEED]]      TARGET: open_model, run_model or read_files; SECONDS: 60;
                                                  SEED: of the changes tried, so that runs go alike; by default random

Starts from BUILD_DIR/corpus/TARGET, where new inputs of interest are kept, and from earlier findings (findings/TARGET).
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MOST_SECONDS_PER_INPUT = 60  # inputs take milliseconds; a machine that does much else may stall
MOST_MEGABYTES = 3000


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
    known = set(kept.iterdir())
    corpora = [build / "corpus" / target, HERE / "findings" / target]
    command = [program, f"-max_total_time={seconds}", f"-seed={seed}", f"-timeout={MOST_SECONDS_PER_INPUT}"]
    command += [f"-rss_limit_mb={MOST_MEGABYTES}", "-entropic=0", "-print_final_stats=1", f"-artifact_prefix={kept}/"]
    status = subprocess.run(
        [*command, *(folder for folder in corpora if folder.is_dir())], env=environment(), check=False
    ).returncode
    # Slow inputs are kept too, but only what ends the program is a finding.
    if status == 0:
        return 0
    for finding in sorted(set(kept.iterdir()) - known):
        print(f"finding: {finding}")
        print(f"to try it again: {program} {finding}")
    print(f"fuzz_{target} ended with {status}; once mended, the input belongs into {HERE / 'findings' / target}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
