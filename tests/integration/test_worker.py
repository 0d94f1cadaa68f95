"""The worker on a real queue: what a turn enqueued is done once, again after a fault, by another after a death."""

import asyncio
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from procrastinate.jobs import Job

from apps.jobs.tasks import WAITS, Backoff, job_app
from apps.jobs.worker import take_over
from brain.resources import Resources
from graphs.evolution import evolve
from memory.errors import bad_request, unavailable
from memory.log import Outcome
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from memory.turns import Capture
from tests.contract.builders import a_turn, at, said
from tests.integration.evolving import resources_on
from tests.integration.working import work


async def said_again(database: Database, scope: Scope, turn: Capture) -> None:
    """The turn waits as if nobody had looked at it."""
    log = postgres_memory(database).log
    await log.finish(scope, {turn.operation_id: Outcome(status="dead_letter")}, at())
    assert await log.reopen(scope, turn.session.session_id) == 1


def jobs_of(where: Addresses, scope: Scope) -> list[tuple[str, int]]:
    with psycopg.connect(where.owner) as connection:
        rows = connection.execute(
            "select status::text, attempts from queue.procrastinate_jobs where args ->> 'user_id' = %s"
            " and queue_name = 'evolution' order by id",
            (str(scope.user_id),),
        )
        return [(str(status), int(attempts)) for status, attempts in rows]


async def test_a_turn_is_remembered_behind_the_conversation(
    database: Database, test_addresses: Addresses, scope: Scope
):
    resources = resources_on(database)
    turn = a_turn(said("My favourite colour is green."))
    await resources.memory.log.capture(scope, turn)
    await work(test_addresses, resources, concurrency=4)
    done = await resources.memory.log.operation(scope, turn.operation_id)
    (item,) = await resources.memory.items.list_newest(scope)
    assert done is not None
    assert (done.status, done.memory_ids) == ("stored", (item.memory_id,))
    assert "green" in item.content
    assert [each.verified for each in await resources.memory.items.evidence(scope, item.memory_id)] == [True]
    assert jobs_of(test_addresses, scope) == []


async def test_small_talk_ends_with_nothing_stored_and_says_why(
    database: Database, test_addresses: Addresses, scope: Scope
):
    resources = resources_on(database)
    turn = a_turn(said("Hello there, how are you?"))
    await resources.memory.log.capture(scope, turn)
    await work(test_addresses, resources, concurrency=4)
    done = await resources.memory.log.operation(scope, turn.operation_id)
    assert done is not None
    assert (done.status, done.reason is not None) == ("nothing", True)
    assert await resources.memory.items.list_newest(scope) == []


async def test_what_the_assistant_says_never_becomes_the_users_fact(
    database: Database, test_addresses: Addresses, scope: Scope
):
    resources = resources_on(database)
    await resources.memory.log.capture(scope, a_turn(said("I live in Rome.", role="assistant", speaker="assistant")))
    await work(test_addresses, resources, concurrency=4)
    assert await resources.memory.items.list_newest(scope) == []


async def test_a_correction_replaces_what_it_corrects(database: Database, test_addresses: Addresses, scope: Scope):
    resources = resources_on(database)
    for minutes, text in enumerate(("I live in Paris.", "Actually I moved to Lyon, not Paris.")):
        await resources.memory.log.capture(scope, a_turn(said(text, minutes=minutes), urgent=minutes == 1))
        await work(test_addresses, resources, concurrency=4)
    (item,) = await resources.memory.items.list_newest(scope)
    assert (item.content, item.object) == ("Actually I moved to Lyon, not Paris.", "Lyon")


@pytest.mark.parametrize("again", [False, True])
async def test_a_bare_correction_takes_the_place_of_what_it_corrects(
    database: Database, test_addresses: Addresses, scope: Scope, again: bool
):
    resources = resources_on(database)
    turns = [a_turn(said("I work at Acme.")), a_turn(said("It's Apex, not Acme.", minutes=1))]
    for turn in turns:
        await resources.memory.log.capture(scope, turn)
        await work(test_addresses, resources, concurrency=4)
        if again:
            await said_again(database, scope, turn)
            await evolve(resources, scope, turn.session.session_id)
    (item,) = await resources.memory.items.list_newest(scope)
    done = await resources.memory.log.operation(scope, turns[1].operation_id)
    assert (item.predicate, item.object, item.content.endswith("Apex.")) == ("works_at", "Apex", True)
    assert done is not None
    assert (done.status, done.memory_ids) == ("stored", (item.memory_id,))


async def test_sentences_of_one_topic_stand_beside_each_other(
    database: Database, test_addresses: Addresses, scope: Scope
):
    resources = resources_on(database)
    told = ["My name is Anna.", "People often misspell my name.", "My family comes from Poland originally."]
    told.append("I grew up in a small fishing village.")
    for minutes, text in enumerate(told):
        await resources.memory.log.capture(scope, a_turn(said(text, minutes=minutes)))
        await work(test_addresses, resources, concurrency=4)
    assert {item.content for item in await resources.memory.items.list_newest(scope)} == set(told)


async def test_a_correction_of_nothing_known_is_not_stored(database: Database, test_addresses: Addresses, scope: Scope):
    resources = resources_on(database)
    await resources.memory.log.capture(scope, a_turn(said("不是周三，是周四")))
    await work(test_addresses, resources, concurrency=4)
    assert await resources.memory.items.list_newest(scope) == []


async def test_working_twice_changes_nothing(database: Database, test_addresses: Addresses, scope: Scope):
    resources = resources_on(database)
    turn = a_turn(said("My favourite colour is green."))
    await resources.memory.log.capture(scope, turn)
    await work(test_addresses, resources, concurrency=4)
    before = await resources.memory.items.list_newest(scope, include_inactive=True)
    await said_again(database, scope, turn)
    await evolve(resources, scope, turn.session.session_id)
    assert await resources.memory.items.list_newest(scope, include_inactive=True) == before


class Failing:
    """A log that fails a number of times before it works."""

    def __init__(self, memory: MemoryCore, fault: Callable[[], Exception]) -> None:
        self.memory, self.fault = memory, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self.memory.log, name)

    async def find_pending_turns(self, scope: Scope, session_id: UUID, most: int) -> Any:
        raise self.fault()


def failing(database: Database, fault: Callable[[], Exception]) -> Resources:
    memory = postgres_memory(database)
    log: Any = Failing(memory, fault)
    return replace(resources_on(database), memory=replace(memory, log=log))


async def test_a_passing_fault_is_tried_again_later(database: Database, test_addresses: Addresses, scope: Scope):
    turn = a_turn(said("I like tea."))
    await postgres_memory(database).log.capture(scope, turn)
    await work(test_addresses, failing(database, lambda: unavailable("away")), concurrency=4)
    assert jobs_of(test_addresses, scope) == [("todo", 1)]
    waiting = await postgres_memory(database).log.operation(scope, turn.operation_id)
    assert waiting is not None
    assert waiting.status == "queued"


async def test_what_can_never_work_is_a_dead_letter_at_once(
    database: Database, test_addresses: Addresses, scope: Scope
):
    turn = a_turn(said("I like tea."))
    await postgres_memory(database).log.capture(scope, turn)
    await work(test_addresses, failing(database, lambda: bad_request("broken")), concurrency=4)
    dead = await postgres_memory(database).log.operation(scope, turn.operation_id)
    assert jobs_of(test_addresses, scope) == [("failed", 1)]
    assert dead is not None
    assert (dead.status, dead.reason) == ("dead_letter", "E_BAD_REQUEST")


def test_retries_wait_longer_each_time_and_end():
    def wait_after(attempts: int) -> float | None:
        job = Job(
            id=1,
            status="doing",
            queue="evolution",
            lock=None,
            queueing_lock=None,
            task_name="evolve",
            attempts=attempts,
        )
        decision = Backoff().get_retry_decision(exception=unavailable("away"), job=job)
        if decision is None or decision.retry_at is None:
            return None
        return decision.retry_at.timestamp()

    assert WAITS[:5] == (1, 2, 4, 8, 16)
    assert wait_after(0) is not None
    assert wait_after(len(WAITS)) is None


async def test_another_worker_takes_over_from_one_that_was_killed(
    database: Database, test_addresses: Addresses, scope: Scope, monkeypatch: pytest.MonkeyPatch
):
    turn = a_turn(said("My favourite colour is green."))
    await postgres_memory(database).log.capture(scope, turn)
    victim = await asyncio.create_subprocess_exec(sys.executable, "-c", STUCK, test_addresses.app)
    try:
        await _until(lambda: jobs_of(test_addresses, scope)[:1] == [("doing", 0)])
    finally:
        victim.send_signal(signal.SIGKILL)
        await victim.wait()
    monkeypatch.setattr("apps.jobs.worker.DEAD_AFTER", 0.5)
    resources = resources_on(database)
    app = job_app(test_addresses.session, resources)
    async with app.open_async():
        for _ in range(1_800):
            if await take_over(app):
                break
            await asyncio.sleep(0.1)
    await work(test_addresses, resources, concurrency=4)
    assert len(await resources.memory.items.list_newest(scope)) == 1


async def test_a_worker_whose_loop_stood_still_does_not_take_over_its_own_job(
    test_addresses: Addresses, database: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("apps.jobs.worker.DEAD_AFTER", 0.0)
    app, taken = job_app(test_addresses.session, resources_on(database)), list[int]()

    @app.task(name="stand_still", queue="standing")
    async def stand_still(**job: str) -> None:  # pyright: ignore[reportUnusedFunction]
        taken.append(await take_over(app))

    async with app.open_async():
        await app.configure_task("stand_still").defer_async(tenant_id=str(UUID(int=1)))
        await app.run_worker_async(queues=["standing"], wait=False, install_signal_handlers=False)
    assert taken == [0]


STUCK = """
import asyncio, sys, procrastinate
options = {"options": "-c search_path=queue"}
app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=sys.argv[1], kwargs=options))
@app.task(name="evolve", queue="evolution")
async def evolve(**job):
    await asyncio.sleep(600)
async def main():
    async with app.open_async():
        await app.run_worker_async(queues=["evolution"], update_heartbeat_interval=0.2, concurrency=50)
asyncio.run(main())
"""


async def _until(true: Callable[[], bool]) -> None:
    for _ in range(3_600):
        if true():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not happen within three minutes")
