"""The sentence classifier at run time: a linear model over hashed features and meaning, its weights in eight bits.

``python -m evals.fit_statements`` makes ``statements.npz``, which knows words alone, and ``meaning.npz``, which sees
the encoder's vectors as well, from the sentences in ``evals/data/sentences``. The encoder counts where it is loaded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from math import sqrt
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from language.encoder import sentence_encoder
from language.features import BEFORE, LOOKED_AT, hash_features
from language.kinds import ACTS, KINDS, TOPICS, Kind, Topic

CLASSIFIED = 8_192
"""Sentences whose classification is kept: a turn asks for the same ones again and again."""

OWN_MEANING, MEANING_BEFORE = 0.7, 0.35
"""What vectors weigh beside hashed features of length 1: 0.4 to 1 measures alike, 1.5 worse."""
_FIELDS = ("weights", "scale", "bias", "of_meaning")

Floats = NDArray[np.float32]
Label = TypeVar("Label", bound=str)


@dataclass(frozen=True)
class LinearModel(Generic[Label]):
    """Softmax over ``weights[columns].sum(0) * scale / sqrt(columns) + meaning @ of_meaning + bias``.

    ``weights`` are int8, a column per label; ``of_meaning`` has a line per dimension, none where words are all.
    """

    labels: tuple[Label, ...]
    weights: NDArray[np.int8]
    scale: Floats
    bias: Floats
    of_meaning: Floats

    def probabilities(self, columns: NDArray[np.intp], meaning: Floats) -> Mapping[Label, float]:
        """By label, adding up to 1."""
        held = columns[columns < len(self.weights)] if len(columns) else columns
        total = self.weights[held].sum(axis=0, dtype=np.int32) * self.scale / np.sqrt(max(len(columns), 1)) + self.bias
        total = total + meaning @ self.of_meaning
        shares = np.exp(total - total.max())
        return dict(zip(self.labels, (shares / shares.sum()).tolist(), strict=True))


@dataclass(frozen=True)
class Classification:
    """Probabilities of one sentence, by kind and by topic."""

    kinds: Mapping[Kind, float]
    topics: Mapping[Topic, float]


@dataclass(frozen=True, eq=False)
class Classifier:
    """What a sentence is, and what it is about, by words alone or by words and meaning."""

    kinds: LinearModel[Kind]
    topics: LinearModel[Topic]
    sees_meaning: bool

    @lru_cache(maxsize=CLASSIFIED)  # noqa: B019 - there are two classifiers in a process
    def classify(self, text: str, before: str = "") -> Classification:
        """A sentence after the other speaker's last message, which may be empty."""
        columns = np.fromiter(hash_features(text, before), np.intp)
        meaning = meaning_features([(text, before)])[0] if self.sees_meaning else np.zeros(0, np.float32)
        kinds, topics = self.kinds.probabilities(columns, meaning), self.topics.probabilities(columns, meaning)
        if self.sees_meaning:
            kinds = _keep_acts(words_classifier().kinds.probabilities(columns, meaning[:0]), kinds)
        return Classification(kinds, topics)


def _keep_acts(by_words: Mapping[Kind, float], by_meaning: Mapping[Kind, float]) -> Mapping[Kind, float]:
    """What is asked of memory, and what has changed, are told by words; what else a sentence is, by meaning as well."""
    acts = sum(by_words[each] for each in ACTS)
    others = sum(share for kind, share in by_meaning.items() if kind not in ACTS) or 1.0
    return {
        kind: by_words[kind] if kind in ACTS else share * (1.0 - acts) / others for kind, share in by_meaning.items()
    }


def meaning_features(said: Sequence[tuple[str, str]]) -> Floats:
    """A line for each sentence: its own vector, and that of what was said before it, which counts half as much."""
    encoder = sentence_encoder()
    own = encoder.encode([text[:LOOKED_AT] for text, _ in said])
    before = encoder.encode([earlier[-BEFORE:] for _, earlier in said])
    is_said = np.array([[bool(earlier)] for _, earlier in said], np.float32)
    return np.hstack([OWN_MEANING * own, MEANING_BEFORE * before * is_said]).astype(np.float32)


def topic_overlap(one: Mapping[Topic, float], other: Mapping[Topic, float]) -> float:
    """How far two texts are about the same topic: the overlap of their topics' probabilities, 0 to 1."""
    return sum(sqrt(share * other[topic]) for topic, share in one.items())


def words_classifier() -> Classifier:
    """The fitted one that knows words alone, for whatever was fitted upon its judgement."""
    return _read_classifier("statements")


def load_classifier() -> Classifier:
    """The fitted one: with meaning where the encoder is loaded, else by words alone."""
    return _read_classifier("meaning") if sentence_encoder().is_loaded else words_classifier()


@lru_cache(maxsize=2)
def _read_classifier(name: str) -> Classifier:
    with as_file(files("language") / f"{name}.npz") as path, np.load(path) as held:
        kinds = LinearModel[Kind](KINDS, *(held[f"kind_{each}"] for each in _FIELDS))
        topics = LinearModel[Topic](TOPICS, *(held[f"topic_{each}"] for each in _FIELDS))
        return Classifier(kinds, topics, sees_meaning=len(kinds.of_meaning) > 0)
