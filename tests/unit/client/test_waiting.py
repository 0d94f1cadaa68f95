"""How long the client waits, and what happens to it between threads and event loops."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from brain_memory import BrainClient, circuit_breaker

from tests.unit.client.fake_server import URL, FakeServer, envelope


class Slow(httpx.AsyncBaseTransport):
    """Says something now and then, so that no single step takes long."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        async def trickle():
            while True:
                await asyncio.sleep(0.02)
                yield b" "

        return httpx.Response(200, content=trickle())


async def test_a_server_that_trickles_is_given_up_after_the_timeout_as_a_whole():
    client = BrainClient(URL, timeout=0.1, transport=Slow())
    async with asyncio.timeout(30):
        assert not (await client.abefore_llm("Which tea?")).is_available


async def test_a_run_that_is_cancelled_keeps_its_turn_for_later():
    client = BrainClient(URL, timeout=5, transport=Slow())
    capture = asyncio.create_task(client.aafter_llm("I like tea.", "I see."))
    await asyncio.sleep(0.05)
    capture.cancel()
    with pytest.raises(asyncio.CancelledError):
        await capture
    assert client.pending == 1


def test_one_client_serves_one_event_loop_after_another():
    server = FakeServer()
    client = server.client()
    for _ in range(3):
        assert asyncio.run(client.abefore_llm("Which tea?")).is_available
    asyncio.run(client.aclose())


def test_threads_share_a_client_and_no_turn_is_lost_or_sent_twice(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(circuit_breaker, "TOLERATED", 1_000)
    is_up = threading.Event()
    taken = list[str]()

    def handle(request: httpx.Request) -> httpx.Response:
        if not is_up.is_set():
            raise httpx.ConnectError("refused")
        taken.append(request.headers["idempotency-key"])
        return httpx.Response(202, json=envelope({"operation_id": "o1", "session": "s"}))

    client = BrainClient(URL, transport=httpx.MockTransport(handle))

    def capture(number: int) -> None:
        client.after_llm("I like tea.", "I see.", key=f"{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(capture, range(100)))
        assert client.pending == 100
        is_up.set()
        for _ in range(8):
            pool.submit(client.flush)
    assert client.pending == 0
    assert sorted(taken, key=int) == [f"{number}" for number in range(100)]
