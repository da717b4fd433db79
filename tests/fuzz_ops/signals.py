"""Fourier transforms and what goes with them."""

import numpy as np
from onnx import helper

from case import Case, epsilon
from numeric import narrow, wide
from schema import types


def pairs(z, dtype):
    return narrow(np.stack([z.real, z.imag], -1), dtype)


def bound(dtype, x):
    inner = 2.0**-52 if dtype == np.float64 else 2.0**-23
    return 2 * epsilon(dtype), 16 * inner * float(np.abs(wide(x)).sum() + 1)


def dft(draw):
    dtype = draw.type(types("DFT", "T1"))
    shape = (draw.integer(1, 3), *[draw.integer(1, 9) for _ in range(draw.pick([1, 2, 3], [5, 3, 1]))])
    axis = draw.integer(0, len(shape) - 1)
    written = axis - len(shape) - 1 if draw.chance(0.5) else axis
    is_complex = draw.chance(0.4)
    x = draw.values(dtype, (*shape, 2 if is_complex else 1), special=0, scale=1.0)
    signal = wide(x)[..., 0] + (1j * wide(x)[..., 1] if is_complex else 0)
    length = None
    if draw.chance(0.4):
        length = np.array(draw.integer(1, 12), draw.type(types("DFT", "T2")))
    count = shape[axis] if length is None else int(length)
    flags = {"inverse": 1} if draw.chance(0.3) else {}
    if not is_complex and not flags and draw.chance(0.4):
        flags["onesided"] = 1
    transform = np.fft.ifft if "inverse" in flags else np.fft.fft
    y = transform(signal, count, axis)
    if "onesided" in flags:
        y = np.take(y, range(count // 2 + 1), axis)
    place = None if written == -2 and draw.chance(0.5) else np.array(written, np.int64)
    return Case("DFT", [x, length, place], [pairs(y, dtype)], flags, tolerance=bound(dtype, x))


def stft(draw):
    dtype = draw.type(types("STFT", "T1"))
    batch, length = draw.integer(1, 2), draw.integer(8, 40)
    frame, step = draw.integer(2, 8), draw.integer(1, 5)
    index = draw.type(types("STFT", "T2"))
    x = draw.values(dtype, (batch, length, 1), special=0, scale=1.0)
    window = draw.values(dtype, (frame,), low=0, high=1) if draw.chance(0.6) else None
    given = np.array(frame, index) if window is None or draw.chance(0.5) else None
    onesided = draw.pick([None, 0, 1])
    frames = np.stack([wide(x)[:, at:at + frame, 0] for at in range(0, length - frame + 1, step)], 1)
    y = np.fft.fft(frames * (1 if window is None else wide(window)), axis=-1)
    if onesided != 0:
        y = y[..., :frame // 2 + 1]
    return Case("STFT", [x, np.array(step, index), window, given], [pairs(y, dtype)],
                {} if onesided is None else {"onesided": onesided}, tolerance=bound(dtype, x))


COSINES = {"HannWindow": (0.5, 0.5, 0.0), "HammingWindow": (25 / 46, 21 / 46, 0.0), "BlackmanWindow": (0.42, 0.5, 0.08)}


def window(op):
    def make(draw):
        size = draw.integer(2, 40)  # the formulas divide by zero for one alone
        attributes = {}
        if draw.chance(0.6):
            attributes["periodic"] = draw.integer(0, 1)
        dtype = np.dtype(np.float32)
        if draw.chance(0.5):
            dtype = draw.type(["float32", "float64", "float16"])
            attributes["output_datatype"] = helper.np_dtype_to_tensor_dtype(dtype)
        last = size if attributes.get("periodic", 1) else size - 1
        turn = 2 * np.pi * np.arange(size) / max(last, 1)
        a, b, c = COSINES[op]
        y = a - b * np.cos(turn) + c * np.cos(2 * turn)
        unit = max(8 * epsilon(dtype), 1e-6)  # the function body works in float32
        return Case(op, [np.array(size, draw.type(types(op, "T1")))], [narrow(y, dtype)], attributes,
                    tolerance=(unit, unit))
    return make


def mel_weights(draw):
    kind = draw.type(types("MelWeightMatrix", "T1"))
    dft_length, rate = draw.pick([16, 32, 64]), draw.pick([8000, 16000])
    inputs = [np.array(draw.integer(2, 8), kind), np.array(dft_length, kind), np.array(rate, kind),
              np.array(draw.pick([0.0, 100.0]), np.float32), np.array(draw.pick([2000.0, 4000.0]), np.float32)]
    return Case("MelWeightMatrix", inputs, [None], {}, tolerance=(1e-5, 1e-5))


OPS = {
    "DFT": (6, dft), "STFT": (4, stft), **{op: (1, window(op)) for op in COSINES}, "MelWeightMatrix": (1, mel_weights),
}
