"""Fit what ends what: ``python -m evals.fit_endings`` prints cross-validated figures and the weights for
``language/supersession.py``.

``data/endings/<language>-*.tsv`` holds a label (ends, slip, stays), an older and a newer sentence per line. Each newer
sentence is held against its own older one and some of other pairs, as a statement in life stands beside many.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # pyright: ignore[reportMissingTypeStubs]
from sklearn.model_selection import KFold  # pyright: ignore[reportMissingTypeStubs]

from language.supersession import profile_sentence, supersession_features

PAIRS = Path(__file__).parent / "data" / "endings"
BESIDE = 8
"""Older sentences of other pairs that each newer one is held against."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """An older sentence, a newer one, and whether the older one no longer holds."""

    language: str
    over: bool
    old: str
    new: str


def pairs() -> Iterator[Pair]:
    """All pairs, in the order of the files' names."""
    for path in sorted(PAIRS.glob("*.tsv")):
        for line in path.read_text("utf-8").splitlines():
            label, old, new = line.split("\t")
            yield Pair(path.name[:2], label != "stays", old, new)


def table(given: Sequence[Pair]) -> Floats:
    """For each pair the signs of its own older sentence, then those of ``BESIDE`` others of its language."""
    chance = Random(0)
    rows: list[list[tuple[float, ...]]] = []
    for pair in given:
        others = [each.old for each in given if each.language == pair.language and each is not pair]
        beside = [pair.old, *chance.sample(others, BESIDE)]
        new = profile_sentence(pair.new)
        rows.append([supersession_features(profile_sentence(text), new) for text in beside])
    return np.array(rows)


def main() -> None:
    """See the module."""
    given = list(pairs())
    values = table(given)
    over = np.array([pair.over for pair in given])
    likely = np.zeros(values.shape[:2])
    parts = cast("Any", KFold(5, shuffle=True, random_state=0)).split(values)
    for known, asked in parts:
        weights, bias = fit(values[known], over[known])
        likely[asked] = 1 / (1 + np.exp(-(values[asked] @ weights + bias)))
    for language in ("en", "zh"):
        mine = np.array([pair.language == language for pair in given])
        for least in (0.3, 0.4, 0.5, 0.6, 0.7):
            said = likely[mine].max(axis=1) >= least
            right = said & (likely[mine].argmax(axis=1) == 0) & over[mine]
            found, rightly = right.sum() / over[mine].sum(), right.sum() / said.sum()
            print(f"{language} from {least}: ended {found:.1%}, rightly {rightly:.1%}")
    weights, bias = fit(values, over)
    print("WEIGHTS =", tuple(round(float(each), 2) for each in weights))
    print("BIAS =", round(bias, 2))


def fit(values: Floats, over: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Weights and bias."""
    labels = np.zeros(values.shape[:2], np.bool_)
    labels[:, 0] = over
    model: Any = LogisticRegression(C=3.0, max_iter=2000)
    model.fit(values.reshape(-1, values.shape[2]), labels.ravel())
    return model.coef_[0], float(model.intercept_[0])


if __name__ == "__main__":
    main()
