"""A worker killed at any step of the background graph: another one goes on, and nobody can tell afterwards."""

import asyncio
import re
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from apps.jobs.tasks import job_app
from apps.jobs.worker import take_over
from brain.resources import Resources
from memory.contracts import Capture
from memory.pending_turns import PendingTurns
from memory.ports import MemoryCore
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.contract.builders import a_session, a_turn, said
from tests.integration.dying_worker import MODULES, SETTINGS
from tests.integration.evolving import a_saver, resources_on

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TOLD = (
    "I live in Paris with my sister Emma.",
    "I like green tea, and I like oolong.",
    "My budget for the kitchen is 4,000 euros.",
    "We decided to use green tiles in the kitchen.",
    "Actually I moved to Lyon, not Paris.",
    "I no longer work at Acme.",
    "I like oolong a lot.",
    "See you tomorrow!",
)


@dataclass(frozen=True)
class Story:
    """What the conversation leaves when nobody dies, and workers that die of a signal at a node."""

    undisturbed: dict[str, Any]
    killed_at: Callable[[str, str], Awaitable[int]]


@pytest.fixture(scope="module")
async def story(test_addresses: Addresses, undisturbed: dict[str, Any]) -> AsyncGenerator[Story]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.dying_worker",
        test_addresses.app,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    told, heard = process.stdin, process.stdout
    assert (await heard.readline()).strip() == b"ready"

    async def killed_at(node: str, moment: str) -> int:
        told.write(f"{node} {moment}\n".encode())
        return int(await asyncio.wait_for(heard.readline(), 180))

    yield Story(undisturbed, killed_at)
    told.close()
    await process.wait()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker counts as dead at once."""
    monkeypatch.setattr("apps.jobs.worker.DEAD_AFTER", 0.1)


async def captured(resources: Resources, scope: Scope) -> list[Capture]:
    session = a_session()
    turns = [a_turn(said(text, minutes=number), session=session) for number, text in enumerate(TOLD)]
    for turn in turns:
        await resources.memory.log.capture(scope, turn)
    return turns


async def work(where: Addresses, resources: Resources, *, inherits: bool) -> None:
    """A fresh worker, which first takes over what a dead one left."""
    async with a_saver(where.app) as saver:
        app = job_app(where.session, resources, saver)
        async with app.open_async():
            while inherits and not await take_over(app):  # noqa: ASYNC110 - the dead tell nobody
                await asyncio.sleep(0.05)
            await app.run_worker_async(
                queues=["evolution"], wait=False, install_signal_handlers=False, delete_jobs="successful"
            )


async def remembered(resources: Resources, scope: Scope, turns: list[Capture]) -> dict[str, Any]:
    """Everything that the work left, in words instead of ids."""
    memory = resources.memory
    items = await memory.items.list_newest(scope, include_inactive=True)
    words = {item.memory_id: f"{item.content} ({item.status})" for item in items}
    return {
        "memories": sorted([await _told(resources, scope, item.memory_id) for item in items], key=str),
        "chains": sorted((words[item.memory_id], words[item.superseded_by]) for item in items if item.superseded_by),
        "operations": [await _ended(resources, scope, turn, words) for turn in turns],
        "documents": sorted(
            (each.kind, each.version, _ID.sub("", each.body)) for each in await memory.documents.list_documents(scope)
        ),
        "summaries": [
            (each.block, each.text) for each in await memory.sessions.summaries(scope, turns[0].session.session_id)
        ],
    }


async def _told(resources: Resources, scope: Scope, memory_id: UUID) -> list[Any]:
    items = resources.memory.items
    item = await items.get(scope, memory_id)
    history = [(each.version, each.change) for each in await items.history(scope, memory_id)]
    quotes = [each.quote for each in await items.evidence(scope, memory_id)]
    return [item.content, item.status, item.version, item.slot, history, quotes]


async def _ended(resources: Resources, scope: Scope, turn: Capture, words: dict[UUID, str]) -> Any:
    operation = await resources.memory.log.operation(scope, turn.operation_id)
    assert operation is not None
    return operation.status, operation.reason, sorted(words[each] for each in operation.memory_ids)


@pytest.fixture(scope="module")
async def undisturbed(database: Database, test_addresses: Addresses) -> dict[str, Any]:
    """What the conversation leaves when nobody dies."""
    resources = resources_on(database, **SETTINGS)
    scope = Scope(tenant_id=uuid4(), user_id=uuid4())
    turns = await captured(resources, scope)
    await work(test_addresses, resources, inherits=False)
    left = await remembered(resources, scope, turns)
    assert [len(left[each]) > 0 for each in ("memories", "operations", "documents", "summaries")] == [True] * 4
    return left


def threads(where: Addresses) -> set[str]:
    """The threads of evolution that lie in the database; workers of other tests may have left some."""
    with psycopg.connect(where.owner) as connection:
        query = "select distinct thread_id from checkpoint.checkpoints where thread_id like 'evolution:%'"
        return {str(row[0]) for row in connection.execute(query)}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "at",
    [pytest.param((node, "after"), id=f"{node} after") for node in MODULES]
    + [pytest.param((node, "before"), id=f"{node} before", marks=pytest.mark.exhaustive) for node in MODULES],
)
async def test_whoever_takes_over_leaves_what_an_undisturbed_run_leaves(
    at: tuple[str, str], database: Database, scope: Scope, test_addresses: Addresses, story: Story
):
    resources = resources_on(database, **SETTINGS)
    turns, before = await captured(resources, scope), threads(test_addresses)
    assert await story.killed_at(*at) == signal.SIGKILL
    await work(test_addresses, resources, inherits=True)
    assert await remembered(resources, scope, turns) == story.undisturbed
    assert threads(test_addresses) == before


@pytest.mark.usefixtures("impatient")
async def test_who_takes_over_repeats_no_step_that_was_kept(
    database: Database, scope: Scope, test_addresses: Addresses, story: Story, monkeypatch: pytest.MonkeyPatch
):
    resources = resources_on(database, **SETTINGS)
    await captured(resources, scope)
    before = threads(test_addresses)
    assert await story.killed_at("merge_profiles", "before") == signal.SIGKILL
    log: Any = Deaf(resources.memory)
    deaf = replace(resources, memory=replace(resources.memory, log=log))
    await work(test_addresses, deaf, inherits=True)
    assert threads(test_addresses) == before
    assert log.asked == 0


class Deaf:
    """A log that tells nobody what waits, and counts who asks."""

    def __init__(self, memory: MemoryCore) -> None:
        self.memory, self.asked = memory, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.memory.log, name)

    async def find_pending_turns(self, scope: Scope, session_id: UUID, most: int) -> PendingTurns:
        self.asked += 1
        return PendingTurns()
