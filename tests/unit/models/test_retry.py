"""Which failures are asked again, how long is waited, and what each is called in the end."""

import asyncio
from dataclasses import replace

import httpcore2
import httpx
import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from brain.circuit_breaker import FIRST_PAUSE_SECONDS, CircuitBreaker
from brain.models.availability import Availability
from brain.models.errors import ModelUnavailable
from brain.models.retry import Retry
from tests.openai_wire import Said, chunks, error, sse
from tests.unit.models.client import ChatClient, noting

ASKED = [HumanMessage("Hello")]


class Hello(BaseModel):
    """A form."""

    word: str


def failed(status: int, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, headers=named, json=error("no"))


def spoken() -> httpx.Response:
    return httpx.Response(200, content=sse(chunks(Said(text="Hi."))))


@pytest.mark.parametrize(
    "failure",
    [
        failed(429),
        failed(500),
        failed(503),
        failed(529),
        httpcore2.ConnectError("refused"),
        httpcore2.RemoteProtocolError("nonsense"),
        httpx.Response(200, content=b'data: {"error": {"message": "overloaded"}}\n\n'),
    ],
)
async def test_what_may_pass_by_itself_is_asked_again(chat: ChatClient, failure: httpx.Response | Exception) -> None:
    route = chat.answers(failure, spoken())
    assert (await chat.model.stream(ASKED)).content == "Hi."
    assert (route.call_count, chat.pauses) == (2, [0.5])


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (failed(429), "model_rate_limited"),
        (failed(500), "model_server_error"),
        (failed(502), "model_server_error"),
        (httpcore2.ConnectError("refused"), "model_unreachable"),
    ],
)
async def test_three_failures_are_final_and_named(
    chat: ChatClient, failure: httpx.Response | Exception, reason: str
) -> None:
    route = chat.answers(failure, failure, failure, spoken())
    with pytest.raises(ModelUnavailable) as unavailable:
        await chat.model.stream(ASKED)
    assert (unavailable.value.reason, unavailable.value.is_retryable) == (reason, True)
    assert (route.call_count, chat.pauses) == (3, [0.5, 1.0])


@pytest.mark.parametrize("failure", [httpcore2.ConnectTimeout("slow"), httpcore2.ReadTimeout("slow")])
async def test_an_address_that_does_not_answer_is_waited_for_once(chat: ChatClient, failure: Exception) -> None:
    route = chat.answers(failure, spoken())
    for reason in ("model_timeout", "model_unreachable"):
        with pytest.raises(ModelUnavailable) as unavailable:
            await chat.model.stream(ASKED)
        assert unavailable.value.reason == reason
    assert chat.models.fast is not None
    with pytest.raises(ModelUnavailable, match="model_unreachable"):
        await chat.models.fast.stream(ASKED)
    assert (route.call_count, chat.pauses) == (1, [])


async def test_an_address_that_refuses_to_connect_is_left_alone_for_a_while(chat: ChatClient) -> None:
    route = chat.answers(*[httpcore2.ConnectError("refused")] * 3, spoken())
    for _ in range(2):
        with pytest.raises(ModelUnavailable, match="model_unreachable"):
            await chat.model.stream(ASKED)
    assert route.call_count == 3


async def test_a_model_that_is_too_slow_does_not_keep_its_neighbour_from_being_asked(chat: ChatClient) -> None:
    asked: list[httpx.Request] = []

    async def never(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        await asyncio.Event().wait()
        raise AssertionError

    slow = replace(chat.model, seconds=0.3, availability=Availability(chat.model.availability.address))
    chat.router.post("/chat/completions").mock(side_effect=never)
    for _ in range(2):
        with pytest.raises(ModelUnavailable, match="model_timeout"):
            await slow.fill(Hello, ASKED)
    assert len(asked) == 1
    chat.answers(spoken())
    assert (await chat.model.stream(ASKED)).text == "Hi."


async def test_a_trial_that_its_caller_gives_up_does_not_keep_the_address_shut(chat: ChatClient) -> None:
    now = [0.0]
    model = replace(chat.model, availability=Availability(CircuitBreaker(clock=lambda: now[0])))
    model.availability.address.record_failure()
    now[0] += FIRST_PAUSE_SECONDS

    async def never(_: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError

    chat.router.post("/chat/completions").mock(side_effect=never)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await model.stream(ASKED)
    chat.answers(spoken())
    assert (await model.stream(ASKED)).text == "Hi."


async def test_a_provider_that_answers_with_a_failure_is_asked_again_next_time(chat: ChatClient) -> None:
    chat.answers(failed(401), spoken())
    with pytest.raises(ModelUnavailable, match="model_auth_failed"):
        await chat.model.stream(ASKED)
    assert (await chat.model.stream(ASKED)).text == "Hi."


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (failed(400), "model_bad_request"),
        (failed(401), "model_auth_failed"),
        (failed(403), "model_auth_failed"),
        (failed(404), "model_not_found"),
        (failed(422), "model_bad_request"),
        (httpx.Response(429, json=error("pay", code="insufficient_quota")), "model_quota_exhausted"),
        (httpx.Response(400, json=error("too long", code="context_length_exceeded")), "model_context_exceeded"),
    ],
)
async def test_what_will_not_pass_by_itself_is_asked_once(
    chat: ChatClient, failure: httpx.Response, reason: str
) -> None:
    route = chat.answers(failure, spoken())
    with pytest.raises(ModelUnavailable, match=f"^{reason}: ") as unavailable:
        await chat.model.stream(ASKED)
    assert (unavailable.value.reason, unavailable.value.is_retryable) == (reason, False)
    assert (route.call_count, chat.pauses) == (1, [])


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"retry_after": "3"}, 3.0),
        ({"retry_after": "0"}, 0.0),
        ({"retry_after": "1.5"}, 1.5),
        ({"retry_after_ms": "250", "retry_after": "9"}, 0.25),
        ({"retry_after": "Fri, 31 Dec 1999 23:59:59 GMT"}, 0.5),
        ({"retry_after": "-4"}, 0.5),
        ({"retry_after": "soon"}, 0.5),
    ],
)
async def test_the_providers_own_wish_decides_the_pause(
    chat: ChatClient, headers: dict[str, str], pause: float
) -> None:
    chat.answers(failed(429, **headers), spoken())
    await chat.model.stream(ASKED)
    assert chat.pauses == [pause]


async def test_a_provider_that_asks_for_too_much_patience_is_left_alone(chat: ChatClient) -> None:
    route = chat.answers(failed(429, retry_after="3600"), spoken())
    with pytest.raises(ModelUnavailable) as unavailable:
        await chat.model.stream(ASKED)
    assert (unavailable.value.reason, unavailable.value.retry_after) == ("model_rate_limited", 3600.0)
    assert (route.call_count, chat.pauses) == (1, [])


async def test_pauses_double_up_to_the_longest() -> None:
    pauses: list[float] = []

    async def ask() -> None:
        raise ModelUnavailable("model_server_error")

    async with asyncio.timeout(None) as whenever:
        with pytest.raises(ModelUnavailable):
            await Retry(attempts=6, first_pause=1, longest_pause=5, sleep=noting(pauses)).run(ask, whenever)
    assert pauses == [1, 2, 4, 5, 5]


async def test_a_pause_that_would_outlast_the_deadline_is_not_begun(chat: ChatClient) -> None:
    route = chat.answers(failed(503), spoken())
    with pytest.raises(ModelUnavailable, match="model_server_error"):
        await chat.within(0.4).stream(ASKED)
    assert (route.call_count, chat.pauses) == (1, [])
