"""The client: recall before a model call, capture after it. Without the server an agent goes on, without memory."""

import asyncio
import logging
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from brain_memory.answers import (
    UNAVAILABLE,
    Capture,
    Memory,
    MemoryContext,
    read_capture,
    read_context,
    read_memories,
    read_results,
)
from brain_memory.connection import Address, ApiCall, Connection, Transport
from brain_memory.endpoints import MemoryEndpoints
from brain_memory.errors import BrainRefused, BrainUnavailable
from brain_memory.pending_captures import ROOM, TRIES, PendingCapture, PendingCaptures

log = logging.getLogger("brain_memory")

FEW = 4
"""Turns of earlier that are sent behind one that was taken, so that catching up never delays an answer by much."""


class BrainClient(MemoryEndpoints):
    """Memory of one person, or with ``user`` of those for whom the key may speak. Safe between threads and loops.

    ``url`` is that of ``brain serve``, ``key`` an API key or a token, ``timeout`` in seconds. ``before_llm`` and
    ``after_llm`` never raise because the server is away; everything raises ``BrainRefused`` for what it refuses.
    Methods that begin with ``a`` are for coroutines.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8123",
        *,
        key: str = "",
        user: str | None = None,
        timeout: float = 2.0,
        transport: Transport | None = None,
    ) -> None:
        self._connection = Connection(Address(url=url, key=key, timeout=timeout, transport=transport))
        self._user = user
        self._pending = PendingCaptures()

    def before_llm(
        self, message: str, *, session: str | None = None, user: str | None = None, tokens: int | None = None
    ) -> MemoryContext:
        """What bears on a message, within about ``tokens`` tokens; without the server, an empty context."""
        call = self._call("before_llm", user, message=message, session=session, tokens=tokens)
        try:
            return read_context(self._connection.send(call), call.user)
        except BrainUnavailable as error:
            return _go_without(error, call)

    async def abefore_llm(
        self, message: str, *, session: str | None = None, user: str | None = None, tokens: int | None = None
    ) -> MemoryContext:
        """What bears on a message, within about ``tokens`` tokens; without the server, an empty context."""
        call = self._call("before_llm", user, message=message, session=session, tokens=tokens)
        try:
            return read_context(await self._connection.asend(call), call.user)
        except BrainUnavailable as error:
            return _go_without(error, call)

    def after_llm(
        self, user_message: str, assistant_message: str, context: MemoryContext | None = None, *, key: str = ""
    ) -> Capture:
        """Remember a turn; ``context`` is what ``before_llm`` gave for it.

        The same ``key`` captures once. A turn that the server cannot take now waits, and is sent behind a later one.
        """
        capture = self._new_capture((user_message, assistant_message), context or MemoryContext(), key)
        taken = self._send(capture)
        if taken:
            self._send_each(self._pending.take_tries(FEW))
        return taken or Capture(session=capture.call.body["session"], is_pending=True)

    async def aafter_llm(
        self, user_message: str, assistant_message: str, context: MemoryContext | None = None, *, key: str = ""
    ) -> Capture:
        """Remember a turn, as ``after_llm`` does."""
        capture = self._new_capture((user_message, assistant_message), context or MemoryContext(), key)
        taken = await self._asend(capture)
        if taken:
            await self._asend_each(self._pending.take_tries(FEW))
        return taken or Capture(session=capture.call.body["session"], is_pending=True)

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        time_from: datetime | None = None,
        time_to: datetime | None = None,
        user: str | None = None,
    ) -> list[Memory]:
        """What bears on a question, best first, said within a period. Raises ``BrainUnavailable``."""
        call = self._call("recall", user, query=query, limit=limit, **_period(time_from, time_to))
        return read_memories(self._connection.send(call))

    async def arecall(
        self,
        query: str,
        *,
        limit: int | None = None,
        time_from: datetime | None = None,
        time_to: datetime | None = None,
        user: str | None = None,
    ) -> list[Memory]:
        """What bears on a question, best first, said within a period. Raises ``BrainUnavailable``."""
        call = self._call("recall", user, query=query, limit=limit, **_period(time_from, time_to))
        return read_memories(await self._connection.asend(call))

    def run_operations(self, operations: list[dict[str, Any]], user: str | None = None) -> list[Any]:
        """Operations of a store, in the form of the memory API. Raises ``BrainUnavailable``."""
        return read_results(self._connection.send(self._call("store/batch", user, operations=operations)))

    async def arun_operations(self, operations: list[dict[str, Any]], user: str | None = None) -> list[Any]:
        """Operations of a store, in the form of the memory API. Raises ``BrainUnavailable``."""
        return read_results(await self._connection.asend(self._call("store/batch", user, operations=operations)))

    @property
    def pending(self) -> int:
        """Turns that wait for the server."""
        return len(self._pending)

    def flush(self) -> int:
        """Send the turns that wait, until the server fails. Returns how many still wait."""
        self._send_each(self._pending.take_each(ROOM))
        return self.pending

    async def aflush(self) -> int:
        """Send the turns that wait, until the server fails. Returns how many still wait."""
        await self._asend_each(self._pending.take_each(ROOM))
        return self.pending

    def close(self) -> None:
        """Send what waits, if the server is there, and let go of the connections."""
        self.flush()
        self._log_loss()
        self._connection.close()

    async def aclose(self) -> None:
        """Send what waits, if the server is there, and let go of the connections."""
        await self.aflush()
        self._log_loss()
        await self._connection.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _request(self, route: str, values: Mapping[str, Any], user: str | None, key: str = "") -> dict[str, Any]:
        return dict(self._connection.send(self._endpoint_call(route, values, user, key)).data)

    async def _arequest(self, route: str, values: Mapping[str, Any], user: str | None, key: str = "") -> dict[str, Any]:
        return dict((await self._connection.asend(self._endpoint_call(route, values, user, key))).data)

    def _endpoint_call(self, route: str, values: Mapping[str, Any], user: str | None, key: str) -> ApiCall:
        method, _, path = route.partition(" ")
        return ApiCall(path=path, body=values, user=self._person(user), idempotency_key=key, method=method)

    def _call(self, path: str, user: str | None, **body: Any) -> ApiCall:
        return ApiCall(path=path, body=body, user=self._person(user))

    def _person(self, user: str | None) -> str | None:
        """The person of a call, else that of the client. An empty name is a mistake, and never the client's person."""
        if user is not None and not user.strip():
            raise BrainRefused("E_NO_PERSON", "The call names nobody: whose memory is it?")
        return self._user if user is None else user

    def _new_capture(self, said: tuple[str, str], context: MemoryContext, key: str) -> PendingCapture:
        """The time is said now: a turn may be taken much later than it was."""
        body = {
            "session": context.session,
            "user_message": said[0],
            "assistant_message": said[1],
            "trace_id": context.trace_id or None,
            "said_at": datetime.now(UTC).isoformat(),
        }
        call = ApiCall(path="after_llm", body=body, user=self._person(context.user), idempotency_key=key or uuid4().hex)
        return PendingCapture(call)

    def _send(self, capture: PendingCapture) -> Capture | None:
        """What became of a turn; None when the server cannot take it now."""
        with self._keep_unsent(capture):
            return read_capture(self._connection.send(capture.call))
        return None

    async def _asend(self, capture: PendingCapture) -> Capture | None:
        """What became of a turn; None when the server cannot take it now."""
        with self._keep_unsent(capture):
            return read_capture(await self._connection.asend(capture.call))
        return None

    def _send_each(self, captures: Iterable[PendingCapture]) -> None:
        for capture in captures:
            with _log_refusal():
                if self._send(capture) is None:
                    break

    async def _asend_each(self, captures: Iterable[PendingCapture]) -> None:
        for capture in captures:
            with _log_refusal():
                if await self._asend(capture) is None:
                    break

    @contextmanager
    def _keep_unsent(self, capture: PendingCapture) -> Generator[None]:
        """Around sending a turn: it waits for the next time when the server fails or the caller is interrupted."""
        try:
            yield
        except BrainUnavailable as error:
            if capture.tries >= TRIES:
                log.error("a turn is lost: it failed %d times while others were taken (%s)", TRIES, error)
            else:
                self._keep(capture)
                log.warning("a turn waits for the memory server (%s)", error)
        except (asyncio.CancelledError, KeyboardInterrupt):
            self._keep(capture)
            raise

    def _keep(self, capture: PendingCapture) -> None:
        if not self._pending.add(capture):
            log.error("a turn is lost: %d others wait for the memory server", ROOM)

    def _log_loss(self) -> None:
        if self.pending:
            log.error("%d turns are lost: the memory server did not take them before the end", self.pending)


def _go_without(error: BrainUnavailable, call: ApiCall) -> MemoryContext:
    """The context of a turn without memory; the turn is captured all the same, later."""
    log.warning("going on without memory (%s)", error)
    return MemoryContext(session=call.body["session"], user=call.user, degraded=(UNAVAILABLE,))


def _period(time_from: datetime | None, time_to: datetime | None) -> dict[str, str | None]:
    times = {"time_from": time_from, "time_to": time_to}
    return {name: at.isoformat() if at else None for name, at in times.items()}


@contextmanager
def _log_refusal() -> Generator[None]:
    """Around a turn of earlier, whose refusal is no affair of the caller at hand."""
    try:
        yield
    except BrainRefused as error:
        log.error("a turn is lost: the memory server refused it (%s)", error)
