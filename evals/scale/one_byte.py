"""Does recall hold with one byte a dimension? The same questions over the same vectors, stored in three ways.

A question's own vector is never stored and stays as the encoder made it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apps.calibration.metrics import LabelledRanking, blank_repeats, ndcg, recall
from brain.embeddings.encoder import EncoderEmbedder, encoder_embedder
from evals.evaluation.metrics import mean
from evals.offline_recall import Remembered, remember_file
from evals.retrieval_kinds import DATA, NONE, TOP, Ranking, measure_kind
from memory.recall.policies.registry import find_policy

Matrix = NDArray[np.float32]
Store = Callable[[Matrix], Matrix]
"""Vectors ``[row, dimension]`` as they come back from where they were stored."""
LEVELS = 127
"""Steps of a signed byte to either side of zero."""


def as_floats(vectors: Matrix) -> Matrix:
    """Four bytes a dimension: as the encoder made them."""
    return vectors


def as_halves(vectors: Matrix) -> Matrix:
    """Two bytes a dimension, as Brain stores them."""
    return vectors.astype(np.float16).astype(np.float32)


def as_bytes(vectors: Matrix) -> Matrix:
    """One byte a dimension, and a factor for each vector by which its greatest coordinate becomes 127."""
    greatest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    factor = np.where(greatest > 0, greatest / LEVELS, 1)
    return (np.rint(vectors / factor).astype(np.int8) * factor).astype(np.float32)


STORES: Mapping[str, Store] = {"float": as_floats, "halfvec": as_halves, "byte": as_bytes}


@dataclass(frozen=True)
class Found:
    """Questions of one file under one way of storing: vectors alone, and the whole of recall.

    ``same`` is the share of the first ten rows by vectors alone that floats find as well.
    """

    vector_recall: float
    vector_ndcg: float
    same: float
    brain: Ranking


class _KnownEncoder(EncoderEmbedder):
    """Encodes every text once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, ...]] = {}
        self._encoder = encoder_embedder()

    def embed_now(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, vector in zip(new, self._encoder.embed_now(new) if new else [], strict=True):
            self._known[text] = tuple(vector)
        return [self._known[text] for text in texts]


@dataclass(frozen=True)
class OneByte:
    """What every file finds under every way of storing."""

    files: Mapping[str, Mapping[str, Found]] = field(default_factory=dict[str, Mapping[str, Found]])

    def lines(self) -> Iterable[str]:
        """A table to read."""
        yield f"{'':<16}{'n':>5} {'store':<8}{'vectors R@10':>13}{'nDCG':>7}{'same':>7}{'recall R@10':>13}{'nDCG':>7}"
        for name, stores in self.files.items():
            for store, found in stores.items():
                alone = f"{found.vector_recall:>13.2f}{found.vector_ndcg:>7.2f}{found.same:>7.1%}"
                brain = f"{found.brain.recall_10:>13.2f}{found.brain.ndcg:>7.2f}"
                yield f"{name:<16}{found.brain.questions:>5} {store:<8}{alone}{brain}"


def measure_one_byte(paths: Sequence[Path] = ()) -> OneByte:
    """Every file of labelled conversations, those of ``retrieval_kinds`` when none is named."""
    encoder, files = _KnownEncoder(), dict[str, Mapping[str, Found]]()
    for path in paths or sorted(DATA.glob("*.jsonl")):
        if not path.stem.endswith(NONE):
            memories = list(remember_file(path, encoder))
            files[path.stem] = {name: _measure(path.stem, memories, store) for name, store in STORES.items()}
    return OneByte(files)


def _measure(name: str, memories: Sequence[Remembered], store: Store) -> Found:
    stored = [_stored(memory, store) for memory in memories]
    judged, same = list[LabelledRanking](), list[float]()
    for plain, memory in zip(memories, stored, strict=True):
        asked = [each for each in memory.conversation.questions if each.evidence]
        exact, kept = _matrix(plain), _matrix(memory)
        assert memory.encoder is not None
        for question, vector in zip(asked, memory.encoder.embed_now([each.question for each in asked]), strict=True):
            order = _nearest(kept, vector)
            names = blank_repeats([memory.turn_of[memory.rows[int(number)].source_id] for number in order])
            judged.append(LabelledRanking(names, question.wanted_evidence))
            first = set(_nearest(exact, vector)[:TOP].tolist())
            same.append(len(first & set(order[:TOP].tolist())) / len(first))
    return Found(
        vector_recall=100 * mean(judged, lambda each: recall(each, TOP)),
        vector_ndcg=100 * mean(judged, lambda each: ndcg(each, TOP)),
        same=sum(same) / (len(same) or 1),
        brain=measure_kind(name, stored, find_policy()).brain,
    )


def _stored(memory: Remembered, store: Store) -> Remembered:
    rows = [
        replace(row, embedding=tuple(vector))
        for row, vector in zip(memory.rows, store(_matrix(memory)).tolist(), strict=True)
    ]
    return replace(memory, rows=rows)


def _matrix(memory: Remembered) -> Matrix:
    return np.array([row.embedding for row in memory.rows], np.float32)


def _nearest(vectors: Matrix, asked: Sequence[float]) -> NDArray[np.intp]:
    lengths = np.linalg.norm(vectors, axis=1)
    return np.argsort(-(vectors @ np.asarray(asked, np.float32)) / np.where(lengths > 0, lengths, 1), kind="stable")
