"""A client goes away in the middle of a request or a reply: its turn is there once, and nothing else is left."""

import json
import socket
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from apps.http.caller import CHAT_HEADERS
from memory.api_keys import KeyScope
from tests.conftest import a_database
from tests.integration.brain_process import PATIENCE
from tests.integration.serving import Person, Serving, a_serving
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

LONG = " ".join(f"word{number}" for number in range(60))
STEPS = [
    Step(when=When(form="", contains="chat stalls"), text=LONG, stall_after=5),
    Step(when=When(form="", contains="response stalls"), text=LONG, stall_after=5),
    Step(when=When(form="", contains="waits"), text="It waited.", held=True, times=None),
    Step(when=When(form=""), text="As you say.", times=None),
    Step(status=400, times=None),
]
SCOPES: tuple[KeyScope, ...] = ("chat", "memory:read", "memory:write")
CONNECTED = ("01", "08")
"""Established, and closed by the other side alone: states of a connection in the kernel's table."""
Body = Mapping[str, Any]


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(STEPS) as running:
        yield running


@pytest.fixture(scope="module")
def serving(server_url: str, model: ScriptedOpenAI, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    chosen = {**model.settings, "auth_api_keys": "true"}
    with a_database(server_url) as where, a_serving(tmp_path_factory.mktemp("cut"), where, **chosen) as served:
        yield served


def chat(text: str, *, stream: bool = False) -> tuple[str, Body]:
    return "/v1/chat/completions", {"model": "brain", "messages": [{"role": "user", "content": text}], "stream": stream}


def response(text: str, *, stream: bool = False) -> tuple[str, Body]:
    return "/v1/responses", {"model": "brain", "input": text, "stream": stream}


def captured(text: str) -> tuple[str, Body]:
    return "/v1/memory/after_llm", {"user_message": text, "assistant_message": "I see."}


def called(text: str) -> tuple[str, Body]:
    asked = {"name": "recall", "arguments": {"question": text}}
    return "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}


def headers_of(who: Person, key: str = "") -> dict[str, str]:
    accepted = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    named = {CHAT_HEADERS[0]: f"chat of {who.tenant}"} | ({"Idempotency-Key": key} if key else {})
    return {"Authorization": f"Bearer {who.key}", **accepted, **named}


def wire(asked: tuple[str, Body], who: Person, key: str = "") -> bytes:
    """A request as it goes over the wire."""
    path, body = asked
    content = json.dumps(body).encode()
    headers = {"Host": "localhost", **headers_of(who, key), "Content-Length": str(len(content))}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + content


def connect(serving: Serving) -> socket.socket:
    return socket.create_connection(("127.0.0.1", serving.server.port), timeout=30)


def cut(connection: socket.socket) -> None:
    """Without a farewell."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def send(serving: Serving, asked: tuple[str, Body], who: Person, key: str = "") -> httpx.Response:
    path, body = asked
    return httpx.post(f"{serving.server.url}{path}", json=body, headers=headers_of(who, key), timeout=60)


def wait_for(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def nothing_is_left(serving: Serving) -> bool:
    """No request is being answered but the one that asks, and nobody is connected."""
    told = httpx.get(f"{serving.server.url}/metrics").text
    port = f":{serving.server.port:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    held = [line for line in lines if line[1].endswith(port) and line[3] in CONNECTED]
    return "brain_http_requests_in_flight 1.0" in told and not held


def said_once(serving: Serving, who: Person, text: str) -> bool:
    """In the log, with one reply."""
    told = serving.log(who.scope)
    return [words for role, words in told if role == "user"] == [text] and len(told) == 2


@pytest.mark.parametrize("make", [chat, response, captured, called])
@pytest.mark.parametrize("share", [0.2, 0.9])
def test_half_a_request_is_none(make: Callable[[str], tuple[str, Body]], share: float, serving: Serving):
    ann, text = serving.person(scopes=SCOPES), f"I own a boat called {uuid4().hex[:8]}."
    whole = wire(make(text), ann, "one")
    for length in (int(len(whole) * share), len(whole) - 1):
        connection = connect(serving)
        connection.sendall(whole[:length])
        time.sleep(0.1)
        cut(connection)
    wait_for(lambda: nothing_is_left(serving))
    assert serving.log(ann.scope) == []
    assert send(serving, make(text), ann, "one").is_success
    assert make is called or said_once(serving, ann, text)


def test_who_goes_while_a_reply_is_made_finds_it(serving: Serving, model: ScriptedOpenAI):
    text = "I have a dog that waits."
    asked = [chat(text), chat(text, stream=True), response(text), response(text, stream=True)]
    people = [serving.person(scopes=SCOPES) for _ in asked]
    before, gone = len(model.requests), list[socket.socket]()
    for each, who in zip(asked, people, strict=True):
        gone.append(connect(serving))
        gone[-1].sendall(wire(each, who))
    wait_for(lambda: len(model.requests) >= before + len(asked))
    for connection in gone:
        cut(connection)
    time.sleep(0.5)
    model.let_go()
    wait_for(lambda: nothing_is_left(serving))
    for each, who in zip(asked, people, strict=True):
        again = send(serving, each, who)
        assert again.status_code == 200
        assert "It waited." in again.text or each[1]["stream"]
        wait_for(lambda who=who: said_once(serving, who, text))
        assert [row["text"] for row in serving.rows("conversation_events", who.scope)].count(text) == 1


@pytest.mark.parametrize("make", [chat, response])
def test_who_goes_in_the_middle_of_a_reply_keeps_what_was_shown(
    make: Callable[..., tuple[str, Body]], serving: Serving
):
    ann, text = serving.person(scopes=SCOPES), f"My {make.__name__} stalls."
    connection, heard = connect(serving), b""
    connection.sendall(wire(make(text, stream=True), ann))
    while b"word0" not in heard:
        heard += connection.recv(4096)
    cut(connection)
    wait_for(lambda: nothing_is_left(serving))
    wait_for(lambda: said_once(serving, ann, text))
    shown = serving.log(ann.scope)[1][1]
    assert shown.startswith("word0")
    assert LONG.startswith(shown)

    wait_for(lambda: send(serving, make(text), ann).status_code == 200)
    wait_for(lambda: said_once(serving, ann, text))
    assert [row["text"] for row in serving.rows("conversation_events", ann.scope)].count(text) == 1
    assert serving.log(ann.scope)[1][1] in ("As you say.", LONG)


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.1])
def test_a_turn_with_a_key_is_captured_once_whether_or_not_its_client_heard(seconds: float, serving: Serving):
    ann, text = serving.person(scopes=SCOPES), f"I own a boat called {uuid4().hex[:8]}."
    for _ in range(3):
        connection = connect(serving)
        connection.sendall(wire(captured(text), ann, "one"))
        time.sleep(seconds)
        cut(connection)
    assert send(serving, captured(text), ann, "one").is_success
    wait_for(lambda: nothing_is_left(serving))
    assert said_once(serving, ann, text)


def test_whatever_is_cut_the_server_answers_the_next(serving: Serving):
    ann = serving.person(scopes=SCOPES)
    for make in (chat, response, captured, called):
        for share in range(1, 11):
            connection, whole = connect(serving), wire(make(f"I have {share} boats."), ann, f"{make.__name__} {share}")
            connection.sendall(whole[: len(whole) * share // 10])
            cut(connection)
    wait_for(lambda: nothing_is_left(serving))
    assert send(serving, chat("Hello there."), ann).status_code == 200
    assert "Traceback" not in serving.server.log
