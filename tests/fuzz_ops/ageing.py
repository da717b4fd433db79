"""Cases in the older forms of their operators: at an older opset, with attributes in place of newer inputs."""

import numpy as np
import onnx

import schema
from case import NEWEST, DOMAIN_VERSIONS, Skip
from draw import dtype_of

# What an input was called when it was an attribute, where by another name.
FORMER_NAMES = {"K": "k", "constant_value": "value"}
# Attributes that a form had to have, and that say what later forms do anyway.
FORMER_ATTRIBUTES = {"is_test": 1}


def forms(op, domain):
    """Of each older form of the operator the opsets at which it is in force: (first, last)."""
    history = sorted({each.since_version: each for each in onnx.defs.get_all_schemas_with_history()
                      if each.name == op and each.domain == domain}.items())
    starts = [version for version, each in history if not each.deprecated]
    return [(first, after - 1) for first, after in zip(starts, starts[1:])]


def draw_opset(draw, op, domain=""):
    """An opset at which an older form of the operator is in force; None if there is none."""
    found = forms(op, domain)
    if not found:
        return None
    first, last = draw.pick(found)
    return draw.pick([first, last, draw.integer(first, last)])


def is_allowed(form, formal, value):
    if value is None or isinstance(value, list):
        return True
    names = schema.numpy_names(formal.types)
    return any(dtype_of(name) == value.dtype for name in names)


def attribute_of(value, kind):
    """An input's value as the attribute that it was."""
    if kind == onnx.defs.OpSchema.AttrType.FLOAT:
        return float(np.asarray(value, np.float64).reshape(()))
    if kind == onnx.defs.OpSchema.AttrType.INT:
        return int(np.asarray(value).reshape(()))
    if kind == onnx.defs.OpSchema.AttrType.FLOATS:
        return [float(each) for each in value.ravel()]
    return [int(each) for each in value.ravel()]


def aged(case, opset):
    """The same case at that opset, its values left to the oracles. Throws Skip where the older form has none such."""
    newest = onnx.defs.get_schema(case.op, DOMAIN_VERSIONS[case.domain], case.domain)
    form = onnx.defs.get_schema(case.op, opset, case.domain)
    case.opset = opset
    inputs, attributes, constants = [], dict(case.attributes), set()
    for index, value in enumerate(case.inputs):
        name = newest.inputs[min(index, len(newest.inputs) - 1)].name
        former = FORMER_NAMES.get(name, name)
        if former in form.attributes and name not in [each.name for each in form.inputs]:
            if value is not None:
                attributes[former] = attribute_of(value, form.attributes[former].type)
            continue
        if index in case.constants:
            constants.add(len(inputs))
        inputs.append(value)
    while inputs and inputs[-1] is None:
        inputs.pop()
    settle_attributes(newest, form, attributes)
    if not form.min_input <= len(inputs) <= form.max_input or not form.min_output <= len(case.outputs) <= form.max_output:
        raise Skip("the older form has other inputs or outputs")
    for index, value in enumerate(inputs):
        if not is_allowed(form, form.inputs[min(index, len(form.inputs) - 1)], value):
            raise Skip("the older form has no such type")
    case.inputs, case.attributes, case.constants, case.is_aged = inputs, attributes, constants, True
    return case


def settle_attributes(newest, form, attributes):
    """Leaves out what says what is so anyway, and adds what had to be said."""
    for name in [name for name in attributes if name not in form.attributes]:
        default = newest.attributes[name].default_value
        usual = onnx.helper.get_attribute_value(default) if default.name else None
        if usual is None or usual not in (attributes[name], str(attributes[name]).encode()):
            raise Skip(f"the older form has no {name}")
        del attributes[name]
    for name, attribute in form.attributes.items():
        if name in FORMER_ATTRIBUTES:
            attributes[name] = FORMER_ATTRIBUTES[name]
        elif attribute.required and name not in attributes:
            raise Skip(f"the older form must have {name}")
