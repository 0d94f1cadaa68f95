"""One waiting job per person and session: joined by later turns, hurried by corrections, never begun without them."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, LiteralString
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.errors import SerializationFailure
from psycopg.rows import dict_row

from apps.jobs.tasks import WAITS
from brain.recall import RecallRequest, recall
from brain.resources import Resources
from memory.errors import BrainError, unavailable
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.recall.query import Filters
from memory.scope import Scope
from memory.turns import SessionRef
from tests.contract.builders import a_new_turn, a_session, a_turn, at, said
from tests.integration.brain_process import PATIENCE
from tests.integration.evolving import a_saver, resources_on
from tests.integration.working import work

Rows = list[dict[str, Any]]


def jobs_of(where: Addresses, scope: Scope, task: str = "evolve") -> Rows:
    with psycopg.Connection[dict[str, Any]].connect(where.owner, row_factory=dict_row) as connection:  # type: ignore[arg-type]
        return connection.execute(
            "select id, status::text, priority, attempts, lock, queueing_lock, args, scheduled_at > now() as later"
            " from queue.procrastinate_jobs where task_name = %s and args ->> 'user_id' = %s order by id",
            (task, str(scope.user_id)),
        ).fetchall()


def due_in(where: Addresses, scope: Scope) -> float:
    """Seconds until this person's job begins."""
    with psycopg.connect(where.owner) as connection:
        row = connection.execute(
            "select extract(epoch from scheduled_at - now())::float8 from queue.procrastinate_jobs"
            " where task_name = 'evolve' and args ->> 'user_id' = %s",
            (str(scope.user_id),),
        ).fetchone()
    assert row
    return row[0]


@pytest.fixture(autouse=True)
def nobody_elses_jobs(test_addresses: Addresses) -> Generator[None]:
    """Workers of these tests do these tests' work."""
    change_jobs(test_addresses, "delete from procrastinate_jobs")
    yield
    change_jobs(test_addresses, "delete from procrastinate_jobs")


def change_jobs(where: Addresses, statement: LiteralString) -> None:
    with psycopg.connect(where.owner, options="-c search_path=queue") as connection:
        connection.execute(statement)


async def captured(database: Database, scope: Scope, text: str, session: SessionRef, **more: Any) -> UUID:
    turn = a_turn(said(text), session=session, **more)
    await resources_on(database).memory.log.capture(scope, turn)
    return turn.operation_id


async def test_a_turn_queues_one_job_that_carries_ids_only(database: Database, test_addresses: Addresses, scope: Scope):
    session = a_session()
    await captured(database, scope, "I like tea.", session)
    (job,) = jobs_of(test_addresses, scope)
    assert job["args"] == {
        "tenant_id": str(scope.tenant_id),
        "scope": scope.key,
        "user_id": str(scope.user_id),
        "session_id": str(session.session_id),
    }
    assert (job["lock"], job["priority"], job["later"]) == (str(scope.user_id), 0, None)


async def test_the_turns_of_a_session_share_one_job_and_its_time(
    database: Database, test_addresses: Addresses, scope: Scope
):
    session = a_session()
    for text in ("I like tea.", "I like coffee."):
        await captured(database, scope, text, session, pause=60.0)
    assert [(job["status"], job["later"]) for job in jobs_of(test_addresses, scope)] == [("todo", True)]


async def test_a_job_waits_for_the_last_turn_and_hastens_when_nobody_goes_on(
    database: Database, test_addresses: Addresses, scope: Scope
):
    session = a_session()
    await captured(database, scope, "I like tea.", session, pause=30.0)
    first = due_in(test_addresses, scope)
    operation = await captured(database, scope, "I like coffee.", session, pause=300.0)
    assert first < 31 < due_in(test_addresses, scope)
    await captured(database, scope, "I like cocoa.", session, pause=1.0)
    assert due_in(test_addresses, scope) < 11
    await resources_on(database).memory.log.hasten(replace(scope, user_id=uuid4()), operation)
    assert [job["later"] for job in jobs_of(test_addresses, scope)] == [True]
    await resources_on(database).memory.log.hasten(scope, operation)
    assert [job["later"] for job in jobs_of(test_addresses, scope)] == [None]


async def test_the_end_of_a_session_waits_for_no_pause(database: Database, test_addresses: Addresses, scope: Scope):
    session = a_session()
    await captured(database, scope, "I like tea.", session, pause=60.0)
    await captured(database, scope, "Bye!", session, pause=60.0, ends=True)
    assert [job["later"] for job in jobs_of(test_addresses, scope)] == [None]


async def test_another_session_and_another_person_have_jobs_of_their_own(
    database: Database, test_addresses: Addresses, scope: Scope
):
    group = replace(scope, key="group:x")
    session = a_session()
    await captured(database, group, "I like tea.", session)
    await captured(database, group, "I like tea.", a_session("s2"))
    other = replace(group, user_id=uuid4())
    await captured(database, other, "I like coffee.", session)
    assert (len(jobs_of(test_addresses, scope)), len(jobs_of(test_addresses, other))) == (2, 1)


async def test_tenants_that_share_the_ids_of_a_user_and_a_session_have_jobs_of_their_own(
    database: Database, test_addresses: Addresses, scope: Scope
):
    session = a_session()
    stranger = replace(scope, tenant_id=uuid4())
    await captured(database, scope, "I like tea.", session, pause=60.0)
    await captured(database, stranger, "I like coffee.", session, pause=60.0)
    operation = await captured(database, stranger, "I like cocoa.", session, pause=60.0)
    await resources_on(database).memory.log.hasten(stranger, operation)
    assert [(job["args"]["tenant_id"], job["later"]) for job in jobs_of(test_addresses, scope)] == [
        (str(scope.tenant_id), True),
        (str(stranger.tenant_id), None),
    ]


async def test_a_rolled_back_turn_leaves_the_job_of_another_tenant_with_the_same_ids(
    database: Database, test_addresses: Addresses, scope: Scope
):
    session, run = a_session(), str(uuid4())
    stranger = replace(scope, tenant_id=uuid4())
    log = resources_on(database).memory.log
    await captured(database, stranger, "I like coffee.", session)
    await log.accept(scope, a_new_turn("I like tea.", session, run=run), 10)
    await log.take_back([run])
    assert [job["args"]["tenant_id"] for job in jobs_of(test_addresses, scope)] == [str(stranger.tenant_id)]


async def test_a_turn_that_cannot_see_the_job_in_its_way_is_refused(
    database: Database, test_addresses: Addresses, scope: Scope
):
    session = a_session()
    who = (scope.tenant_id, scope.key, scope.user_id, session.session_id)
    options = "-c search_path=brain,queue -c default_transaction_isolation=repeatable\\ read"
    async with await psycopg.AsyncConnection.connect(test_addresses.owner, options=options) as turn:
        await turn.execute("select")
        await captured(database, scope, "I like tea.", session)
        with pytest.raises(SerializationFailure):
            await turn.execute(ENQUEUE, who)
    assert len(jobs_of(test_addresses, scope)) == 1


async def test_a_correction_hurries_the_job_that_waits(database: Database, test_addresses: Addresses, scope: Scope):
    session = a_session()
    await captured(database, scope, "I like tea.", session, pause=60.0)
    await captured(database, scope, "Not tea, but coffee.", session, pause=60.0, urgent=True)
    await captured(database, scope, "Thanks!", session, pause=60.0)
    assert [(job["priority"], job["later"]) for job in jobs_of(test_addresses, scope)] == [(10, None)]


async def test_a_correction_brings_a_small_job_that_waits_for_no_other_of_its_person(
    database: Database, test_addresses: Addresses, scope: Scope
):
    session = a_session()
    await captured(database, scope, "I like tea.", session)
    correction = replace(said("Not tea, but coffee."), idempotency_key="told once")
    for _ in range(2):
        await resources_on(database).memory.log.capture(scope, a_turn(correction, session=session, urgent=True))
    (whole,) = jobs_of(test_addresses, scope)
    (small,) = jobs_of(test_addresses, scope, "correct")
    assert small["args"] == whole["args"]
    assert small["lock"] != whole["lock"]
    assert (small["status"], small["queueing_lock"], small["later"]) == ("todo", None, None)


async def test_a_job_that_has_begun_is_joined_no_more(database: Database, test_addresses: Addresses, scope: Scope):
    session = a_session()
    await captured(database, scope, "I like tea.", session)
    change_jobs(test_addresses, "update procrastinate_jobs set status = 'doing'")
    await captured(database, scope, "I like coffee.", session)
    assert [job["status"] for job in jobs_of(test_addresses, scope)] == ["doing", "todo"]


ENQUEUE = "select brain.enqueue_evolution(%s, %s, %s, %s, 0, 0)"
FETCH = "select id from queue.procrastinate_jobs where id = %s for update skip locked"


async def test_no_worker_begins_a_job_before_the_turns_that_joined_it_are_there(
    database: Database, test_addresses: Addresses, scope: Scope
):
    session = a_session()
    await captured(database, scope, "I like tea.", session)
    (job,) = jobs_of(test_addresses, scope)
    who = (scope.tenant_id, scope.key, scope.user_id, session.session_id)
    options = "-c search_path=brain,queue"
    async with (
        await psycopg.AsyncConnection.connect(test_addresses.owner, options=options) as turn,
        await psycopg.AsyncConnection.connect(test_addresses.owner, autocommit=True) as worker,
    ):
        await turn.execute(ENQUEUE, who)
        assert await (await worker.execute(FETCH, (job["id"],))).fetchone() is None
        await turn.commit()
        assert await (await worker.execute(FETCH, (job["id"],))).fetchone() == (job["id"],)


THINGS = (
    *("tea", "coffee", "jazz", "opera", "chess", "boats", "trains", "snow", "rain", "dogs"),
    *("cats", "roses", "tulips", "cheese", "apples", "poetry", "swimming", "skiing", "silence", "maps"),
)


async def test_many_turns_at_once_leave_one_job(database: Database, test_addresses: Addresses, scope: Scope):
    session = a_session()
    texts = [f"I like {thing}." for thing in THINGS]
    await asyncio.gather(*(captured(database, scope, text, session) for text in texts))
    assert len(jobs_of(test_addresses, scope)) == 1
    resources = resources_on(database)
    await work_on(test_addresses, resources)
    assert len((await resources.memory.log.find_pending_turns(scope, session.session_id, 99)).operations) == 0
    assert {item.content for item in await resources.memory.items.list_newest(scope)} == set(texts)


async def work_on(where: Addresses, resources: Resources, **options: Any) -> None:
    """With a saver, as a worker has one in life."""
    async with a_saver(where.app) as saver:
        await work(where, resources, saver, **options)


class Broken:
    """Items that cannot be written."""

    def __init__(self, items: Any, fault: Callable[[], Exception]) -> None:
        self.items, self.fault = items, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self.items, name)

    async def write(self, *_: object) -> Any:
        raise self.fault()


def broken(resources: Resources, fault: Callable[[], Exception]) -> Resources:
    items: Any = Broken(resources.memory.items, fault)
    return replace(resources, memory=replace(resources.memory, items=items))


async def test_a_job_that_waits_to_be_tried_again_does_not_stand_in_the_way_of_the_next_one(
    database: Database, test_addresses: Addresses, scope: Scope
):
    session, resources = a_session(), resources_on(database)
    await captured(database, scope, "I like tea.", session)
    await work_on(test_addresses, broken(resources, lambda: unavailable("away")))
    await captured(database, scope, "I like coffee.", session)
    assert [(job["status"], job["attempts"]) for job in jobs_of(test_addresses, scope)] == [("todo", 1), ("todo", 0)]
    change_jobs(test_addresses, "update procrastinate_jobs set scheduled_at = null where scheduled_at is not null")
    await work_on(test_addresses, resources)
    assert {item.content for item in await resources.memory.items.list_newest(scope)} == {
        "I like tea.",
        "I like coffee.",
    }
    assert jobs_of(test_addresses, scope) == []


async def test_a_dead_letter_ends_every_operation_of_its_batch_and_no_other(
    database: Database, test_addresses: Addresses, scope: Scope
):
    session, resources = a_session(), resources_on(database)
    batch = [await captured(database, scope, text, session) for text in ("I like tea.", "Hello!")]
    later: list[UUID] = []

    class Speaking(Broken):
        async def write(self, *wanted: Any) -> Any:
            if later:
                return await self.items.write(*wanted)
            later.append(await captured(database, scope, "I like coffee.", session))
            raise self.fault()

    items: Any = Speaking(resources.memory.items, lambda: BrainError("E_INTERNAL", "this will never work"))
    await work_on(test_addresses, replace(resources, memory=replace(resources.memory, items=items)), concurrency=1)
    log = resources.memory.log
    ends = [await log.operation(scope, each) for each in (*batch, *later)]
    dead = ("dead_letter", "E_INTERNAL")
    assert [(end.status, end.reason) for end in ends if end] == [dead, dead, ("stored", None)]
    (job,) = jobs_of(test_addresses, scope)
    assert (job["status"], kept_of(test_addresses, job["id"])) == ("failed", 0)
    assert await log.reopen(scope, session.session_id) == 2
    assert len((await log.find_pending_turns(scope, session.session_id, 99)).operations) == 2


def kept_of(where: Addresses, job_id: int) -> int:
    """Steps of a job that lie in the database."""
    with psycopg.connect(where.owner) as connection:
        query = "select thread_id from checkpoint.checkpoints where thread_id = %s"
        return len(connection.execute(query, (f"evolution:{job_id}",)).fetchall())


async def test_a_conflict_with_another_writer_is_tried_again(
    database: Database, test_addresses: Addresses, scope: Scope
):
    resources = resources_on(database)
    await captured(database, scope, "I like tea.", a_session())
    await work_on(test_addresses, broken(resources, lambda: BrainError("E_CONFLICT", "changed meanwhile")))
    assert [(job["status"], job["attempts"]) for job in jobs_of(test_addresses, scope)] == [("todo", 1)]
    assert len(WAITS) == 8


CHANGES = {
    "a move": ("I live in Paris.", "Actually I moved to Lyon, not Paris.", "Lyon"),
    "a taste": ("我喜欢运动风", "不是运动风，我现在喜欢简约的", "简约"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_the_next_turn_knows_a_correction_while_a_thousand_jobs_wait(
    database: Database, test_addresses: Addresses, scope: Scope, change: tuple[str, str, str]
):
    before, correction, new = change
    resources, session = resources_on(database), a_session()
    await captured(database, scope, before, session)
    await work_on(test_addresses, resources)
    await crowd(test_addresses, 1_000)
    async with a_busy_worker(test_addresses, resources):
        operation = await captured(database, scope, correction, session, urgent=True, pause=0.5)
        await until_looked_at(resources, scope, operation)
        left = waiting(test_addresses)
        question = RecallRequest(text=f"{new} {before}", at=at(60), filters=Filters(lanes=("fact",)))
        found = [each.candidate.text for each in (await recall(resources, scope, question)).ranked]
    assert left > 500
    assert any(new in text for text in found)
    assert before not in found


@asynccontextmanager
async def a_busy_worker(where: Addresses, resources: Resources) -> AsyncGenerator[None]:
    worker = asyncio.create_task(work_on(where, resources, wait=True, concurrency=4, fetch_job_polling_interval=0.2))
    try:
        yield
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


async def until_looked_at(resources: Resources, scope: Scope, operation_id: UUID) -> None:
    """Until the worker has ended it."""
    async with asyncio.timeout(PATIENCE):
        while await ended(resources, scope, operation_id) == "queued":  # noqa: ASYNC110 - a worker ends it, elsewhere
            await asyncio.sleep(0.02)


async def ended(resources: Resources, scope: Scope, operation_id: UUID) -> str:
    found = await resources.memory.log.operation(scope, operation_id)
    assert found is not None
    return found.status


async def crowd(where: Addresses, jobs: int) -> None:
    """Other people's sessions, each with a job that waits."""
    async with await psycopg.AsyncConnection.connect(where.owner, options="-c search_path=brain,queue") as connection:
        await connection.execute(
            "select brain.enqueue_evolution(gen_random_uuid(), 'main', gen_random_uuid(), gen_random_uuid(), 0, 0)"
            " from generate_series(1, %s)",
            (jobs,),
        )


def waiting(where: Addresses) -> int:
    with psycopg.connect(where.owner) as connection:
        row = connection.execute("select count(*) from queue.procrastinate_jobs where status = 'todo'").fetchone()
        assert row is not None
        return int(row[0])
