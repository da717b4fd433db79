"""Values of ONNX's types, made from others: numpy arrays for tensors, lists for sequences, dicts for maps."""

import re

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ELEMENTS = {
    name.lower() if name not in ("FLOAT", "DOUBLE") else {"FLOAT": "float", "DOUBLE": "double"}[name]: number
    for name, number in TensorProto.DataType.items()
    if name != "UNDEFINED"
}
SMALL = {"int4", "uint4", "int2", "uint2"}


def is_tensor(type_text):
    return type_text.startswith("tensor(")


def inner(type_text):
    """What a sequence, an optional or a tensor holds."""
    return re.fullmatch(r"\w+\((.*)\)", type_text).group(1)


def dtype_of(element):
    return np.dtype(object) if element == "string" else helper.tensor_dtype_to_np_dtype(ELEMENTS[element])


def element_of(array):
    if array.dtype.kind in "OUS":
        return "string"
    number = helper.np_dtype_to_tensor_dtype(array.dtype)
    return next(name for name, each in ELEMENTS.items() if each == number)


def numbers_of(array):
    """The elements as float64, int64 or complex128; those of strings by their place."""
    if array.dtype.kind in "OUS":
        return np.arange(array.size, dtype=np.int64).reshape(array.shape)
    if array.dtype.kind in "biu":
        return array.astype(np.int64)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def tensor_as(array, element):
    """The same elements in another type, as far as that can hold them."""
    if element_of(array) == element:
        return array
    if element == "string":
        return np.array([str(number) for number in numbers_of(array).ravel()], dtype=object).reshape(array.shape)
    numbers, dtype = numbers_of(array), dtype_of(element)
    if numbers.dtype.kind == "c" and not element.startswith("complex"):
        numbers = numbers.real
    if element == "bool":
        return numbers != 0
    if element in SMALL or dtype.kind in "iu":
        lowest, highest = bounds_of(element)
        numbers = np.clip(np.nan_to_num(np.trunc(numbers)), lowest, highest)
        return numbers.astype(np.int64 if lowest < 0 else np.uint64).astype(dtype)
    if element == "float8e8m0":
        numbers = np.maximum(np.abs(numbers), 0.5)
    with np.errstate(all="ignore"):
        return numbers.astype(dtype)


def bounds_of(element):
    bits = int(element.lstrip("uint"))
    # Beyond 2^53 a float64 on the way would round out of range.
    bits = min(bits, 53)
    return (0, 2**bits - 1) if element.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def map_as(value, type_text):
    key, element = [part.strip() for part in inner(type_text).split(",")]
    tensors = list(value.values())
    items = tensor_as(np.array(tensors), element)
    keys = [str(k) if key == "string" else int(i) for i, k in enumerate(value)]
    return dict(zip(keys, items, strict=True))


def value_as(value, type_text):
    """The value in that type: "tensor(int8)", "seq(tensor(float))", "optional(tensor(bool))"."""
    if type_text.startswith("optional("):
        return None if value is None else value_as(value, inner(type_text))
    if type_text.startswith("seq("):
        items = value if isinstance(value, list) else [value]
        return [value_as(item, inner(type_text)) for item in items]
    if type_text.startswith("map("):
        return map_as(value if isinstance(value, dict) else {1: 1.0, 2: 3.0}, type_text)
    array = value[0] if isinstance(value, list) else value
    return tensor_as(np.asarray(array), inner(type_text))


def type_of(value):
    if isinstance(value, list):
        return f"seq({type_of(value[0])})"
    return "optional(tensor(float))" if value is None else f"tensor({element_of(np.asarray(value))})"


def type_proto(type_text, value=None):
    """With the shape of the value, if that is given and a tensor; else with unknown shape."""
    if type_text.startswith("optional("):
        return helper.make_optional_type_proto(type_proto(inner(type_text)))
    if type_text.startswith("seq("):
        return helper.make_sequence_type_proto(type_proto(inner(type_text)))
    if type_text.startswith("map("):
        key, element = [part.strip() for part in inner(type_text).split(",")]
        return helper.make_map_type_proto(ELEMENTS[key], type_proto(f"tensor({element})"))
    return helper.make_tensor_type_proto(ELEMENTS[inner(type_text)], None if value is None else value.shape)


def tensor_proto(array, name=""):
    if element_of(array) == "string":
        return helper.make_tensor(name, TensorProto.STRING, array.shape, [str(each).encode() for each in array.ravel()])
    return numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)


def map_proto(value, type_text):
    key, element = [part.strip() for part in inner(type_text).split(",")]
    message = onnx.MapProto(key_type=ELEMENTS[key])
    if key == "string":
        message.string_keys.extend(each.encode() for each in value)
    else:
        message.keys.extend(value)
    message.values.elem_type = onnx.SequenceProto.TENSOR
    for each in value.values():
        message.values.tensor_values.append(tensor_proto(np.asarray(each)))
    return message


def message_of(value, type_text):
    """The value as the protobuf message that a data set holds for an input of that type."""
    if type_text.startswith("optional("):
        return optional_proto(value, inner(type_text))
    if type_text.startswith("seq("):
        message = onnx.SequenceProto(elem_type=onnx.SequenceProto.TENSOR)
        if inner(type_text).startswith("map("):
            message.elem_type = onnx.SequenceProto.MAP
            message.map_values.extend(map_proto(each, inner(type_text)) for each in value)
        else:
            message.tensor_values.extend(tensor_proto(each) for each in value)
        return message
    return map_proto(value, type_text) if type_text.startswith("map(") else tensor_proto(value)


def optional_proto(value, type_text):
    if value is None:
        return onnx.OptionalProto(elem_type=onnx.OptionalProto.UNDEFINED)
    message = onnx.OptionalProto(elem_type=onnx.OptionalProto.SEQUENCE if isinstance(value, list) else onnx.OptionalProto.TENSOR)
    if isinstance(value, list):
        message.sequence_value.CopyFrom(message_of(value, type_text))
    else:
        message.tensor_value.CopyFrom(tensor_proto(value))
    return message
