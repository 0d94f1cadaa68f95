"""Whether a turn would work now, asked anew each time. For probes, so it needs no token and tells no secrets."""

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar
from uuid import UUID

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from apps.doctor.database import OLD_JOB
from apps.doctor.findings import Finding, broken_finding, ok_finding
from apps.jobs.supervisor import WorkerSupervisor
from apps.threads.registry import ThreadRegistry, thread_registry
from brain.cells import ask_each
from brain.local_postgres.startup import app_url, pool_limits
from brain.settings import Settings
from brain.wiring import build_resources, shared_resources
from memory.errors import BrainError, timeout_error
from memory.ports import MemoryCore
from memory.postgres.database import Database
from memory.scope import Scope as MemoryScope
from memory.service_alerts import QueueHealth

PATH = "/brain/ready"
PATIENCE = 3.0
"""Seconds after which a part that does not answer counts as not ready."""

_NOBODY = MemoryScope(tenant_id=UUID(int=0), user_id=UUID(int=0))
_ADVICE = "Look at the server's log and at the database; '/brain/ready' answers 503 until then."
_OK = "ok"
_BEHIND = "behind"
"""Turns work, but what is said waits for a worker: to be alarmed at, no reason to send people elsewhere."""

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Readiness:
    """The state of each part: ``ok``, a code, or a word. ``oldest_job_seconds`` is None when the queue is silent.

    ``cells``: the state of each database beside the first; one that is away concerns its own tenants alone.
    """

    parts: Mapping[str, str]
    oldest_job_seconds: float | None
    cells: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_ready(self) -> bool:
        """Whether a turn would work now."""
        return all(state in {_OK, _BEHIND} for state in self.parts.values())


class ReadinessMiddleware:
    """Middleware that answers one path: it stands before authentication, which a probe cannot pass."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer that path, pass on every other."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        response = await readiness_response(getattr(scope["app"].state, "worker", None))
        await response(scope, receive, send)


async def readiness_response(worker: WorkerSupervisor | None) -> JSONResponse:
    """200 when every part works, otherwise 503; the body names each part and what is wrong with it."""
    found = await check_readiness(worker)
    body = {"ready": found.is_ready, "parts": found.parts, "oldest_job_seconds": found.oldest_job_seconds}
    body |= {"cells": found.cells} if found.cells else {}
    return JSONResponse(body, 200 if found.is_ready else 503)


async def check_readiness(worker: WorkerSupervisor | None) -> Readiness:
    """A look at everything that a turn leans on; at most ``PATIENCE`` seconds."""
    resources = shared_resources()
    found, queues = await asyncio.gather(
        check_storage(resources.memory, thread_registry()),
        ask_each(resources.other_cells, lambda each: each.service_alerts.read_queue(), PATIENCE),
    )
    cells = {name: _state(each) if isinstance(each, BrainError) else _queue(each) for name, each in queues.items()}
    return replace(found, parts={**found.parts, "worker": _worker(worker)}, cells=cells)


async def check_storage(memory: MemoryCore, threads: ThreadRegistry) -> Readiness:
    """The parts that every process of a deployment shares; the doctor asks for the same."""
    log, recent, disk, queue = await asyncio.gather(
        _ask(memory.log.operation(_NOBODY, _NOBODY.user_id)),
        _ask(threads.fetch_recent(1)),
        _ask(threads.probe_disk()),
        _ask(threads.queue()),
    )
    health = None if isinstance(queue, BrainError) else queue
    parts = {"memory": _state(log), "checkpoints": _state(recent), "disk": _state(disk)}
    return Readiness(
        parts={**parts, "queue": _queue(health) if health else _state(queue)},
        oldest_job_seconds=health and round(health.oldest_seconds, 1),
    )


async def storage_findings(settings: Settings) -> list[Finding]:
    """What ``/brain/ready`` tells of memory, checkpoints and the disk below them, as findings of the doctor."""
    resources = build_resources(settings)
    database = Database(app_url(settings), pool_limits(settings, connections=2))
    threads = ThreadRegistry(database)
    try:
        # Connecting takes longer than answering; who cannot connect gets no answer either.
        await asyncio.gather(resources.open(), database.open(), return_exceptions=True)
        found = await check_storage(resources.memory, threads)
    finally:
        await threads.close()
        await resources.close()
    told = {"memory": "answers", "checkpoints": "answers", "disk": "takes what is written"}
    return [
        ok_finding(name, words) if (state := found.parts[name]) == _OK else broken_finding(name, state, _ADVICE)
        for name, words in told.items()
    ]


async def _ask(question: Awaitable[T]) -> T | BrainError:
    try:
        async with asyncio.timeout(PATIENCE):
            return await question
    except BrainError as error:
        return error
    except TimeoutError:
        return timeout_error("No answer.")


def _state(answer: object) -> str:
    return answer.code if isinstance(answer, BrainError) else _OK


def _queue(health: QueueHealth) -> str:
    return _BEHIND if health.waiting and health.oldest_seconds > OLD_JOB else _OK


def _worker(worker: WorkerSupervisor | None) -> str:
    if worker is None:
        return _OK if not shared_resources().settings.worker else "not started"
    return _OK if worker.is_alive else "stopped"
