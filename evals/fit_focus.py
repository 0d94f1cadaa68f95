"""Fit what a question is about: ``python -m evals.fit_focus`` reads the labelled messages in ``data/focus``, prints
cross-validated figures by language, and writes ``language/focus.npz``: a weight for each dimension of the encoder.

A message is about the person (``mine``), about what the assistant said (``assistant``), or about the ``world``: then
nothing personal is needed, whatever names and places it shares with what is remembered.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # pyright: ignore[reportMissingTypeStubs]
from sklearn.metrics import roc_auc_score  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from language.encoder import sentence_encoder

MESSAGES = Path(__file__).parent / "data" / "focus"
WEIGHTS = Path(__file__).parent.parent / "language" / "focus.npz"
FOLDS = 5
STRENGTH = 3.0
"""Inverse of the L2 penalty; 1 to 10 measures alike."""

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Message:
    """What somebody typed, in which language, and whether memory has any part in it."""

    text: str
    language: str
    is_personal: bool


def read() -> Iterator[Message]:
    """All labelled messages. Raises ``ValueError`` naming a line that is none."""
    for path in sorted(MESSAGES.glob("*.tsv")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            label, _, text = line.partition("\t")
            if label not in ("mine", "assistant", "world") or not text:
                raise ValueError(f"{path.name}:{number} is no labelled message: {line[:80]!r}")
            yield Message(text, path.stem, label != "world")


def fit(vectors: Floats, is_personal: NDArray[np.bool_]) -> tuple[Floats, float]:
    """A weight per dimension, and the bias."""
    model: Any = LogisticRegression(C=STRENGTH, max_iter=3_000, class_weight="balanced")
    model.fit(vectors, is_personal)
    return model.coef_[0], float(model.intercept_[0])


def cross_validate(vectors: Floats, is_personal: NDArray[np.bool_]) -> Floats:
    """The score of each message by a model that has not seen its part."""
    part = np.random.default_rng(0).integers(0, FOLDS, len(vectors))
    scores = np.zeros(len(vectors))
    for held in range(FOLDS):
        weights, bias = fit(vectors[part != held], is_personal[part != held])
        scores[part == held] = vectors[part == held] @ weights + bias
    return scores


def main() -> None:
    """See the module."""
    messages = list(read())
    vectors = sentence_encoder().encode([each.text for each in messages])
    is_personal = np.array([each.is_personal for each in messages])
    scores = cross_validate(vectors, is_personal)
    for language in sorted({each.language for each in messages}):
        mine = np.array([each.language == language for each in messages])
        area = float(cast("Any", roc_auc_score)(is_personal[mine], scores[mine]))
        print(f"{language}: {mine.sum()} messages, area {area:.3f}")
        for least in (-1.0, -0.6, -0.3, 0.0):
            told = scores[mine] < least
            world = ~is_personal[mine]
            print(f"  below {least}: {told[world].mean():.0%} of the world, {told[~world].mean():.1%} of one's own")
    weights, bias = fit(vectors, is_personal)
    np.savez_compressed(WEIGHTS, weights=weights.astype(np.float32), bias=np.float32(bias))


if __name__ == "__main__":
    main()
