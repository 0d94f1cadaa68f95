"""PgBouncer in transaction mode between Brain and its database."""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from apps.doctor.database import database_findings
from apps.doctor.findings import Finding
from brain.recall import RecallRequest, query_of
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.index import PostgresIndex
from memory.postgres.migrate import migrate
from memory.postgres.pools import PoolLimits
from memory.postgres.roles import Addresses, addresses
from memory.postgres.sql import SqlStatement
from memory.scope import Scope, Speaker, scope_of
from tests.contract.builders import a_turn, at, said
from tests.fakes import a_settings
from tests.integration.server import as_url
from tests.pooler import PROGRAM, Pooler, a_pooler

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="PgBouncer is not installed (apt-get install pgbouncer).")

SETTINGS = SqlStatement(
    "settings",
    "select current_setting('search_path') as path, current_setting('statement_timeout') as bound,"
    " coalesce(current_setting('brain.tenant_id', true), '') as tenant",
)

FAILURE = SqlStatement("failure", "select (1 / 0)::text as path, '' as bound, '' as tenant")
SLEEP = SqlStatement("sleep", "select '' as path, '' as bound, '' as tenant from pg_sleep(0.5)")
BOATS = query_of(RecallRequest(text="boat", at=at(600)))
NAMES = ("Zephyr", "Qaqortoq", "Ljubljana")


@dataclass(frozen=True)
class Seen:
    path: str
    bound: str
    tenant: str


@pytest.fixture(scope="module")
def pooler(server_url: str, reachable_folder: Path) -> Generator[Pooler]:
    with a_pooler(server_url, reachable_folder / "pooler") as running:
        yield running


@pytest.fixture
def pooled(pooler: Pooler, test_addresses: Addresses) -> Addresses:
    """The session's database, through the pooler."""
    return pooler.addresses(test_addresses)


async def test_each_transaction_has_its_settings_and_leaves_none(pooled: Addresses, scope: Scope):
    async with Database(pooled.app, PoolLimits(connections=1, statement=7.0)) as database:
        async with database.scope_session(scope) as session:
            told = await session.fetch_one(SETTINGS, {}, Seen)
        at_first = Seen("brain, queue, public, extensions", "7s", str(scope.tenant_id))
        assert told == at_first
        async with database.transaction(scope) as session:
            assert await session.fetch_one(SETTINGS, {}, Seen) == at_first
        async with database.anonymous_session() as session:
            assert await session.fetch_one(SETTINGS, {}, Seen) == replace(at_first, tenant="")
    with psycopg.connect(pooled.app, prepare_threshold=None, autocommit=True) as left:
        assert left.execute(SETTINGS.text.encode()).fetchone() == ('"$user", public', "0", "")


async def test_the_owner_cannot_go_through_it(pooled: Addresses, pooler: Pooler, test_addresses: Addresses):
    with pytest.raises(BrainError) as refused:
        await migrate(addresses(pooler.url(test_addresses.owner)))
    assert refused.value.code == "E_CONFIG"
    assert "BRAIN_DIRECT_DATABASE_URL" in refused.value.hint
    assert (await migrate(pooled)).applied == []


async def test_prepared_statements_that_clash_are_named(pooled: Addresses, scope: Scope):
    with pytest.raises(BrainError) as refused:
        await asyncio.gather(*(prepare(pooled, scope) for _ in range(3)))
    assert refused.value.code == "E_CONFIG"
    assert "BRAIN_DATABASE_PREPARE" in refused.value.hint


async def prepare(where: Addresses, scope: Scope) -> None:
    """As somebody does who insists on it."""
    async with Database(where.app, PoolLimits(connections=2, prepare=True)) as database:
        for _ in range(10):
            async with database.scope_session(scope) as session:
                await session.fetch_one(SETTINGS, {}, Seen)


async def test_the_doctor_names_a_pooler_in_the_way(pooled: Addresses, pooler: Pooler, test_addresses: Addresses):
    direct = as_url(test_addresses.owner)
    told = {"database_url": as_url(pooler.url(direct)), "direct_database_url": direct}
    right = by_name(await database_findings(a_settings(**told)))
    assert right["pooler"].state == "ok"
    assert "not prepared" in right["pooler"].what

    alone = by_name(await database_findings(a_settings(database_url=told["database_url"])))
    assert alone["pooler"].state == "broken"
    assert "BRAIN_DIRECT_DATABASE_URL" in alone["pooler"].advice

    insisting = by_name(await database_findings(a_settings(**told, database_prepare=True)))
    assert insisting["pooler"].state == "broken"
    assert "BRAIN_DATABASE_PREPARE" in insisting["pooler"].advice


def by_name(found: list[Finding]) -> dict[str, Finding]:
    return {each.name: each for each in found}


@pytest.mark.parametrize("calls", [500, pytest.param(10_000, marks=pytest.mark.exhaustive)])
async def test_nobody_reads_anothers_rows_over_a_connection_lent_again(
    calls: int, pooled: Addresses, test_addresses: Addresses
):
    """Three tenants over two connections, while calls fail, are given up and roll back."""
    people = [scope_of(Speaker(tenant=f"tenant {uuid4()}", user="ann")) for _ in range(3)]
    limits = PoolLimits(connections=8, wait=30.0)
    async with Database(pooled.app, limits) as database, Database(pooled.app, limits) as another:
        memories = [postgres_memory(each, CorpusCache(megabytes=0)) for each in (database, another)]
        for number, scope in enumerate(people):
            await memories[0].log.capture(scope, a_turn(said(f"My boat is called {NAMES[number]}")))
        chance, waiting = random.Random(29), asyncio.Semaphore(12)
        work = [call(chance.choice(memories), people, chance.random(), waiting) for _ in range(calls)]
        ended = Counter(await asyncio.gather(*work))
    assert ended["foreign"] == 0
    assert ended["own"] > calls // 3
    assert min(ended["failed"], ended["given up"], ended["rolled back"]) > calls // 50
    with psycopg.connect(pooled.app, prepare_threshold=None, autocommit=True) as left:
        for _ in range(20):
            assert left.execute(SETTINGS.text.encode()).fetchone() == ('"$user", public', "0", "")
            assert left.execute("select count(*) from brain.recall_index").fetchone() == (0,)


async def call(memory: MemoryCore, people: list[Scope], chance: float, waiting: asyncio.Semaphore) -> str:
    """One call of somebody, and how it ended."""
    number = int(chance * 1_000) % len(people)
    scope, database = people[number], database_of(memory)
    async with waiting:
        if chance < 0.1:
            return await fail(database, scope)
        if chance < 0.2:
            return await give_up(database, scope)
        if chance < 0.3:
            return await roll_back(database, scope)
        found = await memory.index.candidates(scope, BOATS)
        async with database.anonymous_session() as session:
            seen = await session.fetch_one(SETTINGS, {}, Seen)
    texts = {each.text for each in found.candidates}
    assert seen is not None
    return "own" if texts == {f"My boat is called {NAMES[number]}"} and not seen.tenant else "foreign"


async def fail(database: Database, scope: Scope) -> str:
    async with database.scope_session(scope) as session:
        session.execute(SETTINGS)
        with pytest.raises(BrainError):
            await session.fetch(FAILURE, {}, Seen)
    return "failed"


async def give_up(database: Database, scope: Scope) -> str:
    """Cancelled in the middle of a transaction."""

    async def wait() -> None:
        async with database.transaction(scope) as session:
            await session.fetch(SETTINGS, {}, Seen)
            await session.fetch(SLEEP, {}, Seen)

    task = asyncio.create_task(wait())
    await asyncio.wait([task], timeout=0.05)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return "given up"


async def roll_back(database: Database, scope: Scope) -> str:
    with contextlib.suppress(LookupError):
        async with database.transaction(scope) as session:
            await session.fetch(SETTINGS, {}, Seen)
            raise LookupError
    return "rolled back"


def database_of(memory: MemoryCore) -> Database:
    assert isinstance(memory.index, PostgresIndex)
    return memory.index.database
