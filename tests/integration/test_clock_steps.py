"""A clock steps an hour forward or back under turns, jobs, workers and limits: nothing is lost, doubled or stuck.

The database's own clock cannot be set by a test: times that it wrote are moved instead, which is the same to it.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TypeAlias
from uuid import UUID, uuid4

import psycopg
import pytest
from langgraph.checkpoint.base import id as checkpoint_ids

from apps.jobs.tasks import job_app
from apps.jobs.worker import take_over
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from memory.serving import ShareRequest
from tests.contract.builders import a_turn, an_exchange, at, said
from tests.integration.evolving import resources_on
from tests.integration.threads import Thread, open_thread
from tests.integration.working import work

HOUR = timedelta(hours=1)
Owner: TypeAlias = "psycopg.Connection[tuple[object, ...]]"


@dataclass
class Clock:
    """The clock of a machine, and how far it was set."""

    patch: pytest.MonkeyPatch
    ahead: timedelta = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def step(self, by: timedelta) -> None:
        """Set it; whoever goes on is another process, which has seen no other time."""
        self.ahead += by
        self.patch.setattr(checkpoint_ids, "_last_v6_timestamp", None)
        self.patch.setattr(checkpoint_ids, "time", SimpleNamespace(time_ns=lambda: int(self().timestamp() * 1e9)))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
async def ann(test_addresses: Addresses, database: Database, clock: Clock) -> AsyncGenerator[Thread]:
    async with open_thread(test_addresses, database) as thread:
        yield replace(thread, resources=replace(thread.resources, clock=clock))


@pytest.fixture
def memory(database: Database) -> MemoryCore:
    return postgres_memory(database)


@pytest.fixture
def owner(test_addresses: Addresses) -> Generator[Owner]:
    with psycopg.connect(test_addresses.owner, autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize("steps", [[-HOUR], [HOUR], [HOUR, -HOUR], [-HOUR, -HOUR, 2 * HOUR]], ids=str)
async def test_a_conversation_goes_on(steps: list[timedelta], ann: Thread, clock: Clock, test_addresses: Addresses):
    told = ["I live in Ghent.", "My cat is called Moos."]
    for text in told:
        await ann.say(text)
    for number, step in enumerate(steps):
        clock.step(step)
        told += [f"I moved to {('Lyon', 'Rome', 'Oslo')[number]}.", f"I own {number + 2} boats."]
        for text in told[-2:]:
            await ann.say(text)
    await ann.evolve()
    home = told[-2].removeprefix("I moved to ").removesuffix(".")

    assert home in await ann.elsewhere("Where do I live?")
    snapshot = (await ann.states())[0]
    assert [each.text for each in snapshot.values["messages"] if each.type == "human"] == told
    with psycopg.connect(test_addresses.owner) as owner:
        query = "select text from brain.conversation_events where user_id = %s and session_id = %s and role = 'user'"
        mine = (ann.scope.user_id, UUID(snapshot.values["turn"]["session_id"]))
        for order in ("position", "occurred_at"):
            assert [row[0] for row in owner.execute(f"{query} order by {order}".encode(), mine)] == told
        left = "select count(*) from brain.operations where user_id = %s and left_at is not null"
        assert owner.execute(left, (ann.scope.user_id,)).fetchone() == (0,)
        held = "select count(*) from brain.memory_items where user_id = %s and invalid_at < valid_at"
        assert owner.execute(held, (ann.scope.user_id,)).fetchone() == (0,)


async def test_what_a_pass_took_is_no_matter_of_the_time_of_day(ann: Thread, clock: Clock):
    def restless() -> datetime:
        clock.ahead -= timedelta(minutes=1)
        return datetime.now(UTC) + clock.ahead

    restless_ann = replace(ann, resources=replace(ann.resources, clock=restless))
    await restless_ann.say("I live in Ghent.")
    assert "Ghent" in await restless_ann.say("Where do I live?")
    (snapshot, *_) = await restless_ann.states()
    receipts = await ann.receipts(snapshot.values["turn"]["operation_id"])
    (took,) = [float(str(each.details["latency_ms"])) for each in receipts if each.receipt_type == "retrieval"]
    assert 0 < took < 60_000


async def test_a_conversation_that_its_client_keeps_goes_on_behind_its_newest_answer(memory: MemoryCore, scope: Scope):
    first, second = an_exchange("one", minutes=1), an_exchange("two", minutes=2)
    behind = an_exchange("three", minutes=-58)
    for each in (first, second, behind, replace(behind, checkpoint="answered", created_at=at(-57))):
        await memory.chat_exchanges.save(scope, each, at(-600))
    newest, oldest = await memory.chat_exchanges.ends(scope, first.session_name)
    assert (newest.exchange_id, newest.checkpoint) == (behind.exchange_id, "answered")
    assert newest.created_at > second.created_at
    assert oldest == first


async def test_a_job_that_was_planned_before_is_due(quiet_database: tuple[Addresses, Database], scope: Scope):
    where, database = quiet_database
    resources = resources_on(database)
    turn = replace(a_turn(said("My favourite colour is green.")), pause=5.0)
    await resources.memory.log.capture(scope, turn)
    with psycopg.connect(where.owner, options="-c search_path=queue") as owner:
        owner.execute("update procrastinate_jobs set scheduled_at = scheduled_at + interval '1 hour'")
        owner.execute("update procrastinate_events set at = at + interval '1 hour'")
    app = job_app(where.session, resources)
    async with app.open_async():
        await take_over(app)
    await work(where, resources)
    (item,) = await resources.memory.items.list_newest(scope)
    assert "green" in item.content


async def test_a_job_that_is_planned_for_later_waits(quiet_database: tuple[Addresses, Database], scope: Scope):
    where, database = quiet_database
    resources = resources_on(database)
    await resources.memory.log.capture(scope, replace(a_turn(said("My favourite colour is green.")), pause=600.0))
    app = job_app(where.session, resources)
    async with app.open_async():
        await take_over(app)
    await work(where, resources)
    assert await resources.memory.items.list_newest(scope) == []


async def test_the_job_of_a_dead_worker_is_taken_over(quiet_database: tuple[Addresses, Database], scope: Scope):
    where, database = quiet_database
    resources = resources_on(database)
    await resources.memory.log.capture(scope, a_turn(said("My favourite colour is green.")))
    with psycopg.connect(where.owner, options="-c search_path=queue") as owner:
        owner.execute("insert into procrastinate_workers (last_heartbeat) values (now() + interval '1 hour')")
        owner.execute(
            "update procrastinate_jobs set status = 'doing', worker_id = (select max(id) from procrastinate_workers)"
        )
    app = job_app(where.session, resources)
    async with app.open_async():
        assert await take_over(app) == 0
        await asyncio.sleep(0.2)
        assert await take_over(app, dead_after=0.1) == 1
    await work(where, resources)
    (item,) = await resources.memory.items.list_newest(scope)
    assert "green" in item.content


def a_request(process_id: UUID, running: int = 0, wanted: int = 1) -> ShareRequest:
    return ShareRequest(process_id=process_id, running=running, wanted=wanted, per_minute=60, at_once=1, at_most=60)


async def test_what_a_dead_process_held_of_a_limit_is_free(memory: MemoryCore, scope: Scope, owner: Owner):
    dead, alive = uuid4(), uuid4()
    await memory.serving.keep(dead)
    assert (await memory.serving.take_share(scope.tenant_id, a_request(dead))).granted == 1
    moved = "update brain.serving_processes set seen_at = seen_at + %s where process_id = %s"
    owner.execute(moved, (HOUR, dead))
    await memory.serving.keep(alive)
    assert (await memory.serving.take_share(scope.tenant_id, a_request(alive))).granted == 0
    owner.execute(moved, (timedelta(seconds=-11), dead))
    assert (await memory.serving.take_share(scope.tenant_id, a_request(alive))).granted == 1


@pytest.mark.parametrize("step", [HOUR, -HOUR], ids=str)
async def test_a_limit_locks_nobody_out(step: timedelta, memory: MemoryCore, scope: Scope, owner: Owner):
    process, tenant = uuid4(), scope.tenant_id
    asked = replace(a_request(process, wanted=60), at_once=100)
    await memory.serving.keep(process)
    assert (await memory.serving.take_share(tenant, asked)).granted == 60
    owner.execute("update brain.tenant_shares set filled_at = filled_at - %s where tenant_id = %s", (step, tenant))
    refused = await memory.serving.take_share(tenant, asked)
    assert refused.granted in ((60,) if step == HOUR else (0, 1))
    assert (refused.seconds or 0) <= 1
    await asyncio.sleep(1.1)
    assert (await memory.serving.take_share(tenant, replace(asked, wanted=1))).granted == 1


async def test_who_is_not_remembered_is_not_and_ends_that(memory: MemoryCore, scope: Scope, owner: Owner):
    session = uuid4()
    await memory.pauses.begin(scope, uuid4(), None, 30)
    moved = "update brain.remembering_pauses set since = since + %s, ends_at = ends_at + %s where user_id = %s"
    owner.execute(moved, (HOUR, HOUR, scope.user_id))
    assert await memory.pauses.covers(scope, session, datetime.now(UTC))
    assert len(await memory.pauses.list_current(scope)) == 1
    assert await memory.pauses.end(scope, None) == 1
    assert not await memory.pauses.covers(scope, session, datetime.now(UTC))
    assert await memory.pauses.list_current(scope) == []
