#!/usr/bin/env python3
"""Run a model on every case that oracle.py wrote for it and hold the results to ONNX Runtime's.

Usage: run_cases.py CLI MODELS ORACLE MODEL PROVIDER
CLI is opscope-cli; MODELS and ORACLE are the folders that fetch.py, make.py and oracle.py filled. Prints a line a case;
exit status 1 if one differs or fails."""
import json
import pathlib
import subprocess
import sys


def tolerance_of(model):
    """The model's own tolerance, where models.json gives one (with the reason); else the command line's defaults."""
    table = json.loads((pathlib.Path(__file__).parent / "models.json").read_text())
    rows = [row for row in table["models"] if row["name"] == model]
    return rows[0].get("tolerance") if rows else None


def main():
    cli, models, oracle, model, provider = sys.argv[1:6]
    tolerance = tolerance_of(model)
    extra = [] if tolerance is None else ["--tolerance", str(tolerance)]
    cases = sorted(case for case in (pathlib.Path(oracle) / model).iterdir() if (case / "case.json").exists())
    if not cases:
        sys.exit(f"{oracle}/{model} has no cases")
    failed = 0
    for case in cases:
        command = [cli, "run", f"{models}/{model}.onnx", "--providers", provider, "--inputs", str(case / "inputs"),
                   "--expect", str(case / "outputs"), *extra]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        print(f"{model} {case.name} on {provider}:", "as expected" if result.returncode == 0 else "NOT as expected")
        if result.returncode != 0:
            print(result.stdout, result.stderr, " ".join(command), sep="\n")
            failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
