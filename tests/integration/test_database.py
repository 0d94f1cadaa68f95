import asyncio
import tempfile
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from psycopg.types.json import Jsonb

from memory.errors import BrainError
from memory.postgres.database import Database
from memory.postgres.pools import PoolLimits
from memory.postgres.roles import Addresses
from memory.postgres.sql import SqlStatement
from memory.scope import Scope

INSERT = SqlStatement("insert", "insert into brain.probe values (%(tenant)s, %(scope)s, %(user)s, %(n)s, %(text)s)")
COUNT = SqlStatement("count", "select count(*)::int as n from brain.probe")
WHO = SqlStatement(
    "who",
    "select current_setting('brain.tenant_id', true) as tenant, current_setting('brain.user_id', true) as person",
)


@dataclass(frozen=True)
class Number:
    n: int


@dataclass(frozen=True)
class Who:
    tenant: str | None
    person: str | None


def a_row(scope: Scope, n: int, text: str = "") -> dict[str, object]:
    return {"tenant": scope.tenant_id, "scope": scope.key, "user": scope.user_id, "n": n, "text": text}


@pytest.fixture(scope="module", autouse=True)
async def _probe(test_addresses: Addresses) -> AsyncGenerator[None]:
    with psycopg.connect(test_addresses.owner, autocommit=True) as owner:
        owner.execute(
            "create table brain.probe"
            " (tenant_id uuid, scope text, user_id uuid, n int, text text, primary key (tenant_id, n))"
        )
        owner.execute("call brain.secure('brain.probe')")
        grant = SQL("grant select, insert, update, delete on brain.probe to {}")
        owner.execute(grant.format(Identifier(test_addresses.app_role)))
        yield
        owner.execute("drop table brain.probe")


async def count(database: Database, scope: Scope) -> int:
    async with database.scope_session(scope) as session:
        return (await session.fetch(COUNT, {}, Number))[0].n


async def insert(database: Database, scope: Scope, rows: list[dict[str, object]]) -> None:
    async with database.scope_session(scope) as session:
        for row in rows:
            session.execute(INSERT, row)


async def test_rows_are_seen_by_their_person_only(database: Database, make_scope: Callable[..., Scope]):
    mine = make_scope()
    async with database.scope_session(mine) as session:
        session.execute(INSERT, a_row(mine, 1))

    assert await count(database, mine) == 1
    for other in (make_scope(tenant_id=uuid4()), make_scope(user_id=uuid4()), make_scope(key="peer:x")):
        assert await count(database, other) == 0


async def test_a_group_shares_its_rows_and_no_other_group_sees_them(
    database: Database, make_scope: Callable[..., Scope]
):
    mine = make_scope(key="group:tea")
    async with database.scope_session(mine) as session:
        session.execute(INSERT, a_row(mine, 1))

    assert await count(database, make_scope(key="group:tea", user_id=uuid4())) == 1
    assert await count(database, make_scope(key="group:coffee")) == 0
    assert await count(database, make_scope(key="group:tea", tenant_id=uuid4())) == 0


@pytest.mark.parametrize("changes", [{"tenant_id": UUID(int=1)}, {"user_id": UUID(int=1)}, {"key": "peer:x"}])
async def test_rows_of_others_cannot_be_written(
    database: Database, make_scope: Callable[..., Scope], changes: dict[str, object]
):
    mine, other = make_scope(), make_scope(**changes)

    with pytest.raises(BrainError) as refused:
        async with database.scope_session(mine) as session:
            session.execute(INSERT, a_row(other, 1))

    assert refused.value.code == "E_TENANT_FORBIDDEN"


async def test_nobody_sees_nothing(database: Database, scope: Scope):
    async with database.scope_session(scope) as session:
        session.execute(INSERT, a_row(scope, 1))

    async with database.anonymous_session() as session:
        assert await session.fetch(COUNT, {}, Number) == [Number(0)]


async def test_who_asked_is_forgotten_when_the_connection_is_lent_again(test_addresses: Addresses, scope: Scope):
    async with Database(test_addresses.app, PoolLimits(connections=1)) as database:
        async with database.scope_session(scope) as session:
            asked = await session.fetch(WHO, {}, Who)
        async with database.anonymous_session() as session:
            after = await session.fetch(WHO, {}, Who)

    assert asked == [Who(str(scope.tenant_id), str(scope.user_id))]
    assert after[0].tenant in (None, "")


async def test_a_batch_is_one_round_trip(database: Database, scope: Scope):
    before = database.round_trips
    async with database.scope_session(scope) as session:
        for number in (1, 2, 3):
            session.execute(INSERT, a_row(scope, number))
        asked = session.ask(COUNT, {}, Number)
        counted = await session.fetch(COUNT, {}, Number)

    assert (asked.rows, counted) == ([Number(3)], [Number(3)])
    assert database.round_trips - before == 1


async def test_one_sync_on_the_wire_is_what_a_round_trip_counts(
    test_addresses: Addresses, scope: Scope, monkeypatch: pytest.MonkeyPatch
):
    async with Database(test_addresses.app, PoolLimits(connections=1)) as database:
        with tempfile.TemporaryFile("w+") as trace:
            async with database.scope_session(scope) as session:
                connection = session._line.connection  # pyright: ignore[reportPrivateUsage]
                connection.pgconn.trace(trace.fileno())
                session.execute(INSERT, a_row(scope, 1))
                await session.fetch(COUNT, {}, Number)
            await count(database, scope)
            connection.pgconn.untrace()
            trace.seek(0)
            messages = [line.split("\t") for line in trace.read().splitlines()]

    sides = [side for _, side, *_ in messages]
    turnarounds = sum(one == "F" and then == "B" for one, then in pairwise(sides))
    syncs = sum(kind == "Sync" for _, _, _, kind, *_ in messages)
    assert syncs == turnarounds == database.round_trips == 2


async def test_an_error_anywhere_undoes_the_whole_batch(database: Database, scope: Scope):
    for broken in (a_row(scope, 1), {**a_row(scope, 9), "n": "not a number"}):
        with pytest.raises(BrainError):
            await insert(database, scope, [a_row(scope, 1), broken, a_row(scope, 2)])

    assert await count(database, scope) == 0


async def test_an_error_of_the_driver_midway_undoes_the_whole_batch(database: Database, scope: Scope):
    with pytest.raises(BrainError):
        await insert(database, scope, [a_row(scope, 1), {**a_row(scope, 2), "text": object()}])

    assert await count(database, scope) == 0


async def test_an_error_of_the_caller_sends_nothing(database: Database, scope: Scope):
    async def change_of_mind() -> None:
        async with database.scope_session(scope) as session:
            session.execute(INSERT, a_row(scope, 1))
            raise RuntimeError("changed my mind")

    with pytest.raises(RuntimeError, match="changed my mind"):
        await change_of_mind()

    assert await count(database, scope) == 0


async def test_a_transaction_reads_then_writes_and_is_one_thing(database: Database, scope: Scope):
    before = database.round_trips
    async with database.transaction(scope) as session:
        seen = await session.fetch(COUNT, {}, Number)
        session.execute(INSERT, a_row(scope, seen[0].n + 1))
        session.execute(INSERT, a_row(scope, seen[0].n + 2))
        assert await count(database, scope) == 0

    assert await count(database, scope) == 2
    assert database.round_trips - before == 4  # two of the transaction, two of the counts beside it


async def test_a_transaction_that_fails_after_writing_leaves_nothing(database: Database, scope: Scope):
    async def write_then(again: bool) -> None:
        async with database.transaction(scope) as session:
            session.execute(INSERT, a_row(scope, 1))
            assert await session.fetch(COUNT, {}, Number) == [Number(1)]
            if not again:
                raise RuntimeError("stop")
            session.execute(INSERT, a_row(scope, 1))

    with pytest.raises(RuntimeError, match="stop"):
        await write_then(again=False)
    with pytest.raises(BrainError, match="E_CONFLICT"):
        await write_then(again=True)

    assert await count(database, scope) == 0


async def test_an_empty_transaction_costs_nothing(database: Database, scope: Scope):
    before = database.round_trips
    async with database.transaction(scope):
        pass
    assert database.round_trips == before


@pytest.mark.parametrize(
    "text", ["a\x00b", "broken \ud800", Jsonb({"deep": [{"er": "a\x00b"}]}), ["fine", "a\x00"], Jsonb({"\x00": 1})]
)
async def test_text_that_cannot_be_stored_is_refused_before_anything_is_sent(
    database: Database, scope: Scope, text: object
):
    before = database.round_trips
    with pytest.raises(BrainError) as refused:
        async with database.scope_session(scope) as session:
            session.execute(INSERT, {**a_row(scope, 1), "text": text})

    assert refused.value.code == "E_BAD_REQUEST"
    assert database.round_trips == before


async def test_sql_in_a_value_is_only_a_value(database: Database, scope: Scope):
    hostile = "'); drop table brain.probe; -- %s %(n)s"
    async with database.scope_session(scope) as session:
        session.execute(INSERT, a_row(scope, 1, hostile))
    assert await count(database, scope) == 1


async def test_a_refused_batch_does_not_spoil_the_connection_for_the_next(test_addresses: Addresses, scope: Scope):
    async with Database(test_addresses.app, PoolLimits(connections=1)) as database:
        for _ in range(4):
            with pytest.raises(BrainError, match="E_CONFLICT"):
                await insert(database, scope, [a_row(scope, 7), a_row(scope, 7)])
            assert await count(database, scope) == 0


async def test_many_sessions_at_once_never_mix(database: Database, make_scope: Callable[..., Scope]):
    async def one(n: int) -> bool:
        scope = make_scope(user_id=uuid4())
        async with database.scope_session(scope) as session:
            session.execute(INSERT, a_row(scope, 1000 + n))
            return await session.fetch(COUNT, {}, Number) == [Number(1)]

    assert all(await asyncio.gather(*(one(n) for n in range(60))))
