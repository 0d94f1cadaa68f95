"""Every call is counted: answered, handed back, broken off, given up, with or without figures."""

import asyncio
import json

import httpx
import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from brain.metering import Usage, collect_usage
from brain.models.errors import ModelError, ModelInterrupted, ModelUnavailable
from tests.openai_wire import DONE, Said, chunks, completion, error, event, sse
from tests.unit.models.client import ChatClient


class Colour(BaseModel):
    """What colour something has."""

    colour: str


ASKED = [HumanMessage("What colour is the sky?")]


def told(calls: int = 1, *, estimated: int = 0) -> Usage:
    """The figures that the wire sends with every answer."""
    return Usage(
        role="chat",
        model="gpt-4.1",
        calls=calls,
        estimated_calls=estimated,
        input_tokens=7 * calls,
        output_tokens=5 * calls,
    )


def filled(text: str) -> httpx.Response:
    return httpx.Response(200, json=completion(Said(text=text)))


def streamed(body: bytes) -> httpx.Response:
    return httpx.Response(200, content=body, headers={"content-type": "text/event-stream"})


async def test_a_filled_form_costs_what_the_provider_says(chat: ChatClient):
    chat.answers(filled(json.dumps({"colour": "blue"})))
    with collect_usage() as usages:
        await chat.model.fill(Colour, ASKED)
    assert usages == [told()]


async def test_a_form_that_is_handed_back_costs_two_calls_and_a_refused_request_none(chat: ChatClient):
    chat.answers(httpx.Response(503, json=error("busy")), filled("{}"), filled(json.dumps({"colour": "blue"})))
    with collect_usage() as usages:
        await chat.model.fill(Colour, ASKED)
    assert usages == [told(), told()]


async def test_a_streamed_answer_costs_what_its_last_piece_says(chat: ChatClient):
    chat.answers(streamed(sse(chunks(Said(text="Blue, mostly.")))))
    with collect_usage() as usages:
        reply = await chat.model.stream(ASKED)
    assert usages == [told()]
    assert reply.usage_metadata
    assert reply.usage_metadata["total_tokens"] == 12


async def test_running_sums_in_every_piece_are_counted_once(chat: ChatClient):
    pieces = [piece | {"usage": {"prompt_tokens": 7, "completion_tokens": n, "total_tokens": 7 + n}}
              for n, piece in enumerate(chunks(Said(text="Blue, mostly.")))]  # fmt: skip
    chat.answers(streamed(sse(pieces)))
    with collect_usage() as usages:
        await chat.model.stream(ASKED)
    assert usages == [told() | {"output_tokens": len(pieces) - 1}]


async def test_without_figures_the_words_are_counted(chat: ChatClient):
    pieces = [piece for piece in chunks(Said(text="Blue, mostly.")) if piece["choices"]]
    chat.answers(streamed(sse(pieces)))
    with collect_usage() as usages:
        await chat.model.stream(ASKED)
    assert usages == [told(estimated=1) | {"input_tokens": 10, "output_tokens": 4}]


async def test_an_answer_that_breaks_off_costs_what_was_heard_of_it(chat: ChatClient):
    pieces = list(chunks(Said(text="Blue, mostly.")))[:3]
    chat.answers(streamed(b"".join(map(event, pieces)) + DONE))
    with collect_usage() as usages, pytest.raises(ModelInterrupted):
        await chat.model.stream(ASKED)
    assert [(each["calls"], each["estimated_calls"], each["output_tokens"] > 0) for each in usages] == [(1, 1, True)]


async def test_a_provider_that_fails_costs_nothing(chat: ChatClient):
    chat.answers(httpx.Response(401, json=error("no")), httpx.Response(401, json=error("no")))
    with collect_usage() as usages:
        with pytest.raises(ModelUnavailable):
            await chat.model.fill(Colour, ASKED)
        with pytest.raises(ModelUnavailable):
            await chat.model.stream(ASKED)
    assert usages == []


async def test_a_form_that_is_given_up_waiting_for_is_paid_for_all_the_same(chat: ChatClient):
    async def never(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(60)
        raise AssertionError(request)

    chat.router.post("/chat/completions").mock(side_effect=never)
    with collect_usage() as usages, pytest.raises(ModelError):
        await chat.within(0.5).fill(Colour, ASKED)
    assert [(each["calls"], each["estimated_calls"], each["output_tokens"]) for each in usages] == [(1, 1, 0)]
    assert usages[0]["input_tokens"] > 10
