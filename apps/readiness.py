"""Whether a turn would work now, asked anew each time. For probes, so it needs no token and tells no secrets."""

import asyncio
from collections.abc import Awaitable, Mapping
from uuid import UUID

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from apps.attended_worker import AttendedWorker
from apps.threads import ledger
from brain.assembly import shared
from memory.errors import BrainError, timed_out
from memory.scope import Scope as MemoryScope

PATH = "/brain/ready"
PATIENCE = 3.0
"""Seconds after which a part that does not answer counts as not ready."""

_NOBODY = MemoryScope(tenant_id=UUID(int=0), user_id=UUID(int=0))
_OK = "ok"


class Readiness:
    """Middleware that answers one path: it stands before authentication, which a probe cannot pass."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """200 when every part works, otherwise 503; the body names each part and what is wrong with it."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        found = await parts(getattr(scope["app"].state, "worker", None))
        ready = all(state == _OK for state in found.values())
        await JSONResponse({"ready": ready, "parts": found}, 200 if ready else 503)(scope, receive, send)


async def parts(worker: AttendedWorker | None) -> Mapping[str, str]:
    """``ok`` or the error's code, for everything that a turn leans on; at most ``PATIENCE`` seconds."""
    memory, threads = await asyncio.gather(
        _state(shared().memory.log.operation(_NOBODY, _NOBODY.user_id)), _state(ledger().recent(1))
    )
    return {"memory": memory, "checkpoints": threads, "worker": _worker(worker)}


async def _state(question: Awaitable[object]) -> str:
    try:
        async with asyncio.timeout(PATIENCE):
            await question
    except BrainError as error:
        return error.code
    except TimeoutError:
        return timed_out("No answer.").code
    return _OK


def _worker(worker: AttendedWorker | None) -> str:
    if worker is None:
        return _OK if not shared().settings.worker else "not started"
    return _OK if worker.alive else "stopped"
