"""Uses of operators from which others, of other types, are made: onnx's own test data and the forms below."""

from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from values import ELEMENTS, tensor_as, tensor_proto, type_proto


@dataclass
class Seed:
    domain: str
    name: str
    version: int  # of the schema it was written for
    inputs: list  # None: omitted
    outputs: int
    attributes: dict = field(default_factory=dict)  # name -> AttributeProto


def normal(domain):
    return "" if domain == "ai.onnx" else domain


def value_in(path, declared):
    kind = declared.type.WhichOneof("value")
    data = path.read_bytes()
    if kind == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    if kind == "optional_type":
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(data))
    return numpy_helper.to_array(onnx.TensorProto.FromString(data))


def seed_of(folder):
    """The seed in a folder of test data, if its model is a single node."""
    model = onnx.load(folder / "model.onnx")
    graph = model.graph
    if len(graph.node) != 1 or graph.initializer:
        return None
    node = graph.node[0]
    domain = normal(node.domain)
    version = {normal(each.domain): each.version for each in model.opset_import}[domain]
    if not onnx.defs.has(node.op_type, domain):
        return None
    schema = onnx.defs.get_schema(node.op_type, version, domain)
    values = {
        info.name: value_in(folder / "test_data_set_0" / f"input_{i}.pb", info) for i, info in enumerate(graph.input)
    }
    inputs = [values.get(name) for name in node.input]
    attributes = {each.name: each for each in node.attribute}
    return Seed(domain, node.op_type, schema.since_version, inputs, len(node.output), attributes)


def conformance_seeds(root):
    found = []
    for model in sorted(root.glob("node/*/model.onnx")):
        if (seed := seed_of(model.parent)) is not None:
            found.append(seed)
    return found


def form(name, version, *inputs, domain="", outputs=1, **attributes):
    """Attributes whose value is None are those that depend on the type: see adapt.py."""
    protos = {key: helper.make_attribute(key, value) for key, value in attributes.items() if value is not None}
    return Seed(domain, name, version, list(inputs), outputs, protos)


def ml(name, version, *inputs, outputs=1, **attributes):
    return form(name, version, *inputs, domain="ai.onnx.ml", outputs=outputs, **attributes)


def up(*dims):
    """Small numbers, counted up."""
    count = int(np.prod(dims))
    return (np.arange(count, dtype=np.float32) % 7 + 1).reshape(dims)


def longs(*values):
    return np.array(values, dtype=np.int64)


def one():
    return np.array(1, np.float32)


def zero():
    return np.array(0, np.uint8)


def tree(outputs):
    """A tree of one test on feature 0, in the attributes that the older forms share."""
    side = {"class": "class", "target": "target"}[outputs]
    return {
        "nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_featureids": [0, 0, 0],
        "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_truenodeids": [1, 0, 0],
        "nodes_falsenodeids": [2, 0, 0], "nodes_values": [2.0, 0.0, 0.0],
        f"{side}_treeids": [0, 0], f"{side}_nodeids": [1, 2], f"{side}_ids": [0, 1], f"{side}_weights": [1.0, 1.0],
    }


SVM = {"kernel_type": "LINEAR", "kernel_params": [0.0, 0.0, 3.0]}

FORMS = [
    form("BatchNormalization", 1, up(1, 2, 3, 3), up(2), up(2), up(2), up(2), consumed_inputs=[0, 0, 0, 1, 1], is_test=1),
    form("BatchNormalization", 6, up(1, 2, 3, 3), up(2), up(2), up(2), up(2), is_test=1),
    form("Pad", 1, up(2, 3), paddings=[1, 0, 0, 1]),
    form("Pad", 2, up(2, 3), pads=[1, 0, 0, 1]),
    form("Reshape", 1, up(2, 3), shape=[3, 2]),
    form("Slice", 1, up(4, 3), starts=[1], ends=[3], axes=[0]),
    form("Split", 1, up(4, 3), longs(1, 3), outputs=2, axis=0),
    form("Split", 2, up(4, 3), outputs=2, axis=0, split=[1, 3]),
    form("Split", 11, up(4, 3), outputs=2, axis=0, split=[1, 3]),
    *(form(name, version, up(1, 2, 1), axes=[0]) for name in ("Squeeze", "Unsqueeze") for version in (1, 11)),
    form("Tile", 1, up(2, 3), up(1) + 1, up(1) * 0),
    form("TopK", 1, up(2, 3), outputs=2, k=2),
    form("TopK", 10, up(2, 3), longs(2), outputs=2),
    form("Upsample", 1, up(1, 1, 2, 2), height_scale=2.0, width_scale=2.0),
    form("Upsample", 7, up(1, 1, 2, 2), scales=[1.0, 1.0, 2.0, 2.0]),
    form("Upsample", 9, up(1, 1, 2, 2), np.array([1, 1, 2, 2], dtype=np.float32)),
    form("Resize", 10, up(1, 1, 2, 2), np.array([1, 1, 2, 2], dtype=np.float32)),
    form("Gemm", 1, up(2, 3), up(3, 2), up(2, 2)),
    form("Gemm", 6, up(2, 3), up(3, 2), up(2, 2)),
    form("PRelu", 1, up(2, 3), up(1)),
    form("InstanceNormalization", 1, up(1, 2, 3), up(2), up(2), epsilon=1e-3),
    form("RNN", 1, up(2, 1, 3), up(1, 4, 3), up(1, 4, 4), None, np.array([2], np.int32), hidden_size=4, outputs=2),
    form("GRU", 1, up(2, 1, 3), up(1, 12, 3), up(1, 12, 4), None, np.array([2], np.int32), hidden_size=4, outputs=2),
    form("LSTM", 1, up(2, 1, 3), up(1, 16, 3), up(1, 16, 4), None, np.array([2], np.int32), hidden_size=4, outputs=3),
    form("GroupNormalization", 18, up(1, 4, 2), up(2), up(2), num_groups=2),
    form("Scatter", 9, up(2, 3), np.array([[1, 0, 1]], np.int64), up(1, 3)),
    form("Cast", 1, up(3), to=None),
    form("Constant", 1, value=None),
    form("RandomNormal", 1, shape=[2, 3], seed=1.0),
    form("RandomUniform", 1, shape=[2, 3], seed=1.0),
    form("RandomNormalLike", 1, up(2, 3), seed=1.0),
    form("RandomUniformLike", 1, up(2, 3), seed=1.0),
    form("Multinomial", 7, up(2, 3), sample_size=4, seed=1.0),
    form("MaxRoiPool", 1, up(1, 1, 4, 4), np.array([[0, 0, 0, 2, 2]], np.float32), pooled_shape=[2, 2]),
    form("GlobalLpPool", 1, up(1, 2, 3, 3)),
    form("Optional", 15, up(2)),
    form("Optional", 15),
    form("OptionalGetElement", 15, up(2)),
    form("OptionalHasElement", 15, up(2)),
    form("SequenceEmpty", 11),
    form("SequenceConstruct", 11, up(2), up(3)),
    form("SequenceAt", 11, [up(2), up(3)], longs(1).reshape(())),
    form("SequenceErase", 11, [up(2), up(3)], longs(1).reshape(())),
    form("SequenceLength", 11, [up(2), up(3)]),
    form("SequenceMap", 17, [up(2), up(3)]),
    form("SequenceMap", 17, [up(2), up(3)], up(2)),
    form("ConcatFromSequence", 11, [up(2), up(3)], axis=0),
    form("If", 1, np.array(True), up(2)),
    form("Loop", 1, longs(2).reshape(()), np.array(True), up(2)),
    form("Scan", 8, None, up(2, 3), up(2, 4, 3), outputs=2),
    form("Scan", 9, up(3), up(4, 3), outputs=2),
    form("Scan", 8, longs(3, 4), up(2, 3), up(2, 4, 3), outputs=2),
    form("DFT", 17, up(1, 5, 1), longs(4).reshape(())),
    form("DFT", 20, up(1, 5, 1), longs(4).reshape(())),
    form("QLinearConv", 10, up(1, 1, 3, 3).astype(np.uint8), one(), zero(), up(1, 1, 2, 2).astype(np.uint8), one(), zero(),
         one(), zero(), np.array([1], np.int32)),
    form("TfIdfVectorizer", 9, np.array(["a", "b"], dtype=object), mode="TF", min_gram_length=1, max_gram_length=1,
         max_skip_count=0, ngram_counts=[0], ngram_indexes=[0, 1], pool_strings=["0", "b"]),
    form("Resize", 11, up(1, 1, 2, 2), None, np.array([1, 1, 2, 2], np.float32), mode="nearest"),
    form("Resize", 13, up(1, 1, 2, 2), None, np.array([1, 1, 2, 2], np.float32), mode="nearest"),
    form("Resize", 18, up(1, 1, 2, 2), None, np.array([1, 1, 2, 2], np.float32), mode="nearest"),
    form("Resize", 19, up(1, 1, 2, 2), None, np.array([1, 1, 2, 2], np.float32), mode="nearest"),
    form("GridSample", 16, up(1, 1, 3, 3), up(1, 2, 2, 2) / 8, mode="nearest"),
    form("GridSample", 20, up(1, 1, 3, 3), up(1, 2, 2, 2) / 8, mode="nearest"),
    form("GridSample", 22, up(1, 1, 3, 3), up(1, 2, 2, 2) / 8, mode="nearest"),
    form("GridSample", 16, up(1, 1, 3, 3), up(1, 2, 2, 2) / 8),
    form("RotaryEmbedding", 23, up(1, 2, 3, 4), up(5, 2), up(5, 2), np.array([[0, 1, 2]], np.int64)),
    form("Celu", 12, up(2, 3), alpha=2.0),
    ml("ZipMap", 1, up(2, 3)),
    ml("SVMRegressor", 1, up(2, 2), **SVM, coefficients=[1.0], support_vectors=[1.0, 2.0], n_supports=1, rho=[0.5]),
    ml("SVMClassifier", 1, up(2, 2), outputs=2, **SVM, coefficients=[1.0, -1.0], support_vectors=[1.0, 2.0, 3.0, 1.0],
       vectors_per_class=[1, 1], rho=[0.5]),
    ml("LinearClassifier", 1, up(2, 2), outputs=2, coefficients=[1.0, 2.0, -1.0, 1.0], intercepts=[0.0, 1.0]),
    ml("LinearRegressor", 1, up(2, 2), coefficients=[1.0, 2.0], intercepts=[0.5]),
    ml("DictVectorizer", 1, {1: 1.0, 2: 3.0}),
    ml("CastMap", 1, {1: 1.0, 2: 3.0}),
    ml("CategoryMapper", 1, longs(1, 2, 3), cats_strings=["1", "2"], cats_int64s=[1, 2]),
    ml("Scaler", 1, up(2, 2), scale=[2.0, 1.0], offset=[1.0, 0.0]),
    ml("Imputer", 1, up(2, 2)),
    ml("Normalizer", 1, up(2, 2), norm="L2"),
    ml("FeatureVectorizer", 1, up(2, 2), up(2, 1), inputdimensions=[2, 1]),
    ml("OneHotEncoder", 1, up(2)),
    ml("TreeEnsembleRegressor", 1, up(2, 2), n_targets=2, **tree("target")),
    ml("TreeEnsembleClassifier", 1, up(2, 2), outputs=2, **tree("class")),
    ml("LabelEncoder", 1, longs(0, 1, 2)),
    ml("LabelEncoder", 2, longs(0, 1, 2)),
    ml("LabelEncoder", 4, longs(0, 1, 2)),
]


# --- What of a node depends on the types ---

def graph_of(name, inputs, outputs):
    """A body that hands inputs on: outputs are pairs of an input's name and the type."""
    nodes = [helper.make_node("Identity", [source], [f"out_{i}"]) for i, (source, _) in enumerate(outputs)]
    infos = [helper.make_value_info(f"out_{i}", type_proto(type_text)) for i, (_, type_text) in enumerate(outputs)]
    return helper.make_graph(nodes, name, [helper.make_value_info(n, type_proto(t)) for n, t in inputs], infos)


def bodies_of(name, types):
    """The graphs among the attributes of the operators that run graphs."""
    boolean, number = "tensor(bool)", "tensor(int64)"
    if name == "If":
        branch = graph_of("branch", [], [("x1", types["V"])])
        return {"then_branch": branch, "else_branch": branch}
    if name == "Loop":
        inputs = [("i", number), ("c", boolean), ("v", types["V"])]
        return {"body": graph_of("body", inputs, [("c", boolean), ("v", types["V"])])}
    if name == "Scan":
        inputs = [("s", types["V"]), ("x", types["V"])]
        return {"body": graph_of("body", inputs, [("s", types["V"]), ("x", types["V"])]), "num_scan_inputs": 1}
    if name == "SequenceMap":
        element = types["S"][len("seq(") : -1]
        inputs = [("x", element)] + ([("y", types["V"])] if types.get("has_more") else [])
        return {"body": graph_of("body", inputs, [("x", element)])}
    return {}


def number_tensor(element, *values):
    return tensor_proto(tensor_as(np.array(values, np.float32), element))


def vocabulary(name, types):
    """Attributes of ai.onnx.ml that say in their name of which type they are."""
    said = {"string": "strings", "int64": "int64s", "float": "floats"}
    source, target = (types.get(key, "tensor(int64)").split("(")[1].strip(")") for key in ("T1", "T2"))
    if name == "LabelEncoder":
        if types["version"] == 1:
            return {"classes_strings": ["0", "1", "2"]}
        if source in said and target in said:
            make = {"string": ["0", "1"], "int64": [0, 1], "float": [0.0, 1.0]}
            return {f"keys_{said[source]}": make[source], f"values_{said[target]}": make[target]}
        return {"keys_tensor": number_tensor(source, 0, 1), "values_tensor": number_tensor(target, 0, 1),
                "default_tensor": number_tensor(target, 0)}
    if name == "DictVectorizer":
        return {"string_vocabulary": ["1", "2"]} if "map(string" in types["T1"] else {"int64_vocabulary": [0, 1]}
    if name == "ZipMap":
        return {"classlabels_strings": ["a", "b", "c"]} if "string" in types["T"] else {"classlabels_int64s": [1, 2, 3]}
    if name == "CastMap":
        return {"cast_to": {"string": "TO_STRING", "float": "TO_FLOAT", "int64": "TO_INT64"}[target]}
    if name == "OneHotEncoder":
        return {"cats_strings": ["1", "2"]} if "string" in types["T"] else {"cats_int64s": [1, 2]}
    if name == "Imputer":
        return {"imputed_value_int64s": [9]} if "int" in types["T"] else {"imputed_value_floats": [9.0]}
    if name in ("LinearClassifier", "SVMClassifier", "TreeEnsembleClassifier"):
        number = "classlabels_int64s" if name.startswith("Tree") else "classlabels_ints"
        return {"classlabels_strings": ["a", "b"]} if target == "string" else {number: [4, 5]}
    return {}


TYPE_NUMBERS = ("to", "dtype", "output_dtype", "output_datatype")


def type_attributes(schema, types, output_only):
    """Attributes that name an element type, or hold a tensor of it."""
    result = {}
    for label in output_only:
        element = types[label][len("tensor(") : -1] if types[label].startswith("tensor(") else None
        for name in TYPE_NUMBERS:
            if name in schema.attributes and element in ELEMENTS:
                is_named = schema.attributes[name].type == onnx.defs.OpSchema.AttrType.STRING
                result[name] = element.upper() if is_named else ELEMENTS[element]
        if schema.name in ("Constant", "ConstantOfShape"):
            result["value"] = number_tensor(element, 1)
        if schema.name == "LayerNormalization":
            result["stash_type"] = ELEMENTS[element]
    if schema.name == "SequenceEmpty":
        result["dtype"] = ELEMENTS[types["S"][len("seq(tensor(") : -2]]
    if schema.name == "BitCast":
        result["to"] = ELEMENTS[types["T2"][len("tensor(") : -1]]
    return result
