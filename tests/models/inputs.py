"""Input values for the cases of models.json: the same ones in each test and benchmark.

Floats are uniform in [0, 1) and integers in 0..9. A case's `values` may give a number for all of an input, or "page".
"""

import numpy as np
import onnx

SEED = 1


def file_name(name):
    """The .npy file of a value: what a file system might not take becomes `_`."""
    for character in "/\\:":
        name = name.replace(character, "_")
    return f"{name}.npy"


def page(random, shape):
    """Pictures of light paper with lines of dark strokes like letters.

    A text detector answers noise with probabilities near 0, exp of sums in the thousands, so that the last bit of the
    input decides the second digit of the output. On a page it finds text, and outputs can be compared.
    """
    images, channels, height, width = shape
    ink = np.zeros((images, 1, height, width), np.float32)
    strokes = ((0, 2, 0, 8), (7, 9, 0, 8), (14, 16, 0, 8), (0, 16, 0, 2), (0, 16, 6, 8))
    for top in range(8, height - 20, 32):
        for left in range(8, width - 16, 12):
            drawn = random.random((images, len(strokes))) < 0.45
            for k, (y0, y1, x0, x1) in enumerate(strokes):
                ink[drawn[:, k], :, top + y0 : top + y1, left + x0 : left + x1] = 1
    grain = random.random((images, channels, height, width), np.float32)
    return np.float32(0.9) * (1 - ink) + np.float32(0.1) * grain


def make_inputs(declared, case):
    """Values for {name: numpy type}, drawn in the order of the names, so that nothing else decides them."""
    if declared.keys() != case["shapes"].keys():
        raise ValueError(f"shapes are for {sorted(case['shapes'])}, the model has {sorted(declared)}")
    random, values = np.random.default_rng(SEED), {}
    for name, dtype in sorted(declared.items()):
        shape, given = case["shapes"][name], case.get("values", {}).get(name)
        if given == "page":
            value = page(random, shape)
        elif given is not None:
            value = np.full(shape, given)
        elif dtype.kind == "f":
            value = random.random(shape, np.float32)
        else:
            value = random.integers(0, 10, shape)
        values[name] = np.asarray(value, dtype)
    return values


def write_inputs(path, case, folder):
    """Saves the inputs of the model at `path` into `folder`; returns {name: file}."""
    graph = onnx.load(path, load_external_data=False).graph
    stored = {value.name for value in graph.initializer}
    declared = {
        value.name: np.dtype(onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type))
        for value in graph.input
        if value.name not in stored
    }
    files = {}
    for name, value in make_inputs(declared, case).items():
        files[name] = folder / file_name(name)
        np.save(files[name], value)
    return files
