"""LangGraph's threads under row-level security: by the saver, and by whoever speaks SQL as the application."""

import tempfile
from collections.abc import AsyncGenerator
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from psycopg import sql
from psycopg.errors import ForeignKeyViolation, InsufficientPrivilege, NotNullViolation
from psycopg.types.json import Jsonb

from apps.caller import UNVERIFIED, act_for
from apps.checkpointer import Saver
from memory.errors import BrainError
from memory.postgres.migrate import migrate
from memory.postgres.pools import PoolLimits, checkpoint_pool
from memory.postgres.roles import Addresses
from memory.scope import name_id
from tests.databases import EARLIER, load

TABLES = ("threads", "checkpoints", "checkpoint_blobs", "checkpoint_writes")


@pytest.fixture
async def saver(test_addresses: Addresses) -> AsyncGenerator[Saver]:
    async with checkpoint_pool(test_addresses.app, PoolLimits(connections=1)) as pool:
        yield Saver(pool)


async def save(saver: Saver, thread_id: str, words: str) -> RunnableConfig:
    """A checkpoint with a value of its own and a write."""
    config: Any = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    checkpoint: Any = {**empty_checkpoint(), "channel_values": {"said": [words]}, "channel_versions": {"said": "1"}}
    saved = await saver.aput(config, checkpoint, {}, {"said": "1"})
    await saver.aput_writes(saved, [("said", words)], "task")
    return saved


def counts(where: Addresses, thread_id: str) -> list[int]:
    with psycopg.connect(where.owner) as connection:
        found = [
            connection.execute(
                sql.SQL("select count(*) from checkpoint.{} where thread_id = %s").format(sql.Identifier(table)),
                (thread_id,),
            ).fetchone()
            for table in TABLES
        ]
    return [row[0] for row in found if row]


@pytest.fixture
async def anns(saver: Saver) -> tuple[UUID, RunnableConfig]:
    """A thread of somebody's, and her tenant."""
    tenant = uuid4()
    with act_for(tenant):
        return tenant, await save(saver, str(uuid4()), "My safe opens with 4711")


def thread_of(config: RunnableConfig) -> str:
    return str(config.get("configurable", {})["thread_id"])


@pytest.mark.parametrize("stranger", [uuid4(), UNVERIFIED])
async def test_another_tenant_neither_reads_nor_removes_a_thread(
    saver: Saver, anns: tuple[UUID, RunnableConfig], stranger: UUID, test_addresses: Addresses
):
    tenant, config = anns
    thread_id = thread_of(config)
    with act_for(stranger):
        assert await saver.aget_tuple(config) is None
        assert [each async for each in saver.alist(config)] == []
        assert thread_id not in str([each async for each in saver.alist(None)])
        await saver.adelete_thread(thread_id)
        await saver.aprune([thread_id])
        await saver.aprune([thread_id], strategy="delete")
        await saver.acopy_thread(thread_id, copied := str(uuid4()))
        assert await saver.aget_tuple({"configurable": {"thread_id": copied}}) is None
    assert counts(test_addresses, thread_id) == [1, 1, 1, 1]
    with act_for(tenant):
        found = await saver.aget_tuple(config)
    assert found is not None
    assert found.checkpoint["channel_values"] == {"said": ["My safe opens with 4711"]}


async def test_writing_to_another_tenants_thread_is_refused_and_nothing_is_dropped_in_silence(
    saver: Saver, anns: tuple[UUID, RunnableConfig], test_addresses: Addresses
):
    tenant, config = anns
    with act_for(uuid4()):
        own = await save(saver, str(uuid4()), "mine")
        for attempt in (
            save(saver, thread_of(config), "Let me in"),
            saver.aput_writes(config, [("said", "Let me in")], "task"),
            saver.aput_writes(config, [("receipts", ["stored"])], "task"),
            saver.acopy_thread(thread_of(own), thread_of(config)),
        ):
            with pytest.raises(BrainError) as refused:
                await attempt
            assert refused.value.code == "E_TENANT_FORBIDDEN"
    assert counts(test_addresses, thread_of(config)) == [1, 1, 1, 1]
    with act_for(tenant):
        assert "Let me in" not in str(await saver.aget_tuple(config))


async def test_a_removed_thread_leaves_its_id_to_anybody(saver: Saver, anns: tuple[UUID, RunnableConfig]):
    tenant, config = anns
    with act_for(tenant):
        await saver.adelete_thread(thread_of(config))
    with act_for(uuid4()):
        assert await saver.aget_tuple(await save(saver, thread_of(config), "new")) is not None


async def test_who_says_no_tenant_sees_and_writes_nothing(anns: tuple[UUID, RunnableConfig], test_addresses: Addresses):
    _, _config = anns
    with psycopg.connect(test_addresses.app, autocommit=True) as nobody:
        for table in TABLES:
            seen = nobody.execute(sql.SQL("select from checkpoint.{}").format(sql.Identifier(table))).rowcount
            assert seen == 0, table
        with pytest.raises((NotNullViolation, InsufficientPrivilege)):
            nobody.execute("insert into checkpoint.threads (thread_id) values (%s)", (str(uuid4()),))


async def test_sql_of_another_tenant_reaches_no_row_of_hers(
    anns: tuple[UUID, RunnableConfig], test_addresses: Addresses
):
    tenant, config = anns
    with psycopg.connect(test_addresses.app, autocommit=True) as stranger:
        stranger.execute("select set_config('brain.tenant_id', %s, false)", (str(uuid4()),))
        for table in TABLES:
            name = sql.Identifier(table)
            for attempt in ("select from checkpoint.{}", "update checkpoint.{} set thread_id = thread_id"):
                reached = stranger.execute(
                    sql.SQL(attempt + " where thread_id = %s").format(name), (thread_of(config),)
                )
                assert reached.rowcount == 0, (table, attempt)
            assert stranger.execute(sql.SQL("delete from checkpoint.{}").format(name)).rowcount == 0
        blob = "insert into checkpoint.checkpoint_blobs (thread_id, channel, version, type, blob, tenant_id) values"
        for of_tenant, why in ((tenant, InsufficientPrivilege), (None, ForeignKeyViolation)):
            with pytest.raises(why):
                stranger.execute(
                    blob + " (%s, 'said', '2', 't', '', coalesce(%s, brain.current_tenant()))",
                    (thread_of(config), of_tenant),
                )
    assert counts(test_addresses, thread_of(config)) == [1, 1, 1, 1]


async def test_saying_who_asks_costs_no_round_trip(saver: Saver):
    with act_for(uuid4()), tempfile.TemporaryFile("w+") as trace:
        config = await save(saver, str(uuid4()), "first")
        async with saver._cursor() as cursor:  # pyright: ignore[reportPrivateUsage]
            connection = cursor.connection
        connection.pgconn.trace(trace.fileno())
        await saver.aget_tuple(config)
        await save(saver, thread_of(config), "second")
        connection.pgconn.untrace()
        trace.seek(0)
        lines = (line.split("\t") for line in trace.read().splitlines())
        sides = [line[1] for line in lines if line[1:2] in (["F"], ["B"])]
    assert sum(one == "F" and then == "B" for one, then in pairwise(sides)) == 3


async def test_the_saver_conforms(test_addresses: Addresses):
    @checkpointer_test(name="brain")
    async def ours() -> AsyncGenerator[Saver]:
        async with checkpoint_pool(test_addresses.app, PoolLimits(connections=1)) as pool:
            yield Saver(pool)

    with act_for(uuid4()):
        report = await validate(ours)
    assert {name: result.failures for name, result in report.results.items() if result.failures} == {}
    assert all(result.detected and result.passed for result in report.results.values())


@pytest.mark.parametrize("commit", EARLIER[-1:])
async def test_an_upgrade_gives_every_thread_to_its_tenant(empty_database: Addresses, commit: str):
    load(commit, empty_database)
    names = ["acme", "Ärzte & 公司", "x" * 200, "local"]
    insert = (
        "insert into checkpoint.checkpoints (thread_id, checkpoint_id, checkpoint, metadata) values (%s, '1', '{}', %s)"
    )
    with psycopg.connect(empty_database.owner) as connection:
        for name in names:
            connection.execute(insert, (name, Jsonb({"tenant": name, "owner": "ann"})))
        connection.execute(insert, ("unsigned", Jsonb({})))

    await migrate(empty_database)

    with psycopg.connect(empty_database.owner) as connection:
        told = dict(connection.execute("select thread_id, tenant_id from checkpoint.checkpoints").fetchall())
    assert {name: told[name] for name in names} == {name: name_id("tenant", name) for name in names}
    assert told["unsigned"] == UNVERIFIED
