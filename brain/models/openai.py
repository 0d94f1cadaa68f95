"""The one adapter: any OpenAI-compatible chat completions API, through LangChain so that Studio and streams see it."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import openai
from langchain_core.messages import AIMessage, BaseMessage, BaseMessageChunk
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from brain.circuit_breaker import CircuitBreaker
from brain.metering import ModelCaller, observe_call, usage_of
from brain.models.availability import Availability
from brain.models.errors import ModelMalformed, ModelRefused, ModelUnavailable, ReplyCancelled
from brain.models.form_rungs import (
    FIRST_RUNG_WITH_SCHEMA,
    RUNGS,
    KeptRung,
    form_text,
    ignores_schema,
    request_options,
    show_schema,
)
from brain.models.port import ModelWishes, ToolSpec
from brain.models.reply import ReplyBuffer, repair_text
from brain.models.retry import FAILURES, Retry, failure_of
from brain.models.roles import Models, ModelSettings
from brain.models.structured_output import parse_answer, retry_messages
from memory.model_usage import ModelRole

Answer = TypeVar("Answer")
T = TypeVar("T", bound=BaseModel)

DEFAULT_BASE_URL = "https://api.openai.com/v1"
CONNECT_SECONDS = 5.0
WITHOUT_TOOLS = 1
"""The rung below the one on which tools are offered."""
QUIET = "nostream"
"""LangGraph's tag for a model call whose tokens are nobody's business but ours."""


class RefusalKeepingChatOpenAI(ChatOpenAI):
    """``ChatOpenAI`` drops the refusal from streamed pieces; a refusal would look like an empty answer."""

    def _convert_chunk_to_generation_chunk(
        self,
        chunk: dict[str, Any],
        default_chunk_class: type[BaseMessageChunk],
        base_generation_info: dict[str, Any] | None,
    ) -> ChatGenerationChunk | None:
        piece = super()._convert_chunk_to_generation_chunk(  # pyright: ignore[reportUnknownMemberType]
            chunk, default_chunk_class, base_generation_info
        )
        choices = chunk.get("choices")
        refusal = choices[0]["delta"].get("refusal") if piece and choices else None
        if piece and refusal:
            piece.message.additional_kwargs["refusal"] = refusal
        return piece


@dataclass(frozen=True, kw_only=True)
class OpenAIModel:
    """One role's model. ``seconds`` bounds each call as a whole: attempts, pauses and the asking again."""

    chat: ChatOpenAI
    role: ModelRole = "chat"
    seconds: float
    retry: Retry
    availability: Availability = field(default_factory=Availability)
    rungs: KeptRung = field(default_factory=KeptRung)
    tool_rung: KeptRung = field(default_factory=KeptRung)
    wishes: ModelWishes = field(default_factory=ModelWishes)

    @property
    def name(self) -> str:
        """The model as the provider calls it."""
        return self.chat.model_name

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """See ``ChatModel.stream``. Once words have reached the user nothing is asked again.

        A model that refuses tools is asked without, and from then on at once, unless one has to be called.
        """
        may_go_without = bool(tools) and self.wishes.tool_choice is None
        if may_go_without and self.tool_rung.first == WITHOUT_TOOLS:
            return await self._stream_in_time(messages, ())
        try:
            return await self._stream_in_time(messages, tools)
        except ModelUnavailable as refused:
            if not may_go_without or refused.reason != "model_bad_request":
                raise
        reply = await self._stream_in_time(messages, ())
        self.tool_rung.keep(WITHOUT_TOOLS)
        return reply

    async def _stream_in_time(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec]) -> AIMessage:
        heard = ReplyBuffer()
        try:
            with self.availability.guard_call():
                async with asyncio.timeout(self.seconds) as deadline:
                    ask = partial(self.retry.run, lambda: self._stream_once(messages, tools, heard), deadline)
                    return await _ask_twice(ask)
        except TimeoutError as late:
            if heard.has_reached_user:
                raise heard.interruption("model_timeout") from late
            self.availability.address.record_failure()
            raise ModelUnavailable("model_timeout") from late
        except asyncio.CancelledError as cancelled:
            if heard.has_reached_user:
                raise ReplyCancelled(heard.partial_message()) from cancelled
            raise

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """See ``ChatModel.fill``. A form that does not validate is handed back once, with what is wrong."""
        try:
            with self.availability.guard_call():
                async with asyncio.timeout(self.seconds) as deadline:
                    return await self._fill_form(schema, messages, deadline)
        except TimeoutError as late:
            self.availability.model.record_failure()
            raise ModelUnavailable("model_timeout") from late

    def with_wishes(self, wishes: ModelWishes) -> "OpenAIModel":
        """The same model, whose replies to the user are made so; its forms are not touched."""
        return replace(self, wishes=wishes)

    @property
    def _caller(self) -> ModelCaller:
        return ModelCaller(self.role, self.name)

    async def _fill_form(self, schema: type[T], messages: Sequence[BaseMessage], deadline: asyncio.Timeout) -> T:
        """On the best rung that the address accepts."""
        for place in range(self.rungs.first, len(RUNGS)):
            try:
                found = await self._fill_on(place, schema, messages, deadline)
            except ModelUnavailable as refused:
                if refused.reason != "model_bad_request":
                    raise
                if place == len(RUNGS) - 1:
                    self.rungs.keep(place)
                    raise
            else:
                return found
        raise AssertionError("the last rung answers or raises")

    async def _fill_on(
        self, place: int, schema: type[T], messages: Sequence[BaseMessage], deadline: asyncio.Timeout
    ) -> T:
        """On one rung. What is not held to the schema there, and reads it only when it is shown, is shown it first."""
        options, shown = request_options(RUNGS[place], schema), show_schema(messages, schema)
        asked = shown if place >= FIRST_RUNG_WITH_SCHEMA else list(messages)
        try:
            found = parse_answer(schema, await self.retry.run(lambda: self._request_form(options, asked), deadline))
            self.rungs.keep(place)
        except ModelMalformed as misfit:
            again = [*(shown if misfit.answer else asked), *retry_messages(misfit)]
            found = parse_answer(schema, await self.retry.run(lambda: self._request_form(options, again), deadline))
            self.rungs.keep(max(place, FIRST_RUNG_WITH_SCHEMA) if ignores_schema(misfit.answer) else place)
        return found

    async def _stream_once(
        self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec], heard: ReplyBuffer
    ) -> AIMessage:
        heard.pieces.clear()
        offered: dict[str, Any] = {"tools": [tool.as_openai() for tool in tools]} if tools else {}
        if tools and self.wishes.tool_choice is not None:
            offered["tool_choice"] = self.wishes.tool_choice
        offered |= self.wishes.options
        with observe_call(self._caller) as call:
            try:
                async for piece in self.chat.astream(list(messages), **offered):
                    heard.pieces.append(piece)
            except FAILURES as error:
                if heard.has_reached_user:
                    raise heard.interruption("model_interrupted") from error
                raise failure_of(error) from error
            finally:
                if heard.pieces:
                    call.spend(usage_of(self._caller, heard.usage, _request_texts(messages, offered), heard.words))
            return heard.message()

    async def _request_form(self, options: Mapping[str, Any], messages: Sequence[BaseMessage]) -> str:
        with observe_call(self._caller) as call:
            try:
                answer = await self.chat.ainvoke(list(messages), {"tags": [QUIET]}, **options, stream=False)
            except openai.LengthFinishReasonError as cut:
                answer = _cut_answer(cut)
            except FAILURES as error:
                raise failure_of(error) from error
            except asyncio.CancelledError:
                call.spend(usage_of(self._caller, None, _request_texts(messages, options), ""))
                raise
            call.spend(usage_of(self._caller, answer.usage_metadata, _request_texts(messages, options), answer.text))
        refusal = answer.additional_kwargs.get("refusal")
        if refusal:
            raise ModelRefused(repair_text(str(refusal)))
        return repair_text(form_text(answer))


def connect(settings: ModelSettings, retry: Retry | None = None) -> Models:
    """Both roles over one client of our own: LangChain's default client is shared by the whole process."""
    client = _client(settings)
    waits, address = retry or Retry(), CircuitBreaker()
    chat = OpenAIModel(
        chat=_chat(client, settings.chat_model),
        seconds=settings.timeout_seconds,
        retry=waits,
        availability=Availability(address),
    )
    fast = OpenAIModel(
        chat=_chat(client, settings.fast_model),
        role="fast",
        seconds=settings.fast_timeout_seconds,
        retry=waits,
        availability=Availability(address),
    )
    routed = replace(fast, role="routed", seconds=settings.timeout_seconds)
    return Models(chat=chat, fast=fast, routed=routed, close=client.close)


def _client(settings: ModelSettings) -> openai.AsyncOpenAI:
    slowest = max(settings.timeout_seconds, settings.fast_timeout_seconds)
    return openai.AsyncOpenAI(
        base_url=settings.base_url or DEFAULT_BASE_URL,
        api_key=settings.api_key.get_secret_value() if settings.api_key else "none",
        max_retries=0,
        timeout=openai.Timeout(slowest, connect=CONNECT_SECONDS),
    )


def _chat(client: openai.AsyncOpenAI, model: str) -> ChatOpenAI:
    """An asynchronous key keeps LangChain from building a second, synchronous client that nobody would close."""

    async def key() -> str:
        return client.api_key

    return RefusalKeepingChatOpenAI(
        model=model,
        base_url=str(client.base_url),
        api_key=key,
        async_client=client.chat.completions,
        root_async_client=client,
        use_responses_api=False,
        max_retries=0,
        stream_usage=True,
        stream_chunk_timeout=None,
        cache=False,
    )


def _cut_answer(cut: openai.LengthFinishReasonError) -> AIMessage:
    """What was written until the limit: its first entries may be whole."""
    completion = cut.completion
    used = completion.usage
    usage = (
        UsageMetadata(
            input_tokens=used.prompt_tokens, output_tokens=used.completion_tokens, total_tokens=used.total_tokens
        )
        if used
        else None
    )
    return AIMessage(completion.choices[0].message.content or "", usage_metadata=usage)


def _request_texts(messages: Sequence[BaseMessage], beside: Mapping[str, object]) -> list[str]:
    """Everything that a request says: the conversation, and its tools or its form."""
    return [*(message.text for message in messages), *([json.dumps(beside)] if beside else [])]


async def _ask_twice(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    try:
        return await ask()
    except ModelMalformed:
        return await ask()
