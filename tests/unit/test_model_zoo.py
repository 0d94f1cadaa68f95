"""Every behaviour of weak, odd and broken models over our recorded conversations, beside no model at all."""

import asyncio
from collections.abc import Callable, Iterable
from functools import cache

import pytest
from _pytest.mark import ParameterSet

from brain.settings import Settings
from evals.evaluation.memory_recorded import read_recording
from evals.evaluation.own_data import RECORDED, own_data
from evals.model_behaviours import BEHAVIOURS
from evals.model_zoo import Outcome, measure, zoo_task

WELL_FORMED = ("fenced", "thinking", "bare list", "null", "no schema", "unknown word", "chatty", "doubled", "reworded")
"""Only the wrapping differs from what was recorded."""
ALWAYS = ("fenced", "cut off", "small", "500", "20 % wrong")
"""One of each sort runs always: wrapped, broken, weak, away, lying. Each takes most of a minute."""


def sorts(names: Iterable[str]) -> list[ParameterSet]:
    return [pytest.param(each, marks=() if each in ALWAYS else (pytest.mark.exhaustive,)) for each in names]


Measured = Callable[[str], Outcome]


@pytest.fixture(scope="module")
def measured(server_url: str) -> Measured:
    """What each behaviour leaves, measured once."""

    @cache
    def outcome(name: str) -> Outcome:
        recording = read_recording(own_data(RECORDED)[0]) if name in BEHAVIOURS else None
        return asyncio.run(measure(name, zoo_task(server_url, recording=recording), Settings()))

    return outcome


def share(outcome: Outcome, figure: str) -> float:
    return outcome.shares[figure].value or 0.0


@pytest.mark.parametrize("name", sorts(each for each in BEHAVIOURS if each != "all wrong"))
def test_no_model_leaves_less_than_none(name: str, measured: Measured) -> None:
    floor = share(measured("no model"), "recall") - 0.01
    assert share(measured(name), "recall") >= floor


@pytest.mark.parametrize("name", sorts(WELL_FORMED))
def test_an_honest_answer_is_read_however_it_is_wrapped(name: str, measured: Measured) -> None:
    assert share(measured(name), "recall") >= 0.97 * share(measured("honest"), "recall")
    assert share(measured(name), "repeated") <= 0.05


@pytest.mark.parametrize("name", sorts(["20 % wrong", "all wrong"]))
def test_a_real_quote_proves_no_falsehood(name: str, measured: Measured) -> None:
    assert measured(name).wrong.whole >= 10
    assert (measured(name).wrong.value or 0.0) <= 0.3
    assert measured(name).confirmed == 0


def test_a_small_model_that_fails_half_the_time_keeps_most(measured: Measured) -> None:
    assert share(measured("small"), "recall") >= 0.8
    assert share(measured("small"), "junk") <= 0.2
