"""Pools of connections with every wait bounded, which notice at once when the server went away or came back."""

import select
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection, Error
from psycopg.rows import DictRow, dict_row
from psycopg.types.array import ListBinaryDumper
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from memory.errors import unavailable

MEMORY_PATH = "brain, queue, public, extensions"
"""Search path of Memory Core; schemas that a server does not have are ignored by PostgreSQL."""
CHECKPOINT_PATH = "checkpoint"
"""Search path of LangGraph's saver, whose statements name tables without a schema."""

UrlSource = Callable[[], Awaitable[str]]
"""Finds out where the database is, each time a connection is made: the server may have to be started (again)."""

Connection = TypeVar("Connection", bound=AsyncConnection[Any])

_PREPARED = 256
_CONFIGURE = (
    "select set_config('search_path', %(path)s, false), set_config('statement_timeout', %(bound)s, false),"
    " set_config('idle_in_transaction_session_timeout', '60s', false)"
    # Every statement names its person by parameters, so no value changes the plan: planning once is enough.
    ", set_config('plan_cache_mode', 'force_generic_plan', false)"
)


@dataclass(frozen=True, kw_only=True)
class PoolLimits:
    """Bounds of every wait, in seconds, and how many connections one process may hold."""

    connections: int = 8
    connect: float = 5.0
    wait: float = 5.0
    statement: float = 10.0


class WatchfulPool(AsyncConnectionPool[Connection]):
    """Never lends a connection that the server has closed.

    The library's own check backs off for seconds per dead connection, and after a restart all of them are dead.
    """

    lent = 0

    async def getconn(self, timeout: float | None = None) -> Connection:  # noqa: ASYNC109 - the library's signature
        """Raises ``PoolTimeout`` when all connections are busy, ``E_DEP_UNAVAILABLE`` when there are none."""
        try:
            connection = await super().getconn(timeout)
            while not await _is_alive(connection):
                await super().putconn(connection)
                connection = await super().getconn(timeout)
        except PoolTimeout as error:
            if self.lent:
                raise
            raise unavailable("The database is away.", "Try again; 'brain doctor' tells more.") from error
        self.lent += 1
        return connection

    async def putconn(self, conn: Connection) -> None:
        """Take a connection back."""
        self.lent -= 1
        await super().putconn(conn)


def memory_pool(url: str | UrlSource, limits: PoolLimits) -> WatchfulPool[AsyncConnection]:
    """Connections of Memory Core: vectors understood, statements prepared at first use. Not yet open."""

    async def configure(connection: AsyncConnection) -> None:
        await _apply_settings(connection, MEMORY_PATH, limits)
        await register_vector_async(connection)
        connection.prepared_max = _PREPARED
        connection.adapters.register_dumper(list, ListBinaryDumper)

    return WatchfulPool(
        url,
        kwargs=connection_kwargs(limits),
        min_size=1,
        max_size=limits.connections,
        timeout=limits.wait,
        configure=configure,
        open=False,
        name="brain",
    )


def checkpoint_pool(url: str | UrlSource, limits: PoolLimits | None = None) -> WatchfulPool[AsyncConnection[DictRow]]:
    """Connections shaped as LangGraph's saver wants them. Not yet open: ``async with`` it."""
    bounds = limits or PoolLimits()

    async def configure(connection: AsyncConnection[DictRow]) -> None:
        await _apply_settings(connection, CHECKPOINT_PATH, bounds)

    return WatchfulPool(
        url,
        connection_class=AsyncConnection[DictRow],
        kwargs={**connection_kwargs(bounds), "row_factory": dict_row},
        min_size=1,
        max_size=bounds.connections,
        timeout=bounds.wait,
        configure=configure,
        open=False,
        name="checkpoint",
    )


def connection_kwargs(limits: PoolLimits) -> dict[str, Any]:
    """How every connection is made.

    Statements are prepared at first use: psycopg believes a later preparation even when its pipeline failed.
    """
    return {
        "autocommit": True,
        "application_name": "brain",
        "connect_timeout": max(2, round(limits.connect)),
        "prepare_threshold": 0,
        "tcp_user_timeout": round(limits.statement * 1000) + 5_000,
    }


async def _apply_settings(connection: AsyncConnection[Any], path: str, limits: PoolLimits) -> None:
    await connection.execute(_CONFIGURE, {"path": path, "bound": f"{round(limits.statement * 1000)}ms"})


async def _is_alive(connection: AsyncConnection[Any]) -> bool:
    """A server that hung up leaves the idle socket readable: asking that costs microseconds, not a round trip."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        try:
            await connection.execute("")
        except Error:
            return False
    return True
