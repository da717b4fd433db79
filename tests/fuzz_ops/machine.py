"""ai.onnx.ml: features, labels, linear models, support vectors and trees."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from case import Case, Skip
from numeric import wide
from schema import types

ML = "ai.onnx.ml"
OLD_TREES = 3  # the last version of the domain whose trees are told by classifier and regressor
TRANSFORMS = [None, "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"]
CLOSE = (1e-5, 1e-5)


def case(op, inputs, outputs, attributes=None, **more):
    return Case(op, inputs, outputs, attributes, domain=ML, **more)


def features(draw, op, constraint="T", rows=None, columns=None):
    dtype = draw.type([name for name in types(op, constraint, ML) if name != "string"])
    shape = (rows or draw.integer(1, 5), columns or draw.integer(1, 6))
    return draw.values(dtype, shape, low=-5, high=5)


def floats(draw, count, spread=1.0):
    return [float(np.float32(value)) for value in draw.random.standard_normal(count) * spread]


def with_transform(draw, attributes):
    chosen = draw.pick(TRANSFORMS)
    return attributes if chosen is None else attributes | {"post_transform": chosen}


def labels(draw, count, integers, strings):
    """The attribute that names the classes."""
    if draw.chance(0.5):
        return {integers: [10 + 3 * i for i in range(count)]}
    return {strings: [f"class {i}" for i in range(count)]}


def array_feature_extractor(draw):
    x = draw.values(draw.type(types("ArrayFeatureExtractor", "T", ML)), draw.shape(2, 3, most=60, zero=0))
    picked = draw.values(np.dtype(np.int64), (draw.integer(1, 5),), low=0, high=x.shape[-1] - 1)
    return case("ArrayFeatureExtractor", [x, picked], [x[..., picked]])


def binarizer(draw):
    x = features(draw, "Binarizer")
    attributes = {"threshold": draw.pick([0.0, 1.0, -2.5])} if draw.chance(0.7) else {}
    return case("Binarizer", [x], [(x > attributes.get("threshold", 0)).astype(x.dtype)], attributes)


def category_mapper(draw):
    words = ["a", "b", "déjà", "日本", ""]
    attributes = {"cats_strings": words, "cats_int64s": [3, -1, 7, 2**40, 0]}
    if draw.chance(0.5):
        x = np.array([draw.pick([*words, "other"]) for _ in range(draw.integer(1, 8))], object)
        table = dict(zip(words, attributes["cats_int64s"]))
        attributes["default_int64"] = -9
        return case("CategoryMapper", [x], [np.array([table.get(text, -9) for text in x], np.int64)], attributes)
    x = np.array([draw.pick([*attributes["cats_int64s"], 99]) for _ in range(draw.integer(1, 8))], np.int64)
    table = dict(zip(attributes["cats_int64s"], words))
    attributes["default_string"] = "none"
    y = np.array([table.get(int(number), "none") for number in x], object)
    return case("CategoryMapper", [x], [y], attributes)


def feature_vectorizer(draw):
    dtype = draw.type(types("FeatureVectorizer", "T1", ML))
    rows, sizes = draw.integer(1, 4), [draw.integer(1, 4) for _ in range(draw.integer(1, 3))]
    inputs = [draw.values(dtype, (rows, size), low=-9, high=9) for size in sizes]
    y = np.concatenate(inputs, 1).astype(np.float32)
    return case("FeatureVectorizer", inputs, [y], {"inputdimensions": sizes})


def imputer(draw):
    x = features(draw, "Imputer")
    count = draw.pick([1, x.shape[1]])
    if x.dtype.kind == "i":
        fill = [draw.integer(-9, 9) for _ in range(count)]
        attributes = {"imputed_value_int64s": fill, "replaced_value_int64": 2}
        found = x == 2
    else:
        fill = floats(draw, count)
        attributes = {"imputed_value_floats": fill, "replaced_value_float": draw.pick([2.0, float("nan")])}
        x = np.where(draw.random.random(x.shape) < 0.3, attributes["replaced_value_float"], x).astype(x.dtype)
        found = np.isnan(x) if np.isnan(attributes["replaced_value_float"]) else x == 2
    return case("Imputer", [x], [np.where(found, np.array(fill), x).astype(x.dtype)], attributes)


def label_encoder(draw):
    kinds = {"string": ["a", "b", "c", "déjà"], "int64": [1, -5, 2**40, 7], "float": [0.5, -1.0, float("nan"), 3.0]}
    source, target = draw.pick(sorted(kinds)), draw.pick(sorted(kinds))
    keys, values = kinds[source], kinds[target]
    dtypes = {"string": object, "int64": np.int64, "float": np.float32}
    other = {"string": "other", "int64": 99, "float": 99.0}
    x = np.array([draw.pick([*keys, other[source]]) for _ in range(draw.integer(1, 9))], dtypes[source])
    attributes = {f"keys_{source}s": keys, f"values_{target}s": values}
    default = {"string": "_Unused", "int64": -1, "float": -0.0}[target]
    if draw.chance(0.5):
        default = other[target]
        attributes[f"default_{target}"] = default
    same = lambda a, b: a == b or a != a and b != b  # noqa: E731
    y = [next((value for key, value in zip(keys, values) if same(key, item)), default) for item in x.tolist()]
    found = np.empty(len(y), dtypes[target])
    found[:] = y
    return case("LabelEncoder", [x], [found], attributes)


def linear_classifier(draw):
    x = features(draw, "LinearClassifier", "T1")
    classes = draw.integer(2, 4)
    attributes = {"coefficients": floats(draw, classes * x.shape[1]), "multi_class": draw.integer(0, 1)}
    scores = wide(x) @ np.array(attributes["coefficients"]).reshape(classes, -1).T
    if draw.chance(0.7):
        attributes["intercepts"] = floats(draw, classes)
        scores = scores + np.array(attributes["intercepts"])
    named = labels(draw, classes, "classlabels_ints", "classlabels_strings")
    attributes = with_transform(draw, attributes | named)
    (names,) = named.values()
    chosen = np.array(names, np.int64 if isinstance(names[0], int) else object)[scores.argmax(1)]
    z = transformed(scores, attributes.get("post_transform")).astype(np.float32)
    return case("LinearClassifier", [x], [chosen, z], attributes, tolerance=CLOSE)


def transformed(scores, transform):
    if transform == "LOGISTIC":
        return 1 / (1 + np.exp(-scores))
    if transform in ("SOFTMAX", "SOFTMAX_ZERO"):  # no score here is zero
        powers = np.exp(scores - scores.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)
    return scores


def linear_regressor(draw):
    x = features(draw, "LinearRegressor")
    targets = draw.integer(1, 3)
    attributes = {"coefficients": floats(draw, targets * x.shape[1]), "targets": targets}
    weights, shift = np.array(attributes["coefficients"]).reshape(targets, -1), np.zeros(targets)
    if draw.chance(0.7):
        attributes["intercepts"] = floats(draw, targets)
        shift = np.array(attributes["intercepts"])
    y = (wide(x) @ weights.T + shift).astype(np.float32)
    return case("LinearRegressor", [x], [y], attributes, tolerance=CLOSE)


def normalizer(draw):
    x = features(draw, "Normalizer")
    norm = draw.pick([None, "MAX", "L1", "L2"])
    if norm in (None, "MAX"):  # whether the largest number or magnitude is meant, formula and evaluator say differently
        x = np.abs(x)
    magnitude = np.abs(wide(x))
    total = {"L1": magnitude.sum(1), "L2": np.sqrt((magnitude**2).sum(1))}.get(norm, magnitude.max(1))
    if (total == 0).any():
        raise Skip("zeros alone have no norm")
    y = (wide(x) / total[:, None]).astype(np.float32)
    return case("Normalizer", [x], [y], {} if norm is None else {"norm": norm}, tolerance=CLOSE)


def one_hot_encoder(draw):
    if draw.chance(0.4):
        known, dtype, name = ["a", "b", "ß"], np.dtype(object), "cats_strings"
    else:
        dtype = draw.type([kind for kind in types("OneHotEncoder", "T", ML) if kind != "string"])
        known, name = [0, 4, 7, -2], "cats_int64s"
    keeps_unknown = draw.chance(0.5)
    shape = draw.shape(1, 2, most=12, zero=0)
    other = [("z" if dtype.kind == "O" else 99)] if keeps_unknown else []
    x = np.empty(shape, dtype)
    x.ravel()[:] = [draw.pick([*known, *other]) for _ in range(x.size)]
    y = np.stack([(x == item) for item in known], -1).astype(np.float32)
    return case("OneHotEncoder", [x], [y], {name: known} | ({"zeros": 1} if keeps_unknown or draw.chance(0.3) else {}))


def scaler(draw):
    x = features(draw, "Scaler")
    count = draw.pick([1, x.shape[1]])
    offset, scale = floats(draw, count), floats(draw, count)
    y = ((wide(x) - np.array(offset)) * np.array(scale)).astype(np.float32)
    return case("Scaler", [x], [y], {"offset": offset, "scale": scale}, tolerance=(1e-6, 1e-6))


def kernel(draw):
    kind = draw.pick(["LINEAR", "POLY", "RBF", "SIGMOID"])
    return {"kernel_type": kind, "kernel_params": [0.25, 0.5, 2.0]}


def svm_regressor(draw):
    x = draw.values(np.dtype(np.float32), (draw.integer(1, 4), draw.integer(1, 4)), low=-2, high=2)
    count = draw.integer(1, 4)
    attributes = {"coefficients": floats(draw, count), "support_vectors": floats(draw, count * x.shape[1]),
                  "n_supports": count, "rho": floats(draw, 1)} | kernel(draw)
    return case("SVMRegressor", [x], [None], attributes, tolerance=(1e-4, 1e-4))


def svm_classifier(draw):
    x = draw.values(np.dtype(np.float32), (draw.integer(1, 4), draw.integer(1, 4)), low=-2, high=2)
    classes = draw.integer(2, 3)
    per_class = [draw.integer(1, 3) for _ in range(classes)]
    count, pairs = sum(per_class), classes * (classes - 1) // 2
    attributes = {"coefficients": floats(draw, count * (classes - 1)), "vectors_per_class": per_class,
                  "support_vectors": floats(draw, count * x.shape[1]), "rho": floats(draw, pairs)} | kernel(draw)
    attributes |= labels(draw, classes, "classlabels_ints", "classlabels_strings")
    return case("SVMClassifier", [x], [None, None], attributes, tolerance=(1e-4, 1e-4))


class Trees:
    """Random trees of one mode: nodes by tree, in the order of the old operators' lists."""

    def __init__(self, draw, feature_count, modes):
        self.rows, self.leaves = [], []  # (tree, id, feature, value, mode, true, false, missing), (tree, id)
        for tree in range(draw.integer(1, 3)):
            self.next = 0
            self.grow(draw, tree, feature_count, draw.integer(1, 3), modes)

    def grow(self, draw, tree, feature_count, depth, modes):
        here, self.next = self.next, self.next + 1
        place = len(self.rows)
        self.rows.append(None)
        # ONNX Runtime passes over a tree that is a leaf alone: no root is one.
        if depth == 0 or here > 0 and draw.chance(0.2):
            self.rows[place] = (tree, here, 0, 0.0, "LEAF", 0, 0, 0)
            self.leaves.append((tree, here))
            return here
        value = float(draw.pick([-1.5, 0.0, 0.5, 1.0, 2.25]))
        feature, mode, missing = draw.integer(0, feature_count - 1), draw.pick(modes), draw.integer(0, 1)
        true = self.grow(draw, tree, feature_count, depth - 1, modes)
        false = self.grow(draw, tree, feature_count, depth - 1, modes)
        self.rows[place] = (tree, here, feature, value, mode, true, false, missing)
        return here

    def attributes(self):
        names = ("nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_values", "nodes_modes",
                 "nodes_truenodeids", "nodes_falsenodeids", "nodes_missing_value_tracks_true")
        return dict(zip(names, (list(column) for column in zip(*self.rows))))


MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]


def tree_input(draw, kinds=("float32", "float32", "float64", "int64", "int32")):
    dtype = draw.type(kinds)
    x = draw.values(dtype, (draw.integer(1, 5), draw.integer(1, 4)), low=-3, high=3)
    if dtype.kind == "f":
        x = np.rint(x * 4) / 4
        if draw.chance(0.2):
            x = np.where(draw.random.random(x.shape) < 0.2, np.nan, x)
    return np.asarray(x).astype(dtype)


def leaf_weights(draw, trees, targets, prefix):
    chosen = [(tree, node, target) for tree, node in trees.leaves
              for target in draw.sample(range(targets), draw.integer(1, targets))]
    names = (f"{prefix}_treeids", f"{prefix}_nodeids", f"{prefix}_ids")
    return dict(zip(names, (list(column) for column in zip(*chosen)))) | {
        f"{prefix}_weights": floats(draw, len(chosen))}


def tree_regressor(draw):
    x = tree_input(draw, ["float32"])  # of other types ONNX Runtime alone judges, and that goes wrong on some trees
    trees = Trees(draw, x.shape[1], MODES if draw.chance(0.5) else ["BRANCH_LEQ"])
    targets = draw.integer(1, 3)
    attributes = trees.attributes() | leaf_weights(draw, trees, targets, "target") | {"n_targets": targets}
    if draw.chance(0.6):
        attributes["aggregate_function"] = draw.pick(["SUM", "AVERAGE", "MIN", "MAX"])
    if draw.chance(0.5):
        attributes["base_values"] = floats(draw, targets)
    return case("TreeEnsembleRegressor", [x], [None], attributes, opset=OLD_TREES, tolerance=CLOSE)


def tree_classifier(draw):
    x = tree_input(draw)
    trees = Trees(draw, x.shape[1], MODES if draw.chance(0.5) else ["BRANCH_LEQ"])
    classes = draw.integer(2, 4)
    attributes = trees.attributes() | leaf_weights(draw, trees, classes, "class")
    attributes |= labels(draw, classes, "classlabels_int64s", "classlabels_strings")
    if draw.chance(0.5):
        attributes["base_values"] = floats(draw, classes)
    return case("TreeEnsembleClassifier", [x], [None, None], with_transform(draw, attributes), opset=OLD_TREES,
                tolerance=CLOSE)


def tree_ensemble(draw):
    """The form of version 5: leaves in a list of their own."""
    dtype = draw.type(["float32", "float64"])
    x = (np.rint(draw.random.standard_normal((draw.integer(1, 5), draw.integer(1, 4))) * 4) / 4).astype(dtype)
    count, targets = draw.integer(1, 3), draw.integer(1, 2)
    inner, leaves, roots = [], [], []
    for _ in range(count):
        roots.append(len(inner))
        branch(draw, x.shape[1], draw.integer(0, 2), inner, leaves)
    feature, value, mode, true_id, true_leaf, false_id, false_leaf = zip(*inner)
    weights = np.array(floats(draw, len(leaves)), dtype)
    attributes = {
        "n_targets": targets, "aggregate_function": draw.pick([0, 1, 2, 3]), "tree_roots": roots,
        "nodes_featureids": list(feature), "nodes_splits": numpy_helper.from_array(np.array(value, dtype)),
        "nodes_modes": helper.make_tensor("modes", TensorProto.UINT8, [len(mode)], list(mode)),
        "nodes_truenodeids": list(true_id), "nodes_trueleafs": list(true_leaf), "nodes_falsenodeids": list(false_id),
        "nodes_falseleafs": list(false_leaf), "leaf_targetids": [draw.integer(0, targets - 1) for _ in leaves],
        "leaf_weights": numpy_helper.from_array(weights)}
    return case("TreeEnsemble", [x], [None], attributes, tolerance=CLOSE)


def branch(draw, feature_count, depth, inner, leaves):
    """Appends a node and what is below it; its place."""
    place = len(inner)
    inner.append(None)
    ends = []
    for _ in range(2):
        if depth == 0 or draw.chance(0.3):
            leaves.append(None)
            ends += [len(leaves) - 1, 1]
        else:
            ends += [branch(draw, feature_count, depth - 1, inner, leaves), 0]
    value = draw.pick([-1.5, 0.0, 0.5, 1.0])
    inner[place] = (draw.integer(0, feature_count - 1), value, draw.integer(0, 5), *ends)
    return place


OPS = {
    "ArrayFeatureExtractor": (1, array_feature_extractor), "Binarizer": (1, binarizer),
    "CategoryMapper": (1, category_mapper), "FeatureVectorizer": (1, feature_vectorizer), "Imputer": (2, imputer),
    "LabelEncoder": (2, label_encoder), "LinearClassifier": (2, linear_classifier),
    "LinearRegressor": (2, linear_regressor), "Normalizer": (1, normalizer), "OneHotEncoder": (1, one_hot_encoder),
    "Scaler": (1, scaler), "SVMRegressor": (2, svm_regressor), "SVMClassifier": (2, svm_classifier),
    "TreeEnsemble": (2, tree_ensemble), "TreeEnsembleRegressor": (3, tree_regressor),
    "TreeEnsembleClassifier": (3, tree_classifier),
}
