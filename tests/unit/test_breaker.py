"""A breaker opens after failures, lets one try after a pause, and closes when that is answered."""

from dataclasses import dataclass

import pytest

from brain.circuit_breaker import FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS, CircuitBreaker


@dataclass
class Clock:
    """Seconds that pass when the test says so."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_one_failure_opens_it_and_an_answer_closes_it(clock: Clock):
    breaker = CircuitBreaker(clock=clock)
    assert breaker.allow_request()
    breaker.record_failure()
    assert not breaker.allow_request()
    breaker.record_success()
    assert breaker.allow_request()


def test_after_the_pause_one_may_try_while_the_others_wait(clock: Clock):
    breaker = CircuitBreaker(clock=clock)
    breaker.record_failure()
    clock.now += FIRST_PAUSE_SECONDS
    assert [breaker.allow_request() for _ in range(3)] == [True, False, False]


def test_each_failed_trial_doubles_the_pause_up_to_the_longest(clock: Clock):
    breaker = CircuitBreaker(clock=clock)
    breaker.record_failure()
    pauses: list[float] = []
    for _ in range(6):
        began = clock.now
        while not breaker.allow_request():
            clock.now += 1.0
        pauses.append(clock.now - began)
        breaker.record_failure()
    assert pauses == [15.0, 30.0, 60.0, 120.0, MAX_PAUSE_SECONDS, MAX_PAUSE_SECONDS]


def test_a_trial_that_was_given_up_leaves_the_next_one_to_try(clock: Clock):
    breaker = CircuitBreaker(clock=clock)
    breaker.record_failure()
    clock.now += FIRST_PAUSE_SECONDS
    assert breaker.allow_request()
    assert not breaker.allow_request()
    breaker.release_trial()
    assert [breaker.allow_request(), breaker.allow_request()] == [True, False]


def test_failures_of_calls_that_were_under_way_count_once(clock: Clock):
    breaker = CircuitBreaker(clock=clock)
    for _ in range(5):
        breaker.record_failure()
    clock.now += FIRST_PAUSE_SECONDS
    assert breaker.allow_request()


def test_it_tolerates_as_many_failures_in_a_row_as_it_is_told(clock: Clock):
    breaker = CircuitBreaker(tolerates=2, clock=clock)
    breaker.record_failure()
    breaker.record_failure()
    breaker.record_success()
    breaker.record_failure()
    breaker.record_failure()
    assert breaker.allow_request()
    breaker.record_failure()
    assert not breaker.allow_request()
