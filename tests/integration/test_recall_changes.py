"""Reading on in a recall index: what changed since, page by page, and for nobody but the one whose rows they are."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from brain.recall import RecallRequest, query_of
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache, ReadPosition, read_changes
from memory.postgres.database import Database, PoolLimits
from memory.postgres.roles import Addresses
from memory.postgres.sql import SqlStatement
from memory.recall.query import RecallQuery
from memory.recall.statement import owner_range_params
from memory.scope import Scope
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, said

UNSECURED = """
select * from brain.recall_changes(
    %(tenant_id)s, %(scope)s, %(user_id)s, %(user_low)s, %(user_high)s,
    %(since)s, %(since)s, '0', '00000000-0000-0000-0000-000000000000', 9)"""
BOATS = query_of(RecallRequest(text="boat", at=at(600)))


@dataclass(frozen=True)
class Row:
    """Any row, by its source."""

    source_id: UUID


@pytest.fixture
def elsewhere(database: Database) -> MemoryCore:
    """Another process over the same database."""
    return postgres_memory(database)


async def texts(memory: MemoryCore, scope: Scope, query: RecallQuery = BOATS) -> set[str]:
    return {each.text for each in (await memory.index.candidates(scope, query)).candidates}


async def test_only_what_changed_is_read_again(elsewhere: MemoryCore, database: Database, scope: Scope):
    session = a_session()
    await elsewhere.log.capture(scope, a_turn(*(said(f"boat {n}", minutes=n) for n in range(20)), session=session))
    first = await read_changes(database, scope, ReadPosition())
    await elsewhere.log.capture(scope, a_turn(said("boat 20", minutes=30), session=session))
    second = await read_changes(database, scope, first.reading)
    third = await read_changes(database, scope, second.reading)
    assert [len(each.entries) for each in (first, second, third)] == [20, 1, 0]
    assert not any(each.anew for each in (first, second, third))


async def test_who_asked_what_changed_is_nobody_again_afterwards(
    elsewhere: MemoryCore, scope: Scope, test_addresses: Addresses
):
    await elsewhere.log.capture(scope, a_turn(said("My boat is red")))
    async with Database(test_addresses.app, PoolLimits(connections=1)) as database:
        assert len((await read_changes(database, scope, ReadPosition())).entries) == 1
        async with database.anonymous_session() as session:
            seen = await session.fetch(SqlStatement("seen", "select source_id from brain.recall_index"), {}, Row)
    assert seen == []


@pytest.mark.parametrize("named", [{"user_id": uuid4()}, {"tenant_id": uuid4()}, {"key": "peer:x"}, {"key": "group:x"}])
async def test_what_changed_is_told_of_ones_own_rows_alone(
    elsewhere: MemoryCore, database: Database, scope: Scope, test_addresses: Addresses, named: dict[str, Any]
):
    """By row-level security, and by the function's own words where there is none."""
    stranger, nothing_yet = replace(scope, **named), (await read_changes(database, scope, ReadPosition())).reading
    await elsewhere.log.capture(scope, a_turn(said("My boat is red")))
    gone = await elsewhere.items.write(scope, a_draft("a boat"), by_ann("k1"))
    await elsewhere.items.forget(scope, gone.memory_id, by_ann("k2", minutes=1))
    for who, rows in ((scope, 1), (stranger, 0)):
        told = await read_changes(database, who, nothing_yet)
        assert (len(told.entries), len(told.removed)) == (rows, rows)
        with psycopg.connect(test_addresses.owner) as owner:
            params = owner_range_params(who) | {"user_id": who.user_id, "since": nothing_yet.since}
            first, *others = owner.execute(UNSECURED, params).fetchall()
        assert (len(first[2]), len(others)) == (rows, rows)


async def test_a_long_index_is_read_page_by_page_while_it_is_written_to(
    elsewhere: MemoryCore, database: Database, scope: Scope
):
    session, kept = a_session(), CorpusCache(first_questions=0, page=7)
    memory = postgres_memory(database, kept)
    await elsewhere.log.capture(scope, a_turn(*(said(f"boat {n}", minutes=n) for n in range(20)), session=session))
    for number in range(20, 23):
        await elsewhere.log.capture(scope, a_turn(said(f"boat {number}", minutes=number), session=session))
        assert len(await texts(memory, scope)) == number + 1
        assert len(kept) == 0
    await texts(memory, scope)
    assert len(kept) == 1
    assert len(await texts(memory, scope)) == 23


async def test_what_is_forgotten_while_the_pages_are_turned_stays_forgotten(
    elsewhere: MemoryCore, database: Database, scope: Scope
):
    memory = postgres_memory(database, CorpusCache(first_questions=0, page=2))
    first, *_ = [
        await elsewhere.items.write(scope, a_draft(f"boat {number}"), by_ann(f"k{number}")) for number in range(5)
    ]
    assert "The user likes boat 0" in await texts(memory, scope)
    await elsewhere.items.forget(scope, first.memory_id, by_ann("k9", minutes=1))
    for _ in range(5):
        assert await texts(memory, scope) == {f"The user likes boat {number}" for number in range(1, 5)}


@pytest.mark.parametrize("change", ["correct", "restore"])
async def test_what_went_and_came_back_while_the_pages_are_turned_is_found(
    elsewhere: MemoryCore, database: Database, scope: Scope, change: str
):
    memory = postgres_memory(database, CorpusCache(first_questions=0, page=2))
    first, *_ = [
        await elsewhere.items.write(scope, a_draft(f"boat {number}"), by_ann(f"k{number}")) for number in range(3)
    ]
    await texts(memory, scope)
    if change == "correct":
        await elsewhere.items.correct(scope, first.memory_id, "The user likes boat 9", by_ann("c", minutes=1))
    else:
        await elsewhere.items.forget(scope, first.memory_id, by_ann("f", minutes=1))
        await elsewhere.items.restore(scope, first.memory_id, 1, by_ann("r", minutes=2))
    back = "The user likes boat 9" if change == "correct" else "The user likes boat 0"
    for _ in range(5):
        assert await texts(memory, scope) == {back, "The user likes boat 1", "The user likes boat 2"}


async def test_who_began_to_write_first_and_ends_while_the_pages_are_turned_is_not_missed(
    elsewhere: MemoryCore, database: Database, scope: Scope, test_addresses: Addresses
):
    memory = postgres_memory(database, CorpusCache(first_questions=0, page=2))
    await elsewhere.items.write(scope, a_draft("boat 0"), by_ann("k0"))
    async with await psycopg.AsyncConnection.connect(test_addresses.owner) as slow:
        await slow.execute("select pg_current_xact_id()")
        for number in range(1, 5):
            await elsewhere.items.write(scope, a_draft(f"boat {number}"), by_ann(f"k{number}"))
        assert len(await texts(memory, scope)) == 5
        assert len(await texts(memory, scope)) == 5
        await slow.execute(
            "update brain.recall_index set confidence = 0.125 where tenant_id = %s and text = %s",
            (scope.tenant_id, "The user likes boat 0"),
        )
        await slow.commit()
    for _ in range(4):
        found = (await memory.index.candidates(scope, BOATS)).candidates
        assert {each.confidence for each in found if each.text == "The user likes boat 0"} == {0.125}
