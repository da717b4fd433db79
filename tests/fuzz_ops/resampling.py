"""Operators that read images between their pixels: resizing, grids, regions, and boxes."""

import struct
import zlib

import numpy as np

from case import Case, Skip, epsilon
from draw import is_integer
from numeric import narrow, wide
from schema import types

EASY_SCALES = [0.5, 2.0, 1.5, 0.25, 3.0, 1.0, 0.75]  # their places are exact, so ties are ties to everyone


def bound(dtype, x):
    """Weights are made of coordinates in float32: a few roundings of the largest value."""
    unit = max(epsilon(dtype), 2.0**-23) * 16
    return unit, unit * float(np.abs(wide(x)).max(initial=1))


def resize(draw):
    mode = draw.pick([None, "nearest", "linear", "cubic"], [1, 3, 4, 2])
    kinds = types("Resize", "T1") if mode in (None, "nearest") else ("float32", "float64", "float16")
    dtype = draw.type([name for name in kinds if name not in ("string", "complex64", "complex128", "bool")])
    spatial = draw.pick([1, 2, 3], [2, 6, 1]) if mode != "cubic" else 2
    shape = (draw.integer(1, 2), draw.pick([1, 2, 3, 5]), *[draw.integer(1, 9) for _ in range(spatial)])
    # The evaluator holds no integers of more than 53 bits.
    x = draw.values(dtype, shape, special=0, **({"low": -100, "high": 2**50} if is_integer(dtype) else {}))
    attributes = {} if mode is None else {"mode": mode}
    transforms = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric"]
    if draw.chance(0.7):
        attributes["coordinate_transformation_mode"] = draw.pick(transforms)
    if mode in (None, "nearest") and draw.chance(0.6):
        attributes["nearest_mode"] = draw.pick(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
    if mode == "cubic":
        if draw.chance(0.4):
            attributes["cubic_coeff_a"] = -0.5
        if draw.chance(0.4):
            attributes["exclude_outside"] = 1
    if mode in ("linear", "cubic") and draw.chance(0.2):
        attributes["antialias"] = 1
    only_spatial = draw.chance(0.3)
    if only_spatial:
        attributes["axes"] = list(range(2, len(shape)))
    lead = [] if only_spatial else [1, 1]
    if draw.chance(0.6):
        factors = [draw.pick(EASY_SCALES) for _ in range(spatial)]
        if any(int(size * factor) < 1 for size, factor in zip(shape[2:], factors)):
            raise Skip("nothing is left")
        if mode in (None, "nearest") and "symmetric" in attributes.get("coordinate_transformation_mode", "") \
                and any(size * factor % 1 for size, factor in zip(shape[2:], factors)):
            raise Skip("places are whole but for roundings, which then choose")
        scales, sizes = np.array([*lead, *factors], np.float32), None
    else:
        target = [draw.integer(1, 12) for _ in range(spatial)]
        if mode in (None, "nearest"):
            target = [size * draw.pick([1, 2, 3]) for size in shape[2:]]
        scales, sizes = None, np.array(([] if only_spatial else list(shape[:2])) + target, np.int64)
    return Case("Resize", [x, None, scales, sizes], [None], attributes,
                tolerance=None if mode in (None, "nearest") else bound(dtype, x))


def upsample(draw):
    mode = draw.pick([None, "nearest", "linear"])
    dtype = draw.type(["float32", "float64", "int32", "uint8"] if mode != "linear" else ["float32"])
    shape = (draw.integer(1, 2), draw.integer(1, 3), draw.integer(1, 7), draw.integer(1, 7))
    x = draw.values(dtype, shape, special=0)
    scales = np.array([1, 1, draw.pick([1, 2, 3]), draw.pick([1, 2, 3])], np.float32)
    return Case("Upsample", [x, scales], [None], {} if mode is None else {"mode": mode}, opset=9,
                tolerance=bound(dtype, x) if mode == "linear" else None)


def grid_sample(draw):
    dtype = draw.type(["float32", "float32", "float64"])
    spatial = draw.pick([2, 3], [5, 1])
    mode = draw.pick([None, "linear", "nearest", "cubic"]) if spatial == 2 else draw.pick(["linear", "nearest"])
    shape = (draw.integer(1, 2), draw.integer(1, 4), *[draw.integer(2, 7) for _ in range(spatial)])
    grid_shape = (shape[0], *[draw.integer(1, 6) for _ in range(spatial)], spatial)
    x = draw.values(dtype, shape, special=0)
    grid = draw.values(dtype, grid_shape, low=-1.4, high=1.4)
    attributes = {} if mode is None else {"mode": mode}
    if draw.chance(0.7):
        attributes["padding_mode"] = draw.pick(["zeros", "border", "reflection"])
    if draw.chance(0.6):
        attributes["align_corners"] = draw.integer(0, 1)
    return Case("GridSample", [x, grid], [None], attributes, tolerance=bound(np.dtype(np.float32), x))


def affine_grid(draw):
    dtype = draw.type(types("AffineGrid", "T1"))
    spatial = draw.integer(2, 3)
    n, sizes = draw.integer(1, 3), [draw.integer(2, 6) for _ in range(spatial)]
    theta = draw.values(dtype, (n, spatial, spatial + 1), special=0, scale=1.0)
    aligned = draw.integer(0, 1)
    lines = []
    for size in sizes:
        line = np.linspace(-1, 1, size)
        lines.append(line if aligned else line * (size - 1) / size)
    mesh = np.meshgrid(*lines, indexing="ij")
    points = np.stack([*reversed(mesh), np.ones(sizes)], -1)
    y = np.einsum("...k,njk->n...j", points, wide(theta))
    unit = 8 * epsilon(dtype)
    return Case("AffineGrid", [theta, np.array([n, 3, *sizes], np.int64)], [narrow(y, dtype)],
                {"align_corners": aligned}, tolerance=(unit, unit * 4))


def regions(draw, count, height, width):
    corners = draw.random.uniform(0, 1, (count, 2, 2)) * [width, height]
    return np.concatenate([corners.min(1), corners.max(1) + 0.5], 1)


def roi_align(draw):
    dtype = draw.type(["float32", "float64"])
    shape = (draw.integer(1, 2), draw.integer(1, 4), draw.integer(2, 9), draw.integer(2, 9))
    count = draw.integer(1, 4)
    x = draw.values(dtype, shape, special=0)
    rois = regions(draw, count, shape[2], shape[3]).astype(dtype)
    attributes = {"output_height": draw.integer(1, 4), "output_width": draw.integer(1, 4)}
    for name, values in (("mode", ["avg", "max"]), ("sampling_ratio", [0, 1, 2, 3]), ("spatial_scale", [1.0, 0.5]),
                         ("coordinate_transformation_mode", ["half_pixel", "output_half_pixel"])):
        if draw.chance(0.6):
            attributes[name] = draw.pick(values)
    indices = draw.values(np.dtype(np.int64), (count,), low=0, high=shape[0] - 1)
    return Case("RoiAlign", [x, rois, indices], [None], attributes, tolerance=bound(np.dtype(np.float32), x))


def max_roi_pool(draw):
    shape = (draw.integer(1, 2), draw.integer(1, 4), draw.integer(3, 9), draw.integer(3, 9))
    count = draw.integer(1, 4)
    x = draw.values(np.dtype(np.float32), shape, special=0)
    corners = np.floor(regions(draw, count, shape[2] - 1, shape[3] - 1)).astype(np.float32)
    batch = draw.values(np.dtype(np.int64), (count, 1), low=0, high=shape[0] - 1).astype(np.float32)
    attributes = {"pooled_shape": [draw.integer(1, 3), draw.integer(1, 3)]}
    if draw.chance(0.4):
        attributes["spatial_scale"] = 0.5
    return Case("MaxRoiPool", [x, np.concatenate([batch, corners], 1)], [None], attributes, opset=21,
                oracles=("runtime",))


def non_max_suppression(draw):
    batches, classes, boxes = draw.integer(1, 2), draw.integer(1, 3), draw.integer(1, 12)
    corners = np.sort(draw.random.uniform(0, 1, (batches, boxes, 2, 2)), 2).reshape(batches, boxes, 4)
    centered = draw.chance(0.4)
    if centered:
        low, high = corners[..., :2], corners[..., 2:]
        corners = np.concatenate([(low + high) / 2, high - low], -1)
    scores = draw.random.permutation(batches * classes * boxes).reshape(batches, classes, boxes) / 100
    inputs = [corners.astype(np.float32), scores.astype(np.float32), np.array([draw.integer(0, 6)], np.int64),
              np.array([draw.pick([0.2, 0.5, 0.8])], np.float32) if draw.chance(0.8) else None,
              np.array([draw.pick([0.05, 0.3])], np.float32) if draw.chance(0.4) else None]
    attributes = {"center_point_box": int(centered)} if centered or draw.chance(0.3) else {}
    return Case("NonMaxSuppression", inputs, [None], attributes)


def png(pixels):
    """The bytes of a PNG file of pixels[height, width, 3]."""
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) \
        + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bmp(pixels):
    """The bytes of a BMP file; its rows run upwards and begin at multiples of four."""
    height, width = pixels.shape[:2]
    rows = [row[:, ::-1].tobytes() for row in pixels[::-1]]
    data = b"".join(row + b"\0" * (-len(row) % 4) for row in rows)
    return b"BM" + struct.pack("<IHHI", 54 + len(data), 0, 0, 54) \
        + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(data), 2835, 2835, 0, 0) + data


def image_decoder(draw):
    pixels = draw.values(np.dtype(np.uint8), (draw.integer(1, 9), draw.integer(1, 9), 3))
    encoded = draw.pick([png, bmp])(pixels)
    form = draw.pick([None, "RGB", "BGR"])
    y = pixels[..., ::-1] if form == "BGR" else pixels
    return Case("ImageDecoder", [np.frombuffer(encoded, np.uint8)], [y], {} if form is None else {"pixel_format": form})


OPS = {
    "Resize": (12, resize), "Upsample": (1, upsample), "GridSample": (6, grid_sample), "AffineGrid": (2, affine_grid),
    "RoiAlign": (4, roi_align), "MaxRoiPool": (2, max_roi_pool), "NonMaxSuppression": (3, non_max_suppression),
    "ImageDecoder": (1, image_decoder),
}
