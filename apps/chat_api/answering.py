"""A turn at work for a client, and its words as they come: whole, or as server-sent events in the client's format."""

import asyncio
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from apps.chat_api.reply import KEEP_ALIVE, ChatReply
from apps.chat_api.running_turns import RunningTurns
from apps.chat_api.turn import ChatTurn, TurnRunner
from apps.http import metrics
from apps.http.errors import HttpRefusal, refusal_of
from brain.background import run_beside
from brain.resources import Resources
from memory.errors import unavailable

FIRST_WORDS_SECONDS = 20.0
"""Seconds for which a stream's first words are waited for, so that a refusal still has a status of its own."""
PAUSE = 15.0
"""Seconds of silence after which a stream shows that it is alive: proxies close silent connections."""


@dataclass(frozen=True, kw_only=True)
class ChatService:
    """What the routes lean on, for as long as the server lives. ``answers`` are those at work, by what was asked."""

    resources: Resources
    runner: TurnRunner
    turns: RunningTurns
    answers: "dict[Hashable, RunningAnswer]" = field(default_factory=dict[Hashable, "RunningAnswer"])


class AnswerFormat(Protocol):
    """The pieces of one answer, in the order in which they are asked for."""

    @property
    def form_field(self) -> str:
        """The field of the request that wishes for a form."""
        ...

    def whole(self, reply: ChatReply) -> dict[str, Any]:
        """The answer as one JSON object."""
        ...

    def first(self) -> bytes:
        """What begins a stream."""
        ...

    def piece(self, words: str) -> bytes:
        """The next words."""
        ...

    def last(self, reply: ChatReply) -> bytes:
        """What comes after the words."""
        ...

    def failed(self, refusal: HttpRefusal) -> bytes:
        """A failure after words have been sent."""
        ...


class RunningAnswer:
    """A turn at work, and its words as they come. It is alone when every client that waited for it has gone."""

    def __init__(self, service: ChatService, turn: ChatTurn, asked: Hashable = None) -> None:
        self.turn = turn
        self.is_alone = False
        self._clients = 0
        self._words: asyncio.Queue[str | None] = asyncio.Queue()
        self._task = service.turns.start(self._run(service.runner, turn), turn.message_id or None)
        self._task.add_done_callback(lambda _: self._words.put_nowait(None))  # also of one that ended before it began
        if asked is not None:
            service.answers[asked] = self
            self._task.add_done_callback(lambda _: service.answers.get(asked) is self and service.answers.pop(asked))

    async def whole(self) -> ChatReply:
        """The reply, once it is complete. A client that goes meanwhile does not end the turn.

        Raises ``E_DEP_UNAVAILABLE`` for one that was cut off.
        """
        try:
            return await asyncio.shield(self._task)
        except asyncio.CancelledError:
            if not self._task.cancelled():
                raise
            raise unavailable("The answer was broken off.", "Ask again.") from None

    @asynccontextmanager
    async def awaited_by(self, client: Request) -> AsyncGenerator[None]:
        """Keep an eye on whether a client that waits for it is still there."""
        self._clients += 1
        self.is_alone = False
        async with run_beside(self._notice_leaving(client)):
            yield

    async def next_words(self, seconds: float) -> str | None:
        """The next words; None when no more will come. Raises ``TimeoutError``."""
        async with asyncio.timeout(seconds):
            return await self._words.get()

    def cut_off(self) -> None:
        """Nobody listens any more: what was shown until now is what counts."""
        self._task.cancel()

    async def end(self) -> None:
        """Cut it off, and wait until what was shown is kept."""
        self.cut_off()
        await asyncio.wait((self._task,))

    async def _notice_leaving(self, client: Request) -> None:
        while (await client.receive())["type"] != "http.disconnect":
            pass
        self._clients -= 1
        self.is_alone = not self._clients

    async def _run(self, runner: TurnRunner, turn: ChatTurn) -> ChatReply:
        try:
            reply = await runner.run(turn, self._words.put_nowait, lambda: self.is_alone)
        except asyncio.CancelledError:
            metrics.turns.labels("cut_off").inc()
            raise
        except Exception:
            metrics.turns.labels("failed").inc()
            raise
        else:
            metrics.turns.labels("answered").inc()
            metrics.degraded.inc(bool(reply.details["degraded_reasons"]))
            return reply


async def stream_answer(answer: RunningAnswer, form: AnswerFormat, client: Request) -> Response:
    """A stream that has begun can only break off, so a refusal is waited for as long as no words come."""
    try:
        async with answer.awaited_by(client):
            words = await answer.next_words(FIRST_WORDS_SECONDS)
    except TimeoutError:
        words = ""
    except asyncio.CancelledError:
        answer.cut_off()
        raise
    if words is None:
        return stream(events_of(await answer.whole(), form))
    return stream(_events(answer, words, form))


async def _events(answer: RunningAnswer, words: str | None, form: AnswerFormat) -> AsyncGenerator[bytes]:
    finished = False
    try:
        yield form.first()
        while words is not None:
            if words:
                yield form.piece(words)
            try:
                words = await answer.next_words(PAUSE)
            except TimeoutError:
                words = ""
                yield KEEP_ALIVE
        finished = True
        yield await _ending(answer, form)
    finally:
        if not finished:
            answer.cut_off()


async def _ending(answer: RunningAnswer, form: AnswerFormat) -> bytes:
    try:
        return form.last(await answer.whole())
    except Exception as error:
        return form.failed(refusal_of(error))


async def events_of(reply: ChatReply, form: AnswerFormat) -> AsyncGenerator[bytes]:
    yield form.first()
    if reply.text:
        yield form.piece(reply.text)
    yield form.last(reply)


def stream(events: AsyncGenerator[bytes]) -> Response:
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)
