"""Sequences, optionals and strings."""

import re

import numpy as np
from onnx import helper

from case import Case
from draw import STRINGS

ELEMENTS = ("float32", "int64", "float64", "bool", "string", "uint8", "int32")


def element(draw):
    return draw.type(ELEMENTS)


def sequence(draw, dtype, low=1, high=4):
    return [draw.values(dtype, draw.shape(0, 3, most=30)) for _ in range(draw.integer(low, high))]


def position(draw, low, high):
    return np.array(draw.integer(low, high), draw.pick([np.int32, np.int64]))


def sequence_at(draw):
    values = sequence(draw, element(draw))
    place = position(draw, -len(values), len(values) - 1)
    return Case("SequenceAt", [values, place], [values[int(place)]])


def sequence_construct(draw):
    values = sequence(draw, element(draw))
    return Case("SequenceConstruct", values, [list(values)])


def sequence_empty(draw):
    dtype = draw.type(["float32", "int64"])
    made = helper.make_node("SequenceEmpty", [], ["s"], dtype=helper.np_dtype_to_tensor_dtype(dtype))
    count = helper.make_node("SequenceLength", ["s"], ["y0"])
    return Case("SequenceEmpty", [], [np.array(0, np.int64)], graph=[made, count])


def sequence_erase(draw):
    values = sequence(draw, element(draw), 2)
    place = position(draw, -len(values), len(values) - 1) if draw.chance(0.7) else None
    left = list(values)
    del left[-1 if place is None else int(place)]
    return Case("SequenceErase", [values, place], [left])


def sequence_insert(draw):
    dtype = element(draw)
    values, new = sequence(draw, dtype), draw.values(dtype, draw.shape(0, 3, most=30))
    place = position(draw, -len(values), len(values)) if draw.chance(0.7) else None
    more = list(values)
    at = len(values) if place is None else int(place)
    more.insert(at + len(values) if at < 0 else at, new)
    return Case("SequenceInsert", [values, new, place], [more])


def sequence_length(draw):
    values = sequence(draw, element(draw))
    return Case("SequenceLength", [values], [np.array(len(values), np.int64)])


def concat_from_sequence(draw):
    dtype, shape = element(draw), list(draw.shape(1, 4, most=60))
    new_axis = draw.chance(0.4)
    axis = draw.integer(-len(shape) - 1, len(shape)) if new_axis else draw.axis(len(shape))
    values = []
    for _ in range(draw.integer(1, 4)):
        if not new_axis:
            shape[axis] = draw.dim(5)
        values.append(draw.values(dtype, shape))
    y = np.stack(values, axis) if new_axis else np.concatenate(values, axis)
    attributes = {"axis": axis} | ({"new_axis": int(new_axis)} if new_axis or draw.chance(0.3) else {})
    return Case("ConcatFromSequence", [values], [y], attributes)


def split_to_sequence(draw):
    x = draw.values(element(draw), draw.shape(1, 4, most=60, zero=0))
    axis = draw.axis(x.ndim)
    size = x.shape[axis]
    attributes = {} if axis == 0 and draw.chance(0.5) else {"axis": axis}
    kind = draw.pick(["ones", "chunk", "sizes"])
    if kind == "ones":
        keep = draw.pick([None, 0, 1])
        attributes |= {} if keep is None else {"keepdims": keep}
        parts = [np.asarray(np.take(x, [at] if keep != 0 else at, axis), x.dtype) for at in range(size)]
        return Case("SplitToSequence", [x], [parts], attributes)
    if kind == "chunk":
        chunk = draw.integer(1, size)
        given = np.array(chunk, draw.pick([np.int32, np.int64]))
        cuts = list(range(chunk, size, chunk))
    else:
        cuts = sorted(draw.integer(0, size) for _ in range(draw.integer(0, 3)))
        given = np.diff([0, *cuts, size]).astype(draw.pick([np.int32, np.int64]))
    return Case("SplitToSequence", [x, given], [np.split(x, cuts, axis)], attributes)


def optional(draw):
    x = draw.values(draw.type(ELEMENTS), draw.shape(0, 3, most=30))
    nodes = [helper.make_node("Optional", ["x0"], ["o"]), helper.make_node("OptionalGetElement", ["o"], ["y0"])]
    return Case("Optional", [x], [x], graph=nodes)


def optional_get(draw):
    dtype = draw.type(ELEMENTS)
    value = sequence(draw, dtype) if draw.chance(0.4) else draw.values(dtype, draw.shape(0, 3, most=30))
    return Case("OptionalGetElement", [value], [value])


def optional_has(draw):
    x = draw.values(draw.type(ELEMENTS), draw.shape(0, 3, most=30))
    kind = draw.pick(["tensor", "optional", "nothing"])
    if kind == "tensor":
        return Case("OptionalHasElement", [x], [np.array(True)])
    if kind == "nothing":
        return Case("OptionalHasElement", [], [np.array(False)])
    nodes = [helper.make_node("Optional", ["x0"], ["o"]), helper.make_node("OptionalHasElement", ["o"], ["y0"])]
    return Case("OptionalHasElement", [x], [np.array(True)], graph=nodes)


def strings(draw, shape):
    return draw.values(np.dtype(object), shape)


def objects(values, shape):
    found = np.empty(len(values), object)
    found[:] = values
    return found.reshape(shape)


def string_concat(draw):
    left, right = (strings(draw, shape) for shape in draw.broadcast(2, most=60))
    a, b = np.broadcast_arrays(left, right)
    return Case("StringConcat", [left, right], [objects([p + q for p, q in zip(a.ravel(), b.ravel())], a.shape)])


def string_split(draw):
    words = ["a", "bc", "é", "日本", "", "x,y", "  z"]
    delimiter = draw.pick([None, ",", "--", " "])
    shape = draw.shape(0, 2, most=10, zero=0)
    joint = delimiter or " "
    texts = [joint.join(draw.pick(words) for _ in range(draw.integer(0, 4))) for _ in range(int(np.prod(shape)))]
    x = objects(texts, shape)
    most = draw.integer(0, 3) if draw.chance(0.4) else None
    attributes = {} if delimiter is None else {"delimiter": delimiter}
    if most is not None:
        attributes["maxsplit"] = most
    limit = -1 if most is None else most
    # Whitespace at the end is removed, also where splits run out before it.
    parts = [(text if delimiter else text.rstrip()).split(delimiter, limit) for text in x.ravel()]
    width = max((len(part) for part in parts), default=0)
    y = objects([word for part in parts for word in [*part, *[""] * (width - len(part))]], (*shape, width))
    return Case("StringSplit", [x], [y, np.array([len(part) for part in parts], np.int64).reshape(shape)], attributes)


PATTERNS = [r"[a-z]+", r"\d*\.?\d+", r"a.*c", r"(ABC|abc)", r".*", r"[^,]*", r"\w+", r"日.", r"-?1"]


def regex_full_match(draw):
    x, pattern = strings(draw, draw.shape(0, 3, most=40)), draw.pick(PATTERNS)
    y = np.array([re.fullmatch(pattern, text, re.ASCII) is not None for text in x.ravel()], bool).reshape(x.shape)
    return Case("RegexFullMatch", [x], [y], {"pattern": pattern})


def string_normalizer(draw):
    count = draw.integer(1, 8)
    shape = (count,) if draw.chance(0.6) else (1, count)
    pool = [text for text in STRINGS if text.isascii()]
    x = objects([draw.pick(pool) for _ in range(count)], shape)
    attributes, stops = {}, []
    change = draw.pick([None, "NONE", "LOWER", "UPPER"])
    if change is not None:
        attributes["case_change_action"] = change
    sensitive = draw.pick([None, 0, 1])
    if sensitive is not None:
        attributes["is_case_sensitive"] = sensitive
    if draw.chance(0.6):
        stops = draw.sample(pool, draw.integer(1, 4))
        attributes["stopwords"] = stops
    plain = (lambda text: text) if sensitive else str.lower
    left = [text for text in x.ravel() if plain(text) not in {plain(stop) for stop in stops}]
    changed = {"LOWER": str.lower, "UPPER": str.upper}.get(change, str)
    left = [changed(text) for text in left] or [""]
    y = objects(left, (*shape[:-1], len(left)))
    return Case("StringNormalizer", [x], [y], attributes)


def tf_idf(draw):
    low = draw.integer(1, 2)
    high = draw.integer(low, 3)
    grams = [[(word,) for word in range(4)], [(1, 2), (2, 3), (0, 0)], [(1, 2, 3), (0, 1, 0)]]
    starts, pool = [], []
    for size in range(high):
        starts.append(len(pool))
        pool += [word for gram in grams[size] for word in gram]
    count = sum(len(grams[size]) for size in range(high))
    indexes = draw.sample(range(count), count)
    mode, skips = draw.pick(["TF", "IDF", "TFIDF"]), draw.integer(0, 2)
    attributes = {"mode": mode, "min_gram_length": low, "max_gram_length": high, "max_skip_count": skips,
                  "ngram_counts": starts, "ngram_indexes": indexes, "pool_int64s": pool}
    if draw.chance(0.5):
        attributes["weights"] = [float(np.float32(draw.random.uniform(0.1, 2))) for _ in range(count)]
    shape = (draw.integer(1, 10),) if draw.chance(0.5) else (draw.integer(1, 3), draw.integer(1, 10))
    x = draw.values(draw.type(["int32", "int64"]), shape, low=0, high=5)
    return Case("TfIdfVectorizer", [x], [None], attributes, tolerance=(1e-6, 1e-6))


OPS = {
    "SequenceAt": (2, sequence_at), "SequenceConstruct": (2, sequence_construct), "SequenceEmpty": (1, sequence_empty),
    "SequenceErase": (2, sequence_erase), "SequenceInsert": (2, sequence_insert),
    "SequenceLength": (1, sequence_length),
    "ConcatFromSequence": (3, concat_from_sequence), "SplitToSequence": (3, split_to_sequence),
    "Optional": (1, optional), "OptionalGetElement": (1, optional_get), "OptionalHasElement": (1, optional_has),
    "StringConcat": (2, string_concat), "StringSplit": (3, string_split), "RegexFullMatch": (2, regex_full_match),
    "StringNormalizer": (3, string_normalizer), "TfIdfVectorizer": (3, tf_idf),
}
