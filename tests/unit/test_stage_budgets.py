"""The ladder of what is left out under load: up while budgets are not kept, down after calm, never to and fro."""

from dataclasses import dataclass, replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from brain.stage_budgets import LADDER, PERSISTENCE, STEPS, StageBudgets, StageController

BUDGETS = StageBudgets(patience=60.0)
FAST, SLOW = 10.0, 500.0


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def a_controller(budgets: StageBudgets = BUDGETS, busy: float = 0.0) -> tuple[StageController, Clock]:
    """On a process that computes for such a part of the time."""
    clock = Clock()
    return StageController(budgets, clock, lambda: busy * clock.now), clock


def turns(stages: StageController, clock: Clock, seconds: float, retrieval: float, per_second: int = 40) -> list[int]:
    """So many seconds of turns whose retrieval takes so long; the level after each."""
    levels = list[int]()
    for _ in range(int(seconds * per_second)):
        clock.now += 1 / per_second
        for step, its in STEPS.items():
            stages.note(step, retrieval if its == "retrieval" else 1.0)
        levels.append(stages.level)
    return levels


def test_the_budgets_are_those_of_the_seed():
    assert (BUDGETS.open, BUDGETS.intent, BUDGETS.retrieval, BUDGETS.context, BUDGETS.jitter) == (20, 30, 220, 60, 70)
    assert BUDGETS.total == 400


def test_under_load_one_thing_after_the_other_is_left_out_in_order():
    stages, clock = a_controller()
    assert set(turns(stages, clock, 10, FAST)) == {0}
    levels = turns(stages, clock, 40, SLOW)
    assert sorted(set(levels)) == [0, 1, 2, 3, 4, 5]
    assert levels == sorted(levels)
    assert [each for each in LADDER if stages.leaves_out(each)] == list(LADDER)


def test_everything_comes_back_one_after_the_other_after_calm():
    stages, clock = a_controller()
    turns(stages, clock, 40, SLOW)
    levels = turns(stages, clock, 6 * BUDGETS.recovery, FAST, per_second=25)
    assert sorted(set(levels), reverse=True) == [5, 4, 3, 2, 1, 0]
    assert levels == sorted(levels, reverse=True)


def test_a_lull_counts_as_calm():
    stages, clock = a_controller()
    turns(stages, clock, 40, SLOW)
    for _ in range(400):
        clock.now += 1
        stages.look()
    assert stages.level == 0


def test_a_slow_dependency_without_load_takes_nothing_away():
    stages, clock = a_controller()
    assert set(turns(stages, clock, 100, SLOW, per_second=10)) == {0}
    literal, at = a_controller(replace(BUDGETS, load=0))
    assert max(turns(literal, at, 100, SLOW, per_second=10)) == len(LADDER)


def test_a_process_that_only_computes_is_under_load_however_few_turns_it_has_at_once():
    stages, clock = a_controller(busy=0.9)
    assert max(turns(stages, clock, 40, SLOW, per_second=10)) == len(LADDER)
    assert set(turns(*a_controller(busy=0.9), 40, SLOW, per_second=3)) == {0}


def test_one_stage_a_fifth_above_its_budget_is_relieved_when_it_goes_on():
    stages, clock = a_controller()
    assert set(turns(stages, clock, BUDGETS.patience - 1, 270.0)) == {0}
    assert max(turns(stages, clock, 10, 270.0)) == 1
    brief, at = a_controller()
    for _ in range(4):
        assert set(turns(brief, at, BUDGETS.patience / 2, 270.0)) == {0}
        turns(brief, at, 10, FAST)


def test_a_load_that_took_something_away_gets_it_back_when_it_eases_and_else_is_tried_rarely():
    """Whoever is slow whenever anything is brought back, at the same number of turns, is asked every eight minutes."""
    stages, clock = a_controller()
    turns(stages, clock, 10, SLOW)
    ups = list[float]()
    for _ in range(3_600):
        before = stages.level
        turns(stages, clock, 1, SLOW if stages.level == 0 else FAST)
        if stages.level > before:
            ups.append(clock.now)
    assert ups
    assert min(later - earlier for earlier, later in pairwise(ups)) >= PERSISTENCE * BUDGETS.recovery
    turns(stages, clock, 3 * BUDGETS.recovery, FAST, per_second=25)
    assert stages.level == 0


def test_rungs_with_nothing_to_leave_out_are_passed_over():
    stages, clock = a_controller()
    stages.rungs = ("load_vectors", "load_candidates")
    assert sorted(set(turns(stages, clock, 40, SLOW))) == [0, 3, 5]
    assert sorted(set(turns(stages, clock, 6 * BUDGETS.recovery, FAST, per_second=25))) == [0, 3, 5]
    assert stages.level == 0


TALK = st.lists(st.tuples(st.floats(0.1, 20), st.floats(0, 2_000), st.integers(0, 80)), min_size=1, max_size=30)


@given(TALK)
def test_whatever_happens_the_ladder_is_climbed_a_rung_at_a_time_and_never_too_often(
    story: list[tuple[float, float, int]],
):
    stages, clock = a_controller()
    last, changed_at = 0, -1_000.0
    for seconds, retrieval, per_second in story:
        for _ in range(max(1, int(seconds * 4))):
            clock.now += 0.25
            for _ in range(per_second // 4):
                stages.note("open_session", 1.0)
                stages.note("retrieve", retrieval)
            stages.look()
            if stages.level != last:
                assert abs(stages.level - last) == 1
                assert 0 <= stages.level <= len(LADDER)
                wait = BUDGETS.window if stages.level > last else BUDGETS.recovery
                assert clock.now - changed_at >= wait
                last, changed_at = stages.level, clock.now
    for _ in range(20 * PERSISTENCE * int(BUDGETS.recovery)):
        clock.now += 1
        stages.look()
    assert stages.level == 0
