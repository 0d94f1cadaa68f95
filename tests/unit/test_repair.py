"""What a false slip took back comes to light and comes back; what anybody touched since stays."""

from dataclasses import replace
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from evolution.repair import find_false_slips, find_unfounded, repair_false_slip
from memory.memory_item import Author, MemoryItem
from memory.postgres.database import Database
from memory.postgres.sql import SqlStatement
from memory.provenance import COMPOSED
from tests.contract.builders import a_draft, at, cited
from tests.this_test import me
from tests.unit.evolution_builders import Talk

pytestmark = pytest.mark.usefixtures("memory")


REWRITTEN = SqlStatement(
    "rewritten", "update brain.memory_items set provenance = %(provenance)s where item_id = %(memory_id)s"
)
ACME = {"predicate": "works_at", "slot": "user|works_at", "item_type": "fact", "speaker": "user"}


def by_rules(key: str) -> Author:
    return Author(operator="rules", reason="said so", idempotency_key=key, at=at(5))


async def a_false_slip() -> tuple[Talk, MemoryItem, MemoryItem]:
    """As it was written once: another number was taken for a slip of the tongue."""
    talk = Talk()
    first = await talk.say("I have worked at Acme since 2019.")
    second = await talk.say("I get up at 8:25 every day.")
    whole = {"single_valued": False, "provenance": "confirmed_by_user", **ACME}
    old = a_draft("Acme", content="I have worked at Acme since 2019.", **whole)
    old = replace(old, citations=(cited(first.utterances[0], "I have worked at Acme since 2019."),))
    receipt = await talk.memory.items.write(me(), old, by_rules("old"))
    wrong = a_draft("8:25", content="I have worked at Acme since 8:25.", observed_at=at(1), retracts=True, **whole)
    spoken = cited(second.utterances[0], "I get up at 8:25 every day.")
    wrong = replace(wrong, replaces_memory=receipt.memory_id, composed=True, citations=(spoken,))
    made = await talk.memory.items.write(me(), wrong, by_rules("wrong"))
    return talk, await item(talk, receipt.memory_id), await item(talk, made.memory_id)


async def item(talk: Talk, memory_id: Any) -> MemoryItem:
    return await talk.memory.items.get(me(), memory_id)


async def as_it_was_written_once(database: Database) -> tuple[Talk, MemoryItem, MemoryItem]:
    """The wrong memory cites its own turn alone and is told as said, as before corrections cited both turns."""
    talk, old, wrong = await a_false_slip()
    told = {name: value for name, value in wrong.provenance.items() if name not in (COMPOSED, "overruled")}
    plain = {**told, "events": wrong.provenance["events"][:1], "speaker": "user"}  # type: ignore[index]
    async with database.transaction(me()) as session:
        session.execute(REWRITTEN, {"memory_id": wrong.memory_id, "provenance": Jsonb(plain)})
    return talk, old, await item(talk, wrong.memory_id)


async def test_a_memory_whose_words_nobody_said_comes_to_light(database: Database):
    talk, _, wrong = await as_it_was_written_once(database)
    assert [each.memory_id for each in await find_unfounded(talk.resources, me())] == [wrong.memory_id]


async def test_what_a_false_slip_took_back_lives_again_and_what_was_said_is_kept(database: Database):
    talk, old, wrong = await as_it_was_written_once(database)
    assert old.status == "retracted"
    (slip,) = await find_false_slips(talk.resources, me())
    await repair_false_slip(talk.resources, me(), slip)
    living = [each.content for each in await talk.memory.items.list_newest(me())]
    assert sorted(living) == ["I get up at 8:25 every day.", "I have worked at Acme since 2019."]
    assert (await item(talk, wrong.memory_id)).status == "retracted"
    assert await find_false_slips(talk.resources, me()) == []


async def test_what_somebody_confirmed_since_is_left_alone(database: Database):
    talk, _, wrong = await as_it_was_written_once(database)
    confirmed = Author(operator="ann", reason="it is so", idempotency_key="c", at=at(9))
    await talk.memory.items.confirm(me(), wrong.memory_id, confirmed)
    assert await find_false_slips(talk.resources, me()) == []


async def test_a_correction_that_rests_on_both_turns_says_what_they_say():
    talk = Talk()
    await talk.knows(a_draft("Acme", content="The user works at Acme.", **ACME))
    assert await find_unfounded(talk.resources, me()) == []
