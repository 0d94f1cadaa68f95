"""A queue with a thousand jobs: who corrects something does not wait, nobody waits for others, upkeep waits for all."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.rows import DictRow, dict_row

from apps.jobs.tasks import job_app, plan_upkeep
from apps.jobs.worker import run_worker
from apps.views.health import queue_health
from brain.recall import RecallRequest, recall
from brain.resources import Resources, utc_now
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.recall.query import Filters
from memory.scope import Scope
from memory.turns import SessionRef
from tests.contract.builders import a_session, a_turn, said
from tests.fakes import a_settings
from tests.integration.brain_process import PATIENCE, as_url
from tests.integration.evolving import resources_on


@pytest.fixture
async def queue(fresh_database: Addresses) -> AsyncGenerator[Database]:
    """A database whose queue holds nothing of other tests."""
    async with Database(fresh_database.app) as opened:
        yield opened


def filled(where: Addresses, jobs: int, whose: Scope | None) -> None:
    """Sessions that wait to be looked at: of as many other people, or all of one person."""
    one = (whose.tenant_id, whose.user_id) if whose else (uuid4(), None)
    with psycopg.connect(where.owner, options="-c search_path=brain,queue") as connection:
        connection.execute(
            "select brain.enqueue_evolution(%s, 'main', coalesce(%s, gen_random_uuid()), gen_random_uuid(), 0, 0)"
            " from generate_series(1, %s)",
            (*one, jobs),
        )


async def told(resources: Resources, scope: Scope, text: str, session: SessionRef | None = None, **more: Any) -> UUID:
    turn = a_turn(said(text), session=session or a_session(str(uuid4())), **more)
    await resources.memory.log.capture(scope, turn)
    return turn.operation_id


async def looked_at(resources: Resources, scope: Scope, operation_id: UUID) -> None:
    """Until it was."""
    async with asyncio.timeout(PATIENCE):
        while await _status(resources, scope, operation_id) == "queued":  # noqa: ASYNC110 - a worker ends it
            await asyncio.sleep(0.02)


async def _status(resources: Resources, scope: Scope, operation_id: UUID) -> str:
    operation = await resources.memory.log.operation(scope, operation_id)
    return operation.status if operation else "queued"


async def some_done(queue: Database, of: int) -> None:
    """Until the worker has begun to work off so many jobs."""
    async with asyncio.timeout(PATIENCE):
        while (await queue_health(queue)).waiting >= of:  # noqa: ASYNC110 - a worker does it
            await asyncio.sleep(0.02)


@asynccontextmanager
async def a_real_worker(where: Addresses) -> AsyncGenerator[None]:
    """The worker as ``brain worker`` runs it."""
    worker = asyncio.create_task(run_worker(a_settings(database_url=as_url(where.owner)), signals=False))
    try:
        yield
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


@pytest.mark.parametrize("of_the_same_person", [False, True], ids=["of others", "of the same person"])
async def test_a_correction_counts_while_a_thousand_jobs_wait(
    fresh_database: Addresses, queue: Database, scope: Scope, of_the_same_person: bool
):
    resources, session = resources_on(queue), a_session()
    await told(resources, scope, "I live in Paris.", session)
    async with a_real_worker(fresh_database):
        await looked_at(resources, scope, await told(resources, scope, "I work at Acme.", session))
        filled(fresh_database, 1_000, scope if of_the_same_person else None)
        await some_done(queue, 1_000)
        correction = await told(resources, scope, "Actually I moved to Lyon, not Paris.", session, urgent=True)
        await looked_at(resources, scope, correction)
        found = await recall(
            resources, scope, RecallRequest(text="Lyon Paris", at=utc_now(), filters=Filters(lanes=("fact",)))
        )
        left = await queue_health(queue)
    texts = [each.candidate.text for each in found.ranked]
    assert any("Lyon" in text for text in texts)
    assert "I live in Paris." not in texts
    assert (left.waiting > 300, left.workers) == (True, 1)


async def at_once(_: object) -> None:
    """Nobody is waited for."""


@dataclass
class Watched:
    """A log that knows when whose session was looked at, and tells what waits when ``ready`` lets it."""

    log: Any
    ready: Callable[["Watched"], Awaitable[None]] = at_once
    begun: list[tuple[UUID, UUID]] = field(default_factory=list[tuple[UUID, UUID]])
    busy: list[tuple[UUID, ...]] = field(default_factory=list[tuple[UUID, ...]])
    now: list[UUID] = field(default_factory=list[UUID])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.log, name)

    async def find_pending_turns(self, scope: Scope, session_id: UUID, most: int) -> Any:
        self.begun.append((scope.user_id, session_id))
        self.now.append(scope.user_id)
        self.busy.append(tuple(self.now))
        try:
            await self.ready(self)
            return await self.log.find_pending_turns(scope, session_id, most)
        finally:
            self.now.remove(scope.user_id)


def watched(resources: Resources, log: Any) -> Resources:
    return replace(resources, memory=replace(resources.memory, log=log))


async def work_off(where: Addresses, resources: Resources, done: Callable[[], bool], **options: Any) -> None:
    app = job_app(where.session, resources)
    asked: dict[str, Any] = {"concurrency": 4, "fetch_job_polling_interval": 0.05, **options}
    async with app.open_async():
        worker = asyncio.create_task(
            app.run_worker_async(
                queues=["evolution", "upkeep"],
                install_signal_handlers=False,
                shutdown_graceful_timeout=1.0,
                delete_jobs="successful",
                **asked,
            )
        )
        try:
            async with asyncio.timeout(PATIENCE):
                while not done():  # noqa: ASYNC110 - the worker does it
                    await asyncio.sleep(0.02)
        finally:
            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)


async def test_people_are_served_side_by_side_and_each_of_them_in_order(
    fresh_database: Addresses, queue: Database, scope: Scope
):
    resources = resources_on(queue)
    people = [replace(scope, user_id=uuid4()) for _ in range(4)]
    sessions: dict[UUID, list[UUID]] = {each.user_id: [] for each in people}
    for whose in people:
        for number in range(3):
            session = a_session(f"s{number}")
            sessions[whose.user_id].append(session.session_id)
            await told(resources, whose, f"I like number {number}.", session)
    several = asyncio.Event()

    async def in_company(log: Watched) -> None:
        """The first wait for others to be looked at beside them."""
        if len(log.now) >= 3:
            several.set()
        await several.wait()

    log = Watched(resources.memory.log, in_company)
    await work_off(fresh_database, watched(resources, log), lambda: len(log.begun) == 12 and not log.now)
    assert all(len(set(at_once)) == len(at_once) for at_once in log.busy)
    for whose in people:
        assert [session for user, session in log.begun if user == whose.user_id] == sessions[whose.user_id]


def ended(connection: psycopg.Connection, job: int) -> list[str]:
    """What is announced when a job at hand ends: the channels."""
    connection.execute("update procrastinate_jobs set status = 'doing' where id = %s", (job,))
    connection.execute('listen "procrastinate_queue_v1#evolution"')
    connection.execute("delete from procrastinate_jobs where id = %s", (job,))
    announced = [each.channel for each in connection.notifies(timeout=0.2)]
    connection.execute("unlisten *")
    return announced


async def test_the_end_of_a_job_announces_the_next_one_of_its_person(
    fresh_database: Addresses, queue: Database, scope: Scope
):
    for whose in (scope, replace(scope, user_id=uuid4())):
        await told(resources_on(queue), whose, "I like tea.")
    await told(resources_on(queue), scope, "I like coffee.")
    with psycopg.connect(fresh_database.owner, autocommit=True, options="-c search_path=queue") as connection:
        jobs = [int(each) for (each,) in connection.execute("select id from procrastinate_jobs order by id").fetchall()]
        assert [ended(connection, each) for each in jobs] == [["procrastinate_queue_v1#evolution"], [], []]


async def test_one_person_with_a_thousand_sessions_does_not_hold_the_others_up(
    fresh_database: Addresses, queue: Database, scope: Scope
):
    resources, other = resources_on(queue), replace(scope, user_id=uuid4())
    filled(fresh_database, 1_000, scope)
    async with a_real_worker(fresh_database):
        await some_done(queue, 1_000)
        await looked_at(resources, other, await told(resources, other, "I like tea."))
        left = await queue_health(queue)
    assert left.waiting > 300


@dataclass
class Tended:
    """Upkeep that says when it was begun, in the list of the sessions that were looked at."""

    upkeep: Any
    log: Watched

    def __getattr__(self, name: str) -> Any:
        return getattr(self.upkeep, name)

    async def list_active(self, scope: Scope, *wanted: Any) -> Any:
        self.log.begun.append((scope.user_id, UUID(int=0)))
        return await self.upkeep.list_active(scope, *wanted)


async def test_corrections_go_first_and_upkeep_last(fresh_database: Addresses, queue: Database, scope: Scope):
    resources = resources_on(queue)
    idle, chats, corrects = (replace(scope, user_id=uuid4()) for _ in range(3))
    await upkeep_due(fresh_database, resources, idle)
    for number in range(5):
        await told(resources, chats, f"I like number {number}.")
    await told(resources, corrects, "Not Paris, but Lyon.", urgent=True)
    log = Watched(resources.memory.log)
    seen = watched(resources, log)
    upkeep: Any = Tended(resources.memory.upkeep, log)
    seen = replace(seen, memory=replace(seen.memory, upkeep=upkeep))
    await work_off(fresh_database, seen, lambda: idle.user_id in owners(log) and not log.now, concurrency=1)
    assert owners(log) == [corrects.user_id, *[chats.user_id] * 5, idle.user_id]


FETCH = "select * from procrastinate_fetch_job_v2(array['evolution', 'upkeep']::varchar[], %s)"
WAITING = """
insert into procrastinate_jobs (queue_name, task_name, priority, lock, args)
select 'evolution', 'evolve', 0, tenant || ' ' || number, jsonb_build_object('tenant_id', tenant)
from generate_series(1, %s) as number, (values (%s::uuid)) as whose (tenant)
"""
WORKER = "select worker_id from procrastinate_register_worker_v1()"


def test_a_tenant_with_ten_thousand_jobs_keeps_another_waiting_for_one_of_them(fresh_database: Addresses, scope: Scope):
    """By one worker with one place; jobs of one tenant stay in their order."""
    path = "-c search_path=queue,brain"
    with psycopg.Connection[DictRow].connect(
        fresh_database.owner, autocommit=True, row_factory=dict_row, options=path
    ) as connection:
        for tenant, jobs in ((uuid4(), 10_000), (scope.tenant_id, 2)):
            connection.execute(WAITING, (jobs, tenant))
        worker: Any = connection.execute(WORKER).fetchone()
        taken: list[Any] = [connection.execute(FETCH, (worker["worker_id"],)).fetchone() for _ in range(5)]
    assert sum(each["tenant_id"] == scope.tenant_id for each in taken[:4]) == 2
    hot = [each["id"] for each in taken if each["tenant_id"] != scope.tenant_id]
    assert hot == list(range(hot[0], hot[0] + 3))


async def upkeep_due(where: Addresses, resources: Resources, scope: Scope) -> None:
    app = job_app(where.session, resources)
    async with app.open_async():
        upkeep: Any = app.tasks["upkeep"]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        whose = {"tenant_id": str(scope.tenant_id), "scope": scope.key, "user_id": str(scope.user_id)}
        await plan_upkeep(upkeep, whose, hours=1e-5)


def owners(log: Watched) -> Sequence[UUID]:
    """Whose turn it was, in order; the looks of one upkeep count once, and curating behind a session is part of it."""
    begun = log.begun
    return [
        user
        for number, (user, session) in enumerate(begun)
        if not number or (begun[number] != begun[number - 1] and (session.int or begun[number - 1][0] != user))
    ]
