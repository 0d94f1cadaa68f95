"""Selects candidates: the best rows of each retriever, and the turns beside them."""

from dataclasses import dataclass

import numpy as np

from memory.recall.cache.columns import Flags
from memory.recall.cache.view import AFTER, BEFORE, NEIGHBOURS, View, shift
from memory.recall.weights import NEXT_TURN, ROUGH_ANSWER, SECOND_TURN, Reach
from retrieval.postings import Places
from retrieval.scores import Numbers, Scores

_MAX_DISTANCE = max(NEIGHBOURS)
_STEPS = np.array(NEIGHBOURS)[:, None]
_ROUGHLY = np.array([NEXT_TURN, SECOND_TURN, NEXT_TURN, SECOND_TURN])
"""What neighbours lend to a row until the policy weighs it exactly."""


@dataclass(frozen=True)
class Selection:
    """Places in a view that a pass returns, and ``beside[i]`` the own scores of the i-th neighbour of each."""

    places: Places
    beside: Numbers


def best(scores: Numbers, limit: int) -> Places:
    """Places of the greatest scores above 0; of equals, the earlier."""
    able = top(scores, limit).nonzero()[0]
    return able[(-scores[able]).argsort(kind="stable")]


def top(scores: Numbers, limit: int) -> Flags:
    """Which rows have the greatest scores above 0; of equals, the earlier. What is not a number is not above 0."""
    able = scores > 0
    if np.count_nonzero(able) <= limit:
        return able
    positive = scores[able]
    least = np.partition(positive, -limit)[-limit]
    chosen = able & (scores >= least)
    surplus = np.count_nonzero(chosen) - limit
    if surplus:
        chosen[(scores == least).nonzero()[0][-surplus:]] = False
    return chosen


def select_rows(view: View, scores: Scores, reach: Reach) -> Selection:
    """What the retrievers found, and the best of the rest by a rough sum of their own and their neighbours' scores.

    Of a long turn beside a seed only its beginning comes along, and what answers by itself.
    """
    per_retriever = top(scores.lexical, reach.per_retriever) | top(scores.cosine, reach.per_retriever)
    seeds = per_retriever | top(scores.own, reach.seeds)
    seeded = np.logical_or.reduceat(seeds, view.firsts)
    beside_a_seed = (view.neighbours[BEFORE] & shift(seeded, -1)) | (view.neighbours[AFTER] & shift(seeded, 1))
    able = (seeds | (beside_a_seed[view.turn] & (view.opens | (scores.own > 0)))).nonzero()[0]
    beside = _neighbour_scores(view, scores.own, view.turn[able])
    if len(able) > reach.brought:
        roughly = scores.own[able] + _ROUGHLY @ beside + ROUGH_ANSWER * beside[BEFORE] * view.asked[able]
        chosen = np.lexsort((-roughly, ~per_retriever[able]))[: reach.brought]
        able, beside = able[chosen], beside[:, chosen]
    return Selection(able, beside)


def _neighbour_scores(view: View, own: Numbers, turns: Places) -> Numbers:
    """The own scores of the neighbours of these turns, each the best of its passages, 0 where there is none."""
    padded = np.zeros(len(view.firsts) + 2 * _MAX_DISTANCE)
    padded[_MAX_DISTANCE:-_MAX_DISTANCE] = np.maximum.reduceat(own, view.firsts)
    return padded[turns + (_STEPS + _MAX_DISTANCE)] * view.neighbours[:, turns]
