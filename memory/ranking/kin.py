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
_NO_TERM = 1 << 32
"""Greater than any term."""


@dataclass(frozen=True)
class Leaders:
    """The best rows: their numbers, their own scores as shares of the best one, and their words."""

    numbers: Places
    weights: Numbers
    words: Sequence[Ints]


def kin(leaders: Leaders, asked: Question, postings: Postings, rows: int) -> Numbers:
    """By number, for so many rows, how much of what a leader says further a row says too, times the leader's weight."""
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
    known = np.sort(np.array([*asked.terms, _NO_TERM], np.int64))
    further = known[known.searchsorted(said)] != said
    return leader[further], said[further]
