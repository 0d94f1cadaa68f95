"""What a tenant may ask for holds over all processes together; what a dead one held comes back."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import psycopg
import pytest

from apps.http.errors import HttpRefusal
from apps.http.serving_process import ServingProcess
from apps.http.shared_limits import SharedLimits
from apps.http.tenant_limits import TenantLimits
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.serving import ServingProcesses, ShareGrant, ShareRequest


@dataclass
class Fallible:
    """The database of processes, which may be away; it counts what it is asked."""

    real: ServingProcesses
    is_away: bool = False
    asked: list[ShareRequest] = field(default_factory=list[ShareRequest])

    async def keep(self, process_id: UUID) -> int:
        return 1

    async def stop(self, process_id: UUID) -> None:
        """Nobody minds."""

    async def take_share(self, tenant_id: UUID, asked: ShareRequest) -> ShareGrant:
        if self.is_away:
            raise BrainError("E_DEP_UNAVAILABLE", "The database does not answer.")
        self.asked.append(asked)
        return await self.real.take_share(tenant_id, asked)

    async def claim_decision(self, tenant_id: UUID, decision_id: UUID, process_id: UUID, seconds: float) -> bool:
        return await self.real.claim_decision(tenant_id, decision_id, process_id, seconds)

    async def release_decision(self, tenant_id: UUID, decision_id: UUID, process_id: UUID) -> None:
        await self.real.release_decision(tenant_id, decision_id, process_id)


@dataclass
class Running:
    """A process, its limits, and the places that it gave out."""

    process: ServingProcess
    limits: SharedLimits
    store: Fallible
    places: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def admit(self, tenant: str, count: int = 1) -> None:
        for _ in range(count):
            self.limits.count(tenant)
            await self.places.enter_async_context(self.limits.admit(tenant))

    async def settle(self) -> None:
        """Until what it told has arrived."""
        for line in list(self.limits.lines.values()):
            assert line.asking
            await line.asking


@pytest.fixture
def memory(database: Database) -> MemoryCore:
    return postgres_memory(database)


@pytest.fixture
def tenant() -> str:
    return f"tenant {uuid4()}"


def a_process(memory: MemoryCore, per_minute: int, at_once: int, others: int = 1) -> Running:
    store = Fallible(memory.serving)
    process = ServingProcess(store, others=others)
    return Running(process, SharedLimits(TenantLimits(per_minute, at_once, lambda: 0.0), process), store)


@pytest.fixture
async def two(memory: MemoryCore) -> AsyncGenerator[tuple[Running, Running]]:
    """Two processes that live, with three places and no bound on requests."""
    one, other = (a_process(memory, 0, 3) for _ in range(2))
    for each in (one, other):
        await memory.serving.keep(each.process.process_id)
    yield one, other
    for each in (one, other):
        await each.places.aclose()
        await each.settle()
        await memory.serving.stop(each.process.process_id)


async def test_places_are_counted_over_both_and_come_back(two: tuple[Running, Running], tenant: str):
    one, other = two
    await one.admit(tenant, 2)
    await other.admit(tenant)
    for each in two:
        with pytest.raises(HttpRefusal, match="More than 3 requests at once"):
            await each.admit(tenant)
    await one.places.aclose()
    await one.settle()
    await other.admit(tenant, 2)
    with pytest.raises(HttpRefusal, match="at once"):
        await one.admit(tenant)


async def test_those_who_come_at_once_get_as_many_places_as_there_are(two: tuple[Running, Running], tenant: str):
    tries = [each.admit(tenant) for each in two for _ in range(20)]
    told = await asyncio.gather(*tries, return_exceptions=True)
    assert told.count(None) == 3
    assert {each.status for each in told if isinstance(each, HttpRefusal)} == {429}
    assert len([asked for each in two for asked in each.store.asked if asked.wanted]) < 12


async def test_what_a_dead_process_held_comes_back(
    two: tuple[Running, Running], tenant: str, test_addresses: Addresses
):
    one, other = two
    await one.admit(tenant, 3)
    with pytest.raises(HttpRefusal):
        await other.admit(tenant)
    with psycopg.connect(test_addresses.owner) as owner:
        silent = "update brain.serving_processes set seen_at = now() - interval '11 seconds' where process_id = %s"
        owner.execute(silent, (one.process.process_id,))
    await other.admit(tenant, 3)


async def test_requests_of_a_minute_are_counted_over_both(memory: MemoryCore, tenant: str):
    two = [a_process(memory, 10, 100) for _ in range(2)]
    await two[0].admit(tenant, 6)
    await two[1].admit(tenant, 4)
    for each in two:
        with pytest.raises(HttpRefusal, match="More than 10 requests a minute") as refusal:
            await each.admit(tenant)
        assert 1 <= int(refusal.value.headers["Retry-After"]) <= 6
        await each.places.aclose()
        await each.settle()


async def test_a_process_alone_asks_nobody_and_tells_all_when_another_comes(
    memory: MemoryCore, database: Database, tenant: str
):
    one, other = a_process(memory, 10, 3, others=0), a_process(memory, 10, 3)
    before = database.round_trips
    await one.admit(tenant, 2)
    assert (one.store.asked, database.round_trips) == ([], before)
    await memory.serving.keep(one.process.process_id)
    await one.process.beat()
    await one.settle()
    assert [(each.running, each.wanted) for each in one.store.asked] == [(2, 0)]
    await other.admit(tenant)
    with pytest.raises(HttpRefusal, match="at once"):
        await other.admit(tenant)
    one.process.others = 0  # alone again: what the others believe is put right once
    await one.places.aclose()
    await one.settle()
    assert [each.running for each in one.store.asked] == [2, 0]
    await other.places.aclose()
    await other.settle()
    await memory.serving.stop(one.process.process_id)


async def test_without_the_database_each_process_gives_out_its_even_part(memory: MemoryCore, tenant: str):
    one = a_process(memory, 8, 6)
    one.store.is_away = True
    await one.admit(tenant, 3)
    with pytest.raises(HttpRefusal, match="at once"):
        await one.admit(tenant)
    await one.places.aclose()
    await one.admit(tenant)
    with pytest.raises(HttpRefusal, match="a minute"):
        await one.admit(tenant)
    one.store.is_away = False
    await one.admit(tenant)
    await one.places.aclose()
    await one.settle()


async def test_who_goes_while_waiting_leaves_no_place_taken(two: tuple[Running, Running], tenant: str):
    one, other = two
    waiting = [asyncio.create_task(one.admit(tenant)) for _ in range(3)]
    await asyncio.sleep(0)
    for each in waiting:
        each.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await one.settle()
    await other.admit(tenant, 3)


async def test_others_are_those_who_said_lately_that_they_live(memory: MemoryCore):
    first, second = ServingProcess(memory.serving), ServingProcess(memory.serving)
    async with first.live():
        before = first.others
        async with second.live():
            assert second.others == before + 1
            assert (second.is_joining, second.why_not_ready) == (True, "joining")
            await first.beat()
            assert first.others == before + 1
        await first.beat()
        assert first.others == before


async def test_one_decision_at_a_time_is_carried_out(memory: MemoryCore):
    tenant_id, decision = uuid4(), uuid4()
    living, dead = uuid4(), uuid4()
    await memory.serving.keep(living)
    assert await memory.serving.claim_decision(tenant_id, decision, dead, 60)
    assert await memory.serving.claim_decision(tenant_id, decision, living, 60)
    for process in (living, dead):
        assert not await memory.serving.claim_decision(tenant_id, decision, process, 60)
    await memory.serving.release_decision(tenant_id, decision, dead)
    assert not await memory.serving.claim_decision(tenant_id, decision, dead, 60)
    await memory.serving.release_decision(tenant_id, decision, living)
    assert await memory.serving.claim_decision(tenant_id, decision, living, -1)
    assert await memory.serving.claim_decision(tenant_id, decision, dead, 60)
    await memory.serving.stop(living)
