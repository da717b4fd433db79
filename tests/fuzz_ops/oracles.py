"""What other implementations make of a case, and when two results are the same."""

import warnings

import numpy as np
from onnx.reference import ReferenceEvaluator

from disagreements import DISAGREEMENTS
from runtime import Crash, runtime


def by_reference(case):
    return ReferenceEvaluator(case.model()).run(None, case.feeds())


def by_runtime(case):
    return runtime.run(case.model().SerializeToString(), case.feeds())


ORACLES = {"reference": by_reference, "runtime": by_runtime}


def answers(case):
    """By the name of each oracle that takes the case and is to be believed: its outputs, or a word on its end."""
    found = {}
    for name in case.oracles:
        if excuse(case, name) is not None:
            continue
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                found[name] = ORACLES[name](case)
        except Crash:
            found[name] = "crashes"
        except Exception:  # an oracle may refuse in any way
            continue
    return found


def is_same(left, right, tolerance):
    """As `opscope-cli conformance` compares."""
    if isinstance(left, list) or isinstance(right, list):
        return (isinstance(left, list) and isinstance(right, list) and len(left) == len(right)
                and all(is_same(a, b, tolerance) for a, b in zip(left, right)))
    left, right = np.asarray(left), np.asarray(right)
    if left.shape != right.shape:
        return False
    are_texts = [value.dtype.kind in "OU" for value in (left, right)]
    if any(are_texts):
        return all(are_texts) and bool((left.astype(object) == right.astype(object)).all())
    if left.dtype != right.dtype:
        return False
    if left.dtype.kind in "iub":
        if tolerance is None:
            return bool((left == right).all())
        return close(left.astype(float), right.astype(float), tolerance)
    wide = np.complex128 if left.dtype.kind == "c" else np.float64
    return close(left.astype(wide), right.astype(wide), tolerance or (0, 0))


def close(left, right, tolerance):
    if left.dtype.kind == "c":
        return close(left.real, right.real, tolerance) and close(left.imag, right.imag, tolerance)
    rtol, atol = tolerance
    with np.errstate(all="ignore"):
        same = (left == right) | (np.isnan(left) & np.isnan(right))
        near = np.isfinite(left) & np.isfinite(right) & (np.abs(left - right) <= atol + rtol * np.abs(right))
    return bool((same | near).all())


def excuse(case, oracle):
    """Why that oracle is not to be believed on this case, or None."""
    for entry in DISAGREEMENTS:
        if entry.oracle == oracle and case.key() in entry.ops and (entry.when is None or entry.when(case)):
            return entry.reason
    return None


def settle(case):
    """The right outputs by name, None where nothing is settled, and who says otherwise: sentences.

    Values that the case brings hold, being worked out from the specification; an oracle that differs is named. The
    others hold where all oracles that take the case agree."""
    if case.is_aged:
        return settle_aged(case)
    names = case.output_names()
    own = [value for value in case.outputs if not (isinstance(value, str) and value == "")]
    given = answers(case)
    believed = {name: answer for name, answer in given.items() if not isinstance(answer, str)}
    crashes = [f"{name} {answer}" for name, answer in given.items() if isinstance(answer, str)]
    if all(value is not None for value in own):
        right = own
    elif believed:
        # Where numpy gives a value it holds; the others come from the first oracle.
        right = [mine if mine is not None else theirs for mine, theirs in zip(own, next(iter(believed.values())))]
    else:
        return None, [*crashes, "no oracle takes it"]
    quarrels = crashes + [f"{name} differs in {output}" for name, answer in believed.items()
                for output, a, b in zip(names, answer, right, strict=True) if not is_same(a, b, case.tolerance)]
    if len(quarrels) > len(crashes) and any(value is None for value in own):
        return None, quarrels
    return dict(zip(names, right)), quarrels


def settle_aged(case):
    """Likewise of a case in an older form. What holds is what ONNX Runtime gives, else the evaluator, provided that
    another witness says the same: the evaluator, or the newest form, whose values the case brings. Neither of these
    two keeps apart all that changed."""
    names = case.output_names()
    own = [value for value in case.outputs if not (isinstance(value, str) and value == "")]
    given = answers(case)
    quarrels = [f"{name} {answer}, opset {case.opset}" for name, answer in given.items() if isinstance(answer, str)]
    witnesses = [(name, given[name]) for name in ("runtime", "reference") if isinstance(given.get(name), list)]
    if not witnesses:
        return None, quarrels
    if all(value is not None for value in own) and excuse(case, "newest") is None:
        witnesses.append(("the newest form", own))
    (first, right), others = witnesses[0], witnesses[1:]
    differing = [name for name, answer in others
                 if not all(is_same(a, b, case.tolerance) for a, b in zip(answer, right, strict=True))]
    quarrels += [f"{first} and {name} differ, opset {case.opset}" for name in differing]
    if others and len(differing) == len(others):
        return None, quarrels
    return dict(zip(names, right)), quarrels
