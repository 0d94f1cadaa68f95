"""``/v1/chat/completions`` and ``/v1/models``: Brain for every client of OpenAI's chat API."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from apps.chat_api.client_model import ClientModel, tool_round
from apps.chat_api.client_tasks import TaskAnswerer, in_asked_form, task_of
from apps.chat_api.names import session_name_of, user_told
from apps.chat_api.reply import KEEP_ALIVE, MODEL, ChatReply, ReplyFormat, error_event
from apps.chat_api.request import ChatRequest, ClientTranscript, parse_request, transcript_of
from apps.chat_api.running_turns import RunningTurns
from apps.chat_api.turn import ChatTurn, TurnRunner
from apps.http import metrics
from apps.http.caller import CallerMiddleware, caller_of
from apps.http.errors import openai_error, refusal_of
from brain.context import Context
from brain.models.openai import OpenAIModel
from brain.resources import Resources
from memory.errors import BrainError, bad_request

FIRST_WORDS_SECONDS = 20.0
"""Seconds for which a stream's first words are waited for, so that a refusal still has a status of its own."""
PAUSE = 15.0
"""Seconds of silence after which a stream shows that it is alive: proxies close silent connections."""
_CREATED = 1_767_225_600


@dataclass(frozen=True, kw_only=True)
class ChatService:
    """What the routes lean on, for as long as the server lives."""

    resources: Resources
    runner: TurnRunner
    turns: RunningTurns


async def complete_chat(request: Request) -> Response:
    """Answer the newest message of a conversation, whole or as a stream."""
    service: ChatService = request.app.state.chat
    asked = parse_request(await request.body())
    turn = _turn(request, asked, transcript_of(asked.messages), service.resources)
    form = ReplyFormat(with_usage=asked.wants_usage)
    if (task := task_of(turn.said)) is not None:
        metrics.client_tasks.labels(task).inc()
        reply = await TaskAnswerer(service.resources, turn.identity).answer(task, asked, turn.said)
        return _whole_reply(in_asked_form(reply, asked) if task == "title" else reply, form, asked)
    if turn.model is None and asked.wishes.needs_model:
        raise bad_request("A form, or a call of a tool, needs a language model.", "Name one in Brain's settings.")
    await turn.check_message()  # refused here rather than in a stream that has begun
    answer = RunningAnswer(service, turn)
    if asked.stream:
        return await _stream_reply(answer, form)
    return JSONResponse(form.whole(await answer.whole()))


async def list_models(request: Request) -> Response:
    """The one model there is."""
    return JSONResponse({"object": "list", "data": [_model()]})


async def show_model(request: Request) -> Response:
    """The one model there is, by its name."""
    if request.path_params["model"] != MODEL:
        raise BrainError("E_NOT_FOUND", "There is no such model.", f"There is {MODEL!r}.")
    return JSONResponse(_model())


class RunningAnswer:
    """A turn at work, and its words as they come."""

    def __init__(self, service: ChatService, turn: ChatTurn) -> None:
        self._words: asyncio.Queue[str | None] = asyncio.Queue()
        self._task = service.turns.start(self._run(service.runner, turn), turn.message_id or None)

    async def whole(self) -> ChatReply:
        """The reply, once it is complete. A client that goes meanwhile does not end the turn."""
        return await asyncio.shield(self._task)

    async def next_words(self, seconds: float) -> str | None:
        """The next words; None when no more will come. Raises ``TimeoutError``."""
        async with asyncio.timeout(seconds):
            return await self._words.get()

    def cut_off(self) -> None:
        """Nobody listens any more: what was shown until now is what counts."""
        self._task.cancel()

    async def _run(self, runner: TurnRunner, turn: ChatTurn) -> ChatReply:
        try:
            reply = await runner.run(turn, self._words.put_nowait)
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
        finally:
            self._words.put_nowait(None)


async def _stream_reply(answer: RunningAnswer, form: ReplyFormat) -> Response:
    """A stream that has begun can only break off, so a refusal is waited for as long as no words come."""
    try:
        words = await answer.next_words(FIRST_WORDS_SECONDS)
    except TimeoutError:
        words = ""
    except asyncio.CancelledError:
        answer.cut_off()
        raise
    if words is None:
        return _stream(_events_of(await answer.whole(), form))
    return _stream(_events(answer, words, form))


async def _events(answer: RunningAnswer, words: str | None, form: ReplyFormat) -> AsyncGenerator[bytes]:
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


async def _ending(answer: RunningAnswer, form: ReplyFormat) -> bytes:
    try:
        return form.last(await answer.whole())
    except Exception as error:
        return error_event(refusal_of(error))


async def _events_of(reply: ChatReply, form: ReplyFormat) -> AsyncGenerator[bytes]:
    yield form.first()
    if reply.text:
        yield form.piece(reply.text)
    yield form.last(reply)


def _stream(events: AsyncGenerator[bytes]) -> Response:
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def _whole_reply(reply: ChatReply, form: ReplyFormat, asked: ChatRequest) -> Response:
    return _stream(_events_of(reply, form)) if asked.stream else JSONResponse(form.whole(reply))


def _turn(request: Request, asked: ChatRequest, said: ClientTranscript, resources: Resources) -> ChatTurn:
    """The request as a turn of the person it may speak for, with the model that knows the client's prompt and tools."""
    user = caller_of(request).user_named(user_told(request, asked))
    model = _client_model(asked, said, resources)
    if model is not None:
        resources = replace(resources, models=replace(resources.models, chat=model))
    named = {"tenant": user["tenant"], "user": user["user"]} if user else {}
    session = session_name_of(request, asked)
    return ChatTurn(
        context=Context(**named, resources=resources), user=user, said=said, session_name=session, model=model
    )


def _client_model(asked: ChatRequest, said: ClientTranscript, resources: Resources) -> ClientModel | None:
    """None without a model. The client's tools must have names of their own."""
    names = [tool.name for tool in asked.offered]
    if len(names) != len(set(names)):
        raise bad_request("Two tools have the same name.")
    results = [tool_round(each) for each in said.tool_messages]
    model, wishes = resources.models.chat, asked.wishes
    if model is None:
        return None
    wishing = model.with_wishes(wishes) if isinstance(model, OpenAIModel) else model
    return ClientModel(wishing, said.system, asked.offered, results, wishes)


def _model() -> dict[str, object]:
    return {"id": MODEL, "object": "model", "created": _CREATED, "owned_by": "brain"}


_CALLER = Middleware(CallerMiddleware, needs="chat", shape=openai_error)  # pyright: ignore[reportArgumentType]

routes = [
    Route("/v1/chat/completions", complete_chat, methods=["POST"], middleware=[_CALLER]),
    Route("/v1/models", list_models, middleware=[_CALLER]),
    Route("/v1/models/{model:path}", show_model, middleware=[_CALLER]),
]
