"""What onnx's own table of operators says: which types an operator takes."""

from functools import lru_cache

import onnx

from case import NEWEST

NAMES = {"float": "float32", "double": "float64", "float4e2m1": "float4_e2m1fn", "float8e4m3fn": "float8_e4m3fn",
         "float8e4m3fnuz": "float8_e4m3fnuz", "float8e5m2": "float8_e5m2", "float8e5m2fnuz": "float8_e5m2fnuz",
         "float8e8m0": "float8_e8m0fnu"}


class Opset:
    """At which opset types() looks: that of the case that is being drawn, where the operator has it."""

    current = None


def numpy_names(texts):
    inner = [text[7:-1] for text in sorted(texts) if text.startswith("tensor(")]
    return tuple(NAMES.get(text, text) for text in inner)


def types(op, constraint="T", domain=""):
    """Tensor types that a type parameter of that operator may stand for, by numpy's or ml_dtypes' names."""
    if Opset.current is not None:
        try:
            found = types_at(op, constraint, Opset.current, domain)
            if found:
                return found
        except (KeyError, onnx.defs.SchemaError):
            pass  # the older form has no such parameter
    return types_at(op, constraint, NEWEST, domain)


@lru_cache(None)
def types_at(op, constraint, opset, domain):
    schema = onnx.defs.get_schema(op, opset, domain)
    for entry in schema.type_constraints:
        if entry.type_param_str == constraint:
            return numpy_names(entry.allowed_type_strs)
    for item in (*schema.inputs, *schema.outputs):
        if item.name == constraint:
            return numpy_names(item.types)
    raise KeyError(f"{op} {opset}: no type parameter {constraint}")
