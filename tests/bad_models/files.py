"""Files that are no models, and models that are damaged."""

import os

import numpy as np
from bad_case import FLOAT, Case, model, node, tensor, value


def varint(number):
    out = bytearray()
    while True:
        out.append(number & 0x7F | (0x80 if number > 0x7F else 0))
        number >>= 7
        if not number:
            return bytes(out)


def field(number, content):
    """A field of protobuf that holds bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def sound():
    weight = tensor("w", np.arange(4096, dtype=np.float32))
    return model([node("Add", "x w", "y", name="add")], [value("x", FLOAT, [4096])], constants=[weight])


def no_models():
    yield Case("empty", b"", "the file is empty", opens=False)
    noise = np.random.default_rng(1).integers(0, 256, 4096, np.uint8).tobytes()
    yield Case("random", noise, ["no ONNX model", "byte 0"], opens=False)
    yield Case("zeros", bytes(100), ["no ONNX model", "byte 0"], opens=False)
    yield Case("text", b"Once upon a time\n" * 9, "no ONNX model", opens=False)
    yield Case("zip", b"PK\x03\x04" + bytes(60), "zip archive", opens=False)
    yield Case("page", b"<!DOCTYPE html><html></html>", "web page", opens=False)
    yield Case("gzip", b"\x1f\x8b\x08" + bytes(60), "gzip", opens=False)
    yield Case("flatbuffer", b"\x18\0\0\0ORTM" + bytes(60), "ONNX Runtime's own .ort format", opens=False)
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    yield Case("pointer", pointer, "Git LFS pointer", opens=False)
    yield Case("no_graph", b"\x08\x0a", "it has no graph", opens=False)
    yield Case("graph_is_number", b"\x08\x0a\x38\x01", ["byte 2", "found a number, expected a message"], opens=False)
    yield Case("field_zero", b"\x00\x01", "no field", opens=False)
    yield Case("endless_varint", b"\xff" * 40, ["no ONNX model", "byte 0"], opens=False)


def no_files():
    yield Case("is_folder", None, ["a folder", "expected a regular file"], opens=False,
               files=lambda folder: (folder / "model.onnx").mkdir())
    yield Case("is_pipe", None, "a named pipe", opens=False, files=lambda folder: os.mkfifo(folder / "model.onnx"))
    yield Case("is_missing", None, "No such file", opens=False)
    yield Case("is_device", None, "a device", opens=False,
               files=lambda folder: (folder / "model.onnx").symlink_to("/dev/zero"))
    yield Case("is_link_to_itself", None, "symbolic links", opens=False,
               files=lambda folder: (folder / "model.onnx").symlink_to("model.onnx"))
    yield Case("is_process_file", None, "empty", opens=False,
               files=lambda folder: (folder / "model.onnx").symlink_to("/proc/self/status"))


def damaged():
    whole = sound().SerializeToString(deterministic=True)
    for share in (10, 50, 99):
        cut = whole[: len(whole) * share // 100]
        yield Case(f"cut_at_{share}_percent", cut, ["damaged at byte", "the file ends here"], info=["the file ends here", "byte"])
    yield Case("cut_by_one", whole[:-1], f"damaged at byte {len(whole) - 1}", info="the file ends here")
    yield Case("long_length", field(7, b"") + b"\x3a" + varint(1 << 62), "damaged at byte", info=["reach to byte", str(1 << 62)])
    yield Case("part_overruns", b"\x3a\x06\x0a\x20\x22\x02xy" + field(8, b"\x10\x17"), "damaged at byte 2",
               info=["32 bytes long", "are left"])
    yield Case("groups", field(7, b"\x0b" * 50_000), "damaged at byte 4", info="no field")
    yield Case("varint_too_long", field(7, field(1, field(5, field(8, b"\xff" * 11)))), "damaged at byte 6",
               info="not the numbers expected")
    flipped = bytearray(whole)
    flipped[whole.index(b"add")] ^= 0xFF
    yield Case("flipped_bit", bytes(flipped), runs=True)
    yield Case("two_graphs", whole + whole, runs=True, info=["'w'", "second initializer"])


def many_parts():
    """Two bytes each in the file, hundreds and more in memory."""
    said = ["damaged at byte", "more than 250000 parts"]
    for name, number in (("nodes", 1), ("initializers", 5), ("inputs", 11), ("outputs", 12), ("value_infos", 13)):
        yield Case(f"million_{name}", field(7, field(number, b"") * 1_000_000), said, info=said[1:])
    yield Case("million_functions", field(7, b"") + field(25, b"") * 1_000_000, said, info=said[1:])
    yield Case("million_opsets", field(7, b"") + field(8, b"") * 1_000_000, said, info=said[1:])
    yield Case("million_metadata", field(7, b"") + field(14, b"") * 1_000_000, runs=True)
    inputs = field(7, field(1, field(1, b"") * 4_000_000 + field(4, b"Concat")))
    yield Case("million_node_inputs", inputs, "(Concat)")
    outputs = field(7, field(1, field(2, b"") * 4_000_000 + field(4, b"Split")))
    yield Case("million_node_outputs", outputs, "(Split)")
    yield Case("million_attributes", field(7, field(1, field(5, b"") * 1_000_000 + field(4, b"Relu") + field(2, b"y"))
               + field(12, field(1, b"y"))), "(Relu)")


def cases():
    for family in (no_models, no_files, damaged, many_parts):
        yield from family()
