"""From candidates to memories and ended operations: twice is once."""

from dataclasses import replace
from typing import Any

import pytest

from evolution.write import write
from memory.turns import Operation
from tests.this_test import me
from tests.unit.analysis_builders import a_candidate
from tests.unit.evolution_builders import SESSION, Talk

pytestmark = pytest.mark.usefixtures("memory")


async def a_talk(*texts: str) -> Talk:
    talk = Talk()
    for text in texts:
        await talk.say(text)
    return talk


async def a_stated(talk: Talk, number: int = 0, **values: Any) -> Any:
    event = await talk.event(number)
    told: dict[str, Any] = {
        "event_id": str(event.event_id),
        "slot": "user|lives_in",
        "single_valued": True,
        "source": "rules",
    }
    return a_candidate(**(told | values))


async def ended(talk: Talk, number: int = 0) -> Operation:
    operation = await talk.memory.log.operation(me(), talk.turns[number].operation_id)
    assert operation is not None
    return operation


async def test_a_candidate_becomes_a_memory_that_cites_its_turn():
    talk = await a_talk("I live in Lyon.")
    update = await write(await talk.state(candidates=[await a_stated(talk)]), talk.run)
    (item,) = await talk.memory.items.list_newest(me())
    event = await talk.event(0)
    assert update == {"written": {str(talk.turns[0].operation_id): [str(item.memory_id)]}}
    assert (item.content, item.observed_at, item.source_sessions) == (
        "The user lives in Lyon.",
        event.occurred_at,
        (SESSION.session_id,),
    )
    (evidence,) = await talk.memory.items.evidence(me(), item.memory_id)
    assert (evidence.quote, evidence.verified) == ("I live in Lyon", True)
    (version,) = await talk.memory.items.history(me(), item.memory_id)
    assert (version.operator, version.reason) == ("rules", "said so")
    operation = await ended(talk)
    assert (operation.status, operation.memory_ids) == ("stored", (item.memory_id,))


async def test_an_operation_tells_who_judged_it_when_its_conversation_had_other_models():
    talk = await a_talk("I live in Lyon.", "I live in Lyon.")
    unlike = [str(talk.turns[0].operation_id)]
    candidates = [await a_stated(talk), await a_stated(talk, 1)]
    await write(await talk.state(candidates=candidates, unlike=unlike, judge="llama3.1"), talk.run)
    assert [(await ended(talk, number)).reason for number in (0, 1)] == ["judged by llama3.1", None]


async def test_writing_twice_changes_nothing():
    talk = await a_talk("I live in Lyon.")
    state = await talk.state(candidates=[await a_stated(talk)])
    first = await write(state, talk.run)
    before = await talk.memory.items.list_newest(me(), include_inactive=True)
    assert await write(state, talk.run) == first
    assert await talk.memory.items.list_newest(me(), include_inactive=True) == before


async def test_whoever_finds_the_same_assertion_writes_under_the_same_key():
    talk = await a_talk("I live in Lyon.")
    state = await talk.state(candidates=[await a_stated(talk)])
    await write(state, talk.run)
    other = await a_stated(talk, source="model", content="The user has a home in Lyon.", object="lyon", confidence=0.7)
    await write(replace(state, candidates=[other]), talk.run)
    (item,) = await talk.memory.items.list_newest(me())
    assert (item.content, item.version) == ("The user lives in Lyon.", 1)


async def test_every_operation_says_how_it_ended():
    talk = await a_talk("I live in Lyon.", "Hello!", "I live in Lyon, as you said.")
    echo = {"content": "x", "event_id": str((await talk.event(2)).event_id), "reason": "echo"}
    state = await talk.state(candidates=[await a_stated(talk)], dropped=[echo])
    await write(state, talk.run)
    assert [((await ended(talk, n)).status, (await ended(talk, n)).reason) for n in range(3)] == [
        ("stored", None),
        ("nothing", "nothing in it asks to be remembered"),
        ("nothing", "left out: echo"),
    ]


async def test_what_was_corrected_before_counts_for_its_operation():
    talk = await a_talk("I moved to Lyon, not Paris.")
    operation = str(talk.turns[0].operation_id)
    memory_id = "33333333-3333-3333-3333-333333333333"
    update = await write(await talk.state(written={operation: [memory_id]}), talk.run)
    assert update == {"written": {operation: [memory_id]}}
    assert (await ended(talk)).status == "stored"


async def test_nothing_to_write_and_nothing_to_end_is_quiet():
    assert await write(await Talk().state(), Talk().run) == {"written": {}}
