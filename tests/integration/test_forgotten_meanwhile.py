"""What is forgotten while the work behind the conversation is making a memory of it stays forgotten."""

import asyncio

from evolution.requests.change_targets import ChangeTarget, TurnSpan
from evolution.requests.memory_editor import MemoryEditor
from memory.memory_item import MemoryDraft
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.unit_of_work import begin_unit
from memory.postgres.writing import Writing
from memory.scope import Scope
from memory.turns import Utterance
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said
from tests.integration.evolving import resources_on

TEA = "I like oolong tea."


def extraction(turn: Utterance) -> MemoryDraft:
    """What evolution makes of it: in another slot than words that are noted only to be forgotten."""
    return a_draft("oolong", content=TEA, slot="user|likes", citations=(cited(turn, TEA),))


async def heard(memory: MemoryCore, scope: Scope) -> tuple[Utterance, ChangeTarget]:
    """A turn of which nobody has made a memory yet, as a request to forget finds it."""
    turn = said(TEA)
    await memory.log.capture(scope, a_turn(turn))
    (event,) = await memory.log.events(scope, [turn.event_id])
    return turn, ChangeTarget(text=TEA, person="user", topics={}, spoken=(TurnSpan(event, 0, len(TEA)),))


def editor(database: Database, scope: Scope) -> MemoryEditor:
    return MemoryEditor(resources=resources_on(database), scope=scope, key="turn", at=at(5), trace_id="turn")


async def believed(memory: MemoryCore, scope: Scope) -> list[str]:
    return [item.content for item in await memory.items.list_newest(scope)]


async def test_a_memory_made_since_the_words_were_looked_at_goes_with_them(database: Database, scope: Scope):
    memory = postgres_memory(database)
    turn, target = await heard(memory, scope)
    made = await memory.items.write(scope, extraction(turn), by_ann("evolution"))
    changed = await editor(database, scope).forget([target])
    assert await believed(memory, scope) == []
    assert made.memory_id in [each.memory_id for each in changed]


async def test_a_memory_that_is_being_made_is_waited_for_and_goes_with_the_words(database: Database, scope: Scope):
    memory = postgres_memory(database)
    turn, target = await heard(memory, scope)
    async with begin_unit(database, scope) as unit:
        await Writing(unit, by_ann("evolution")).write(extraction(turn))
        forgetting = asyncio.create_task(editor(database, scope).forget([target]))
        done, _ = await asyncio.wait([forgetting], timeout=0.5)
        assert not done
    await forgetting
    assert await believed(memory, scope) == []


async def test_what_is_made_of_the_words_afterwards_is_refused(database: Database, scope: Scope):
    memory = postgres_memory(database)
    turn, target = await heard(memory, scope)
    await editor(database, scope).forget([target])
    refused = await memory.items.write(scope, extraction(turn), by_ann("evolution"))
    assert (refused.status, await believed(memory, scope)) == ("rejected", [])


async def test_a_correction_takes_with_it_what_was_made_of_the_wrong_words(database: Database, scope: Scope):
    memory = postgres_memory(database)
    turn, target = await heard(memory, scope)
    await memory.items.write(scope, extraction(turn), by_ann("evolution"))
    await editor(database, scope).correct(target, "I like jasmine tea.")
    assert await believed(memory, scope) == ["I like jasmine tea."]
