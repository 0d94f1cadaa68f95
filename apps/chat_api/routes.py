"""The routes below ``/v1`` for every client of OpenAI's API: chat, responses, embeddings and models."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from hashlib import sha256
from uuid import UUID

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from apps.chat_api.answering import AnswerFormat, ChatService, RunningAnswer, events_of, stream, stream_answer
from apps.chat_api.client_model import ClientModel, tool_round
from apps.chat_api.client_tasks import TaskAnswerer, in_asked_form, task_of
from apps.chat_api.embeddings import embed_texts, parse_embedding_request
from apps.chat_api.names import session_name_of, user_told
from apps.chat_api.reply import MODEL, ChatReply, ReplyFormat
from apps.chat_api.request import ChatRequest, ClientTranscript, parse_request, transcript_of
from apps.chat_api.response_format import ResponseFormat
from apps.chat_api.response_request import parse_response_request
from apps.chat_api.turn import ChatTurn
from apps.http import metrics
from apps.http.caller import CallerMiddleware, caller_of
from apps.http.errors import openai_error
from brain.context import Context
from brain.models.openai import OpenAIModel
from brain.resources import Resources
from memory.errors import BrainError, bad_field

_CREATED = 1_767_225_600
_TRY = "X-Stainless-Retry-Count"
"""In which the libraries of OpenAI number what they send again by themselves."""


async def complete_chat(request: Request) -> Response:
    """Answer the newest message of a conversation, whole or as a stream."""
    asked = parse_request(await request.body())
    call = ClientCall(request, asked, transcript_of(asked.messages))
    return await call.answer(lambda _: ReplyFormat(with_usage=asked.wants_usage))


async def create_response(request: Request) -> Response:
    """The same by the responses API: behind the answer that the client names, or with all of the conversation."""
    asked = parse_response_request(await request.body())
    chat = asked.as_chat()
    said = transcript_of(chat.messages, "input")
    asked.check_new_words(said)
    call = ClientCall(request, chat, said, asked.previous)
    return await call.answer(lambda exchange_id: ResponseFormat(asked, exchange_id))


async def create_embeddings(request: Request) -> Response:
    """Vectors of texts, by the embedder of Brain's own memory."""
    asked = parse_embedding_request(await request.body())
    return JSONResponse(await embed_texts(asked, _service(request).resources))


async def list_models(request: Request) -> Response:
    """The one model there is."""
    return JSONResponse({"object": "list", "data": [_model()]})


async def show_model(request: Request) -> Response:
    """The one model there is, by its name."""
    if request.path_params["model"] != MODEL:
        raise BrainError("E_NOT_FOUND", "There is no such model.", f"There is {MODEL!r}.")
    return JSONResponse(_model())


@dataclass(frozen=True)
class ClientCall:
    """A request that was read, on its way to an answer."""

    request: Request
    asked: ChatRequest
    said: ClientTranscript
    behind: UUID | None = None

    async def answer(self, form_of: Callable[[UUID], AnswerFormat]) -> Response:
        """By the graph, in the form of an answer of that name; a client's own task by the fast model or by rules."""
        service, turn = _service(self.request), self._turn()
        form = form_of(turn.exchange_id)
        if (task := task_of(self.said)) is not None:
            metrics.client_tasks.labels(task).inc()
            reply = await TaskAnswerer(service.resources, turn.identity).answer(task, self.asked, self.said)
            return self._whole(in_asked_form(reply, self.asked) if task == "title" else reply, form)
        if turn.model is None and self.asked.wishes.needs_model:
            field = form.form_field if self.asked.wishes.is_form else "tool_choice"
            told = "A form, or a call of a tool, needs a language model."
            raise bad_field(field, told, "Name one in Brain's settings.")
        await turn.check_message()  # refused here rather than in a stream that has begun
        asked = await self._name(turn)
        answer = await self._find_first(asked, turn) or RunningAnswer(service, turn, asked)
        form = form_of(answer.turn.exchange_id)
        if self.asked.stream:
            return await stream_answer(answer, form, self.request)
        async with answer.awaited_by(self.request):
            return JSONResponse(form.whole(await answer.whole()))

    async def _name(self, turn: ChatTurn) -> Hashable:
        """What a request has in common with its repetition alone."""
        body = sha256(await self.request.body()).digest()
        return turn.identity, turn.session_name, self.request.url.path, body

    async def _find_first(self, asked: Hashable, turn: ChatTurn) -> RunningAnswer | None:
        """The answer at work to the same request that its client does not hear; one that is streamed breaks off."""
        answers = _service(self.request).answers
        while (first := answers.get(asked)) is not None and (first.is_alone or turn.is_repeating):
            if not self.asked.stream:
                return first
            await first.end()  # meanwhile another repetition may have begun
        return None

    def _whole(self, reply: ChatReply, form: AnswerFormat) -> Response:
        return stream(events_of(reply, form)) if self.asked.stream else JSONResponse(form.whole(reply))

    def _turn(self) -> ChatTurn:
        """As a turn of the person it may speak for, with the model that knows the client's prompt and tools."""
        resources = _service(self.request).resources
        user = caller_of(self.request).user_named(user_told(self.request, self.asked))
        model = _client_model(self.asked, self.said, resources)
        if model is not None:
            routed = None if self.asked.offered or model.results or self.asked.wishes else resources.models.routed
            routed = replace(model, inner=routed) if routed else None
            resources = replace(resources, models=replace(resources.models, chat=model, routed=routed))
        named = {"tenant": user["tenant"], "user": user["user"]} if user else {}
        return ChatTurn(
            context=Context(**named, resources=resources),
            user=user,
            said=self.said,
            session_name=session_name_of(self.request, self.asked),
            model=model,
            behind=self.behind,
            exchange_id=resources.new_id(),
            is_repeating=_counts(self.request.headers.get(_TRY, "")),
        )


def _client_model(asked: ChatRequest, said: ClientTranscript, resources: Resources) -> ClientModel | None:
    """None without a model."""
    results = [tool_round(each) for each in said.tool_messages]
    model, wishes = resources.models.chat, asked.wishes
    if model is None:
        return None
    wishing = model.with_wishes(wishes) if isinstance(model, OpenAIModel) else model
    return ClientModel(wishing, said.system, asked.offered, results, wishes)


def _counts(text: str) -> bool:
    """Whether it is a number above 0. What is none says nothing."""
    return text.isdecimal() and bool(text.strip("0"))


def _service(request: Request) -> ChatService:
    return request.app.state.chat


def _model() -> dict[str, object]:
    return {"id": MODEL, "object": "model", "created": _CREATED, "owned_by": "brain"}


_CALLER = Middleware(CallerMiddleware, needs="chat", shape=openai_error)  # pyright: ignore[reportArgumentType]

routes = [
    Route("/v1/chat/completions", complete_chat, methods=["POST"], middleware=[_CALLER]),
    Route("/v1/responses", create_response, methods=["POST"], middleware=[_CALLER]),
    Route("/v1/embeddings", create_embeddings, methods=["POST"], middleware=[_CALLER]),
    Route("/v1/models", list_models, middleware=[_CALLER]),
    Route("/v1/models/{model:path}", show_model, middleware=[_CALLER]),
]
