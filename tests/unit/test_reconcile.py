"""News or echo: what stood in the prompt of a turn proves nothing when it comes back."""

from typing import Any

import pytest

from evolution.reconcile import reconcile
from evolution.state import EvolutionState
from tests.unit.analysis_builders import a_candidate, a_known, a_said, an_evolving

RECALLED = "[residence/user 2026-03] The user lives in Lyon."


async def reconciled(text: str, recalled: str = RECALLED, **values: Any) -> Any:
    """One candidate that rests on the whole of a turn in whose prompt a memory stood."""
    candidate = a_candidate(end=len(text), **values)
    state = EvolutionState(
        session_id="s",
        said=[a_said(text)],
        recalled={"operation-1": [recalled], "operation-2": [text]},
        candidates=[candidate],
        known=[a_known()],
    )
    update = await reconcile(state, an_evolving())
    for each in update["candidates"]:
        assert {**each, "replaces_memory": ""} == {**candidate, "replaces_memory": ""}
    return update


ECHO = [{"content": "The user lives in Lyon.", "event_id": "event-1", "reason": "echo"}]


@pytest.mark.parametrize(
    "text",
    [
        "You wrote: the user lives in Lyon. Is that right?",
        "the user lives in LYON",
        "I live in Lyon.",
        "Yes, I live in Lyon",
    ],
)
async def test_repeating_a_recalled_memory_is_no_evidence(text: str):
    assert await reconciled(text) == {"candidates": [], "dropped": ECHO}


async def test_quoting_a_recalled_memory_in_other_words_than_its_own_is_no_evidence():
    update = await reconciled("lives in Lyon", content="Ann resides in Lyon.")
    assert [each["reason"] for each in update["dropped"]] == ["echo"]


async def test_a_chinese_echo():
    update = await reconciled("我喜欢绿茶", "用户喜欢绿茶", object="绿茶", content="用户喜欢绿茶。")
    assert update["candidates"] == []


@pytest.mark.parametrize(
    "values",
    [
        {"object": "Rome", "content": "The user lives in Rome."},
        {"object": "Lyon", "content": "The user lived in Lyon until 2020."},
    ],
)
async def test_something_else_about_the_same_matter_is_news(values: Any):
    update = await reconciled("I said something else", **values)
    assert (len(update["candidates"]), update["dropped"]) == (1, [])


async def test_who_takes_something_back_repeats_nothing():
    update = await reconciled("Not Paris, I live in Lyon.", replaces="Paris")
    assert (len(update["candidates"]), update["dropped"]) == (1, [])


async def test_a_memory_of_another_turns_prompt_is_no_echo_here():
    update = await reconciled("I live in Lyon.", "The user owns a bicycle.")
    assert len(update["candidates"]) == 1


@pytest.mark.parametrize(
    ("named", "subject", "kept"),
    [
        (a_known()["memory_id"], "user", a_known()["memory_id"]),
        ("22222222-2222-2222-2222-222222222222", "user", ""),
        (a_known()["memory_id"], "Emma", ""),
    ],
    ids=["known", "unknown", "of another subject"],
)
async def test_only_a_known_memory_of_the_same_subject_is_replaced_by_name(named: str, subject: str, kept: str):
    (candidate,) = (await reconciled("I moved to Lyon.", replaces_memory=named, subject=subject))["candidates"]
    assert candidate["replaces_memory"] == kept
