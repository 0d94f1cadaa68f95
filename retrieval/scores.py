"""Scores rows for a question: BM25 over words and n-grams, similarity of vectors, and both together."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from language.questions import LexicalQuestion
from retrieval.postings import Ints, Places, Postings

Numbers = NDArray[np.float64]
BM25_K1, BM25_B = 0.9, 0.4
"""BM25's saturation and length normalisation; short turns want little of either. A repeated term counts once."""


@dataclass(frozen=True)
class RetrieverWeights:
    """Weights of the normalised retriever scores (each 0..1) in a row's own score."""

    lexical: float = 1.0
    vector: float = 0.5
    """Where nobody has measured what the model is worth."""


class ScoredRows(Protocol):
    """The rows that a question may see: how many, by row number where each stands among them (-1: not seen), and by

    what BM25 divides the points of each.
    """

    @property
    def rows(self) -> int: ...
    @property
    def place(self) -> Ints: ...
    @property
    def saturation(self) -> Numbers: ...


@dataclass(frozen=True)
class Scores:
    """Of each row of a view, as in ``Features``; ``cosine`` is not a number for rows without a vector that compares."""

    lexical: Numbers
    coverage: Numbers
    cosine: Numbers
    vector: Numbers
    own: Numbers


def score_rows(
    view: ScoredRows, postings: Postings, cosine: Numbers, asked: LexicalQuestion, weights: RetrieverWeights
) -> Scores:
    """Each retriever as shares of its best row, and their weighted sum."""
    lexical, coverage = _bm25(view, postings, asked)
    vector = _vector_shares(cosine)
    return Scores(lexical, coverage, cosine, vector, own=weights.lexical * lexical + weights.vector * vector)


def saturation(lengths: NDArray[np.int32]) -> Numbers:
    """What BM25 divides the points of rows by, which have so many words."""
    shares: Numbers = lengths.astype(np.float64) / mean_length(lengths)
    return 1 + BM25_K1 * (1 - BM25_B + BM25_B * shares)


def mean_length(lengths: NDArray[np.int32]) -> float:
    """How many words rows have on average, 1 at least."""
    return max(1.0, float(lengths.mean())) if len(lengths) else 1.0


def _vector_shares(cosine: Numbers) -> Numbers:
    """How far each row stands above what is common to all of them, as a share of the best: on its model's own scale."""
    known = cosine[np.isfinite(cosine)]
    if not len(known):
        return np.zeros(len(cosine))
    best, least = known.max(), max(known.mean() - known.std(), 0.0)
    if best > least:
        return np.fmax(cosine - least, 0.0) / (best - least)
    return np.where(cosine > 0, 1.0, 0.0)


def sum_pairs(lines: Places, columns: Ints, shape: tuple[int, int], weights: Numbers | None = None) -> Numbers:
    """Pairs added up in a table, each with its weight or as one."""
    cells: Numbers = np.bincount(lines * shape[1] + columns, weights, shape[0] * shape[1]).astype(
        np.float64, copy=False
    )
    return cells.reshape(shape)


def _bm25(view: ScoredRows, postings: Postings, asked: LexicalQuestion) -> tuple[Numbers, Numbers]:
    """Per row its share of the best BM25, averaged over sub-questions, and how much of the question it covers."""
    rows = view.rows
    found = postings.matches(np.array(asked.terms, np.int32))
    places = view.place[found.rows]
    is_seen = places >= 0
    places, terms = places[is_seen], found.asked[is_seen]
    frequency = np.bincount(terms, minlength=len(asked.terms))
    points = np.array(asked.weights) * np.log1p((rows - frequency + 0.5) / (frequency + 0.5))
    parts = np.array(asked.parts_of_terms, np.intp)[terms]
    covered = sum_pairs(parts, places, (asked.parts, rows), points[terms])
    saturated = covered / view.saturation
    most = saturated.max(axis=1, keepdims=True)
    most[most == 0] = 1.0
    return (saturated / most).sum(axis=0) / asked.parts, covered.sum(axis=0) / (points.sum() or 1.0)
