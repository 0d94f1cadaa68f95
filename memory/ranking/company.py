"""Who is brought, and in which company: the best rows of each leg, and the turns beside them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.ranking.columns import Flags, Places
from memory.ranking.legs import BROUGHT, LEG_REACH, REACH

STEP = 2
"""A neighbour is the next indexed turn, at most this many positions away."""
NEAR = 3
"""Positions to either side of a seed in which it may have neighbours, and they theirs."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Scan:
    """What was looked at, in order of thread and position, column by column.

    A thread is a session; what has no position is a thread of its own. ``cosine`` is not a number for rows without a
    vector of the asking model; the other scores are as in ``Features``.
    """

    numbers: Places
    thread: NDArray[np.int32]
    position: NDArray[np.int32]
    speaker: NDArray[np.int32]
    asks: Flags
    lexical: Numbers
    coverage: Numbers
    cosine: Numbers
    vector: Numbers
    own: Numbers


@dataclass(frozen=True)
class Brought:
    """Places in the scan that a pass returns, and what is known about the turns around each."""

    places: Places
    before: Numbers
    before_2: Numbers
    after: Numbers
    after_2: Numbers
    replies: Flags
    replied: Flags
    asked: Flags


def best(scores: Numbers, limit: int) -> Places:
    """Places of the greatest scores above 0; of equals, the earlier."""
    able = np.flatnonzero(scores > 0)
    if len(able) > limit:
        least = np.partition(scores[able], len(able) - limit)[len(able) - limit]
        able = able[scores[able] >= least]
    return able[np.argsort(-scores[able], kind="stable")][:limit]


def brought(scan: Scan) -> Brought:
    """What the legs found, and the best of the rest by a rough sum of their own score and their company."""
    of_a_leg = np.zeros(len(scan.own), bool)
    of_a_leg[best(scan.lexical, LEG_REACH)] = True
    of_a_leg[best(np.nan_to_num(scan.cosine), LEG_REACH)] = True
    seeds = of_a_leg.copy()
    seeds[best(scan.own, REACH)] = True
    near = _near(scan, np.flatnonzero(seeds))
    found = _company(scan, near)
    chosen = _chosen(scan, found, seeds[near], of_a_leg[near])
    return Brought(**{name: column[chosen] for name, column in vars(found).items()})


def _near(scan: Scan, seeds: Places) -> Places:
    """The seeds and up to three positions to either side."""
    around = (seeds[:, None] + np.arange(-NEAR, NEAR + 1)).clip(0, len(scan.own) - 1)
    here = scan.thread[around] == scan.thread[seeds][:, None]
    apart = np.abs(scan.position[around] - scan.position[seeds][:, None])
    near = np.zeros(len(scan.own), np.bool_)
    near[around[here & (apart <= NEAR)]] = True
    return np.flatnonzero(near)


def _company(scan: Scan, near: Places) -> Brought:
    """Each near row among the neighbours that it has among them."""
    own, speaker, rows = scan.own[near], scan.speaker[near], len(near)
    once, twice = _follows(scan, near, 1), _follows(scan, near, 2)
    others = once & (speaker[1:] != speaker[:-1])
    return Brought(
        places=near,
        before=_later(once * own[:-1], rows),
        before_2=_later(twice * own[:-2], rows),
        after=_sooner(once * own[1:], rows),
        after_2=_sooner(twice * own[2:], rows),
        replies=_later(others, rows),
        replied=_sooner(others, rows),
        asked=_later(once & scan.asks[near][:-1], rows),
    )


def _follows(scan: Scan, near: Places, step: int) -> Flags:
    """For each near row but the first ``step``: whether the one so many before it is that neighbour of it."""
    thread, position = scan.thread[near], scan.position[near]
    return (thread[step:] == thread[:-step]) & (position[step:] - position[:-step] <= STEP * step)


def _later(column: NDArray[Any], rows: int) -> NDArray[Any]:
    """What each row learns of an earlier one; nothing for the first ones."""
    return np.concatenate([np.zeros(rows - len(column), column.dtype), column])


def _sooner(column: NDArray[Any], rows: int) -> NDArray[Any]:
    """What each row learns of a later one; nothing for the last ones."""
    return np.concatenate([column, np.zeros(rows - len(column), column.dtype)])


def _chosen(scan: Scan, found: Brought, seeds: Flags, of_a_leg: Flags) -> Places:
    """Which near rows are brought: what a leg found first, then by the rough sum, then by place."""
    once, rows = _follows(scan, found.places, 1), len(seeds)
    beside = _later(once & seeds[:-1], rows) | _sooner(once & seeds[1:], rows)
    company = 0.2 * (found.before + found.after) + 0.1 * (found.before_2 + found.after_2)
    roughly = scan.own[found.places] + company + 0.3 * found.before * found.asked
    able = np.flatnonzero(seeds | beside)
    return able[np.lexsort((-roughly[able], ~of_a_leg[able]))][:BROUGHT]
