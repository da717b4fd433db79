"""Operators on shapes that exported models use them on: one model of one node each, and its inputs.

`CASES` has the operators in the order of how often models use them. An operand is an array that the model is given
(`data`) or holds (`held`); symbolic dims keep runtimes from knowing the answer ahead.
"""

from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET, IR_VERSION = 21, 10
F32, F16, I64, I32, U8, I8, BOOL = np.float32, np.float16, np.int64, np.int32, np.uint8, np.int8, np.bool_
TYPES = {value: helper.np_dtype_to_tensor_dtype(np.dtype(value)) for value in (F32, F16, I64, I32, U8, I8, BOOL)}


@dataclass
class Operand:
    make: object  # of a random generator: the array
    is_held: bool = False


@dataclass
class Case:
    operator: str
    shape: str  # what the table says of it
    operands: list
    attributes: dict = field(default_factory=dict)
    output: object = F32
    outputs: int = 1
    is_symbolic: bool = False

    @property
    def name(self):
        return f"{self.operator} {self.shape}"


def data(*shape, dtype=F32, low=-2.0, high=2.0):
    def make(random):
        if dtype is BOOL:
            return random.random(shape) < 0.5
        if np.dtype(dtype).kind == "f":
            return (low + (high - low) * random.random(shape)).astype(dtype)
        return random.integers(int(low), int(high), shape).astype(dtype)

    return Operand(make)


def integers(*shape, below, dtype=I64):
    return data(*shape, dtype=dtype, low=0, high=below)


def held(operand):
    return Operand(operand.make, is_held=True)


def weights(*shape, **options):
    return held(data(*shape, **{"low": -0.1, "high": 0.1, **options}))


def numbers(*values, dtype=I64):
    """A constant list."""
    return Operand(lambda random: np.array(values, dtype), is_held=True)


def number(value, dtype=F32):
    """A constant without dims."""
    return Operand(lambda random: np.array(value, dtype), is_held=True)


def given(*values, dtype=I64):
    """A list that comes with each inference."""
    return Operand(lambda random: np.array(values, dtype))


def scalar(value, dtype):
    return Operand(lambda random: np.array(value, dtype))


NONE = None
IMAGE, DEEP, TOKENS, SCORES = (1, 64, 56, 56), (1, 256, 28, 28), (1, 128, 768), (1, 12, 128, 128)


def unary(operator, *, output=F32, **attributes):
    return [
        Case(operator, f"{list(IMAGE)}", [data(*IMAGE)], attributes, output),
        Case(operator, f"{[1, 128, 3072]}", [data(1, 128, 3072)], attributes, output),
    ]


def positive(operator):
    return [
        Case(operator, f"{list(TOKENS)}", [data(*TOKENS, low=0.1)]),
        Case(operator, f"{list(IMAGE)}", [data(*IMAGE, low=0.1)]),
    ]


def arithmetic(operator):
    return [
        Case(operator, f"{list(DEEP)} + same", [data(*DEEP), data(*DEEP, low=0.5)]),
        Case(operator, "[1, 128, 768] + [768]", [data(*TOKENS), held(data(768, low=0.5))]),
        Case(operator, "[1, 64, 56, 56] + [64, 1, 1]", [data(*IMAGE), held(data(64, 1, 1, low=0.5))]),
        Case(operator, "[1, 128, 768] + [1, 128, 1]", [data(*TOKENS), data(1, 128, 1, low=0.5)]),
        Case(operator, "[1, 12, 128, 128] + number", [data(*SCORES), number(1.7)]),
        Case(
            operator,
            "int64 [256, 256] + same",
            [integers(256, 256, below=99, dtype=I64), data(256, 256, dtype=I64, low=1, high=99)],
            output=I64,
        ),
    ]


def comparison(operator):
    return [
        Case(operator, "int64 [256, 256] + number", [integers(256, 256, below=9), number(3, I64)], output=BOOL),
        Case(operator, "int64 [512, 1] + [1, 512]", [integers(512, 1, below=99), integers(1, 512, below=99)], output=BOOL),
        Case(operator, "[1, 80, 8400] + number", [data(1, 80, 8400), number(0.25)], output=BOOL),
    ]


def reduction(operator):
    return [
        Case(operator, "[1, 128, 768] axis -1", [data(*TOKENS), numbers(-1)], {"keepdims": 1}),
        Case(operator, "[1, 64, 56, 56] axes 2, 3", [data(*IMAGE), numbers(2, 3)], {"keepdims": 1}),
        Case(operator, "[1, 80, 8400] axis 1", [data(1, 80, 8400), numbers(1)], {"keepdims": 0}),
        Case(operator, "[1, 128, 768] axis 1", [data(*TOKENS), numbers(1)], {"keepdims": 0}),
    ]


def convolution(source, kernel, **attributes):
    shape = f"{list(source)} * {list(kernel)}" + (" groups" if "group" in attributes else "")
    return Case("Conv", shape, [data(*source), weights(*kernel), weights(kernel[0])], attributes)


def pooling(operator):
    return [
        Case(operator, "[1, 64, 112, 112] 3x3 / 2", [data(1, 64, 112, 112)],
             {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
        Case(operator, "[1, 128, 56, 56] 2x2 / 2", [data(1, 128, 56, 56)], {"kernel_shape": [2, 2], "strides": [2, 2]}),
        Case(operator, "[1, 256, 20, 20] 5x5", [data(1, 256, 20, 20)], {"kernel_shape": [5, 5], "pads": [2, 2, 2, 2]}),
    ]


def quantizing(operator, sources, output):
    """Per tensor and per channel; `sources` are the first operands."""
    zero = U8 if output == F32 else output
    image, rows = sources
    return [
        Case(operator, "[1, 64, 56, 56]", [image, number(0.02), number(128, zero)], {}, output),
        Case(operator, "[768, 768] by row", [rows, weights(768, low=0.01), Operand(
            lambda random: random.integers(100, 150, 768).astype(zero), True)], {"axis": 0}, output),
    ]


# fmt: off
CASES = [
    convolution((1, 64, 56, 56), (64, 64, 3, 3), pads=[1, 1, 1, 1]),
    convolution((1, 256, 56, 56), (64, 256, 1, 1)),
    convolution((1, 144, 56, 56), (144, 1, 3, 3), pads=[1, 1, 1, 1], group=144),
    convolution((1, 3, 224, 224), (64, 3, 7, 7), pads=[3, 3, 3, 3], strides=[2, 2]),
    convolution((1, 512, 200), (512, 512, 3), pads=[1, 1]),
    *unary("Relu"),
    *arithmetic("Add"),
    Case("MatMul", "[1, 128, 768] x weights [768, 768]", [data(*TOKENS), weights(768, 768)]),
    Case("MatMul", "[1, 12, 128, 64] x [1, 12, 64, 128]", [data(1, 12, 128, 64), data(1, 12, 64, 128)]),
    Case("MatMul", "[1, 1, 768] x weights [768, 3072]", [data(1, 1, 768), weights(768, 3072)]),
    Case("Gemm", "[1, 2048] x weights [1000, 2048]'", [data(1, 2048), weights(1000, 2048), weights(1000)], {"transB": 1}),
    Case("Gemm", "[64, 512] x weights [512, 512]", [data(64, 512), weights(512, 512), weights(512)]),
    *arithmetic("Mul"),
    Case("Mul", "[1, 96, 56, 56] + [1, 96, 1, 1]", [data(1, 96, 56, 56), data(1, 96, 1, 1)]),
    Case("Reshape", "[1, 128, 768] to heads", [data(*TOKENS), numbers(0, 0, 12, 64)]),
    Case("Reshape", "[1, 256, 28, 28] to rows", [data(*DEEP), numbers(0, 256, -1)]),
    Case("Transpose", "[1, 128, 12, 64] by 0213", [data(1, 128, 12, 64)], {"perm": [0, 2, 1, 3]}),
    Case("Transpose", "[1, 12, 128, 64] by 0132", [data(1, 12, 128, 64)], {"perm": [0, 1, 3, 2]}),
    Case("Transpose", "[1, 64, 56, 56] by 0231", [data(*IMAGE)], {"perm": [0, 2, 3, 1]}),
    Case("Transpose", "[1, 56, 56, 64] by 0312", [data(1, 56, 56, 64)], {"perm": [0, 3, 1, 2]}),
    Case("Transpose", "uint8 [1, 224, 224, 3] by 0312", [integers(1, 224, 224, 3, below=255, dtype=U8)],
         {"perm": [0, 3, 1, 2]}, U8),
    Case("Softmax", "[1, 12, 128, 128] axis -1", [data(*SCORES)], {"axis": -1}),
    Case("Softmax", "[64, 1000] axis -1", [data(64, 1000)], {"axis": -1}),
    Case("Softmax", "[1, 21, 64, 64] axis 1", [data(1, 21, 64, 64)], {"axis": 1}),
    Case("Concat", "2 of [1, 128, 28, 28] axis 1", [data(1, 128, 28, 28), data(1, 128, 28, 28)], {"axis": 1}),
    Case("Concat", "3 of [1, 8400, 28] axis -1", [data(1, 8400, 28) for _ in range(3)], {"axis": -1}),
    Case("Concat", "int64 2 of [256, 128] axis 1", [integers(256, 128, below=9), integers(256, 128, below=9)],
         {"axis": 1}, I64),
    *pooling("MaxPool"),
    Case("GlobalAveragePool", "[1, 2048, 7, 7]", [data(1, 2048, 7, 7)]),
    Case("GlobalAveragePool", "[1, 144, 56, 56]", [data(1, 144, 56, 56)]),
    Case("BatchNormalization", "[1, 64, 56, 56]",
         [data(*IMAGE), weights(64), weights(64), weights(64), weights(64, low=0.5, high=1)]),
    *unary("Sigmoid"),
    Case("Constant", "[1, 256, 28, 28], added", [data(*DEEP), weights(*DEEP)]),
    Case("Gather", "[8000, 384] at [1, 256]", [held(data(8000, 384)), integers(1, 256, below=8000)], {"axis": 0}),
    Case("Gather", "[1, 128, 768] at 0, axis 1, 64 times", [data(64, 128, 768), number(0, I64)], {"axis": 1}),
    Case("Gather", "[256, 256] at [200], axis 1", [data(256, 256), integers(200, below=256)], {"axis": 1}),
    Case("Gather", "int64 [1, 512] at [128, 128], axis 1", [integers(1, 512, below=9), integers(128, 128, below=512)],
         {"axis": 1}, I64),
    Case("Shape", "of [N, 128, 768], which is expanded to", [scalar(1.5, F32), data(*TOKENS)], is_symbolic=True),
    Case("Unsqueeze", "[1, 128, 768] axis 1", [data(*TOKENS), numbers(1)]),
    Case("Slice", "[1, 64, 56, 56] 4 pixels apart", [data(*IMAGE), numbers(0, 0), numbers(56, 56), numbers(2, 3), numbers(2, 2)]),
    Case("Slice", "[1, 128, 2304] middle third", [data(1, 128, 2304), numbers(768), numbers(1536), numbers(2)]),
    Case("Slice", "[1, 128, 56, 56] channels", [data(1, 128, 56, 56), numbers(64), numbers(128), numbers(1)]),
    Case("Slice", "[1, 256, 28, 28] rows backwards",
         [data(*DEEP), numbers(-1), numbers(-100), numbers(2), numbers(-1)]),
    Case("Cast", "float to int64 [1, 128, 768]", [data(*TOKENS, high=99.0)], {"to": TensorProto.INT64}, I64),
    Case("Cast", "int64 to float [256, 256]", [integers(256, 256, below=99)], {"to": TensorProto.FLOAT}),
    Case("Cast", "int32 to int64 [256, 256]", [integers(256, 256, below=99, dtype=I32)], {"to": TensorProto.INT64}, I64),
    Case("Cast", "int64 to int32 [256, 256]", [integers(256, 256, below=99)], {"to": TensorProto.INT32}, I32),
    Case("Cast", "uint8 to float [1, 3, 224, 224]", [integers(1, 3, 224, 224, below=255, dtype=U8)], {"to": TensorProto.FLOAT}),
    Case("Cast", "bool to float [1, 12, 128, 128]", [data(*SCORES, dtype=BOOL)], {"to": TensorProto.FLOAT}),
    Case("Cast", "int64 to bool [256, 256]", [integers(256, 256, below=2)], {"to": TensorProto.BOOL}, BOOL),
    Case("Cast", "float to float16 [1, 128, 768]", [data(*TOKENS)], {"to": TensorProto.FLOAT16}, F16),
    Case("Cast", "float16 to float [1, 128, 768]", [data(*TOKENS, dtype=F16)], {"to": TensorProto.FLOAT}),
    *arithmetic("Sub"),
    *arithmetic("Div"),
    Case("Squeeze", "[1, 128, 1, 768] axis 2", [data(1, 128, 1, 768), numbers(2)]),
    *positive("Sqrt"),
    Case("Pow", "[1, 128, 768] to 2", [data(*TOKENS), number(2)]),
    Case("Pow", "[1, 128, 768] to 3", [data(*TOKENS), number(3)]),
    Case("Pow", "[1, 128, 768] to 0.5", [data(*TOKENS, low=0.1), number(0.5)]),
    Case("Pow", "[1, 128, 768] to 1.7", [data(*TOKENS, low=0.1), number(1.7)]),
    Case("Pow", "[64] to [1, 128, 64]", [data(64, low=0.1), data(1, 128, 64)]),
    *reduction("ReduceMean"),
    Case("Flatten", "[1, 256, 28, 28]", [data(*DEEP)]),
    Case("Clip", "[1, 144, 56, 56] to 0 .. 6", [data(1, 144, 56, 56), number(0), number(6)]),
    Case("Clip", "int64 [256, 256] from 0", [data(256, 256, dtype=I64, low=-9, high=9), number(0, I64)], output=I64),
    *unary("Tanh"),
    *pooling("AveragePool"),
    Case("LayerNormalization", "[1, 128, 768]", [data(*TOKENS), weights(768), weights(768)], {"axis": -1}),
    Case("LayerNormalization", "[1, 3136, 96]", [data(1, 3136, 96), weights(96), weights(96)], {"axis": -1}),
    *unary("Erf"),
    Case("Split", "[1, 128, 2304] axis -1", [data(1, 128, 2304)], {"axis": -1, "num_outputs": 3}, outputs=3),
    Case("Split", "[1, 128, 56, 56] axis 1", [data(1, 128, 56, 56), numbers(64, 64)], {"axis": 1}, outputs=2),
    Case("Split", "[1, 8400, 84] axis -1", [data(1, 8400, 84), numbers(4, 80)], {"axis": -1}, outputs=2),
    Case("Resize", "[1, 128, 26, 26] nearest x 2", [data(1, 128, 26, 26), NONE, numbers(1, 1, 2, 2, dtype=F32)],
         {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}),
    Case("Resize", "[1, 64, 40, 40] linear x 2", [data(1, 64, 40, 40), NONE, numbers(1, 1, 2, 2, dtype=F32)],
         {"mode": "linear", "coordinate_transformation_mode": "half_pixel"}),
    Case("Resize", "[1, 21, 65, 65] linear to 513", [data(1, 21, 65, 65), NONE, NONE, numbers(1, 21, 513, 513)],
         {"mode": "linear", "coordinate_transformation_mode": "align_corners"}),
    Case("Resize", "[1, 3, 128, 128] cubic x 2", [data(1, 3, 128, 128), NONE, numbers(1, 1, 2, 2, dtype=F32)],
         {"mode": "cubic", "coordinate_transformation_mode": "half_pixel"}),
    Case("ConstantOfShape", "[1, 256, 28, 28]", [given(*DEEP)]),
    Case("ConstantOfShape", "int64 [256, 256]", [given(256, 256)],
         {"value": helper.make_tensor("value", TensorProto.INT64, [1], [1])}, I64),
    Case("Expand", "[1, 1, 128, 1] to heads", [data(1, 1, 128, 1), numbers(1, 12, 128, 128)]),
    Case("Expand", "int64 [1, 1, 256] to rows", [integers(1, 1, 256, below=9), numbers(1, 256, 256)], output=I64),
    Case("Expand", "bool [1, 1, 1, 128] to heads", [data(1, 1, 1, 128, dtype=BOOL), numbers(1, 12, 128, 128)], output=BOOL),
    Case("Where", "mask [1, 1, 128, 128], scores, number", [data(1, 1, 128, 128, dtype=BOOL), data(*SCORES), number(-1e9)]),
    Case("Where", "[1, 128, 768] all three", [data(*TOKENS, dtype=BOOL), data(*TOKENS), data(*TOKENS)]),
    Case("Where", "int64 [256, 256], number", [data(256, 256, dtype=BOOL), integers(256, 256, below=9), number(0, I64)],
         output=I64),
    *comparison("Equal"),
    Case("Identity", "[1, 256, 28, 28]", [data(*DEEP)]),
    Case("Pad", "[1, 64, 56, 56] by 1, constant", [data(*IMAGE), numbers(0, 0, 1, 1, 0, 0, 1, 1)]),
    Case("Pad", "[1, 64, 56, 56] by 1, reflect", [data(*IMAGE), numbers(0, 0, 1, 1, 0, 0, 1, 1)], {"mode": "reflect"}),
    Case("Pad", "[1, 16000] by 256, reflect, 8 times", [data(8, 16000), numbers(0, 256, 0, 256)], {"mode": "reflect"}),
    *unary("Exp"),
    Case("Range", "int64 0 .. 100000", [scalar(0, I64), scalar(100000, I64), scalar(1, I64)], output=I64),
    Case("Range", "float 0 .. 100000", [scalar(0, F32), scalar(100000, F32), scalar(1, F32)]),
    *quantizing("DequantizeLinear", (integers(*IMAGE, below=255, dtype=U8), integers(768, 768, below=255, dtype=U8)), F32),
    Case("DequantizeLinear", "int8 [1, 128, 768]", [data(*TOKENS, dtype=I8, low=-99, high=99), number(0.02), number(0, I8)]),
    *quantizing("QuantizeLinear", (data(*IMAGE), data(768, 768)), U8),
    Case("QuantizeLinear", "int8 [1, 128, 768]", [data(*TOKENS), number(0.02), number(0, I8)], output=I8),
    Case("Dropout", "[1, 256, 28, 28]", [data(*DEEP)]),
    *unary("LeakyRelu", alpha=0.1),
    Case("ConvTranspose", "[1, 128, 28, 28] * [128, 64, 2, 2] x 2", [data(1, 128, 28, 28), weights(128, 64, 2, 2), weights(64)],
         {"strides": [2, 2]}),
    Case("ConvTranspose", "[1, 128, 28, 28] * [128, 64, 4, 4] x 2", [data(1, 128, 28, 28), weights(128, 64, 4, 4), weights(64)],
         {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
    Case("ConvTranspose", "[1, 256, 100] * [256, 128, 16] x 8", [data(1, 256, 100), weights(256, 128, 16), weights(128)],
         {"strides": [8], "pads": [4, 4]}),
    *unary("HardSwish"),
    *unary("HardSigmoid"),
    *unary("Gelu"),
    Case("Gelu", "[1, 128, 3072] tanh", [data(1, 128, 3072)], {"approximate": "tanh"}),
    *unary("Neg"),
    Case("Neg", "int64 [256, 256]", [integers(256, 256, below=9)], output=I64),
    *reduction("ReduceSum"),
    Case("ReduceSum", "int64 [256, 256] axis 1", [integers(256, 256, below=9), numbers(1)], output=I64),
    *reduction("ReduceMax"),
    Case("Not", "[1, 12, 128, 128]", [data(*SCORES, dtype=BOOL)], output=BOOL),
    Case("And", "[1, 12, 128, 128] + same", [data(*SCORES, dtype=BOOL), data(*SCORES, dtype=BOOL)], output=BOOL),
    Case("And", "[1, 12, 128, 128] + [1, 1, 1, 128]", [data(*SCORES, dtype=BOOL), data(1, 1, 1, 128, dtype=BOOL)], output=BOOL),
    *comparison("Less"),
    *comparison("Greater"),
    Case("GatherElements", "[1, 8400, 4] at [1, 8400, 4], axis 1", [data(1, 8400, 4), integers(1, 8400, 4, below=8400)],
         {"axis": 1}),
    Case("GatherElements", "[1, 8400, 80] at [1, 300, 80], axis 1", [data(1, 8400, 80), integers(1, 300, 80, below=8400)],
         {"axis": 1}),
    Case("GatherElements", "[128, 1000] at [128, 200], axis 1", [data(128, 1000), integers(128, 200, below=1000)], {"axis": 1}),
    Case("ScatterND", "[1, 128, 768] rows", [data(1024, 768), Operand(
        lambda random: random.permutation(1024)[:128, None].astype(I64)), data(128, 768)]),
    Case("ScatterND", "[80, 8400] points", [data(80, 8400), Operand(
        lambda random: np.stack([random.integers(0, 80, 4000), random.permutation(8400)[:4000]], 1)), data(4000)]),
    Case("TopK", "[1, 8400] 300", [data(1, 8400), numbers(300)], outputs=2),
    Case("TopK", "[64, 1000] 5", [data(64, 1000), numbers(5)], outputs=2),
    Case("TopK", "[1, 80, 8400] 100", [data(1, 80, 8400), numbers(100)], outputs=2),
    Case("TopK", "[1, 1, 50257] 50", [data(1, 1, 50257), numbers(50)], outputs=2),
]
# fmt: on

OUTPUT_TYPES = {"TopK": [F32, I64]}


def build(case, random):
    """The model of a case, and its inputs by name."""
    if case.operator == "Shape":
        return build_shape(case, random)
    names, held_values, inputs = [], [], {}
    for index, operand in enumerate(case.operands):
        names.append("" if operand is None else f"x{index}")
        if operand is None:
            continue
        value = operand.make(random)
        if operand.is_held:
            held_values.append(numpy_helper.from_array(value, names[-1]))
        else:
            inputs[names[-1]] = value
    types = OUTPUT_TYPES.get(case.operator, [case.output] * case.outputs)
    outputs = [helper.make_tensor_value_info(f"y{k}", TYPES[dtype], None) for k, dtype in enumerate(types)]
    operator = "Add" if case.operator == "Constant" else case.operator
    node = helper.make_node(operator, names, [value.name for value in outputs], **case.attributes)
    return finished([node], inputs, outputs, held_values, case), inputs


def build_shape(case, random):
    """A number that is brought to the shape of the input."""
    inputs = {f"x{k}": operand.make(random) for k, operand in enumerate(case.operands)}
    nodes = [helper.make_node("Shape", ["x1"], ["shape"]), helper.make_node("Expand", ["x0", "shape"], ["y0"])]
    outputs = [helper.make_tensor_value_info("y0", TensorProto.FLOAT, None)]
    return finished(nodes, inputs, outputs, [], case), inputs


def finished(nodes, inputs, outputs, held_values, case):
    declared = [
        helper.make_tensor_value_info(
            name,
            TYPES[value.dtype.type],
            [f"{name}_{axis}" for axis in range(value.ndim)] if case.is_symbolic else value.shape,
        )
        for name, value in inputs.items()
    ]
    graph = helper.make_graph(nodes, "one_operator", declared, outputs, held_values)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    return onnx.shape_inference.infer_shapes(model, data_prop=True)
