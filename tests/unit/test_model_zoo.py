"""Every behaviour of weak, odd and broken models over our recorded conversations, beside no model at all."""

import asyncio
from functools import lru_cache

import pytest

from brain.settings import Settings
from evals.evaluation.memory_recorded import read_recording
from evals.evaluation.own_data import RECORDED, own_data
from evals.model_zoo import BEHAVIOURS, Outcome, measure, zoo_task

WELL_FORMED = ("fenced", "thinking", "bare list", "null", "no schema", "unknown word", "chatty", "doubled", "reworded")
"""Only the wrapping differs from what was recorded."""


@lru_cache
def outcome(name: str) -> Outcome:
    recording = read_recording(own_data(RECORDED)[0]) if name in BEHAVIOURS else None
    return asyncio.run(measure(name, zoo_task(recording=recording), Settings()))


def share(name: str, figure: str) -> float:
    return outcome(name).shares[figure].value or 0.0


@pytest.mark.parametrize("name", [each for each in BEHAVIOURS if each != "all wrong"])
def test_no_model_leaves_less_than_none(name: str) -> None:
    floor = share("no model", "recall") - 0.01
    assert share(name, "recall") >= floor


@pytest.mark.parametrize("name", WELL_FORMED)
def test_an_honest_answer_is_read_however_it_is_wrapped(name: str) -> None:
    assert share(name, "recall") >= 0.97 * share("honest", "recall")
    assert share(name, "repeated") <= 0.05


@pytest.mark.parametrize("name", ["20 % wrong", "all wrong"])
def test_a_real_quote_proves_no_falsehood(name: str) -> None:
    assert outcome(name).wrong.whole >= 10
    assert (outcome(name).wrong.value or 0.0) <= 0.3
    assert outcome(name).confirmed == 0


def test_a_small_model_that_fails_half_the_time_keeps_most() -> None:
    assert share("small", "recall") >= 0.8
    assert share("small", "junk") <= 0.2
