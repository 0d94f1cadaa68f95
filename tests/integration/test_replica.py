"""Recall from a copy of the database: a real standby that follows by streaming, and lags when it is told to."""

import asyncio
import random
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from psycopg import conninfo

from apps.backups.backups import Backups
from apps.doctor.surroundings import replica_finding
from brain.local_postgres.server import EmbeddedPostgres
from brain.person_keys import open_person_keys
from brain.recall import RecallRequest, query_of
from evals.standby import Standby, a_standby, kill
from evolution.erasure.job import run_erasure
from evolution.erasure.request import ErasureWish, request_erasure
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.pools import PoolLimits
from memory.postgres.replica import REST, Replica
from memory.postgres.roles import Addresses, addresses
from memory.scope import Scope, Speaker, scope_of
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, said
from tests.fakes import Leanings, a_settings, resources_of

BOATS = query_of(RecallRequest(text="boat", at=at(600)))
PATIENCE = 30.0


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Pair:
    """A primary and the copy that follows it; ``memory`` asks the copy where it may, ``elsewhere`` never does."""

    where: Addresses
    copy: Standby
    memory: MemoryCore
    elsewhere: MemoryCore
    replica: Replica
    clock: Clock = field(default_factory=Clock)

    async def ask(self, scope: Scope) -> tuple[set[str], str]:
        found = await self.memory.index.candidates(scope, BOATS)
        return {each.text for each in found.candidates}, found.read_from

    async def tell(self, scope: Scope, text: str) -> None:
        await self.elsewhere.log.capture(scope, a_turn(said(text), session=a_session(text)))

    async def ask_copy(self, scope: Scope) -> set[str]:
        """What the copy says, once it goes on and has arrived."""
        self.copy.resume()
        async with asyncio.timeout(PATIENCE):
            while True:
                found, source = await self.ask(scope)
                if source == "copy":
                    return found
                await asyncio.sleep(0.01)


@pytest.fixture(scope="module")
def servers(reachable_folder: Path) -> Generator[tuple[str, Standby]]:
    primary = EmbeddedPostgres(reachable_folder / "replicated", durable=True)
    try:
        url = primary.start()
        with a_standby(primary, url, reachable_folder / "copy") as copy:
            yield url, copy
    finally:
        primary.stop()


@pytest.fixture(scope="module")
async def replicated(servers: tuple[str, Standby]) -> Addresses:
    where = addresses(servers[0], replica=servers[1].url)
    await migrate(where)
    return where


@pytest.fixture
async def pair(replicated: Addresses, servers: tuple[str, Standby]) -> AsyncGenerator[Pair]:
    clock = Clock()
    async with Database(replicated.app) as primary, Database(replicated.app) as other:
        replica = Replica(primary, Database(replicated.of_replica.app, PoolLimits(wait=0.5)), clock)
        nothing_kept = CorpusCache(megabytes=0)
        memory = postgres_memory(primary, nothing_kept, replica)
        pair = Pair(replicated, servers[1], memory, postgres_memory(other, nothing_kept), replica, clock)
        await replica.copy.open()
        yield pair
        await replica.close()
        servers[1].resume()


async def test_the_copy_answers_as_soon_as_it_has_what_the_person_wrote(pair: Pair, scope: Scope):
    await pair.tell(scope, "My boat is red")
    assert await pair.ask_copy(scope) == {"My boat is red"}
    pair.copy.pause()
    await pair.tell(scope, "My boat is blue now")
    assert await pair.ask(scope) == ({"My boat is red", "My boat is blue now"}, "primary_copy_lags")
    assert await pair.ask_copy(scope) == {"My boat is red", "My boat is blue now"}


async def test_what_others_write_holds_nobody_up(pair: Pair, scope: Scope):
    await pair.tell(scope, "My boat is red")
    assert await pair.ask_copy(scope) != set()
    pair.copy.pause()
    for number in range(5):
        await pair.tell(scope_of(Speaker(tenant=f"tenant {uuid4()}", user="bob")), f"boat {number}")
    assert await pair.ask(scope) == ({"My boat is red"}, "copy")


async def test_what_was_forgotten_elsewhere_stays_forgotten_however_the_copy_lags(pair: Pair, scope: Scope):
    written = await pair.elsewhere.items.write(scope, a_draft("a red boat"), by_ann("w"))
    assert await pair.ask_copy(scope) != set()
    pair.copy.pause()
    await pair.elsewhere.items.forget(scope, UUID(str(written.memory_id)), by_ann("f", minutes=1))
    assert await pair.ask(scope) == (set(), "primary_copy_lags")
    assert await pair.ask(scope) == (set(), "primary_copy_lags")


async def test_who_was_erased_and_begins_anew_hears_nothing_of_before(pair: Pair, tmp_path: Path):
    scope = scope_of(Speaker(tenant=f"tenant {uuid4()}", user="ann"))
    resources = resources_of(Leanings(memory=pair.elsewhere, settings=a_settings(data_dir=tmp_path)))
    await pair.tell(scope, "My boat is called Zephyr")
    assert await pair.ask_copy(scope) != set()
    pair.copy.pause()
    wish = ErasureWish(scope=scope, user="ann", compartment=None)
    asked = await request_erasure(resources, wish, wish.sentence)
    await run_erasure(resources, asked.tenant_id, asked.tombstone_id)
    assert await pair.ask(scope) == (set(), "primary_copy_lags")


async def test_answers_are_the_primarys_whatever_happens_in_between(pair: Pair):
    chance, people = random.Random(29), [scope_of(Speaker(tenant=f"tenant {uuid4()}", user="ann")) for _ in range(3)]
    known: dict[Scope, list[UUID]] = {each: [] for each in people}
    sources: set[str] = set()
    for number in range(120):
        scope = chance.choice(people)
        match chance.choice(("write", "forget", "ask", "ask", "pause", "resume")):
            case "write":
                draft = a_draft(f"boat {number}")
                known[scope].append((await pair.elsewhere.items.write(scope, draft, by_ann(f"w{number}"))).memory_id)
            case "forget" if known[scope]:
                memory_id = known[scope].pop(chance.randrange(len(known[scope])))
                await pair.elsewhere.items.forget(scope, memory_id, by_ann(f"f{number}", minutes=number))
            case "pause":
                pair.copy.pause()
            case "resume":
                await pair.ask_copy(scope)
            case _:
                found, source = await pair.ask(scope)
                truth = await pair.elsewhere.index.candidates(scope, BOATS)
                assert found == {each.text for each in truth.candidates}
                sources.add(source)
    assert sources == {"copy", "primary_copy_lags"}


async def test_a_backup_of_the_copy_is_whole(pair: Pair, scope: Scope, reachable_folder: Path, tmp_path: Path):
    await pair.tell(scope, "My boat is red")
    await pair.ask_copy(scope)
    engine = EmbeddedPostgres(reachable_folder / "replicated")
    keys = partial(open_person_keys, a_settings(data_dir=tmp_path))
    made = await Backups(pair.where.of_replica, engine, lambda step: None, keys).save(tmp_path / "backups")
    counted = pair.copy.run("select count(*) from brain.conversation_events")
    assert made.manifest.rows["brain.conversation_events"] == counted > 0


async def test_the_doctor_tells_whether_the_copy_follows(pair: Pair):
    following = await replica_finding(pair.where)
    assert following is not None
    assert following.state == "ok"
    itself = await replica_finding(addresses(pair.where.owner, replica=pair.where.owner))
    assert itself is not None
    assert (itself.state, itself.what) == ("degraded", "the address leads to a database that follows none")
    away = await replica_finding(addresses(pair.where.owner, replica="postgresql://a:b@127.0.0.1:1/brain"))
    assert away is not None
    assert away.state == "degraded"


async def test_a_copy_that_is_away_is_let_alone_and_comes_back(pair: Pair, scope: Scope):
    await pair.tell(scope, "My boat is red")
    assert await pair.ask_copy(scope) != set()
    port = int(str(conninfo.conninfo_to_dict(pair.copy.url)["port"]))
    kill(pair.copy.cluster)
    assert await pair.ask(scope) == ({"My boat is red"}, "primary_copy_away")
    assert pair.copy.cluster.start(port)
    assert (await pair.ask(scope))[1] == "primary_copy_away"
    pair.clock.now += REST
    async with asyncio.timeout(PATIENCE):
        while (await pair.ask(scope))[1] != "copy":
            pair.clock.now += REST
            await asyncio.sleep(0.05)
