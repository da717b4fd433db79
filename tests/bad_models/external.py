"""Elements that lie, or claim to lie, in other files, in each place where a tensor can stand."""

import os

import numpy as np
from bad_case import BOOL, FLOAT, Case, model, node, tensor, value
from onnx import SparseTensorProto, TensorProto, helper

DIMS = (4,)
BYTES = np.arange(4, dtype=np.float32).tobytes()


def outside(location="w.bin", element=FLOAT, dims=DIMS, **entries):
    made = TensorProto(name="w", data_type=element, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, content in {"location": location, **entries}.items():
        if content is not None:
            made.external_data.add(key=key, value=str(content))
    return made


def with_data(folder):
    (folder / "w.bin").write_bytes(BYTES)


def initializer(name, weight, says=(), files=with_data, runs=False):
    whole = model([node("Identity", "w", "y")], constants=[weight])
    if runs:
        return Case(name, whole, runs=True, files=files)
    return Case(name, whole, "'w'", info=["initializer 'w'", *says], files=files)


def link(target):
    return lambda folder: (folder / "w.bin").symlink_to(target)


def linked_parent(folder):
    (folder / "inside").symlink_to("/etc")


def link_inside(folder):
    (folder / "blobs").mkdir()
    (folder / "blobs" / "1").write_bytes(BYTES)
    (folder / "w.bin").symlink_to("blobs/1")


def hard_link(folder):
    (folder / "other").write_bytes(BYTES)
    os.link(folder / "other", folder / "w.bin")


def device(folder):
    try:
        os.mknod(folder / "w.bin", 0o666 | 0o020000, os.makedev(1, 5))
    except OSError:  # only root may: a pipe is refused for the same reason
        os.mkfifo(folder / "w.bin")


def locations():
    yield initializer("sound", outside(), runs=True)
    yield initializer("absolute", outside("/etc/hostname"), ["'/etc/hostname'", "absolute"])
    yield initializer("parent", outside("../w.bin"), ["'../w.bin'", "'..'"])
    yield initializer("parent_inside", outside("a/../w.bin"), ["'a/../w.bin'", "'..'"])
    yield initializer("empty", outside(""), ["the location is empty"])
    yield initializer("none", outside(None), ["the location is empty"])
    yield initializer("nul", outside("w.bin\0.txt"), ["NUL"])
    yield initializer("missing", outside("absent.bin"), ["'absent.bin'", "No such file"])
    yield initializer("folder", outside("."), ["a folder"])
    yield initializer("name_too_long", outside("a" * 5000), ["name too long"])
    yield initializer("process", outside("/proc/self/mem"), ["absolute"])
    yield initializer("memory_marker", outside("*/_ORT_MEM_ADDR_/*", offset=4096, length=16), ["No such file"])
    yield initializer("windows_path", outside("C:\\Windows\\win.ini"), ["No such file"])
    yield initializer("url", outside("file:///etc/passwd"), ["No such file"])
    yield initializer("link_out", outside(), ["symbolic link"], files=link("/etc/hostname"))
    yield initializer("link_up", outside(), ["symbolic link"], files=link("../../../../etc/hostname"))
    yield initializer("link_to_process", outside(), ["symbolic link"], files=link("/proc/self/mem"))
    yield initializer("link_to_device", outside(), ["symbolic link"], files=link("/dev/zero"))
    yield initializer("link_to_itself", outside(), ["symbolic link"], files=link("w.bin"))
    yield initializer("linked_folder", outside("inside/hostname"), ["symbolic link"], files=linked_parent)
    yield initializer("link_inside", outside(), files=link_inside, runs=True)
    yield initializer("hard_link", outside(), files=hard_link, runs=True)
    yield initializer("pipe", outside(), ["a named pipe"], files=lambda folder: os.mkfifo(folder / "w.bin"))
    yield initializer("device", outside(), ["expected a regular file"], files=device)


def ranges():
    size = len(BYTES)
    yield initializer("offset_past_end", outside(offset=17), ["byte 17 + 16", "16 bytes"])
    yield initializer("offset_leaves_too_little", outside(offset=4), ["byte 4 + 16", "16 bytes"])
    yield initializer("offset_negative", outside(offset=-4), ["offset", "'-4'"])
    yield initializer("offset_overflows", outside(offset=(1 << 64) - 8), ["byte 18446744073709551608 + 16"])
    yield initializer("offset_beyond_64_bits", outside(offset=1 << 70), ["offset", str(1 << 70)])
    yield initializer("offset_text", outside(offset="four"), ["offset", "'four'"])
    yield initializer("length_text", outside(length="16 bytes"), ["length", "'16 bytes'"])
    yield initializer("length_negative", outside(length=-1), ["length", "'-1'"])
    yield initializer("length_huge", outside(length=1 << 63), ["length", str(1 << 63), "need 16"])
    yield initializer("length_short", outside(length=size - 1), ["length is 15", "need 16"])
    yield initializer("length_empty", outside(length=""), ["length", "''"])
    yield initializer("file_empty", outside(), ["0 bytes"], files=lambda folder: (folder / "w.bin").touch())
    yield initializer("dims_huge", outside(dims=(1 << 40,)), [str(4 << 40)])
    yield initializer("dims_overflow", outside(dims=(1 << 62, 4)), ["overflows"])
    yield initializer("strings", outside(element=TensorProto.STRING), ["strings cannot"])
    other = outside(__class__="os", data=1 << 40, location2="/etc/passwd")
    yield initializer("unknown_keys", other, runs=True)


def places():
    """A path that leads out, everywhere."""
    bad = outside("../../secret.bin")
    says = ["'../../secret.bin'", "'..'"]
    yield Case("in_constant", model([node("Constant", "", "y", value=bad)]), "'bad' (Constant)",
               info=["'bad' (Constant)", *says])
    index = helper.make_tensor("i", TensorProto.INT64, (4,), [0, 1, 2, 3])
    outside_index = outside("../../secret.bin", TensorProto.INT64)
    for name, parts in (("values", (bad, index)), ("indices", (tensor("w", np.ones(4, np.float32)), outside_index))):
        content = SparseTensorProto(dims=(4,), values=parts[0], indices=parts[1])
        whole = model([node("Identity", "w", "y")])
        whole.graph.sparse_initializer.append(content)
        yield Case(f"in_sparse_{name}", whole, "'w'", info=["sparse initializer 'w'", *says])
        yield Case(f"in_sparse_{name}_of_constant", model([node("Constant", "", "y", sparse_value=content)]),
                   "'bad' (Constant)", info=["'bad' (Constant)", *says])
    yield Case("in_attribute", model([node("ConstantOfShape", "x", "y", value=bad)], [value("x", TensorProto.INT64, [1])]),
               "'bad' (ConstantOfShape)", info=["'bad' (ConstantOfShape)", *says])
    yield from inner_places(bad, says)


def inner_places(bad, says):
    def branch(weight_in):
        nodes = [node("Constant", "", "b", value=bad, name="inner")] if weight_in == "constant" else [
            node("Identity", "w", "b", name="inner")]
        return helper.make_graph(nodes, "branch", [], [value("b")], [bad] if weight_in == "initializer" else [])

    for kind in ("constant", "initializer"):
        chosen = node("If", "c", "y", then_branch=branch(kind), else_branch=branch(kind))
        yield Case(f"in_branch_{kind}", model([chosen], [value("c", BOOL, [])]), "'bad' (If)",
                   info=["'bad' (If)", "then_branch", *says])
    body = [node("Constant", "", "b", value=bad, name="inner"), node("Add", "a b", "z", name="add")]
    function = helper.make_function("mine", "F", ["a"], ["z"], body, [helper.make_opsetid("", 23)])
    whole = model([node("F", "x", "y", domain="mine")], [value("x", FLOAT, [4])], opsets={"mine": 1}, functions=[function])
    yield Case("in_function", whole, "inner", info=["function 'F'", *says])
    default = helper.make_function("mine", "F", ["a"], ["z"], [node("Identity", "a", "z")], [helper.make_opsetid("", 23)],
                                   attribute_protos=[helper.make_attribute("t", bad)])
    whole = model([node("F", "x", "y", domain="mine")], [value("x", FLOAT, [4])], opsets={"mine": 1}, functions=[default])
    yield Case("in_function_default", whole, runs=True, info=["function 'F'", *says])
    whole = model([node("Relu", "x", "y")], [value("x", FLOAT, [4])])
    training = whole.training_info.add()
    training.initialization.initializer.append(bad)
    yield Case("in_training", whole, runs=True, info=["training", *says])


def cases():
    for family in (locations, ranges, places):
        yield from family()
