"""The analysis over the real wire: what is sent, and what becomes of every way in which a provider can fail."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.models.openai import OpenAIModel
from brain.models.roles import Models
from brain.models.structured_output import response_format
from brain.state import Update
from evolution.absolutization.absolutize import absolutize
from evolution.extraction.analyze import analyze
from evolution.extraction.form import Notes
from evolution.state import EvolutionState
from tests.fakes import Leanings, resources_of
from tests.openai_wire import Said, completion, error
from tests.unit.analysis_builders import BY_RULES, SCOPE, a_candidate, a_note, notes, turns
from tests.unit.models.client import ChatClient, body_of

FILLED = notes(a_note()).model_dump_json()


def answered(text: str, **values: Any) -> httpx.Response:
    return httpx.Response(200, json=completion(Said(text=text, **values)))


def failed(status: int, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=error(f"scripted {status}"), headers=headers)


def a_run(model: OpenAIModel) -> Runtime[JobContext]:
    resources = resources_of(Leanings())
    object.__setattr__(resources, "models", Models(fast=model))
    return Runtime(context=JobContext(scope=SCOPE, resources=resources))


async def analysed(model: OpenAIModel) -> Update:
    return await analyze(EvolutionState(session_id="session", said=turns("I live in Lyon.")), a_run(model))


def test_the_form_goes_out_as_a_strict_schema_with_every_field_required() -> None:
    sent = json.dumps(response_format(Notes))
    schema: Any = response_format(Notes)["json_schema"]
    entry = schema["schema"]["properties"]["memories"]["items"]
    assert schema["strict"] is True
    assert entry["required"] == list(entry["properties"])
    assert entry["required"][:2] == ["quote", "turn"]
    assert entry["additionalProperties"] is False
    assert [each for each in entry["properties"].values() if "default" in each] == []
    assert "$ref" not in sent


async def test_a_filled_form_becomes_candidates_after_one_request(chat: ChatClient) -> None:
    route = chat.answers(answered(FILLED))
    assert await analysed(chat.model) == {
        "candidates": [a_candidate()],
        "dropped": [],
        "degraded": [],
        "judge": chat.model.name,
    }
    assert len(route.calls) == 1  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    assert "I live in Lyon." in body_of(route)["messages"][1]["content"]


async def test_a_refusal_leaves_the_turns_to_the_rules(chat: ChatClient) -> None:
    chat.answers(answered("", refusal="I cannot help with that."))
    assert await analysed(chat.model) == {
        "candidates": [BY_RULES],
        "dropped": [],
        "degraded": ["analysis_model_refused"],
        "judge": "rules",
    }


async def test_a_busy_provider_is_asked_again_when_it_wishes(chat: ChatClient) -> None:
    chat.answers(failed(429, **{"retry-after": "2"}), answered(FILLED))
    assert (await analysed(chat.model))["candidates"] == [a_candidate()]
    assert chat.pauses == [2.0]


@pytest.mark.parametrize(
    ("responses", "reason"),
    [
        ([failed(500)] * 3, "analysis_model_server_error"),
        ([failed(429)] * 3, "analysis_model_rate_limited"),
        ([failed(401)], "analysis_model_auth_failed"),
        ([answered('{"memories": [{"reasoning"'), answered("no JSON at all")], "analysis_model_malformed"),
        ([answered('{"memories": [{"turn": "one"}]}')] * 2, "analysis_model_malformed"),
        ([httpx.ConnectError("refused")] * 3, "analysis_model_unreachable"),
    ],
)
async def test_a_provider_that_keeps_failing_leaves_the_turns_to_the_rules(
    chat: ChatClient, responses: list[httpx.Response | Exception], reason: str
) -> None:
    chat.answers(*responses)
    assert await analysed(chat.model) == {
        "candidates": [BY_RULES],
        "dropped": [],
        "degraded": [reason],
        "judge": "rules",
    }


async def test_a_silent_provider_leaves_the_turns_to_the_rules_in_time(chat: ChatClient) -> None:
    async def never(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(30)
        return answered(FILLED)

    chat.router.post("/chat/completions").mock(side_effect=never)
    update = await analysed(chat.within(0.05))
    assert (update["candidates"], update["degraded"]) == ([BY_RULES], ["analysis_model_timeout"])


async def test_malformed_once_is_handed_back_and_then_read(chat: ChatClient) -> None:
    route = chat.answers(answered("oops"), answered(FILLED))
    assert (await analysed(chat.model))["candidates"] == [a_candidate()]
    assert "could not be read" in body_of(route, 1)["messages"][-1]["content"]


async def test_an_unclear_memory_is_asked_about_on_the_same_wire(chat: ChatClient) -> None:
    told = {"reasoning": "Turn 1 names her.", "number": 1, "content": "Emma lives in Lyon.", "object": "Lyon"}
    route = chat.answers(answered(json.dumps({"memories": [told]})))
    state = EvolutionState(
        session_id="session",
        said=turns("My friend Emma and my aunt came. She lives in Lyon."),
        candidates=[a_candidate("She lives in Lyon.", subject="Emma", start=33, end=50)],
    )
    update = await absolutize(state, a_run(chat.model))
    assert [each["content"] for each in update["candidates"]] == ["Emma lives in Lyon."]
    assert (update["rounds"], update["degraded"]) == (2, [])
    prompt = body_of(route)["messages"][1]["content"]
    assert "[1] She lives in Lyon. (object: Lyon; from turn 1; unclear: She)" in prompt
