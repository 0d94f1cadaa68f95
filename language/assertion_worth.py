"""Whether one of several assertions of a sentence is worth a memory: fitted upon what the classifier sees of it and of
the whole sentence.

``python -m evals.fit_clauses`` makes its weights, which stand in ``clauses.npz``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from language.classifier import Classification
from language.kinds import KEPT, KINDS, NEVER

MIN_WORTH = 0.75
"""The probability from which one of several assertions stands by itself; in doubt it stays with the one before it."""
LONG_CLAUSE_WORDS = 12
"""Words from which an assertion counts as long; two Chinese characters are about a word."""
_MIN_SHARE = 1e-4


@dataclass(frozen=True)
class Assertion:
    """One of several: as the classifier sees it with its subject, and where it stands among the others."""

    text: str
    judged: Classification
    whole: Classification
    place: int
    others: Sequence[Classification]
    asks: bool
    has_subject: bool


def assertion_worth(assertion: Assertion) -> float:
    """How probable it is that it is worth a memory."""
    return worth_share(worth_features(assertion))


def worth_share(features: NDArray[np.float32]) -> float:
    """The same of its features."""
    return 1 / (1 + exp(-float(features @ _load_weights())))


def worth_features(assertion: Assertion) -> NDArray[np.float32]:
    """The kinds of the assertion and of its sentence, and how it stands in it."""
    own, whole = assertion.judged, assertion.whole
    others = [_logit(_share(each, KEPT)) for each in assertion.others] or [0.0]
    numbers = [
        1.0,
        _logit(_share(own, KEPT)),
        _logit(_share(whole, KEPT)),
        _logit(_share(own, NEVER)),
        _logit(_share(whole, NEVER)),
        max(others),
        sum(others) / len(others),
        float(assertion.asks),
        float(assertion.has_subject),
        float(assertion.place == 0),
        min(_length(assertion.text), LONG_CLAUSE_WORDS) / LONG_CLAUSE_WORDS,
        float(any(each.isdigit() for each in assertion.text)),
    ]
    kinds = [_logit(judged.kinds[kind]) for judged in (own, whole) for kind in KINDS]
    return np.array([*numbers, *kinds], np.float32)


def _length(text: str) -> float:
    return len(text.split()) if text.isascii() else len(text) / 2


def _share(judged: Classification, kinds: frozenset[str]) -> float:
    return sum(share for kind, share in judged.kinds.items() if kind in kinds)


def _logit(share: float) -> float:
    kept = min(max(share, _MIN_SHARE), 1 - _MIN_SHARE)
    return log(kept / (1 - kept)) / 5


@lru_cache(maxsize=1)
def _load_weights() -> NDArray[np.float32]:
    with as_file(files("language") / "clauses.npz") as path, np.load(path) as held:
        return held["worth"].astype(np.float32)
