"""What a caller meets when the database is slow, busy, gone or not migrated: a code, within a bound, and recovery."""

import asyncio
import os
import socket
from dataclasses import dataclass

import psycopg
import pytest
from psycopg import errors
from psycopg.sql import SQL, Identifier

from memory.errors import BrainError
from memory.postgres.database import Database
from memory.postgres.database_session import DatabaseSession
from memory.postgres.failures import brain_error_from
from memory.postgres.migrate import migrate
from memory.postgres.pools import PoolLimits, memory_pool
from memory.postgres.roles import Addresses
from memory.postgres.sql import SqlStatement
from memory.scope import Scope

ONE = SqlStatement("one", "select 1 as n")
OURS = "select pid from pg_stat_activity where usename = %s and application_name = 'brain'"
ALIVE = "select 1 from pg_stat_activity where pid = any(%s)"
SLEEP = SqlStatement("sleep", "select 1 as n from pg_sleep(%(seconds)s)")


@dataclass(frozen=True)
class Number:
    n: int


async def works(database: Database, scope: Scope) -> bool:
    async with database.scope_session(scope) as session:
        return await session.fetch(ONE, {}, Number) == [Number(1)]


async def test_a_slow_statement_ends_at_its_bound_and_the_next_one_works(test_addresses: Addresses, scope: Scope):
    async with Database(test_addresses.app, PoolLimits(connections=1, statement=1.5)) as database:
        with pytest.raises(BrainError) as refused:
            async with database.scope_session(scope) as session:
                await session.fetch(SLEEP, {"seconds": 600}, Number)

        assert refused.value.code == "E_DEP_TIMEOUT"
        assert refused.value.is_retryable
        assert await works(database, scope)


async def test_waiting_for_a_connection_has_an_end(test_addresses: Addresses, scope: Scope):
    async with (
        Database(test_addresses.app, PoolLimits(connections=1, wait=2.0)) as database,
        database.scope_session(scope),
    ):
        with pytest.raises(BrainError) as refused:
            await works(database, scope)
    assert refused.value.code == "E_DEP_TIMEOUT"


async def test_connections_that_the_server_ended_are_replaced(test_addresses: Addresses, scope: Scope):
    async with Database(test_addresses.app, PoolLimits(connections=2)) as database:
        await works(database, scope)
        with psycopg.connect(test_addresses.owner, autocommit=True) as owner:
            ended = [pid for (pid,) in owner.execute(OURS, (test_addresses.app_role,))]
            owner.execute("select pg_terminate_backend(pid) from unnest(%s::int[]) as pid", (ended,))
            while owner.execute(ALIVE, (ended,)).fetchone():  # noqa: ASYNC110 - the server tells only when asked
                await asyncio.sleep(0.02)
        assert await works(database, scope)


async def test_a_connection_lost_midway_is_unavailable_and_retryable(test_addresses: Addresses, scope: Scope):
    async def cut(database: Database) -> None:
        async with database.scope_session(scope) as session:
            await session.fetch(ONE, {}, Number)
            end_of(session)
            await session.fetch(ONE, {}, Number)

    async with Database(test_addresses.app, PoolLimits(connections=1)) as database:
        with pytest.raises(BrainError) as refused:
            await cut(database)

        assert refused.value.code == "E_DEP_UNAVAILABLE"
        assert refused.value.is_retryable
        assert await works(database, scope)


def end_of(session: DatabaseSession) -> None:
    connection = session._line.connection  # pyright: ignore[reportPrivateUsage]
    with socket.socket(fileno=os.dup(connection.fileno())) as wire:
        wire.shutdown(socket.SHUT_RDWR)


async def test_an_address_without_a_server_is_unavailable(scope: Scope):
    database = Database("postgresql://brain_app:x@127.0.0.1:1/brain", PoolLimits(connect=1))
    with pytest.raises(BrainError) as refused:
        await works(database, scope)
    assert refused.value.code == "E_DEP_UNAVAILABLE"


async def test_a_missing_table_asks_for_a_migration(database: Database, scope: Scope):
    with pytest.raises(BrainError, match="brain migrate") as refused:
        async with database.scope_session(scope) as session:
            await session.fetch(SqlStatement("lost", "select n from brain.no_such_table"), {}, Number)
    assert refused.value.code == "E_CONFIG"


async def test_a_role_whose_connections_are_all_taken_is_a_matter_of_patience(empty_database: Addresses):
    await migrate(empty_database)
    role = Identifier(empty_database.app_role)
    with psycopg.connect(empty_database.owner, autocommit=True) as owner:
        owner.execute(SQL("alter role {} connection limit 0").format(role))
        with pytest.raises(BrainError, match="no connection left") as refused:
            await migrate(empty_database)
        assert (refused.value.code, refused.value.is_retryable) == ("E_DEP_UNAVAILABLE", True)
        owner.execute(SQL("alter role {} nologin").format(role))
        with pytest.raises(BrainError) as forbidden:
            await migrate(empty_database)
    assert forbidden.value.code == "E_CONFIG"


READ_ONLY = SqlStatement("read_only", "set transaction read only")
CHANGE = SqlStatement("change", "create temporary table never_made (n integer)")
CANCEL = "select pg_cancel_backend(pid) from pg_stat_activity where usename = %s and query like '%%pg_sleep%%'"


async def test_a_server_that_takes_no_changes_is_left_for_another(test_addresses: Addresses, scope: Scope):
    """A standby, or a primary that was demoted: the next connection may reach who leads now."""

    async def change(database: Database) -> None:
        async with database.transaction(scope) as session:
            session.execute(READ_ONLY)
            session.execute(CHANGE)

    async with Database(test_addresses.app, PoolLimits(connections=1)) as database:
        with pytest.raises(BrainError, match="standby") as refused:
            await change(database)
        assert (refused.value.code, refused.value.is_retryable) == ("E_DEP_UNAVAILABLE", True)
        assert await works(database, scope)


async def test_a_statement_that_an_administrator_cancels_may_be_tried_again(test_addresses: Addresses, scope: Scope):
    async def sleep(database: Database) -> None:
        async with database.scope_session(scope) as session:
            await session.fetch(SLEEP, {"seconds": 600}, Number)

    async with Database(test_addresses.app, PoolLimits(connections=1, statement=60.0)) as database:
        sleeping = asyncio.create_task(sleep(database))
        with psycopg.connect(test_addresses.owner, autocommit=True) as owner:
            while not owner.execute(CANCEL, (test_addresses.app_role,)).fetchall():  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        with pytest.raises(BrainError) as refused:
            await sleeping
        assert (refused.value.code, refused.value.is_retryable) == ("E_DEP_TIMEOUT", True)
        assert await works(database, scope)


@pytest.mark.parametrize("failed", [errors.DeadlockDetected(), errors.SerializationFailure()])
def test_transactions_in_each_others_way_may_be_tried_again(failed: Exception):
    told = brain_error_from(failed)
    assert (told.code, told.is_retryable) == ("E_DEP_TIMEOUT", True)


@pytest.mark.parametrize("failed", [errors.DiskFull(), errors.IoError(), errors.AdminShutdown()])
def test_a_server_without_room_or_on_its_way_is_unavailable(failed: Exception):
    told = brain_error_from(failed)
    assert (told.code, told.is_retryable) == ("E_DEP_UNAVAILABLE", True)


def test_a_pool_that_is_not_waited_for_lets_the_loop_end():
    async def give_up() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"postgresql://ann:none@127.0.0.1:{silent.getsockname()[1]}/none"
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await memory_pool(url, PoolLimits(connect=2.0)).open_or_tell(60.0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(give_up())
