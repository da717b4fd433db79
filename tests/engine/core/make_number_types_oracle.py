"""Writes number_types_oracle.h: what ml_dtypes says of every 8-bit code and of conversions to them."""

import pathlib
import warnings

import ml_dtypes
import numpy as np

FORMATS = {
    "Float8E4M3FN": ml_dtypes.float8_e4m3fn,
    "Float8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "Float8E5M2": ml_dtypes.float8_e5m2,
    "Float8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "Float8E8M0": ml_dtypes.float8_e8m0fnu,
    "Float4E2M1": ml_dtypes.float4_e2m1fn,
    "Float6E2M3": ml_dtypes.float6_e2m3fn,
    "Float6E3M2": ml_dtypes.float6_e3m2fn,
}
CODES = {"Float4E2M1": 16, "Float6E2M3": 64, "Float6E3M2": 64}


def samples():
    """Floats of all magnitudes, and those at and beside the midpoints between the codes of each format."""
    rng = np.random.default_rng(1)
    exponents = rng.uniform(-140, 128, 60)
    values = [rng.choice([-1.0, 1.0], 60) * np.exp2(exponents), [0.0, -0.0, np.inf, -np.inf, np.nan]]
    for name, dtype in FORMATS.items():
        codes = np.arange(CODES.get(name, 256), dtype=np.uint8).view(dtype)
        finite = np.unique(codes.astype(np.float64)[np.isfinite(codes.astype(np.float64))])
        middle = ((finite[1:] + finite[:-1]) / 2).astype(np.float32)
        chosen = rng.choice(middle, min(20, middle.size), replace=False)
        for value in chosen:
            values.append([value, np.nextafter(value, np.float32(np.inf)), np.nextafter(value, -np.float32(np.inf))])
    return np.unique(np.concatenate(values).astype(np.float32).view(np.uint32)).view(np.float32)


def array(name, kind, numbers, width):
    per_line = 104 // (width + 4)
    lines = [
        "    " + ", ".join(f"0x{n:0{width}x}" for n in numbers[i : i + per_line])
        for i in range(0, len(numbers), per_line)
    ]
    return f"constexpr std::array<{kind}, {len(numbers)}> {name}{{\n" + ",\n".join(lines) + "};\n"


def main():
    warnings.simplefilter("ignore")
    parts = []
    floats = samples()
    parts.append(array("sampleBits", "uint32_t", [int(b) for b in floats.view(np.uint32)], 8))
    for name, dtype in FORMATS.items():
        count = CODES.get(name, 256)
        decoded = np.arange(count, dtype=np.uint8).view(dtype).astype(np.float32)
        parts.append(array(f"decoded{name}", "uint32_t", [int(b) for b in decoded.view(np.uint32)], 8))
        encoded = floats.astype(dtype).view(np.uint8)
        parts.append(array(f"encoded{name}", "uint8_t", [int(b) for b in encoded], 2))
    text = (
        "#pragma once\n\n#include <array>\n#include <cstdint>\n\n"
        "// Written by make_number_types_oracle.py from ml_dtypes; floats are given by their bits.\n\n"
        "// clang-format off\nnamespace oracle {\n\n" + "\n".join(parts) + "\n}  // namespace oracle\n// clang-format on\n"
    )
    pathlib.Path(__file__).with_name("number_types_oracle.h").write_text(text)


main()
