"""The client of the memory API, with and without a server behind it."""

import logging
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from brain_memory import BrainClient, BrainRefused, BrainUnavailable, MemoryContext, circuit_breaker
from brain_memory.circuit_breaker import FIRST_PAUSE, TOLERATED
from brain_memory.client import FEW
from brain_memory.pending_captures import ROOM, TRIES

from tests.unit.client.fake_server import URL, FakeServer, Mode, call, envelope, refusal

DOWN = httpx.ConnectError("refused")

pytestmark = pytest.mark.parametrize("mode", ["sync", "async"])


async def test_a_turn_is_recalled_and_captured_in_two_calls(mode: Mode):
    server = FakeServer()
    client = server.client(key="secret")
    memory = await call(mode, client.before_llm, "Which tea?", session="s", tokens=200)
    assert memory.text == "<memories>Ann likes green tea.</memories>"
    assert [each.text for each in memory.memories] == ["Ann likes green tea."]
    capture = await call(mode, client.after_llm, "Which tea?", "Green.", memory)
    assert (capture.operation_id, capture.is_pending) == ("o1", False)
    assert server.bodies("before_llm") == [{"message": "Which tea?", "session": "s", "tokens": 200}]
    (said,) = server.bodies("after_llm")
    assert datetime.fromisoformat(said.pop("said_at")).tzinfo
    assert said == {"user_message": "Which tea?", "assistant_message": "Green.", "session": "s", "trace_id": "t1"}
    assert {each.headers["authorization"] for each in server.requests} == {"Bearer secret"}


async def test_a_question_finds_memories_of_a_period(mode: Mode):
    server = FakeServer()
    since = datetime(2026, 3, 1, tzinfo=UTC)
    (found,) = await call(mode, server.client().recall, "Which tea?", limit=3, time_from=since)
    assert (found.id, found.lane, found.score) == ("m1", "fact", 0.9)
    assert server.bodies("recall") == [{"query": "Which tea?", "limit": 3, "time_from": "2026-03-01T00:00:00+00:00"}]


async def test_a_person_is_named_in_a_header_as_utf8(mode: Mode):
    server = FakeServer()
    memory = await call(mode, server.client(user="ann").before_llm, "Which tea?", user="安")
    await call(mode, server.client(user="ann").after_llm, "Which tea?", "Green.", memory)
    named = [dict(each.headers.raw)[b"X-Brain-User"] for each in server.requests]
    assert named == ["安".encode()] * 2


@pytest.mark.parametrize("nobody", ["", "  "])
async def test_a_call_that_names_nobody_is_refused_rather_than_taken_for_the_clients_person(mode: Mode, nobody: str):
    server = FakeServer()
    with pytest.raises(BrainRefused, match="E_NO_PERSON"):
        await call(mode, server.client(user="ann").before_llm, "Which tea?", user=nobody)
    with pytest.raises(BrainRefused, match="E_NO_PERSON"):
        await call(mode, server.client(user="ann").after_llm, "Which tea?", "Green.", MemoryContext(user=nobody))
    assert server.requests == []


@pytest.mark.parametrize("name", ["ann\r\nX-Brain-User: bob", "ann\x00", "ann\ud800"])
async def test_a_name_that_no_header_takes_is_refused_and_tells_nothing_about_the_server(mode: Mode, name: str):
    server = FakeServer()
    client = server.client()
    for _ in range(5):
        with pytest.raises(BrainRefused, match="E_BAD_REQUEST"):
            await call(mode, client.before_llm, "Which tea?", user=name)
        with pytest.raises(BrainRefused, match="E_BAD_REQUEST"):
            await call(mode, client.after_llm, "Which tea?", "Green.", key=name)
    assert (await call(mode, client.before_llm, "Which tea? \ud800")).is_available
    assert (client.pending, len(server.requests)) == (0, 1)


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (DOWN, "E_UNREACHABLE"),
        (httpx.ReadTimeout("slow"), "E_TIMEOUT"),
        (RuntimeError("a fault of the application, in process"), "E_UNREACHABLE"),
        (refusal(503, "E_DEP_UNAVAILABLE"), "E_DEP_UNAVAILABLE"),
        (refusal(429, "E_RATE"), "E_RATE"),
        (httpx.Response(502, text="<html>Bad gateway</html>"), "HTTP_502"),
        (httpx.Response(302, headers={"location": "https://elsewhere.test"}), "HTTP_302"),
        (httpx.Response(200, text="<html>A hotel's welcome</html>"), "E_BAD_ANSWER"),
        (httpx.Response(200, json=[1, 2]), "E_BAD_ANSWER"),
        (httpx.Response(200, json=envelope({"context": "x"})), "E_BAD_ANSWER"),
    ],
)
async def test_without_an_answer_the_turn_goes_on_and_the_log_says_so(
    mode: Mode, failure: Any, code: str, caplog: pytest.LogCaptureFixture
):
    memory = await call(mode, FakeServer([failure]).client().before_llm, "Which tea?", session="s")
    assert (memory.text, memory.memories, memory.session) == ("", (), "s")
    assert not memory.is_available
    assert f"going on without memory ({code}" in caplog.text
    assert "Which tea?" not in caplog.text


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413])
async def test_what_the_server_refuses_is_raised(mode: Mode, status: int):
    for method, arguments in (("before_llm", ("Which tea?",)), ("after_llm", ("a", "b")), ("recall", ("Which tea?",))):
        client = FakeServer([refusal(status, "E_NO")]).client()
        with pytest.raises(BrainRefused, match=r"E_NO: No\."):
            await call(mode, getattr(client, method), *arguments)
        assert client.pending == 0


async def test_a_question_of_its_own_is_not_answered_with_nothing(mode: Mode):
    with pytest.raises(BrainUnavailable):
        await call(mode, FakeServer([DOWN]).client().recall, "Which tea?")


async def test_a_capture_that_failed_is_sent_again_with_the_same_key_and_words(mode: Mode):
    server = FakeServer([httpx.ReadTimeout("slow")])
    client = server.client()
    capture = await call(mode, client.after_llm, "I like tea.", "I see.", MemoryContext(session="s", user="ann"))
    assert (capture.is_pending, capture.session, client.pending) == (True, "s", 1)
    await call(mode, client.after_llm, "And coffee.", "I see.")
    assert client.pending == 0
    first, other, again = server.requests
    assert first.content == again.content
    assert first.headers["idempotency-key"] == again.headers["idempotency-key"] != other.headers["idempotency-key"]
    assert again.headers["x-brain-user"] == "ann"


async def test_a_key_of_the_callers_own_is_kept(mode: Mode):
    server = FakeServer()
    await call(mode, server.client().after_llm, "I like tea.", "I see.", key="mine")
    assert server.keys() == ["mine"]


class Clock:
    """Seconds of a test's own."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(circuit_breaker, "monotonic", clock)
    return clock


async def test_a_server_that_failed_several_times_is_left_alone_and_tried_again_later(mode: Mode, clock: Clock):
    server = FakeServer([DOWN] * 4)
    client = server.client()
    for _ in range(10):
        await call(mode, client.before_llm, "Which tea?")
    assert len(server.requests) == TOLERATED + 1
    clock.now += FIRST_PAUSE
    for _ in range(10):
        await call(mode, client.before_llm, "Which tea?")
    assert len(server.requests) == TOLERATED + 2
    clock.now += FIRST_PAUSE
    assert not (await call(mode, client.before_llm, "Which tea?")).is_available
    clock.now += FIRST_PAUSE
    assert (await call(mode, client.before_llm, "Which tea?")).is_available


async def test_what_was_said_meanwhile_is_sent_little_by_little_behind_later_turns(mode: Mode, clock: Clock):
    server = FakeServer([DOWN] * 3)
    client = server.client()
    for number in range(FEW + 5):
        await call(mode, client.after_llm, f"{number}", "I see.")
    clock.now += FIRST_PAUSE
    server.requests.clear()
    await call(mode, client.after_llm, "now", "I see.")
    assert [each["user_message"] for each in server.bodies("after_llm")] == ["now", "0", "1", "2", "3"]
    assert client.pending == 5
    assert await call(mode, client.flush) == 0
    assert [each["user_message"] for each in server.bodies("after_llm")][5:] == ["4", "5", "6", "7", "8"]


async def test_a_turn_that_always_fails_is_given_up_and_the_log_says_so(mode: Mode, caplog: pytest.LogCaptureFixture):
    server = FakeServer()
    client = server.client()
    server.script = [refusal(500, "E_INTERNAL")]
    await call(mode, client.after_llm, "poison", "I see.")
    for number in range(TRIES + 2):
        server.script = [httpx.Response(200, json=envelope(server.answers["after_llm"])), refusal(500, "E_INTERNAL")]
        await call(mode, client.after_llm, f"{number}", "I see.")
    assert client.pending == 0
    assert len([each for each in server.bodies("after_llm") if each["user_message"] == "poison"]) == TRIES + 1
    assert "a turn is lost" in caplog.text
    assert "poison" not in caplog.text


async def test_a_turn_of_earlier_that_is_refused_is_no_error_of_the_turn_at_hand(
    mode: Mode, caplog: pytest.LogCaptureFixture
):
    server = FakeServer([DOWN])
    client = server.client()
    await call(mode, client.after_llm, "too long", "I see.")
    server.script = [httpx.Response(200, json=envelope(server.answers["after_llm"])), refusal(400, "E_BAD_REQUEST")]
    assert (await call(mode, client.after_llm, "fine", "I see.")).operation_id == "o1"
    assert client.pending == 0
    assert "refused it (E_BAD_REQUEST" in caplog.text


async def test_more_turns_than_there_is_room_for_push_out_the_oldest(
    mode: Mode, clock: Clock, caplog: pytest.LogCaptureFixture
):
    client = FakeServer([DOWN] * 3).client()
    caplog.set_level(logging.ERROR)
    for number in range(ROOM + 1):
        await call(mode, client.after_llm, f"{number}", "I see.")
    assert client.pending == ROOM
    assert caplog.text.count("a turn is lost") == 1


async def test_closing_sends_what_waits_or_says_what_is_lost(mode: Mode, caplog: pytest.LogCaptureFixture):
    server = FakeServer([DOWN])
    client = server.client()
    await call(mode, client.after_llm, "I like tea.", "I see.")
    await call(mode, client.close)
    assert (client.pending, len(server.requests)) == (0, 2)
    lost = FakeServer([DOWN] * 2).client()
    await call(mode, lost.after_llm, "I like tea.", "I see.")
    await call(mode, lost.close)
    assert "1 turns are lost" in caplog.text


async def test_a_client_says_neither_its_key_nor_memories_when_it_is_shown(mode: Mode):
    client = FakeServer().client(key="secret")
    assert "secret" not in repr(client)
    assert "secret" not in repr(vars(client))


async def test_a_transport_of_the_other_kind_is_named_as_the_mistake_it_is(mode: Mode):
    class Sync(httpx.BaseTransport): ...

    class Async(httpx.AsyncBaseTransport): ...

    client = BrainClient(URL, transport=Async() if mode == "sync" else Sync())
    with pytest.raises(TypeError, match="This transport is"):
        await call(mode, client.before_llm, "Which tea?")


@pytest.mark.parametrize("url", ["", "memory.test", "ftp://memory.test", "http://"])
async def test_an_address_that_is_none_is_refused_at_once(mode: Mode, url: str):
    with pytest.raises(ValueError, match="must begin with http"):
        BrainClient(url)
    for key in ("brain_key\n", "brain_…"):
        with pytest.raises(ValueError, match="The key"):
            BrainClient(URL, key=key)
    with pytest.raises(ValueError, match="timeout"):
        BrainClient(URL, timeout=0)


async def test_a_value_that_json_cannot_say_is_the_callers_error(mode: Mode):
    server = FakeServer()
    with pytest.raises(TypeError, match="not JSON serializable"):
        await call(mode, server.client().run_operations, [{"op": "put", "value": {"at": object()}}])
