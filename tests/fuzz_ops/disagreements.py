"""Where an oracle does not do what the specification says: it is not asked there. Each entry is one kind."""

from typing import Callable, NamedTuple, Optional

import numpy as np


class Disagreement(NamedTuple):
    oracle: str  # reference or runtime
    ops: tuple
    reason: str  # what the specification says and the oracle does
    when: Optional[Callable] = None  # only in these cases


def is_empty(case):
    return any(np.size(value) == 0 for value in case.inputs if isinstance(value, np.ndarray))


DISAGREEMENTS = [
    Disagreement("runtime", ("Unique",), "Nothing has no unique elements; it aborts the process.", is_empty),
]
