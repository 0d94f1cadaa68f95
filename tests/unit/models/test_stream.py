"""What the user hears: streamed answers on the provider's own wire format."""

import asyncio
from collections.abc import AsyncIterator

import httpcore2
import httpx
import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage

from brain.models.errors import ModelInterrupted, ModelMalformed, ModelRefused, ModelUnavailable, ReplyCancelled
from brain.models.port import ModelWishes, ToolSpec
from tests.openai_wire import DONE, Call, Json, Said, chunks, event, sse
from tests.unit.models.client import ChatClient, body_of, request_of

ASKED = [SystemMessage("Be kind."), HumanMessage("Who are you?")]
SEARCH = ToolSpec(
    name="memory_search",
    description="Search memories.",
    parameters={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
USAGE: Json = {
    "input_tokens": 7,
    "output_tokens": 5,
    "total_tokens": 12,
    "input_token_details": {},
    "output_token_details": {},
}


def streamed(said: Said) -> httpx.Response:
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=sse(chunks(said)))


def pieces(*parts: bytes | Exception) -> httpx.Response:
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Pieces(parts))


class Pieces(httpx.AsyncByteStream):
    def __init__(self, parts: tuple[bytes | Exception, ...]) -> None:
        self.parts = parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self.parts:
            if isinstance(part, Exception):
                raise part
            yield part


async def never(_request: httpx.Request) -> httpx.Response:
    """A provider that takes the request and does not answer."""
    await asyncio.sleep(60)
    return httpx.Response(200)


async def test_an_answer_arrives_whole_with_its_usage_and_ending(chat: ChatClient) -> None:
    chat.answers(streamed(Said(text="I am Brain. 我记得你。")))
    reply = await chat.model.stream(ASKED)
    assert isinstance(reply, AIMessage)
    assert not isinstance(reply, AIMessageChunk)
    assert (reply.content, reply.tool_calls) == ("I am Brain. 我记得你。", [])
    assert reply.response_metadata == {"finish_reason": "stop", "model_name": "gpt-4.1"}
    assert reply.usage_metadata == USAGE


async def test_the_request_is_the_conversation_and_nothing_more(chat: ChatClient) -> None:
    route = chat.answers(streamed(Said(text="Brain.")))
    await chat.model.stream(ASKED)
    assert body_of(route) == {
        "model": "gpt-4.1",
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Who are you?"}],
    }
    assert request_of(route).headers["authorization"] == "Bearer sk-test"


async def test_tools_are_offered_and_their_calls_put_together(chat: ChatClient) -> None:
    calls = (Call(name="memory_search", arguments='{"query": "cats"}'), Call(name="end", arguments="", id=None))
    route = chat.answers(streamed(Said(calls=calls)))
    reply = await chat.model.stream(ASKED, [SEARCH])
    assert body_of(route)["tools"] == [
        {
            "type": "function",
            "function": {"name": "memory_search", "description": "Search memories.", "parameters": SEARCH.parameters},
        }
    ]
    found, ending = reply.tool_calls
    assert found == {"name": "memory_search", "args": {"query": "cats"}, "id": "call_1", "type": "tool_call"}
    assert (ending["name"], ending["args"], ending["id"]) == ("end", {}, f"{reply.id}-1")
    assert reply.response_metadata["finish_reason"] == "tool_calls"


NO_TOOLS = httpx.Response(400, json={"error": {"message": "this model does not support tools"}})


async def test_a_model_that_refuses_tools_speaks_without_them_from_then_on(chat: ChatClient) -> None:
    route = chat.answers(NO_TOOLS, streamed(Said(text="Ann.")), streamed(Said(text="Bob.")))
    model = chat.model
    assert [(await model.stream(ASKED, [SEARCH])).text for _ in range(2)] == ["Ann.", "Bob."]
    assert ["tools" in body_of(route, call) for call in range(3)] == [True, False, False]


async def test_a_request_that_is_bad_without_tools_as_well_does_not_cost_them(chat: ChatClient) -> None:
    route = chat.answers(NO_TOOLS, NO_TOOLS, streamed(Said(text="Ann.")))
    model = chat.model
    with pytest.raises(ModelUnavailable, match="model_bad_request"):
        await model.stream(ASKED, [SEARCH])
    assert (await model.stream(ASKED, [SEARCH])).text == "Ann."
    assert "tools" in body_of(route, 2)


async def test_a_call_that_has_to_be_made_is_not_dropped(chat: ChatClient) -> None:
    route = chat.answers(NO_TOOLS)
    with pytest.raises(ModelUnavailable, match="model_bad_request"):
        await chat.model.with_wishes(ModelWishes(tool_choice="required")).stream(ASKED, [SEARCH])
    assert route.call_count == 1


async def test_a_call_with_broken_arguments_is_dropped_and_named_beside_a_good_one(chat: ChatClient) -> None:
    calls = (Call(name="memory_search", arguments='{"query": "ca'), Call(name="end", arguments="{}", id="call_2"))
    chat.answers(streamed(Said(calls=calls)))
    reply = await chat.model.stream(ASKED, [SEARCH])
    assert [call["name"] for call in reply.tool_calls] == ["end"]
    assert reply.invalid_tool_calls == []
    assert [call["name"] for call in reply.response_metadata["dropped_tool_calls"]] == ["memory_search"]


@pytest.mark.parametrize("arguments", ['{"query": "ca', "[1]", "not json", "[" * 5_000])
async def test_nothing_but_a_broken_call_is_asked_again_once(chat: ChatClient, arguments: str) -> None:
    broken = streamed(Said(calls=(Call(name="memory_search", arguments=arguments),)))
    route = chat.answers(broken, streamed(Said(text="Sorry.")))
    assert (await chat.model.stream(ASKED, [SEARCH])).content == "Sorry."
    assert route.call_count == 2


async def test_a_call_broken_twice_is_malformed(chat: ChatClient) -> None:
    broken = Said(calls=(Call(name="memory_search", arguments="{"),))
    route = chat.answers(streamed(broken), streamed(broken))
    with pytest.raises(ModelMalformed, match="memory_search"):
        await chat.model.stream(ASKED, [SEARCH])
    assert route.call_count == 2


async def test_silence_is_malformed_after_asking_twice(chat: ChatClient) -> None:
    route = chat.answers(streamed(Said()), streamed(Said()))
    with pytest.raises(ModelMalformed, match="empty"):
        await chat.model.stream(ASKED)
    assert route.call_count == 2


async def test_empty_choices_and_unknown_fields_do_no_harm(chat: ChatClient) -> None:
    parts = list(chunks(Said(text="Fine.")))
    odd: Json = {**parts[0], "choices": [], "prompt_filter_results": []}
    chat.answers(httpx.Response(200, content=sse([odd, *parts])))
    assert (await chat.model.stream(ASKED)).content == "Fine."


async def test_split_surrogates_are_joined_and_nul_is_replaced(chat: ChatClient) -> None:
    first, *rest = chunks(Said(text="x"))
    halves = [{**rest[0], "choices": [{"index": 0, "delta": {"content": half}}]} for half in ("\ud83d", "\ude00\x00")]
    chat.answers(httpx.Response(200, content=sse([first, *halves, *rest[1:]])))
    assert (await chat.model.stream(ASKED)).content == "😀\N{REPLACEMENT CHARACTER}"


async def test_a_streamed_refusal_carries_the_models_words(chat: ChatClient) -> None:
    route = chat.answers(streamed(Said(refusal="I can't help with that.")))
    with pytest.raises(ModelRefused) as refused:
        await chat.model.stream(ASKED)
    assert (refused.value.text, refused.value.reason, route.call_count) == (
        "I can't help with that.",
        "model_refused",
        1,
    )


async def test_the_providers_filter_is_a_refusal(chat: ChatClient) -> None:
    chat.answers(streamed(Said(finish_reason="content_filter")))
    with pytest.raises(ModelRefused, match="content filter"):
        await chat.model.stream(ASKED)


async def test_an_answer_at_the_length_limit_is_kept_and_says_so(chat: ChatClient) -> None:
    chat.answers(streamed(Said(text="And then", finish_reason="length")))
    reply = await chat.model.stream(ASKED)
    assert (reply.content, reply.response_metadata["finish_reason"]) == ("And then", "length")


async def test_a_connection_lost_after_words_keeps_them_and_asks_nothing_again(chat: ChatClient) -> None:
    said = list(chunks(Said(text="Once upon a time")))
    route = chat.answers(pieces(*map(event, said[:3]), httpcore2.ReadError("gone")))
    with pytest.raises(ModelInterrupted) as cut:
        await chat.model.stream(ASKED)
    assert (cut.value.partial.content, cut.value.reason, route.call_count) == ("Once upon ", "model_interrupted", 1)
    assert cut.value.partial.response_metadata == {"finish_reason": "interrupted"}


@pytest.mark.parametrize("tail", [b"", DONE, b"data: {not json\n\n", b'data: {"error": {"message": "overloaded"}}\n\n'])
async def test_a_stream_that_ends_midway_in_any_manner_keeps_its_words(chat: ChatClient, tail: bytes) -> None:
    said = list(chunks(Said(text="Once upon a time")))
    chat.answers(pieces(*map(event, said[:2]), tail))
    with pytest.raises(ModelInterrupted) as cut:
        await chat.model.stream(ASKED)
    assert cut.value.partial.content == "Once "


async def test_a_half_said_tool_call_is_never_kept(chat: ChatClient) -> None:
    said = list(chunks(Said(text="Look", calls=(Call(name="memory_append", arguments='{"text": "all of it"}'),))))
    chat.answers(pieces(*map(event, said[:5]), httpcore2.ReadError("gone")))
    with pytest.raises(ModelInterrupted) as cut:
        await chat.model.stream(ASKED, [SEARCH])
    assert (cut.value.partial.content, cut.value.partial.tool_calls) == ("Look", [])


async def test_a_connection_lost_before_any_word_is_tried_again(chat: ChatClient) -> None:
    said = list(chunks(Said(calls=(Call(name="end", arguments='{"new_info": "x"}'),))))
    lost = pieces(*map(event, said[:3]), httpcore2.ReadError("gone"))
    route = chat.answers(lost, pieces(), streamed(Said(text="Here I am.")))
    reply = await chat.model.stream(ASKED)
    assert (reply.content, reply.response_metadata.keys()) == ("Here I am.", {"finish_reason", "model_name"})
    assert (route.call_count, chat.pauses) == (3, [0.5])


async def test_a_model_that_falls_silent_midway_is_interrupted_by_the_deadline(chat: ChatClient) -> None:
    class Stalls(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for chunk in list(chunks(Said(text="Once upon a time")))[:2]:
                yield event(chunk)
            await asyncio.sleep(60)

    chat.answers(httpx.Response(200, stream=Stalls()))
    with pytest.raises(ModelInterrupted) as cut:
        await chat.within(1.5).stream(ASKED)
    assert (cut.value.partial.content, cut.value.reason) == ("Once ", "model_timeout")


async def test_a_model_that_never_answers_times_out(chat: ChatClient) -> None:
    chat.router.post("/chat/completions").mock(side_effect=never)
    with pytest.raises(ModelUnavailable, match="model_timeout"):
        await chat.within(0.05).stream(ASKED)


async def test_a_caller_who_leaves_is_not_told_of_a_model_error(chat: ChatClient) -> None:
    chat.router.post("/chat/completions").mock(side_effect=never)
    asking = asyncio.create_task(chat.model.stream(ASKED))
    await asyncio.sleep(0.02)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert chat.pauses == []


class Stalling(httpx.AsyncByteStream):
    """Pieces of an answer, and then silence."""

    def __init__(self, parts: list[bytes]) -> None:
        self.parts = parts
        self.silent = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self.parts:
            yield part
        self.silent.set()
        await asyncio.Event().wait()


async def cancelled_in_silence(chat: ChatClient, heard: int) -> asyncio.Task[AIMessage]:
    stream = Stalling([event(piece) for piece in list(chunks(Said(text="Perhaps Lyon.")))[:heard]])
    chat.answers(httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=stream))
    asking = asyncio.create_task(chat.model.stream(ASKED))
    await stream.silent.wait()
    for _ in range(20):
        await asyncio.sleep(0)
    asking.cancel()
    return asking


async def test_a_cancelled_answer_hands_over_the_words_that_were_heard(chat: ChatClient) -> None:
    asking = await cancelled_in_silence(chat, 3)
    with pytest.raises(ReplyCancelled) as cancelled:
        await asking
    assert cancelled.value.partial.text == "Perhaps Ly"
    assert cancelled.value.partial.response_metadata["finish_reason"] == "interrupted"


async def test_cancelled_before_the_first_word_there_is_nothing_to_hand_over(chat: ChatClient) -> None:
    asking = await cancelled_in_silence(chat, 1)
    with pytest.raises(asyncio.CancelledError) as cancelled:
        await asking
    assert not isinstance(cancelled.value, ReplyCancelled)
