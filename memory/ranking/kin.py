"""What the best rows say beyond the question: a row that says it too is about the same thing."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memory.lexical_question import Question
from memory.ranking.columns import Places
from memory.ranking.postings import Ints, Postings
from memory.ranking.scores import table
from memory.ranking.view import Numbers

_NO_TERMS: Ints = np.empty(0, np.int32)


@dataclass(frozen=True)
class Leaders:
    """The best rows: their numbers, their own scores as shares of the best one, and their words."""

    numbers: Places
    weights: Numbers
    words: Sequence[Ints]


def kin(leaders: Leaders, asked: Question, postings: Postings, rows: int) -> Numbers:
    """By row number: the greatest share of a leader's further words that the row says too, times that leader's weight.

    A leader is no kin of itself.
    """
    leader, words = _further(leaders, asked)
    sizes = np.bincount(leader, minlength=len(leaders.numbers))
    found = postings.matches(words)
    shared = table(leader[found.asked], found.rows, (len(sizes), rows))
    shared[np.arange(len(sizes)), leaders.numbers] = 0
    return (shared * (leaders.weights / np.maximum(sizes, 1))[:, None]).max(axis=0, initial=0.0)


def _further(leaders: Leaders, asked: Question) -> tuple[Places, Ints]:
    """The words of the leaders beyond the question, each with the place of the one who says it."""
    leader = np.arange(len(leaders.words)).repeat([len(each) for each in leaders.words])
    said = np.concatenate([_NO_TERMS, *leaders.words])
    known = set(asked.terms)
    further = np.array([word not in known for word in said.tolist()], np.bool_)
    return leader[further], said[further]
