"""Where an oracle does not do what the specification says: it is not asked there. Each entry is one kind."""

from typing import Callable, NamedTuple, Optional

import numpy as np

from draw import is_float, is_integer


class Disagreement(NamedTuple):
    oracle: str  # reference, runtime, or newest: the newest form's values in a case of an older form
    ops: tuple
    reason: str  # what the specification says and the oracle does
    when: Optional[Callable] = None  # only in these cases


def has(**attributes):
    return lambda case: all(case.attributes.get(name) == value for name, value in attributes.items())


def sets(*names):
    return lambda case: any(name in case.attributes for name in names)


def typed(*names):
    return lambda case: isinstance(case.inputs[0], np.ndarray) and case.inputs[0].dtype.name in names


def other_than_float(case):
    return case.inputs[0].dtype != np.float32


def of_integers(case):
    return is_integer(case.inputs[0].dtype)


def is_empty(case):
    return any(np.size(value) == 0 for value in case.inputs if isinstance(value, np.ndarray))


def lacks(place):
    return lambda case: len(case.inputs) <= place or case.inputs[place] is None


def gives(place):
    return lambda case: not lacks(place)(case)


def has_nan(case):
    return is_float(case.inputs[0].dtype) and bool(np.isnan(case.inputs[0].astype(np.float64)).any())


def gives_bytes(case):
    return case.outputs[0].dtype.name.startswith(("float8", "float4"))


def of_no_axes(case):
    return gives(1)(case) and case.inputs[1].size == 0


def steps_back(case):
    return len(case.inputs) > 4 and case.inputs[4] is not None and bool((case.inputs[4] < 0).any())


def forgets_presents(case):
    """Whether the past is given and what it becomes is not asked for."""
    return gives(3)(case) and any(isinstance(value, str) for value in case.outputs)


def pads_chunks(case):
    return gives(16)(case) and bool((case.inputs[16] < case.inputs[0].shape[1]).any())


def pads_to_same(case):
    return str(case.attributes.get("auto_pad")).startswith("SAME")


def before(opset):
    return lambda case: case.opset < opset


HALVES = typed("float16", "bfloat16")
DOUBLES = typed("float64")
STRINGS = typed("object")
INTEGER_SUMS = ("ReduceSum", "ReduceL1", "ReduceSumSquare", "ReduceProd")
RECURRENT = ("RNN", "GRU", "LSTM")
TRAINING = tuple(f"ai.onnx.preview.training.{op}" for op in ("Adam", "Adagrad", "Momentum"))
POOLS = ("MaxPool", "AveragePool", "LpPool")
SUMS = ("ReduceSum", "ReduceMean", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp",
        "ReduceProd", "GlobalAveragePool", "GlobalLpPool", "Conv", "ConvTranspose", "CausalConvWithState", "STFT",
        "LayerNormalization")
ML_FLOATS = tuple(f"ai.onnx.ml.{op}" for op in (
    "TreeEnsembleRegressor", "Normalizer", "FeatureVectorizer", "Scaler", "LinearRegressor"))

BY_REFERENCE = (
    # Numbers
    (SUMS, "A sum is rounded once; the evaluator rounds each step to the type, and such errors add up.", HALVES),
    (("Gemm",), "Integers are multiplied as such; the evaluator goes by way of doubles, which hold 53 bits.",
     of_integers),
    (("ReduceSumSquare",), "The result has the type of the input; the evaluator widens it.", of_integers),
    (("Erf", "Gelu", "HardSwish", "DeformConv"), "The evaluator works in single precision, also on doubles.", DOUBLES),
    (("LogSoftmax",), "The logarithm of a sum; the evaluator takes that of a quotient, which may round to zero.", None),
    (("OneHot",), "Values are placed; the evaluator adds products, so that infinities give NaN.", None),
    (("MatMulInteger",), "A zero point for each row of A; the evaluator takes it along the columns.",
     lambda case: gives(2)(case) and case.inputs[2].ndim > 0),
    (("QLinearMatMul",), "The quotient is rounded, then the zero point added; the evaluator rounds afterwards.", None),
    (("Det",), "The result has the type of the input; the evaluator gives doubles.", other_than_float),
    # Places
    (("Slice",), "With negative steps a start before the first element counts as the first; to Python as none.",
     steps_back),
    (("Unique",), "Slices are left whole; the evaluator cuts them where it keeps their order.", has(sorted=0)),
    (("Trilu", "CenterCropPad", "Pad"), "Among strings the empty one fills up; the evaluator fills in zeros.", STRINGS),
    (("Optional",), "A tensor stays one; the evaluator makes a sequence of it.", None),
    (("SequenceInsert",), "The position behind the last one appends; the evaluator wraps it to the front.", gives(2)),
    # Windows
    (POOLS, "Pads are all begins, then all ends, indices count over all planes, the last window of ceil_mode is cut; "
     "the evaluator mixes up pads of two axes, counts in a plane, and adds what lies behind the end.", None),
    (("GlobalMaxPool",), "All spatial axes become one; the evaluator keeps the first of three.", None),
    (("ConvTranspose",), "Each channel has its bias; the evaluator gives all channels of groups the first.",
     lambda case: gives(2)(case) and case.attributes.get("group", 1) > 1),
    (("QLinearConv",), "The axes of the weights are those of the kernel; the evaluator takes images alone.", None),
    (("LRN",), "Every channel is normalized; the evaluator stops at as many as there are images.", None),
    (("LpNormalization",), "A norm sums magnitudes; the evaluator sums signed numbers.", has(p=1)),
    (("BatchNormalization",), "Statistics have their own types; the evaluator rounds them to that of X, and steps to "
     "them.", None),
    (("LayerNormalization",), "Mean and inverse deviation have the type of stash_type; the evaluator's that of X.",
     DOUBLES),
    (("Resize",), "The four neighbours of a place are two on each side; by a place next to a whole one, where "
     "rounding decides, the evaluator takes the nearest four with weights of the others.",
     has(mode="cubic", coordinate_transformation_mode="half_pixel_symmetric")),
    (("Resize",), "Around a whole place antialiasing weighs both sides alike; next to it, where rounding decides, the "
     "evaluator takes the outermost element twice and leaves out one.",
     has(antialias=1, coordinate_transformation_mode="half_pixel_symmetric")),
    (("Resize",), "pytorch_half_pixel looks at the length that comes out, a whole number; the evaluator at the product "
     "before it is rounded.", has(coordinate_transformation_mode="pytorch_half_pixel")),
    (("AffineGrid",), "The result has the type of theta; the evaluator gives another.", other_than_float),
    # Steps
    (RECURRENT, "The evaluator leaves out lengths, clip, other activations, directions and layout.",
     lambda case: gives(4)(case) or sets("clip", "activations", "input_forget", "direction", "layout")(case)),
    (TRAINING, "A tensor keeps its type; the evaluator gives that of the rate, or a wider one.", None),
    # Older forms
    (("PRelu",), "The slope is one number or one for each channel; the evaluator broadcasts it.", before(7)),
    (("Selu",), "alpha and gamma have five digits by default; the evaluator has those of the newest form.", before(6)),
    (("Softmax", "LogSoftmax", "Hardmax"), "All axes from the given one on count as one; the evaluator has the newest "
     "form.", before(13)),
    # Texts
    (("RegexFullMatch",), "Patterns are those of re2, whose classes are ASCII; the evaluator has Python's.", None),
    (("StringNormalizer",), "By default stop words compare without regard to case; the evaluator heeds it.", None),
    (("StringSplit",), "Whitespace at the end is removed, also where splits run out before it; not by Python.",
     sets("maxsplit")),
    # ai.onnx.ml
    (ML_FLOATS, "The result is float whatever X is; the evaluator gives the type of X.", other_than_float),
    (("ai.onnx.ml.LinearRegressor",), "Without intercepts nothing is added; the evaluator adds nan.",
     lambda case: "intercepts" not in case.attributes),
    (("ai.onnx.ml.LinearClassifier",), "The class is that of the highest score before it is transformed, and scores "
     "are float; the evaluator decides afterwards, in the type of X.", None),
    (("ai.onnx.ml.TreeEnsembleClassifier",), "The class is that of the highest sum of votes; the evaluator decides "
     "after the transformation, which leaves zeros below all others.", has(post_transform="SOFTMAX_ZERO")),
    (("ai.onnx.ml.LabelEncoder",), "NaN is a key like others; the evaluator never finds it.", None),
)

BY_RUNTIME = (
    # Numbers
    (INTEGER_SUMS, "Integers wrap around, as numpy's do; the runtime holds sums at the largest number.", of_integers),
    (("ReduceMax", "ReduceMin"), "NaN stays, as in numpy; in the runtime it may be passed over.", has_nan),
    (("Sigmoid", "Cos", "Sin", "Gelu"), "The runtime's own polynomials err by more than is allowed here.", None),
    (("Shrink", "DFT", "com.microsoft.FastGelu"), "The runtime does part of the work on doubles in single precision.",
     DOUBLES),
    (("Clip",), "Without a bound nothing is bounded; the runtime holds infinities at the largest number.",
     lambda case: lacks(1)(case) or lacks(2)(case)),
    (("MatMulInteger",), "A sum of nothing is zero; the runtime leaves the memory as it finds it.", is_empty),
    (RECURRENT, "Where activations overflow, the runtime's approximations give NaN.", sets("activations")),
    (("MeanVarianceNormalization",), "A variance is never negative; the runtime subtracts squares.", None),
    (("Cast", "CastLike", "Constant"), "The runtime hands out float8 and float4 as bytes.", gives_bytes),
    # Places
    (("Squeeze",), "No axes are none; to the runtime they are all.", of_no_axes),
    (("Gather",), "Strings are picked as well along inner axes; the runtime leaves some empty.", STRINGS),
    (("MaxUnpool",), "Indices count over what kernel and strides give; in the runtime over output_shape.", gives(2)),
    # Windows
    (("Conv", "ConvInteger", "QLinearConv", *POOLS), "Pads are never negative, and SAME gives ceil(size / stride); the "
     "runtime crops where strides are larger than windows, and forgets dilations.", pads_to_same),
    # Steps
    (("com.microsoft.GroupQueryAttention",), "The past is seen whether or not the presents are asked for; the runtime "
     "then reads on behind the new keys and values.", forgets_presents),
    (("com.microsoft.GroupQueryAttention",), "Steps behind query_seqlens may give anything, here zeroes; the runtime "
     "leaves what was there.", pads_chunks),
    (("com.microsoft.QMoE",), "The weights of the chosen experts are normalized where normalize_routing_weights asks for "
     "it, as in MoE; the runtime does it always.", lambda case: not has(normalize_routing_weights=1)(case)),
    # ai.onnx.ml
    (("ai.onnx.ml.TreeEnsembleClassifier",), "A class that no leaf votes for has the sum zero; the runtime passes it "
     "over.", has(post_transform="SOFTMAX_ZERO")),
    # Texts
    (("StringSplit",), "A delimiter delimits empty strings too, of which no text is one; to the runtime it is none.",
     None),
)

BY_NEWEST = (
    (("PRelu",), "The slope is one number or one for each channel, and not broadcast.", before(7)),
    (("Selu",), "alpha and gamma have five digits by default.", before(6)),
    (("Softmax", "LogSoftmax", "Hardmax"), "All axes from the given one on count as one.", before(13)),
)

DISAGREEMENTS = [Disagreement("reference", *entry) for entry in BY_REFERENCE] + [
    Disagreement("runtime", *entry) for entry in BY_RUNTIME] + [
    Disagreement("newest", *entry) for entry in BY_NEWEST]
