"""The sentence classifier at run time: a linear model over hashed features, its weights in eight bits.

``python -m evals.fit_statements`` makes ``statements.npz`` from the sentences in ``evals/data/sentences``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from language.features import hash_features
from language.kinds import KINDS, TOPICS, Kind, Topic

CLASSIFIED = 8_192
"""Sentences whose classification is kept: a turn asks for the same ones again and again."""

Floats = NDArray[np.float32]
Label = TypeVar("Label", bound=str)


@dataclass(frozen=True)
class LinearModel(Generic[Label]):
    """Softmax over ``weights[columns].sum(0) * scale / sqrt(columns) + bias``; weights are int8, a column per label."""

    labels: tuple[Label, ...]
    weights: NDArray[np.int8]
    scale: Floats
    bias: Floats

    def probabilities(self, columns: NDArray[np.intp]) -> Mapping[Label, float]:
        """By label, adding up to 1."""
        held = columns[columns < len(self.weights)] if len(columns) else columns
        total = self.weights[held].sum(axis=0, dtype=np.int32) * self.scale / np.sqrt(max(len(columns), 1)) + self.bias
        shares = np.exp(total - total.max())
        return dict(zip(self.labels, (shares / shares.sum()).tolist(), strict=True))


@dataclass(frozen=True)
class Classification:
    """Probabilities of one sentence, by kind and by topic."""

    kinds: Mapping[Kind, float]
    topics: Mapping[Topic, float]


@dataclass(frozen=True, eq=False)
class Classifier:
    """What a sentence is, and what it is about."""

    kinds: LinearModel[Kind]
    topics: LinearModel[Topic]

    @lru_cache(maxsize=CLASSIFIED)  # noqa: B019 - there is one classifier in a process
    def classify(self, text: str, before: str = "") -> Classification:
        """A sentence after the other speaker's last message, which may be empty."""
        columns = np.fromiter(hash_features(text, before), np.intp)
        return Classification(self.kinds.probabilities(columns), self.topics.probabilities(columns))


@lru_cache(maxsize=1)
def load_classifier() -> Classifier:
    """The fitted one; read once, at the first sentence."""
    with as_file(files("language") / "statements.npz") as path, np.load(path) as held:
        kinds = LinearModel[Kind](KINDS, held["kind_weights"], held["kind_scale"], held["kind_bias"])
        topics = LinearModel[Topic](TOPICS, held["topic_weights"], held["topic_scale"], held["topic_bias"])
        return Classifier(kinds, topics)
