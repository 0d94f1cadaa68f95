"""``brain jobs`` on a real queue: what failed for good is found, explained, brought back, and then succeeds."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from apps.views.health import queue_health
from memory.errors import bad_request, config_error, unavailable
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope, Speaker, scope_of
from memory.turns import Capture
from tests.contract.builders import a_session, a_turn, said
from tests.integration.brain_process import Brain, Outcome, as_url
from tests.integration.test_worker import failing, resources_on, work
from tests.integration.working import EVERYTHING

SECRET = "My favourite colour is green."


@pytest.fixture
async def queue(fresh_database: Addresses) -> AsyncGenerator[Database]:
    """A database whose queue holds nothing of other tests."""
    async with Database(fresh_database.app) as opened:
        yield opened


@pytest.fixture
def brain(fresh_database: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(fresh_database.owner), tmp_path)


@pytest.fixture
def ann(brain: Brain) -> Scope:
    return scope_of(Speaker(tenant=brain.tenant, user="ann"))


async def asked(brain: Brain, *arguments: str) -> Outcome:
    """The command runs a loop of its own, so it gets a thread of its own."""
    return await asyncio.to_thread(brain.ask, *arguments)


async def a_dead_letter(where: Addresses, database: Database, scope: Scope, turn: Capture) -> None:
    await postgres_memory(database).log.capture(scope, turn)
    await work(where, failing(database, lambda: config_error(SECRET)))


async def work_off(where: Addresses, database: Database) -> None:
    """One person's jobs wait for each other, and this worker goes home when it finds none that it may take."""
    while (await queue_health(database)).waiting:
        await work(where, resources_on(database), queues=EVERYTHING)


async def status_of(brain: Brain, operation_id: UUID, *place: str) -> str:
    shown = await asked(brain, "operations", "show", str(operation_id), "--user", "ann", *place, "--json")
    return str(shown.json["status"])


async def test_a_dead_letter_is_explained_brought_back_and_then_succeeds(
    fresh_database: Addresses, queue: Database, brain: Brain, ann: Scope
):
    turn = a_turn(said(SECRET))
    await a_dead_letter(fresh_database, queue, ann, turn)
    assert await status_of(brain, turn.operation_id) == "dead_letter"
    told = (await asked(brain, "operations", "show", str(turn.operation_id), "--user", "ann")).out
    assert "'brain doctor' tells" in told

    (dead,) = (await asked(brain, "jobs", "dead", "--json")).json
    assert (dead["job"], dead["reason"], dead["tries"]) == ("evolve", "E_CONFIG", 1)
    assert (dead["tenant_id"], dead["user_id"]) == (str(ann.tenant_id), str(ann.user_id))
    assert "brain doctor" in dead["advice"]

    again = await asked(brain, "jobs", "retry", str(dead["id"]))
    assert (again.code, again.out) == (0, "1 job queued again.\n")
    shown = (await asked(brain, "jobs", "show", str(dead["id"]), "--json")).json
    assert (shown["status"], shown["tries"]) == ("waiting", 0)
    assert shown["operations"] == [{"operation_id": str(turn.operation_id), "status": "queued"}]
    assert await status_of(brain, turn.operation_id) == "queued"

    await work(fresh_database, resources_on(queue))
    assert await status_of(brain, turn.operation_id) == "stored"
    assert "E_NOT_FOUND" in (await asked(brain, "jobs", "show", str(dead["id"]))).err
    assert (await asked(brain, "jobs", "dead")).out == "No dead letters.\n"


async def test_nothing_that_was_said_and_no_name_is_printed(fresh_database: Addresses, queue: Database, brain: Brain):
    scope = scope_of(Speaker(tenant=brain.tenant, user="ann", channel="takeover-plans"))
    await a_dead_letter(fresh_database, queue, scope, a_turn(said(SECRET), session=a_session("kitchen")))
    (dead,) = (await asked(brain, "jobs", "dead", "--json")).json
    number = str(dead["id"])
    commands = [("list",), ("dead",), ("show", number)]
    printed = [(await asked(brain, "jobs", *command, *form)).out for command in commands for form in ((), ("--json",))]
    assert all(number in out for out in printed)
    for private in ("green", "takeover", "kitchen", '"ann"', brain.tenant):
        assert private not in "".join(printed)


async def test_whoever_names_a_tenant_sees_its_people_by_name(
    fresh_database: Addresses, queue: Database, brain: Brain, ann: Scope
):
    await a_dead_letter(fresh_database, queue, ann, a_turn(said(SECRET)))
    (dead,) = (await asked(brain, "jobs", "dead", "--json")).json
    commands = [("list",), ("dead",), ("show", str(dead["id"]))]
    printed = [(await asked(brain, "jobs", *command, "--tenant", brain.tenant)).out for command in commands]
    assert all("ann" in out for out in printed)
    assert dead["user"] is None


async def test_doctor_and_jobs_count_the_same(fresh_database: Addresses, queue: Database, brain: Brain, ann: Scope):
    for text in ("I like tea.", "I like rain.", "I like trains."):
        await a_dead_letter(fresh_database, queue, ann, a_turn(said(text)))
    await postgres_memory(queue).log.capture(ann, a_turn(said("I like boats.")))
    dead = (await asked(brain, "jobs", "list", "--status", "dead", "--json")).json
    waiting = (await asked(brain, "jobs", "list", "--status", "waiting", "--json")).json
    health = await queue_health(queue)
    assert (health.dead_letters, health.waiting) == (len(dead), len(waiting)) == (3, 1)
    assert "1 of 3; --limit shows more." in (await asked(brain, "jobs", "dead", "--limit", "1")).out
    assert (await asked(brain, "jobs", "retry", "--all-dead", "--json")).json == {"retried": 3}
    health = await queue_health(queue)
    assert (health.dead_letters, health.waiting) == (0, 4)


async def test_what_comes_back_is_taken_before_what_was_said_later(
    fresh_database: Addresses, queue: Database, brain: Brain, ann: Scope
):
    first, later = a_turn(said("I live in Paris.")), a_turn(said("I live in Lyon now.", minutes=5))
    await a_dead_letter(fresh_database, queue, ann, first)
    await postgres_memory(queue).log.capture(ann, later)
    await asked(brain, "jobs", "retry", "--all-dead")
    waiting = (await asked(brain, "jobs", "list", "--json")).json
    assert [each["session_id"] for each in waiting] == [str(turn.session.session_id) for turn in (first, later)]
    await work_off(fresh_database, queue)
    living = [item.object for item in await postgres_memory(queue).items.list_newest(ann)]
    assert living == ["Lyon"]


async def test_turns_that_died_are_looked_at_together_with_those_that_wait(
    fresh_database: Addresses, queue: Database, brain: Brain, ann: Scope
):
    session = a_session()
    died, waits = a_turn(said("I like tea."), session=session), a_turn(said("I like rain.", minutes=5), session=session)
    await a_dead_letter(fresh_database, queue, ann, died)
    await postgres_memory(queue).log.capture(ann, waits)
    assert (await asked(brain, "jobs", "retry", "--all-dead")).code == 0
    await work_off(fresh_database, queue)
    assert {await status_of(brain, turn.operation_id) for turn in (died, waits)} == {"stored"}


async def test_what_comes_back_has_all_its_tries_again(
    fresh_database: Addresses, queue: Database, brain: Brain, ann: Scope
):
    await a_dead_letter(fresh_database, queue, ann, a_turn(said("I like tea.")))
    with psycopg.connect(fresh_database.owner, options="-c search_path=queue") as connection:
        connection.execute("update queue.procrastinate_jobs set attempts = 9 where status = 'failed'")
    await asked(brain, "jobs", "retry", "--all-dead")
    await work(fresh_database, failing(queue, lambda: unavailable("away")))
    (again,) = (await asked(brain, "jobs", "list", "--json")).json
    assert (again["status"], again["tries"], again["reason"]) == ("waiting", 1, "E_DEP_UNAVAILABLE")


async def test_the_reason_is_forgotten_once_the_job_succeeds(
    fresh_database: Addresses, queue: Database, brain: Brain, ann: Scope
):
    await postgres_memory(queue).log.capture(ann, a_turn(said("I like tea.")))
    await work(fresh_database, failing(queue, lambda: unavailable("away")))
    assert reasons_in(fresh_database) == ["E_DEP_UNAVAILABLE"]
    await asyncio.sleep(1.2)
    await work(fresh_database, resources_on(queue))
    assert reasons_in(fresh_database) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("show", "x"), "E_BAD_REQUEST"),
        (("show", "123456789"), "E_NOT_FOUND"),
        (("show", "9" * 40), "E_BAD_REQUEST"),
        (("retry",), "E_BAD_REQUEST"),
        (("retry", "1", "--all-dead"), "E_BAD_REQUEST"),
        (("retry", "123456789"), "E_NOT_FOUND"),
        (("list", "--status", "failed"), "E_BAD_REQUEST"),
    ],
)
async def test_what_cannot_be_done_is_refused_with_a_code(
    queue: Database, brain: Brain, arguments: tuple[str, ...], code: str
):
    refused = await asked(brain, "jobs", *arguments)
    assert refused.code == 1
    assert refused.err.startswith(code)


async def test_only_dead_letters_come_back(fresh_database: Addresses, queue: Database, brain: Brain, ann: Scope):
    turn = a_turn(said("I like tea."))
    await postgres_memory(queue).log.capture(ann, turn)
    (waiting,) = (await asked(brain, "jobs", "list", "--json")).json
    refused = await asked(brain, "jobs", "retry", str(waiting["id"]))
    assert refused.code == 1
    assert "E_CONFLICT" in refused.err
    assert "it is waiting" in refused.err
    assert (await asked(brain, "jobs", "retry", "--all-dead")).out == "No dead letters.\n"


async def test_one_whose_place_is_taken_is_done_by_the_one_that_waits(
    fresh_database: Addresses, queue: Database, brain: Brain, ann: Scope
):
    """Two jobs of one session cannot wait under the same queueing lock."""
    session = a_session()
    turns = [a_turn(said(text), session=session) for text in ("I like tea.", "I like rain.")]
    for turn in turns:
        await postgres_memory(queue).log.capture(ann, turn)
        with psycopg.connect(fresh_database.owner, options="-c search_path=queue") as connection:
            connection.execute("update queue.procrastinate_jobs set status = 'failed' where status = 'todo' and id = 1")
    await postgres_memory(queue).log.capture(ann, a_turn(said("I like trains."), session=session))
    assert (await asked(brain, "jobs", "retry", "1")).code == 0
    assert len((await asked(brain, "jobs", "list", "--json")).json) == 1
    await work(fresh_database, failing(queue, lambda: bad_request("broken")))
    assert {await status_of(brain, turn.operation_id) for turn in turns} == {"dead_letter"}


def reasons_in(where: Addresses) -> list[str]:
    with psycopg.connect(where.owner) as connection:
        return [str(reason) for (reason,) in connection.execute("select reason from queue.job_failures")]
