"""Requests that do not arrive: their heads are timed out, and their bodies make room for others."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Message

from apps.http import body_limit
from apps.http.body_limit import ArrivingBodies
from apps.http.errors import HttpRefusal
from apps.servers import serve as http_server
from apps.servers.serve import HeaderDeadlineProtocol, server_config
from brain.settings import Settings

WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: local"


async def answer(request: Request) -> PlainTextResponse:
    await asyncio.sleep(0.5)  # longer than a head may take
    return PlainTextResponse("here")


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[int]:
    monkeypatch.setattr(http_server, "HEADER_SECONDS", 0.2)
    app = Starlette(routes=[Route("/", answer)])
    server = uvicorn.Server(uvicorn.Config(app, port=0, http=HeaderDeadlineProtocol, log_config=None))
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - the library only sets a flag
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await task


@pytest.mark.parametrize("sent", [HALF, b""])
async def test_a_head_that_does_not_come_whole_is_timed_out(port: int, sent: bytes):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    async with asyncio.timeout(60):
        assert (await reader.read()).startswith(b"HTTP/1.1 408 ")
    writer.close()


async def test_an_answer_may_take_longer_and_the_next_request_is_timed_anew(port: int):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(2):
        writer.write(WHOLE)
        async with asyncio.timeout(60):
            assert (await reader.readuntil(b"here")).startswith(b"HTTP/1.1 200 ")
    writer.write(HALF)
    async with asyncio.timeout(60):
        assert (await reader.read()).startswith(b"HTTP/1.1 408 ")
    writer.close()


def test_brain_serve_times_heads():
    assert server_config(Settings()).http is HeaderDeadlineProtocol


class Sender:
    """Somebody at an address who sends a body, or half of one."""

    def __init__(self, address: str = "192.0.2.1", *pieces: bytes, whole: bool = False) -> None:
        self._messages: list[Message] = [
            {"type": "http.request", "body": each, "more_body": not whole or each is not pieces[-1]} for each in pieces
        ]
        scope: dict[str, Any] = {"type": "http", "method": "POST", "headers": [], "client": (address, 1)}
        self.request = Request(scope, self._receive)

    async def _receive(self) -> Message:
        if self._messages:
            return self._messages.pop(0)
        await asyncio.Event().wait()
        raise AssertionError


def begin(bodies: ArrivingBodies, tenant: str, sender: Sender) -> asyncio.Task[bytes]:
    return asyncio.create_task(bodies.read(sender.request, tenant))


async def status_of(task: asyncio.Task[bytes]) -> int:
    with pytest.raises(HttpRefusal) as refused:
        await task
    return refused.value.status


async def test_of_the_bodies_of_one_address_the_longest_under_way_makes_room():
    bodies = ArrivingBodies(100, 2)
    first, second = begin(bodies, "acme", Sender("192.0.2.1", b"a")), begin(bodies, "acme", Sender("192.0.2.1", b"b"))
    others = [begin(bodies, "acme", Sender("192.0.2.2", b"c")), begin(bodies, "zoo", Sender("192.0.2.1", b"d"))]
    await asyncio.sleep(0)
    assert await begin(bodies, "acme", Sender("192.0.2.1", b"wh", b"ole", whole=True)) == b"whole"
    assert await status_of(first) == 408
    assert not any(each.done() for each in (second, *others))
    for each in (second, *others):
        each.cancel()


async def test_a_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(body_limit, "READ_SECONDS", 0.01)
    assert await status_of(begin(ArrivingBodies(100, 2), "acme", Sender("192.0.2.1", b"a"))) == 408


async def test_a_body_that_is_too_large_is_refused_as_soon_as_it_is():
    bodies = ArrivingBodies(3, 2)
    assert await status_of(begin(bodies, "acme", Sender("192.0.2.1", b"ab", b"cd"))) == 413
    assert await begin(bodies, "acme", Sender("192.0.2.1", b"abc", whole=True)) == b"abc"
