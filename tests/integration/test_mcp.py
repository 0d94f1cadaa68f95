"""Clients of MCP against real processes: ``brain serve``, the agent server, and ``brain mcp``."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from apps.mcp.server import TOOLS
from tests.conftest import a_database
from tests.integration.brain_process import COMMAND
from tests.integration.issuer import Issuer
from tests.integration.server import Server
from tests.integration.serving import Person, Serving, a_serving

NAMES = list(TOOLS)
HARMLESS = [name for name, each in TOOLS.items() if not each.destructive]
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
JSON = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def serving(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    chosen = {"auth_api_keys": "true", "mcp_destructive": "true", "request_bytes": "100000"}
    with a_database(server_url) as where, a_serving(tmp_path_factory.mktemp("mcp"), where, **chosen) as up:
        yield up


@asynccontextmanager
async def a_client(url: str, bearer: str, mode: str = "auto") -> AsyncGenerator[Client]:
    """The official client with a person's key or token."""
    headers = {"Authorization": bearer}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


def of(serving: Serving, who: Person, mode: str = "auto"):
    """A client of the person's."""
    return a_client(f"{serving.server.url}/mcp", f"Bearer {who.key}", mode)


async def call(client: Client, tool: str, **arguments: Any) -> Mapping[str, Any]:
    """What a tool answered."""
    return (await client.call_tool(tool, arguments)).structured_content


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_remembers_recalls_corrects_and_forgets(serving: Serving, mode: str):
    ann = await asyncio.to_thread(serving.person, scopes=("memory:read", "memory:write"))
    async with of(serving, ann, mode) as client:
        assert [each.name for each in (await client.list_tools()).tools] == NAMES
        kept = await call(client, "remember", text="I like green tea.", kind="preference")
        assert kept["id"] in [each["id"] for each in (await call(client, "recall", query="green tea"))["memories"]]
        assert (await call(client, "why", id=kept["id"]))["memory"]["text"] == "I like green tea."
        assert "green tea" in (await call(client, "profile"))["text"]
        done = await call(client, "correct", about="green tea", statement="I like black tea.")
        assert done["status"] == "corrected"
        (shown,) = (await call(client, "forget", about="black tea"))["choices"]
        assert (await call(client, "forget", about="black tea", hash=shown["hash"]))["status"] == "forgotten"
        assert (await call(client, "recent"))["memories"] == []
        assert (await call(client, "recall", query="tea", all=True))["memories"] == []


async def test_nobody_reaches_another_persons_memory(serving: Serving):
    scopes = ("memory:read", "memory:write", "on_behalf")
    ann = await asyncio.to_thread(serving.person, scopes=scopes)
    bob = await asyncio.to_thread(serving.person, ann.tenant, "bob", scopes)
    elsewhere = await asyncio.to_thread(serving.person, scopes=scopes)
    async with of(serving, ann) as client:
        kept = await call(client, "remember", text="My secret is plum.")
        (shown,) = (await call(client, "forget", about="my secret plum"))["choices"]
    for other in (bob, elsewhere):
        async with of(serving, other) as client:
            answers = [
                await call(client, "recall", query="my secret plum", all=True),
                await call(client, "why", id=kept["id"]),
                await call(client, "profile"),
                await call(client, "recent"),
                await call(client, "documents"),
                await call(client, "documents", name="profile"),
                await call(client, "correct", about="my secret plum", statement="No secret."),
                await call(client, "forget", about="my secret plum"),
                await call(client, "forget", about="my secret plum", hash=shown["hash"]),
            ]
        assert "plum" not in str(answers)
    async with of(serving, ann) as client:
        assert (await call(client, "why", id=kept["id"]))["memory"]["version"] == 1


async def test_a_restart_between_two_calls_goes_unnoticed(serving: Serving):
    ann = await asyncio.to_thread(serving.person, scopes=("memory:read", "memory:write"))
    async with of(serving, ann, "legacy") as client:
        await call(client, "remember", text="I live in Ghent.")
        (shown,) = (await call(client, "forget", about="I live in Ghent"))["choices"]
        await asyncio.to_thread(restart, serving.server)
        done = await call(client, "forget", about="I live in Ghent", hash=shown["hash"])
    assert done["status"] == "forgotten"


def restart(server: Server) -> None:
    server.stop(signal.SIGKILL)
    server.start()
    server.wait()


def post(serving: Serving, headers: Mapping[str, str], body: bytes | None = None) -> httpx.Response:
    """A message as it goes over the wire."""
    url, content = f"{serving.server.url}/mcp", body or b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    return httpx.post(url, content=content, headers={**JSON, **headers}, timeout=60)


def test_what_proves_nothing_is_refused_before_the_protocol(serving: Serving):
    reader, talker = serving.person(scopes=("memory:read",)), serving.person(scopes=("chat",))
    mine = {"Authorization": f"Bearer {reader.key}"}
    unknown = post(serving, {"Authorization": "Bearer brain_x"})

    assert (unknown.status_code, unknown.headers["www-authenticate"]) == (401, "Bearer")
    assert post(serving, {}).status_code == 401
    assert post(serving, {"Authorization": f"Bearer {talker.key}"}).status_code == 403
    assert post(serving, {**mine, "Host": "evil.example"}).status_code == 403
    assert post(serving, mine, b"x" * 100_001).status_code == 413
    assert post(serving, mine, b"{").status_code == 400
    assert post(serving, mine).json()["result"] == {}
    assert httpx.get(f"{serving.server.url}/mcp", headers=mine).status_code == 405


async def test_the_agent_server_has_the_tools_beside_its_own_routes(guarded: Server, issuer: Issuer):
    bearer = issuer.bearer("acme", "ann")["Authorization"]
    async with a_client(f"{guarded.url}/brain/mcp", bearer) as client:
        assert [each.name for each in (await client.list_tools()).tools] == HARMLESS
        await call(client, "remember", text="I play the cello.")
    async with a_client(f"{guarded.url}/brain/mcp", issuer.bearer("acme", "bob")["Authorization"]) as client:
        assert "cello" not in str(await call(client, "recall", query="cello", all=True))
    async with httpx.AsyncClient() as http:
        assert (await http.post(f"{guarded.url}/brain/mcp", json=PING, headers=JSON)).status_code == 401


async def test_stdio_serves_the_person_it_was_started_for(serving: Serving, tmp_path: Path):
    environment = {**serving.server.environment, "BRAIN_MCP_DESTRUCTIVE": "false"}
    for user, found in (("ann", True), ("bob", False)):
        arguments = ["mcp", "--tenant", "desk", "--user", user]
        started = StdioServerParameters(command=str(COMMAND), args=arguments, env=environment, cwd=tmp_path)
        async with Client(started) as client:
            assert [each.name for each in (await client.list_tools()).tools] == HARMLESS
            if found:
                await call(client, "remember", text="I play the cello.")
            assert ("cello" in str(await call(client, "recent"))) is found
