"""The simulation of stage budgets in small: the ladder holds what is lost without it, the same each time."""

from dataclasses import replace

from evals.evaluation.metrics import percentile
from evals.stage_budgets import Load, Simulation, processes
from evals.stage_times import SEGMENTS, SegmentTimes

SHARES = {"open": 0.1, "retrieval": 0.4, "context": 0.2, "rest": 0.3}
LOAD = Load(rates=(20.0, 80.0, 20.0), seconds=(20.0, 240.0, 100.0))


def a_rung(milliseconds: float) -> dict[str, SegmentTimes]:
    """A turn that computes so long, more or less."""
    return {
        name: SegmentTimes([milliseconds * SHARES[name] * each for each in (0.7, 1.0, 1.3)], 2.0) for name in SEGMENTS
    }


LEVELS = [a_rung(each) for each in (40.0, 34.0, 32.0, 26.0, 24.0, 22.0)]


def test_an_overload_is_held_to_the_budget_by_the_ladder_alone():
    assert processes(LEVELS, LOAD) == 3
    held, lost = (Simulation(LEVELS, LOAD, holds=holds).run() for holds in (True, False))
    assert sum(map(len, held.paths)) == sum(map(len, lost.paths))
    assert percentile(held.paths[1], 0.95) < 400 < 2_000 < percentile(lost.paths[1], 0.95)
    assert (set(lost.levels), lost.steps) == ({0}, 0)
    assert held.levels[0] > 0
    assert max(held.levels) >= 1


def test_the_same_seed_tells_the_same():
    brief = replace(LOAD, seconds=(5.0, 20.0, 5.0))
    one, other = (Simulation(LEVELS, brief, holds=True).run() for _ in range(2))
    assert (one.levels, one.paths) == (other.levels, other.paths)
