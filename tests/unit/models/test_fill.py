"""Forms that a model fills in: what is sent, what is accepted, and what becomes of the rest."""

import json
from typing import Any, Literal

import httpx
import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, Field

from brain.models.errors import ModelMalformed, ModelRefused, ModelUnavailable
from brain.models.structured_output import MAX_SHOWN_CHARACTERS, retry_messages
from tests.openai_wire import Said, completion
from tests.unit.models.client import ChatClient, body_of


class Verdict(BaseModel):
    """What to think of a text."""

    reason: str
    verdict: Literal["pass", "blocked"]
    score: float = Field(ge=0, le=1)


class Verdicts(BaseModel):
    """What to think of several."""

    verdicts: list[Verdict]


class Mentioned(BaseModel):
    """What a text names, by kinds that nobody listed before."""

    entities: dict[str, str | list[str]]


GOOD = {"reason": "harmless", "verdict": "pass", "score": 0.9}
ASKED = [HumanMessage("Judge this.")]


def answered(text: str, finish_reason: str = "stop") -> httpx.Response:
    return httpx.Response(200, json=completion(Said(text=text, finish_reason=finish_reason)))


async def test_a_valid_answer_becomes_the_form(chat: ChatClient) -> None:
    chat.answers(answered(json.dumps(GOOD)))
    assert await chat.model.fill(Verdict, ASKED) == Verdict.model_validate(GOOD)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (r"harm\u0000less\u0000", "harmless"),
        (r"the escape \\u0000 itself", r"the escape \u0000 itself"),
        (r"\\\u0000x", "\\x"),
    ],
)
async def test_characters_that_no_database_can_hold_are_left_out(chat: ChatClient, written: str, reason: str) -> None:
    chat.answers(answered(f'{{"reason": "{written}", "verdict": "pass", "score": 0.9}}'))
    assert (await chat.model.fill(Verdict, ASKED)).reason == reason


async def test_the_request_names_a_strict_schema_and_is_not_streamed(chat: ChatClient) -> None:
    route = chat.answers(answered(json.dumps(GOOD)))
    await chat.model.fill(Verdict, ASKED)
    body = body_of(route)
    schema = body["response_format"]["json_schema"]
    calm = {"temperature", "max_completion_tokens"}
    assert body.keys() == {"model", "messages", "response_format", "stream", *calm}
    assert body["stream"] is False
    assert body["response_format"]["type"] == "json_schema"
    assert (schema["name"], schema["strict"]) == ("Verdict", True)
    assert schema["schema"]["required"] == ["reason", "verdict", "score"]
    assert schema["schema"]["additionalProperties"] is False


async def test_a_form_with_free_keys_is_sent_as_it_is_because_strict_schemas_have_none(chat: ChatClient) -> None:
    filled = {"entities": {"person": "小王", "dates": ["today"]}}
    route = chat.answers(answered(json.dumps(filled)))
    assert (await chat.model.fill(Mentioned, ASKED)).entities == filled["entities"]
    schema = body_of(route)["response_format"]["json_schema"]
    assert schema["strict"] is False
    assert schema["schema"]["properties"]["entities"]["additionalProperties"] is not False


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ("not json at all", "answer: Invalid JSON"),
        ('{"reason": "cut off', "answer: Invalid JSON"),
        (json.dumps({**GOOD, "verdict": "maybe"}), "verdict: Input should be 'pass' or 'blocked'"),
        (json.dumps({**GOOD, "score": 7}), "score: Input should be less than or equal to 1"),
        ("[]", "answer: Input should be an object"),
    ],
)
async def test_a_misfit_is_handed_back_once_with_what_is_wrong(chat: ChatClient, wrong: str, complaint: str) -> None:
    route = chat.answers(answered(wrong), answered(json.dumps(GOOD)))
    assert (await chat.model.fill(Verdict, ASKED)).verdict == "pass"
    rules, first, *added = body_of(route, 1)["messages"]
    assert (rules["role"], '"verdict"' in rules["content"]) == ("system", True)
    assert first == {"role": "user", "content": "Judge this."}
    assert [message["role"] for message in added] == ["assistant", "user"]
    assert added[0]["content"] == wrong
    assert complaint in added[1]["content"]


async def test_a_misfit_twice_is_malformed_and_is_not_asked_a_third_time(chat: ChatClient) -> None:
    route = chat.answers(answered("no"), answered("no"), answered(json.dumps(GOOD)))
    with pytest.raises(ModelMalformed) as malformed:
        await chat.model.fill(Verdict, ASKED)
    assert (malformed.value.reason, malformed.value.answer, route.call_count) == ("model_malformed", "no", 2)


@pytest.mark.parametrize(
    "unreadable",
    [
        httpx.Response(200, headers={"content-type": "text/html"}, content=b"<html>Log in first</html>"),
        httpx.Response(200, headers={"content-type": "application/json"}, content=b'{"choices": [{'),
        httpx.Response(200, json={"object": "chat.completion"}),
        httpx.Response(200, json={"choices": None}),
        httpx.Response(200, json={"choices": []}),
        httpx.Response(200, json={"error": {"message": "no"}}),
        httpx.Response(200, json=[1, 2]),
        httpx.Response(200, json=completion(Said(text=""))),
    ],
)
async def test_an_answer_that_is_no_completion_is_asked_again_once(
    chat: ChatClient, unreadable: httpx.Response
) -> None:
    route = chat.answers(unreadable, unreadable)
    with pytest.raises(ModelMalformed):
        await chat.model.fill(Verdict, ASKED)
    assert (route.call_count, body_of(route, 1)["messages"]) == (2, [{"role": "user", "content": "Judge this."}])


async def test_of_an_answer_that_was_cut_off_what_is_whole_is_read(chat: ChatClient) -> None:
    route = chat.answers(answered(f'{{"verdicts": [{json.dumps(GOOD)}, {{"reason": "harm', "length"))
    filled = await chat.model.fill(Verdicts, ASKED)
    assert (filled.model_dump(), route.call_count) == ({"verdicts": [GOOD]}, 1)


async def test_an_answer_that_was_cut_off_before_anything_is_asked_for_again(chat: ChatClient) -> None:
    route = chat.answers(answered('{"reas', "length"), answered(json.dumps(GOOD)))
    assert (await chat.model.fill(Verdict, ASKED)).model_dump() == GOOD
    assert route.call_count == 2


async def test_a_refusal_is_told_apart_and_not_asked_again(chat: ChatClient) -> None:
    route = chat.answers(httpx.Response(200, json=completion(Said(refusal="I won't judge that."))))
    with pytest.raises(ModelRefused) as refused:
        await chat.model.fill(Verdict, ASKED)
    assert (refused.value.text, route.call_count) == ("I won't judge that.", 1)


async def test_the_providers_filter_is_a_refusal(chat: ChatClient) -> None:
    chat.answers(answered("", "content_filter"))
    with pytest.raises(ModelRefused, match="content filter"):
        await chat.model.fill(Verdict, ASKED)


UNSUPPORTED = httpx.Response(400, json={"error": {"message": "response_format is not supported"}})


WAYS = [
    {"response_format": "json_schema", "calm": True},
    {"response_format": "json_schema", "calm": False},
    {"tools": ["Verdict"], "calm": True},
    {"response_format": "json_object", "calm": True, "shown": True},
    {"calm": True, "shown": True},
    {"calm": False, "shown": True},
]


def way_of(body: dict[str, Any]) -> dict[str, Any]:
    """How a request asks for a form."""
    told: dict[str, Any] = {"calm": body.get("temperature") == 0 and "max_completion_tokens" in body}
    if "response_format" in body:
        told["response_format"] = body["response_format"]["type"]
    if "tools" in body:
        told["tools"] = [tool["function"]["name"] for tool in body["tools"]]
        assert body["tool_choice"]["function"]["name"] == "Verdict"
    return told | ({"shown": True} if '"blocked"' in body["messages"][0]["content"] else {})


@pytest.mark.parametrize("refused", range(len(WAYS)))
async def test_a_provider_that_refuses_a_way_is_asked_in_the_next_one_from_then_on(
    chat: ChatClient, refused: int
) -> None:
    model, good = chat.model, answered(f"Here you are:\n```json\n{json.dumps(GOOD)}\n```")
    route = chat.answers(*[UNSUPPORTED] * refused, good, good)
    assert (await model.fill(Verdict, ASKED)).verdict == "pass"
    assert (await model.fill(Verdict, ASKED)).verdict == "pass"
    assert [way_of(body_of(route, call)) for call in range(refused + 2)] == [*WAYS[: refused + 1], WAYS[refused]]


async def test_a_form_is_read_from_the_arguments_of_a_tool(chat: ChatClient) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "Verdict", "arguments": json.dumps(GOOD)}}
    body = completion(Said(text=""))
    body["choices"][0]["message"] |= {"content": None, "tool_calls": [call]}
    chat.answers(UNSUPPORTED, UNSUPPORTED, httpx.Response(200, json=body))
    assert (await chat.model.fill(Verdict, ASKED)).verdict == "pass"


async def test_a_provider_that_ignores_the_schema_is_shown_it_from_then_on(chat: ChatClient) -> None:
    good = answered(json.dumps(GOOD))
    route = chat.answers(answered("I think that it is harmless."), good, good)
    await chat.model.fill(Verdict, ASKED)
    await chat.model.fill(Verdict, ASKED)
    assert [way_of(body_of(route, call)) for call in (0, 2)] == [WAYS[0], WAYS[3]]


async def test_an_answer_that_broke_off_does_not_cost_the_schema(chat: ChatClient) -> None:
    good = answered(json.dumps(GOOD))
    route = chat.answers(answered('{"reason": "harm', "length"), good, good)
    await chat.model.fill(Verdict, ASKED)
    await chat.model.fill(Verdict, ASKED)
    assert way_of(body_of(route, 2)) == WAYS[0]


async def test_a_better_way_is_tried_anew_after_a_while(chat: ChatClient) -> None:
    model, good = chat.model, answered(json.dumps(GOOD))
    route = chat.answers(UNSUPPORTED, good, good)
    await model.fill(Verdict, ASKED)
    model.rungs.until = 0.0
    await model.fill(Verdict, ASKED)
    assert body_of(route, 2)["response_format"]["type"] == "json_schema"


async def test_a_request_that_is_bad_in_every_way_is_a_bad_request(chat: ChatClient) -> None:
    route = chat.answers(*[UNSUPPORTED] * (len(WAYS) + 1))
    for _ in range(2):
        with pytest.raises(ModelUnavailable, match="model_bad_request"):
            await chat.model.fill(Verdict, ASKED)
    assert route.call_count == len(WAYS) + 1


def test_an_answer_that_ran_wild_is_not_paid_for_twice():
    shown, _ = retry_messages(ModelMalformed("not JSON", "x" * 50_000))
    assert len(shown.text) == MAX_SHOWN_CHARACTERS
