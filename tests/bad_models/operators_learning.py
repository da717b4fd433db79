"""Nodes of ai.onnx.ml whose attributes do not go together."""

import numpy as np
from bad_case import floats, ints, operator
from onnx import TensorProto, helper

ML = "ai.onnx.ml"
X = floats(2, 3)
LARGEST = (1 << 63) - 1


def tree(**changes):
    return {**dict(
        nodes_treeids=[0, 0, 0], nodes_nodeids=[0, 1, 2], nodes_featureids=[0, 0, 0], nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
        nodes_values=[0.5, 0.0, 0.0], nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0], domain=ML, opset=3), **changes}


def regressor(**changes):
    return tree(**{**dict(target_treeids=[0, 0], target_nodeids=[1, 2], target_ids=[0, 0], target_weights=[1.0, 2.0], n_targets=1), **changes})


def classifier(**changes):
    return tree(**{**dict(class_treeids=[0, 0], class_nodeids=[1, 2], class_ids=[0, 1], class_weights=[1.0, 2.0],
                          classlabels_int64s=[0, 1], outputs=2), **changes})


def trees():
    bad = {
        "target_out": dict(target_ids=[0, 7]), "target_negative": dict(target_ids=[0, -1]), "targets_0": dict(n_targets=0),
        "targets_huge": dict(n_targets=1 << 40), "targets_negative": dict(n_targets=-1),
        "leaf_unknown": dict(target_nodeids=[1, 9]), "tree_unknown": dict(target_treeids=[0, 5]),
        "child_unknown": dict(nodes_truenodeids=[9, 0, 0]), "child_itself": dict(nodes_truenodeids=[0, 0, 0]),
        "node_twice": dict(nodes_nodeids=[0, 1, 1]), "feature_out": dict(nodes_featureids=[9, 0, 0]),
        "feature_negative": dict(nodes_featureids=[-1, 0, 0]), "feature_largest": dict(nodes_featureids=[LARGEST, 0, 0]),
        "modes_short": dict(nodes_modes=["BRANCH_LEQ", "LEAF"]), "mode_unknown": dict(nodes_modes=["BRANCH", "LEAF", "LEAF"]),
        "values_short": dict(nodes_values=[0.5]), "weights_short": dict(target_weights=[1.0]),
        "nodes_none": dict(nodes_treeids=[], nodes_nodeids=[]), "base_values": dict(base_values=[1.0, 2.0, 3.0]),
        "aggregate": dict(aggregate_function="MEDIAN"), "transform": dict(post_transform="CUBE"),
    }
    for name, changes in bad.items():
        yield from operator(f"tree_regressor_{name}", "TreeEnsembleRegressor", [X], **regressor(**changes))
    for name, changes in {"class_out": dict(class_ids=[0, 9]), "class_negative": dict(class_ids=[0, -1]),
                          "labels_none": dict(classlabels_int64s=[]), "leaf_unknown": dict(class_nodeids=[1, 9])}.items():
        yield from operator(f"tree_classifier_{name}", "TreeEnsembleClassifier", [X], **classifier(**changes))
    yield from operator("tree_of_vector", "TreeEnsembleRegressor", [np.float32(1)], **regressor())


def ensembles():
    def numbers(*values):
        return helper.make_tensor("t", TensorProto.FLOAT, [len(values)], values)

    sound = dict(n_targets=1, nodes_featureids=[0], nodes_splits=numbers(0.5), tree_roots=[0],
                 nodes_modes=helper.make_tensor("t", TensorProto.UINT8, [1], [0]), nodes_truenodeids=[0], nodes_falsenodeids=[1],
                 nodes_trueleafs=[1], nodes_falseleafs=[1], leaf_targetids=[0, 0], leaf_weights=numbers(1, 2), domain=ML, opset=5)
    yield from operator("ensemble_sound", "TreeEnsemble", [X], runs=True, **sound)
    bad = {
        "root_out": dict(tree_roots=[7]), "root_negative": dict(tree_roots=[-1]), "true_out": dict(nodes_truenodeids=[9]),
        "false_negative": dict(nodes_falsenodeids=[-1]), "cycle": dict(nodes_trueleafs=[0], nodes_truenodeids=[0]),
        "target_out": dict(leaf_targetids=[0, 3]), "target_negative": dict(leaf_targetids=[0, -2]), "weights_short": dict(leaf_weights=numbers(1)),
        "splits_short": dict(nodes_splits=numbers()), "mode_99": dict(nodes_modes=helper.make_tensor("t", TensorProto.UINT8, [1], [99])),
        "feature_out": dict(nodes_featureids=[99]), "targets_huge": dict(n_targets=1 << 40), "leafs_short": dict(nodes_trueleafs=[]),
    }
    for name, changes in bad.items():
        yield from operator(f"ensemble_{name}", "TreeEnsemble", [X], **{**sound, **changes})


def vectors():
    svm = dict(classlabels_ints=[0, 1], coefficients=[1.0, -1.0], kernel_params=[1.0, 0.0, 3.0], kernel_type="LINEAR", rho=[0.0],
               support_vectors=[0.0] * 6, vectors_per_class=[1, 1], outputs=2, domain=ML, opset=1)
    yield from operator("svm_classifier_sound", "SVMClassifier", [X], runs=True, **svm)
    bad = {
        "vectors_long": dict(vectors_per_class=[5, 5]), "vectors_negative": dict(vectors_per_class=[-1, 3]),
        "vectors_largest": dict(vectors_per_class=[LARGEST, LARGEST]), "vectors_short": dict(vectors_per_class=[2]),
        "coefficients_short": dict(coefficients=[1.0]), "support_odd": dict(support_vectors=[0.0] * 5),
        "rho_none": dict(rho=[]), "kernel": dict(kernel_type="CUBIC"), "labels_none": dict(classlabels_ints=[]),
        "probabilities_short": dict(prob_a=[1.0], prob_b=[]),
    }
    for name, changes in bad.items():
        yield from operator(f"svm_classifier_{name}", "SVMClassifier", [X], **{**svm, **changes})
    regression = dict(coefficients=[1.0, -1.0], kernel_params=[1.0, 0.0, 3.0], kernel_type="RBF", n_supports=2, rho=[0.0],
                      support_vectors=[0.0] * 6, domain=ML, opset=1)
    for name, changes in {"supports_9": dict(n_supports=9), "supports_negative": dict(n_supports=-2),
                          "supports_largest": dict(n_supports=LARGEST), "coefficients": dict(coefficients=[1.0]),
                          "rho_none": dict(rho=[]), "params_short": dict(kernel_params=[1.0])}.items():
        yield from operator(f"svm_regressor_{name}", "SVMRegressor", [X], **{**regression, **changes})


def linear():
    sound = dict(coefficients=[0.1] * 6, intercepts=[0.0, 0.0], classlabels_ints=[0, 1], outputs=2, domain=ML, opset=1)
    for name, changes in {"coefficients": dict(coefficients=[0.1] * 5), "coefficients_none": dict(coefficients=[]),
                          "intercepts": dict(intercepts=[0.0] * 9), "labels_none": dict(classlabels_ints=[]),
                          "labels_many": dict(classlabels_ints=list(range(9))), "transform": dict(post_transform="CUBE")}.items():
        yield from operator(f"linear_classifier_{name}", "LinearClassifier", [X], **{**sound, **changes})
    for name, changes in {"coefficients": dict(coefficients=[0.1] * 5), "targets_0": dict(targets=0), "targets_huge": dict(targets=1 << 62),
                          "intercepts": dict(intercepts=[0.0] * 9)}.items():
        yield from operator(f"linear_regressor_{name}", "LinearRegressor", [X], **{**dict(coefficients=[0.1] * 3, intercepts=[0.0], targets=1, domain=ML, opset=1), **changes})


def features():
    for name, index in (("out", 3), ("negative", -1), ("largest", LARGEST)):
        yield from operator(f"array_feature_{name}", "ArrayFeatureExtractor", [X, ints(index)], str(index), domain=ML, opset=1)
    yield from operator("array_feature_none", "ArrayFeatureExtractor", [X, np.zeros(0, np.int64)], runs=True, domain=ML, opset=1)
    yield from operator("array_feature_scalar", "ArrayFeatureExtractor", [np.float32(1), ints(0)], domain=ML, opset=1)
    for name, sizes in (("short", [3]), ("negative", [-3, 3]), ("largest", [LARGEST, LARGEST])):
        yield from operator(f"feature_vectorizer_{name}", "FeatureVectorizer", [X, X], inputdimensions=sizes, domain=ML, opset=1)
    yield from operator("scaler_short", "Scaler", [X], offset=[0.0, 0.0], scale=[1.0, 1.0], domain=ML, opset=1)
    yield from operator("imputer_short", "Imputer", [X], imputed_value_floats=[0.0, 0.0], domain=ML, opset=1)
    yield from operator("imputer_none", "Imputer", [X], domain=ML, opset=1)
    yield from operator("normalizer", "Normalizer", [X], "L9", norm="L9", domain=ML, opset=1)
    yield from operator("label_encoder_unlike", "LabelEncoder", [ints(1)], keys_int64s=[1, 2], values_int64s=[1], domain=ML, opset=4)
    yield from operator("label_encoder_none", "LabelEncoder", [ints(1)], domain=ML, opset=4)
    yield from operator("one_hot_encoder_none", "OneHotEncoder", [ints(1)], domain=ML, opset=1)
    yield from operator("category_mapper_unlike", "CategoryMapper", [ints(1)], cats_int64s=[1, 2], cats_strings=["a"], domain=ML, opset=1)


def cases():
    for family in (trees, ensembles, vectors, linear, features):
        yield from family()
