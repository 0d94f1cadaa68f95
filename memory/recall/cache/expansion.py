"""What the best rows say beyond the question: a row that says it too is about the same thing."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from language.questions import LexicalQuestion
from memory.recall.cache.columns import Flags
from retrieval.postings import Ints, Places
from retrieval.scores import Numbers


@dataclass(frozen=True)
class Leader:
    """One of the best rows: its number, its own score as a share of the best one, and its words, in order."""

    number: int
    weight: float
    words: Ints


def expansion_scores(
    leaders: Sequence[Leader], asked: LexicalQuestion, numbers: Places, words: Sequence[Ints]
) -> Numbers:
    """For each row the greatest share of a leader's further words that it says too, times that leader's weight.

    ``words[i]`` are those of row ``numbers[i]``. A leader is no kin of itself.
    """
    said, speaker = np.concatenate(words), np.arange(len(words)).repeat([len(each) for each in words])
    found = np.zeros(len(words))
    for leader in leaders:
        further = _expansion_terms(leader, asked)
        if len(further):
            shared = np.bincount(speaker[_membership_mask(said, further)], minlength=len(words))
            shared[numbers == leader.number] = 0
            found = np.maximum(found, shared * (leader.weight / len(further)))
    return found


def _expansion_terms(leader: Leader, asked: LexicalQuestion) -> Ints:
    """A leader's words beyond the question."""
    known, words = set(asked.terms), leader.words.tolist()
    return np.array([word for word in words if word not in known], np.int32)


def _membership_mask(words: Ints, known: Ints) -> Flags:
    """Which words are among the known ones, which are in order."""
    places = known.searchsorted(words)
    places[places == len(known)] = 0
    return known[places] == words
