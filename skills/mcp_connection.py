"""One MCP server as a process or an address: connected when it is first needed, given up when it hangs or is gone."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from subprocess import DEVNULL
from typing import Any, TextIO, cast
from weakref import WeakKeyDictionary

import httpx2
import mcp_types
import structlog
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from brain.settings_skills import McpServer
from memory.errors import BrainError

log = structlog.get_logger(__name__)

RETRY_SECONDS = 30.0
"""A server that could not be reached is not asked again before this."""
CONNECT_PATIENCE = 3.0
"""How long turns wait for a server that is being connected, from when that began."""
MAX_PAGES = 10
_SILENCE = cast("TextIO", DEVNULL)
"""What servers print on the side is theirs; it belongs in no terminal and no log of ours."""


class SkillUnavailable(BrainError):
    """What a skill leans on cannot be reached; the turn goes on without it."""

    def __init__(self, name: str) -> None:
        super().__init__("E_DEP_UNAVAILABLE", f"The skill {name} cannot be reached now.", "Go on without it.")


class McpConnection:
    """Lives on one event loop. The connection is held by a task of its own, which opens and closes it."""

    def __init__(self, name: str, server: McpServer) -> None:
        self.name, self.server = name, server
        self._client: Client | None = None
        self._tools: tuple[mcp_types.Tool, ...] = ()
        self._holder: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[None] | None = None
        self._closing = asyncio.Event()
        self._begun_at = 0.0
        self._failed_at: float | None = None

    async def list_tools(self) -> tuple[mcp_types.Tool, ...]:
        """What the server offered when it was connected. Raises ``SkillUnavailable``."""
        await self._connect()
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> mcp_types.CallToolResult:
        """Let the server run one of its tools. Raises ``SkillUnavailable``; what was called may have happened then."""
        client = await self._connect()
        try:
            async with asyncio.timeout(self.server.timeout):
                return await client.call_tool(tool, dict(arguments))
        except MCPError as error:
            if error.code in _REFUSALS:
                raise BrainError("E_BAD_REQUEST", "The server refused the call.") from None
            self._give_up(error)
            raise SkillUnavailable(self.name) from None
        except Exception as error:
            # A server comes from anywhere, and so does what its transport raises when it is gone.
            self._give_up(error)
            raise SkillUnavailable(self.name) from None

    async def close(self) -> None:
        """End the connection, and with it the process behind it."""
        self._closing.set()
        holder, self._holder = self._holder, None
        if holder is not None:
            await asyncio.wait([holder], timeout=self.server.timeout)
            holder.cancel()

    async def _connect(self) -> Client:
        if self._client is not None:
            return self._client
        loop = asyncio.get_running_loop()
        if self._failed_at is not None and loop.time() - self._failed_at < RETRY_SECONDS:
            raise SkillUnavailable(self.name)
        if self._holder is None or self._holder.done():
            self._closing, self._ready, self._begun_at = asyncio.Event(), loop.create_future(), loop.time()
            self._holder = loop.create_task(self._hold(self._ready, self._closing), name=f"mcp {self.name}")
        assert self._ready is not None
        with suppress(TimeoutError):  # it goes on connecting, for the next turn
            async with asyncio.timeout_at(self._begun_at + CONNECT_PATIENCE):
                await asyncio.shield(self._ready)
        if self._client is None:
            raise SkillUnavailable(self.name)
        return self._client

    async def _hold(self, ready: asyncio.Future[None], closing: asyncio.Event) -> None:
        """Keep the connection until it is to be closed: what was entered here has to be left here."""
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(self.server.timeout):
                    client = await stack.enter_async_context(self._open())
                    self._tools = await _list_all(client)
                self._client, self._failed_at = client, None
                ready.set_result(None)
                await closing.wait()
        except Exception as error:
            # The same holds while it is being connected.
            self._note_failure(error)
        finally:
            self._client = None
            if not ready.done():
                ready.set_result(None)

    @asynccontextmanager
    async def _open(self) -> AsyncGenerator[Client]:
        async with AsyncExitStack() as stack:
            transport = await self._transport(stack)
            yield await stack.enter_async_context(
                Client(transport, read_timeout_seconds=self.server.timeout, cache=None)
            )

    async def _transport(self, stack: AsyncExitStack) -> AbstractAsyncContextManager[Any]:
        server = self.server
        if server.url:
            http = await stack.enter_async_context(
                httpx2.AsyncClient(headers=dict(server.headers), timeout=server.timeout)
            )
            return streamable_http_client(server.url, http_client=http)
        named = StdioServerParameters(
            command=server.command, args=list(server.args), env=dict(server.env), cwd=server.cwd
        )
        return stdio_client(named, errlog=_SILENCE)

    def _give_up(self, error: Exception) -> None:
        """A server that hangs or is gone is ended; it is connected anew after a while."""
        self._note_failure(error)
        self._client = None
        if self._holder is not None and not self._holder.done():
            self._holder.cancel()

    def _note_failure(self, error: Exception) -> None:
        log.warning("skill_unavailable", server=self.name, error=type(error).__name__)
        self._failed_at = asyncio.get_running_loop().time()


_REFUSALS = frozenset({mcp_types.INVALID_PARAMS, mcp_types.METHOD_NOT_FOUND})
_connections: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, McpConnection]] = WeakKeyDictionary()


def connection_to(name: str, server: McpServer) -> McpConnection:
    """This loop's own connection to a server."""
    known = _connections.setdefault(asyncio.get_running_loop(), {})
    key = f"{name} {server.model_dump_json()}"
    if key not in known:
        known[key] = McpConnection(name, server)
    return known[key]


async def close_connections() -> None:
    """Close all connections of this loop."""
    for connection in _connections.pop(asyncio.get_running_loop(), {}).values():
        await connection.close()


async def _list_all(client: Client) -> tuple[mcp_types.Tool, ...]:
    found, cursor = list[mcp_types.Tool](), None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if not cursor:
            break
    return tuple(found)
