"""One way of saying each thing, and one slot for each matter."""

from typing import Any

import pytest

from evolution.normalize import normalize
from evolution.state import EvolutionState
from tests.unit.analysis_builders import a_candidate, a_said, an_evolving, turns


async def normalized(*candidates: Any, said: Any = None) -> Any:
    state = EvolutionState(session_id="s", said=said or turns("I live in Lyon."), candidates=list(candidates))
    return (await normalize(state, an_evolving()))["candidates"]


async def test_a_candidate_gets_its_slot():
    update = await normalize(
        EvolutionState(session_id="s", said=turns("I live in Lyon."), candidates=[a_candidate(predicate="resides")]),
        an_evolving(),
    )
    assert update == {"candidates": [a_candidate(slot="user|lives_in", single_valued=True)]}


@pytest.mark.parametrize("named", ["user", "The user", "用户", "I", "me"])
async def test_whoever_speaks_has_slots_of_their_own(named: str):
    assert [each["slot"] for each in await normalized(a_candidate(subject=named))] == ["user|lives_in"]


async def test_in_a_group_the_speaker_is_named():
    (candidate,) = await normalized(a_candidate(), said=[a_said("I live in Lyon.", speaker="Ann")])
    assert (candidate["subject"], candidate["slot"]) == ("Ann", "ann|lives_in")


async def test_somebody_else_has_other_slots():
    assert [each["slot"] for each in await normalized(a_candidate(subject="Emma"))] == ["emma|lives_in"]


@pytest.mark.parametrize(
    ("predicate", "folded", "negated"),
    [
        ("likes", "prefers", False),
        ("dislikes", "prefers", True),
        ("does_not_like", "prefers", True),
        ("doesn't like", "prefers", True),
        ("no_longer_works_at", "works_at", True),
        ("不喜欢", "prefers", True),
        ("讨厌", "prefers", True),
        ("notes", "notes", False),
        ("never_eats", "consumes", True),
    ],
)
async def test_liking_and_not_liking_meet_in_one_slot(predicate: str, folded: str, negated: bool):
    (candidate,) = await normalized(a_candidate(predicate=predicate))
    assert (candidate["predicate"], candidate["negated"]) == (folded, negated)


@pytest.mark.parametrize("topic", ["name", "origin", "diet"])
async def test_a_sentence_under_its_topic_is_one_of_many(topic: str):
    text = "It's  Apex, not Acme."
    (sentence,) = await normalized(a_candidate(text, object=text, predicate=topic, source="rules"))
    assert (sentence["object"], sentence["single_valued"]) == (sentence["content"], False)
    (value,) = await normalized(a_candidate(predicate=topic))
    assert value["single_valued"]


async def test_a_denial_stays_a_denial():
    (candidate,) = await normalized(a_candidate(predicate="likes", negated=True))
    assert candidate["negated"]


@pytest.mark.parametrize(("level", "believed"), [("observation", 0.6), ("analysis", 0.8), ("confirmed_by_user", 0.95)])
async def test_belief_is_held_below_what_provenance_allows(level: str, believed: float):
    told = a_candidate(provenance=level, confidence=0.95)
    assert [each["confidence"] for each in await normalized(told)] == [believed]


async def test_what_one_turn_says_twice_is_said_once_and_keeps_what_it_takes_back():
    twice = [a_candidate(), a_candidate(object="lyon ", confidence=0.97, source="rules"), a_candidate(replaces="Paris")]
    (candidate,) = await normalized(*twice)
    assert (candidate["confidence"], candidate["replaces"]) == (0.97, "Paris")


async def test_two_turns_are_two_pieces_of_evidence():
    said = turns("I live in Lyon.", "Lyon is where I live.")
    assert len(await normalized(a_candidate(), a_candidate(event_id="event-2"), said=said)) == 2
