#!/usr/bin/env python3
"""Writes the networks of networks.py to a folder.

    make.py DEST [NAME]...         needs numpy and onnx; leaves DEST/NAME.onnx

Names: those of networks.NETWORKS, all of them by default, and decoder_N, a transformer of N small blocks for tests of
graph layout (decoder_400 has 36,001 nodes). DEST/made.json holds which recipe each file is from; what is there from
today's recipe is left alone.
"""

import hashlib
import importlib.metadata
import json
import re
import sys
from pathlib import Path

import destination

STAMPS = "made.json"


def recipe():
    """What a network's bytes depend on besides its name."""
    source = hashlib.sha256(Path(__file__).with_name("networks.py").read_bytes()).hexdigest()
    return " ".join([source, *(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "onnx"))])


def read_stamps(dest):
    try:
        return json.loads((dest / STAMPS).read_text())
    except (OSError, ValueError):
        return {}


def builder(name):
    """The function that makes the network of that name."""
    import networks

    if match := re.fullmatch(r"decoder_([1-9]\d*)", name):
        return lambda: networks.decoder(int(match[1]))
    if name not in networks.NETWORKS:
        sys.exit(f"{name}: no such network; there are {', '.join(networks.NETWORKS)} and decoder_N")
    return networks.NETWORKS[name]


def make_missing(names, dest):
    stamps, today = read_stamps(dest), recipe()
    missing = [name for name in names if stamps.get(name) != today or not (dest / f"{name}.onnx").exists()]
    builders = {name: builder(name) for name in missing}
    for name, build in builders.items():
        model = build()
        content = model.SerializeToString(deterministic=True)
        destination.write_whole(dest / f"{name}.onnx", content)
        stamps[name] = today
        destination.write_whole(dest / STAMPS, (json.dumps(stamps, indent=2) + "\n").encode())
        print(f"{name}: {len(model.graph.node):,} nodes, {len(content):,} bytes", flush=True)
    if not missing:
        print(f"{len(names)} networks in {dest}: up to date")


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    dest = Path(sys.argv[1])
    table = json.loads(Path(__file__).with_name("models.json").read_text())
    names = sys.argv[2:] or [model["name"] for model in table["models"] if "package" not in model]
    with destination.filling(dest):
        make_missing(names, dest)


if __name__ == "__main__":
    main()
