"""LangGraph's threads under row-level security: by the saver, and by whoever speaks SQL as the application."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from psycopg import sql
from psycopg.errors import ForeignKeyViolation, InsufficientPrivilege, NotNullViolation
from psycopg.types.json import Jsonb

from apps.access.caller import UNVERIFIED, act_for
from apps.threads.checkpointer import Saver
from memory.errors import BrainError
from memory.postgres.pools import PoolLimits, checkpoint_pool
from memory.postgres.roles import Addresses
from tests.integration.serving import Serving, a_serving

SAID = "My safe opens with 4711"
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


async def test_processes_that_begin_a_thread_at_once_all_go_on_with_it(test_addresses: Addresses):
    begin, tenant = "select checkpoint.enter_thread(%s, %s)", uuid4()
    processes = [await psycopg.AsyncConnection.connect(test_addresses.app, autocommit=True) for _ in range(4)]
    for number in range(250):
        await asyncio.gather(*(each.execute(begin, (tenant, f"{tenant} {number}")) for each in processes))
    for each in processes:
        await each.close()


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


@pytest.fixture(scope="module")
def serving(test_addresses: Addresses, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with a_serving(tmp_path_factory.mktemp("serve"), test_addresses, auth_api_keys="true") as up:
        yield up


@pytest.fixture(params=["saver", "serve"])
def served(request: pytest.FixtureRequest) -> tuple[UUID, str] | None:
    """The tenant and thread of somebody who talked to ``brain serve``; None where the saver alone writes."""
    if request.param == "saver":
        return None
    serving: Serving = request.getfixturevalue("serving")
    ann = serving.person()
    chat = {"messages": [{"role": "user", "content": SAID}]}
    headers = {"Authorization": f"Bearer {ann.key}"}
    httpx.post(f"{serving.server.url}/v1/chat/completions", json=chat, headers=headers, timeout=60).raise_for_status()
    (session,) = serving.rows("sessions", ann.scope)
    return ann.scope.tenant_id, str(session["session_id"])


@pytest.fixture
async def anns(saver: Saver, served: tuple[UUID, str] | None) -> tuple[UUID, RunnableConfig]:
    """A thread of somebody's, and her tenant."""
    tenant, thread_id = served or (uuid4(), str(uuid4()))
    with act_for(tenant):
        if served is None:
            return tenant, await save(saver, thread_id, SAID)
        found = await saver.aget_tuple({"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}})
    assert found is not None
    return tenant, found.config


@contextmanager
def acting(where: Addresses, tenant: UUID | None) -> Generator[psycopg.Connection]:
    """A connection of the application's that has said for which tenant it acts, if for any."""
    with psycopg.connect(where.session, autocommit=True) as connection:
        connection.execute("select set_config('brain.tenant_id', %s, false)", (str(tenant or ""),))
        yield connection


def thread_of(config: RunnableConfig) -> str:
    return str(config.get("configurable", {})["thread_id"])


@pytest.mark.parametrize("stranger", [uuid4(), UNVERIFIED])
async def test_another_tenant_neither_reads_nor_removes_a_thread(
    saver: Saver, anns: tuple[UUID, RunnableConfig], stranger: UUID, test_addresses: Addresses
):
    tenant, config = anns
    thread_id = thread_of(config)
    before = counts(test_addresses, thread_id)
    with act_for(stranger):
        assert await saver.aget_tuple(config) is None
        assert [each async for each in saver.alist(config)] == []
        assert thread_id not in str([each async for each in saver.alist(None)])
        await saver.adelete_thread(thread_id)
        await saver.aprune([thread_id])
        await saver.aprune([thread_id], strategy="delete")
        await saver.acopy_thread(thread_id, copied := str(uuid4()))
        assert await saver.aget_tuple({"configurable": {"thread_id": copied}}) is None
    assert counts(test_addresses, thread_id) == before
    with act_for(tenant):
        found = await saver.aget_tuple(config)
    assert found is not None
    assert SAID in str(found.checkpoint["channel_values"])


async def test_writing_to_another_tenants_thread_is_refused_and_nothing_is_dropped_in_silence(
    saver: Saver, anns: tuple[UUID, RunnableConfig], test_addresses: Addresses
):
    tenant, config = anns
    before = counts(test_addresses, thread_of(config))
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
    assert counts(test_addresses, thread_of(config)) == before
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
    before = counts(test_addresses, thread_of(config))
    with acting(test_addresses, uuid4()) as stranger:
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
    assert counts(test_addresses, thread_of(config)) == before


@pytest.mark.parametrize("stranger", [uuid4(), None])
async def test_functions_that_look_across_tenants_change_no_thread_of_another(
    saver: Saver, stranger: UUID | None, test_addresses: Addresses
):
    tenant, thread_id = uuid4(), str(uuid4())
    with act_for(tenant):
        for words in ("one", "two", "three"):
            await save(saver, thread_id, words)
    before = counts(test_addresses, thread_id)
    shorten = "select checkpoints from checkpoint.shorten_thread(%s, 1, 100)"
    with acting(test_addresses, stranger) as other:
        assert other.execute(shorten, (thread_id,)).fetchall() == [(0,)]
    assert counts(test_addresses, thread_id) == before
    with acting(test_addresses, tenant) as own:
        assert own.execute(shorten, (thread_id,)).fetchall() == [(2,)]


async def test_who_acts_for_a_tenant_is_told_of_no_thread_of_another(saver: Saver, test_addresses: Addresses):
    tenant, thread_id = uuid4(), str(uuid4())
    with act_for(tenant):
        for words in ("one", "two"):
            await save(saver, thread_id, words)
    with psycopg.connect(test_addresses.owner) as connection:
        named = Jsonb({"graph_id": "brain", "owner": "ann"})
        connection.execute("update checkpoint.checkpoints set metadata = %s where thread_id = %s", (named, thread_id))
    told = (
        "select thread_id from checkpoint.recent_threads(1000)",
        "select thread_id from checkpoint.long_threads(1, 1000)",
        "select thread_id from checkpoint.idle_threads('2', 1000)",
    )
    for question in told:
        with acting(test_addresses, tenant) as own, acting(test_addresses, uuid4()) as other:
            assert own.execute(question).fetchall() == [(thread_id,)], question
            assert other.execute(question).fetchall() == [], question


async def test_the_application_cannot_change_which_of_the_savers_migrations_were_applied(test_addresses: Addresses):
    with acting(test_addresses, None) as application:
        for attempt in ("delete from {}", "update {} set v = v", "insert into {} values (99)"):
            with pytest.raises(InsufficientPrivilege):
                application.execute(
                    sql.SQL(attempt).format(sql.Identifier("checkpoint", "checkpoint_migrations"))  # pyright: ignore[reportArgumentType]
                )


@pytest.mark.parametrize("served", ["serve"], indirect=True)
async def test_what_serve_keeps_says_whose_it_is(anns: tuple[UUID, RunnableConfig], test_addresses: Addresses):
    """An agent server over the same database refuses the thread to the tenant's other people by it."""
    with acting(test_addresses, None) as server:
        owner = server.execute("select owner from checkpoint.thread_owner(%s)", (thread_of(anns[1]),)).fetchone()
    assert owner == ("ann",)


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
