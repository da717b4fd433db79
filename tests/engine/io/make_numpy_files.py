"""Writes numpy_files.h: files as numpy writes them, for the tests of readers."""

import io
import pathlib

import numpy as np
from numpy.lib import format as npy_format

COUNT = np.arange(6).reshape(2, 3)


def npy(array, version=None):
    stream = io.BytesIO()
    npy_format.write_array(stream, array, version=version)
    return stream.getvalue()


def npz(save, **arrays):
    stream = io.BytesIO()
    save(stream, **arrays)
    return stream.getvalue()


FILES = {
    "float32File": npy(COUNT.astype(np.float32)),
    "columnMajorInt64File": npy(np.asfortranarray(COUNT)),
    "bigEndianInt32File": npy(COUNT.astype(">i4")),
    "float16File": npy(np.array([0.5, -2], np.float16)),
    "boolFile": npy(np.array([True, False])),
    "complexFile": npy(np.array([1 + 2j], np.dtype(">c8"))),
    "stringFile": npy(np.array(["a", "bäm", ""])),
    "scalarFile": npy(np.array(7, np.uint8)),
    "emptyFile": npy(np.zeros((0, 3), np.float64)),
    "version3File": npy(COUNT.astype(np.int16), version=(3, 0)),
    "recordFile": npy(np.zeros(1, np.dtype([("a", "<f4")]))),
    "storedArchive": npz(np.savez, x=COUNT.astype(np.float32), flag=np.array([True])),
    "deflatedArchive": npz(np.savez_compressed, x=np.zeros((16, 16), np.float32)),
}


def array(name, content):
    lines = [
        "    " + ", ".join(str(byte) for byte in content[i : i + 22]) for i in range(0, len(content), 22)
    ]
    return f"constexpr std::array<unsigned char, {len(content)}> {name}{{\n" + ",\n".join(lines) + "};\n"


HEAD = """#pragma once

#include <array>

// Written by make_numpy_files.py.

// clang-format off
namespace numpy {

"""

if __name__ == "__main__":
    text = HEAD + "\n".join(array(name, content) for name, content in FILES.items()) + "\n}  // namespace numpy\n"
    pathlib.Path(__file__).with_name("numpy_files.h").write_text(text)
