"""Burn rates over a made-up series of minutes, whose right answers are worked out by hand."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.service_alerts.burn_rate import FAST, LEAST_BUDGET, MIN_SAMPLES, RULES, SLOW, BurnRule, Tally, should_alert

BUDGET = 0.05
"""One of twenty may be bad: fast is 72 of 100, slow is 30 of 100."""
PER_MINUTE = 20
HOURS = 60


class Series:
    """How many of each minute's events were bad, from the first minute on."""

    def __init__(self, per_minute: int = PER_MINUTE) -> None:
        self.per_minute, self.bad = per_minute, list[int]()

    def then(self, minutes: int, bad: int) -> "Series":
        self.bad += [bad] * minutes
        return self

    def tally(self, end: int, length: timedelta) -> Tally:
        within = self.bad[max(0, end - int(length.total_seconds()) // 60) : end]
        return Tally(good=len(within) * self.per_minute - sum(within), bad=sum(within))

    def alerts(self, rule: BurnRule) -> list[tuple[int, int | None]]:
        """When an alert begins and ends, in minutes since the start, when somebody looks every minute."""
        found: list[tuple[int, int | None]] = []
        is_active = False
        for minute in range(1, len(self.bad) + 1):
            tallies = {length: self.tally(minute, length) for length in (rule.long, rule.short)}
            is_on = should_alert(rule, BUDGET, tallies, is_active=is_active)
            if is_on and not is_active:
                found.append((minute, None))
            elif is_active and not is_on:
                found[-1] = (found[-1][0], minute)
            is_active = is_on
        return found


def test_a_month_within_the_objective_tells_nobody():
    quiet = Series().then(10 * HOURS, bad=1)
    assert [quiet.alerts(rule) for rule in RULES] == [[], []]


def test_a_spike_of_five_minutes_alone_calls_nobody():
    spike = Series().then(6 * HOURS, bad=0).then(5, bad=20).then(6 * HOURS, bad=0)
    assert [spike.alerts(rule) for rule in RULES] == [[], []]


def test_a_steady_burn_of_fifteen_calls_when_the_long_window_has_seen_enough_of_it():
    # 15 of 20 a minute burn at 15. The hour burns at 14.4 when 864 of its 1,200 are bad: in the 58th minute (870).
    steady = Series().then(6 * HOURS, bad=0).then(2 * HOURS, bad=15)
    assert steady.alerts(FAST) == [(6 * HOURS + 58, None)]
    # Six hours burn at 6 when 2,160 of 7,200 are bad: in the 144th minute, which does not come.
    assert steady.alerts(SLOW) == []
    assert steady.then(HOURS, bad=15).alerts(SLOW) == [(6 * HOURS + 144, None)]


def test_a_slow_leak_is_a_ticket_and_no_call():
    # 7 of 20 a minute burn at 7: 309 minutes of them are 2,163 of 7,200.
    leak = Series().then(6 * HOURS, bad=0).then(8 * HOURS, bad=7)
    assert leak.alerts(FAST) == []
    assert leak.alerts(SLOW) == [(6 * HOURS + 309, None)]


def test_it_ends_when_the_short_window_burns_no_more_though_the_long_one_still_does():
    over = Series().then(2 * HOURS, bad=20).then(2 * HOURS, bad=0)
    # Five minutes of which two are good burn at 12, of which one is good at 16.
    assert over.alerts(FAST) == [(2, 2 * HOURS + 2)]
    assert over.tally(2 * HOURS + 2, FAST.long).burn_rate(BUDGET) > FAST.rate
    # Thirty minutes of which 22 are good burn at 5.33, of which 21 are good at 6.
    assert over.alerts(SLOW) == [(2, 2 * HOURS + 22)]


def test_it_is_one_alert_as_long_as_it_burns_and_another_when_it_burns_again():
    twice = Series().then(HOURS, bad=20).then(2 * HOURS, bad=0).then(HOURS, bad=20)
    assert len(twice.alerts(FAST)) == 2


def test_fewer_than_thirty_events_in_a_window_tell_nobody():
    assert Series(per_minute=5).then(10 * HOURS, bad=5).alerts(FAST) == []  # 25 in five minutes
    assert Series(per_minute=6).then(10 * HOURS, bad=6).alerts(FAST) == [(5, None)]
    at = {FAST.short: Tally(bad=MIN_SAMPLES), FAST.long: Tally(bad=MIN_SAMPLES - 1)}
    assert not should_alert(FAST, BUDGET, at, is_active=False)


def test_the_bound_itself_burns():
    for rule, bad in ((FAST, 72), (SLOW, 30)):
        at, below = Tally(good=100 - bad, bad=bad), Tally(good=101 - bad, bad=bad - 1)
        assert at.burn_rate(BUDGET) == rule.rate
        assert should_alert(rule, BUDGET, {rule.long: at, rule.short: at}, is_active=False)
        assert not should_alert(rule, BUDGET, {rule.long: below, rule.short: at}, is_active=False)
        assert not should_alert(rule, BUDGET, {rule.long: at, rule.short: below}, is_active=False)
    assert Tally(good=856, bad=144).burn_rate(1 - 0.99) == 14.4  # 1 - 0.99 is a hair above 0.01


def test_nothing_burns_where_nothing_happens_and_no_objective_divides_by_zero():
    assert Tally().burn_rate(BUDGET) == 0
    assert Tally(good=1, bad=1).burn_rate(0) == 0.5 / LEAST_BUDGET


tallies = st.builds(Tally, good=st.integers(0, 2_000), bad=st.integers(0, 2_000))


@given(rule=st.sampled_from(RULES), budget=st.floats(0, 1), long=tallies, short=tallies, is_active=st.booleans())
def test_an_alert_has_what_it_needs(rule: BurnRule, budget: float, long: Tally, short: Tally, is_active: bool):
    windows = {rule.long: long, rule.short: short}
    if should_alert(rule, budget, windows, is_active=is_active):
        assert short.burn_rate(budget) >= rule.rate
        assert is_active or (long.burn_rate(budget) >= rule.rate and min(long.samples, short.samples) >= MIN_SAMPLES)
        assert should_alert(rule, budget, windows, is_active=True)


@given(rule=st.sampled_from(RULES), budget=st.floats(0.001, 0.2), long=tallies, short=tallies, more=st.integers(1, 500))
def test_more_that_is_bad_never_silences(rule: BurnRule, budget: float, long: Tally, short: Tally, more: int):
    worse = {
        length: Tally(good=each.good, bad=each.bad + more) for length, each in ((rule.long, long), (rule.short, short))
    }
    for is_active in (False, True):
        before = should_alert(rule, budget, {rule.long: long, rule.short: short}, is_active=is_active)
        assert should_alert(rule, budget, worse, is_active=is_active) >= before


@given(bad=st.lists(st.integers(0, PER_MINUTE), min_size=60, max_size=400))
def test_alerts_follow_each_other_and_end_only_when_the_short_window_is_below(bad: list[int]):
    series = Series()
    series.bad = bad
    for rule in RULES:
        last = 0
        for begun, ended in series.alerts(rule):
            assert begun > last or last == 0
            until = ended or len(bad) + 1
            assert all(
                series.tally(minute, rule.short).burn_rate(BUDGET) >= rule.rate for minute in range(begun, until)
            )
            if ended is not None:
                assert series.tally(ended, rule.short).burn_rate(BUDGET) < rule.rate
                last = ended


@pytest.mark.parametrize("rule", RULES)
def test_the_short_window_is_a_twelfth_of_the_long_one(rule: BurnRule):
    assert rule.long == 12 * rule.short
