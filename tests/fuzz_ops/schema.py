"""What onnx's own table of operators says: which types an operator takes."""

from functools import lru_cache

import onnx

from case import NEWEST

NAMES = {"float": "float32", "double": "float64", "float4e2m1": "float4_e2m1fn", "float8e4m3fn": "float8_e4m3fn",
         "float8e4m3fnuz": "float8_e4m3fnuz", "float8e5m2": "float8_e5m2", "float8e5m2fnuz": "float8_e5m2fnuz",
         "float8e8m0": "float8_e8m0fnu"}


@lru_cache(None)
def types(op, constraint="T", opset=NEWEST, domain=""):
    """Tensor types that a type parameter of that operator may stand for, by numpy's or ml_dtypes' names."""
    schema = onnx.defs.get_schema(op, opset, domain)
    for entry in schema.type_constraints:
        if entry.type_param_str == constraint:
            inner = [text[7:-1] for text in entry.allowed_type_strs if text.startswith("tensor(")]
            return tuple(NAMES.get(text, text) for text in inner)
    for item in (*schema.inputs, *schema.outputs):
        if item.name == constraint:
            return tuple(NAMES.get(text[7:-1], text[7:-1]) for text in item.types if text.startswith("tensor("))
    raise KeyError(f"{op} {opset}: no type parameter {constraint}")
