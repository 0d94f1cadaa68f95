"""The measuring itself: percentiles, fairness of turns, and what counts."""

import math
from itertools import count

import pytest

from evals.measure import Rounds, measure_interleaved, percentile, ratio, timing, under_load


def ticking(step: float = 1.0):
    """A clock that advances by ``step`` each time it is read."""
    ticks = count()
    return lambda: next(ticks) * step


def asked_of(log: list[tuple[str, int]], name: str):
    async def call(number: int) -> None:
        log.append((name, number))

    return call


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, 1.0), (0.5, 2.5), (1.0, 4.0), (0.95, 3.85)],
)
def test_a_percentile_lies_between_the_ordered_values(share: float, expected: float):
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == pytest.approx(expected)  # pyright: ignore[reportUnknownMemberType]


def test_a_percentile_of_nothing_is_no_number():
    assert math.isnan(percentile([], 0.5))


def test_a_timing_is_the_median_repetition_in_milliseconds_with_the_noise_between_repetitions():
    found = timing([[0.001, 0.002, 0.003], [0.004, 0.004, 0.004], [0.010, 0.010, 0.010]])
    assert (found.p50, found.low, found.high, found.calls) == (4.0, 2.0, 10.0, 9)


def test_one_slow_call_shows_in_the_tail_and_not_in_the_middle():
    found = timing([[0.001] * 19 + [1.0]])
    assert found.p50 == 1.0
    assert found.p95 > 50.0


async def test_contenders_are_asked_the_same_in_rounds_that_begin_with_another_each_time():
    log: list[tuple[str, int]] = []
    contenders = {"a": asked_of(log, "a"), "b": asked_of(log, "b")}
    await measure_interleaved(contenders, Rounds(calls=3, repetitions=1, warm_up=0), ticking())
    assert log == [("a", 0), ("b", 0), ("b", 1), ("a", 1), ("a", 2), ("b", 2)]


async def test_warming_up_happens_once_and_does_not_count():
    log: list[tuple[str, int]] = []
    found = await measure_interleaved(
        {"a": asked_of(log, "a")}, Rounds(calls=2, repetitions=3, warm_up=4), ticking(0.5)
    )
    assert len(log) == 4 + 2 * 3
    assert found == {"a": [[0.5, 0.5]] * 3}


async def test_load_counts_the_answers_of_all_clients_and_asks_each_number_once():
    log: list[tuple[str, int]] = []
    load = await under_load(asked_of(log, "a"), clients=3, seconds=60.0, clock=ticking())
    numbers = [number for _, number in log]
    assert len(set(numbers)) == len(numbers)
    assert load.clients == 3
    assert load.p50 == 1000.0
    assert 0 < load.per_second < 1


def test_a_ratio_against_nothing_is_no_number():
    assert ratio(6.0, 2.0) == 3.0
    assert math.isnan(ratio(6.0, 0.0))
