"""A conversation that workers grow into memories, one of them killed at some step; what is there then, in words."""

import asyncio
import re
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from apps.jobs.tasks import job_app
from apps.jobs.worker import take_over
from brain.resources import Resources
from evals.rule_worker import NOON, a_saver
from memory.postgres.roles import Addresses
from memory.scope import Scope
from memory.turns import Capture, SessionRef, Utterance

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
"""Long enough to be folded with the settings below."""
DEAD_AFTER = 0.1
"""Seconds without a heartbeat after which a worker counts as dead here."""
PATIENCE = 180.0
"""Seconds within which a worker dies where it is told to, and within which its death shows."""
_PACE = timedelta(minutes=1)
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
Kill = Callable[[str, str], Awaitable[int]]
"""Has a worker die at a node, ``before`` or ``after`` it; the signal that it died of."""


@asynccontextmanager
async def dying_workers(url: str) -> AsyncGenerator[Kill]:
    """A process that workers are forked from, which die where they are told to."""
    piped = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "evals.dying_worker", url, stdin=piped, stdout=piped
    )
    assert process.stdin is not None
    assert process.stdout is not None
    told, heard = process.stdin, process.stdout
    try:
        await asyncio.wait_for(heard.readline(), PATIENCE)

        async def kill(node: str, moment: str) -> int:
            told.write(f"{node} {moment}\n".encode())
            return int(await asyncio.wait_for(heard.readline(), PATIENCE))

        yield kill
    finally:
        told.close()
        await process.wait()


async def capture_talk(resources: Resources, scope: Scope) -> list[Capture]:
    """What was said, each in a turn of its own, waiting for a worker."""
    session = SessionRef(session_id=uuid4(), name="s1", user_name="ann", tenant_name="acme")
    turns = [
        Capture(
            operation_id=uuid4(),
            session=session,
            utterances=(
                Utterance(
                    event_id=uuid4(), role="user", speaker="user", text=text, occurred_at=NOON - _PACE * (60 - number)
                ),
            ),
        )
        for number, text in enumerate(TOLD)
    ]
    for turn in turns:
        await resources.memory.log.capture(scope, turn)
    return turns


async def work(where: Addresses, resources: Resources, *, inherits: bool) -> None:
    """A fresh worker, which first takes over what a dead one left."""
    async with a_saver(where.app) as saver:
        app = job_app(where.session, resources, saver)
        async with app.open_async():
            async with asyncio.timeout(PATIENCE):
                while inherits and not await take_over(app, DEAD_AFTER):  # noqa: ASYNC110 - the dead tell nobody
                    await asyncio.sleep(0.05)
            await app.run_worker_async(
                queues=["evolution"], wait=False, install_signal_handlers=False, delete_jobs="successful"
            )


async def read_remembered(resources: Resources, scope: Scope, turns: list[Capture]) -> dict[str, Any]:
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
