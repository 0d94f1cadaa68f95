"""Pools of connections with every wait bounded, which notice at once when the server went away or came back."""

import asyncio
import select
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection, Error
from psycopg.rows import DictRow, Row, TupleRow, dict_row
from psycopg.types.array import ListBinaryDumper
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from memory.errors import unavailable
from memory.postgres.pooler import is_pooled
from memory.postgres.sql import SqlStatement

MEMORY_PATH = "brain, queue, public, extensions"
"""Search path of Memory Core; schemas that a server does not have are ignored by PostgreSQL."""
CHECKPOINT_PATH = "checkpoint"
"""Search path of LangGraph's saver, whose statements name tables without a schema."""

UrlSource = Callable[[], Awaitable[str]]
"""Finds out where the database is, each time a connection is made: the server may have to be started (again)."""

Connection = TypeVar("Connection", bound=AsyncConnection[Any])

_PREPARED = 256
_SETTINGS = SqlStatement(
    "settings",
    "select set_config('search_path', %(path)s, %(of_transaction)s),"
    " set_config('statement_timeout', %(bound)s, %(of_transaction)s),"
    " set_config('idle_in_transaction_session_timeout', '60s', %(of_transaction)s),"
    # Every statement names its person by parameters, so no value changes the plan: planning once is enough.
    " set_config('plan_cache_mode', 'force_generic_plan', %(of_transaction)s)",
)


@dataclass(frozen=True, kw_only=True)
class PoolLimits:
    """Bounds of every wait, in seconds, and how many connections one process may hold.

    ``prepare``: whether statements are prepared; None: unless a pooler lends out the connections.
    """

    connections: int = 8
    connect: float = 5.0
    wait: float = 5.0
    statement: float = 10.0
    prepare: bool | None = None


class PooledConnection(AsyncConnection[Row]):
    """A connection that may go through a pooler, which then runs each transaction on another one to the server."""

    settings: tuple[SqlStatement, Mapping[str, object]] | None = None
    """What every transaction has to set first; None where it is set for good."""

    async def begin_settings(self) -> None:
        """Set it, first thing in a transaction."""
        if self.settings is not None:
            query, params = self.settings
            await self.execute(query.text.encode(), params)


class WatchfulPool(AsyncConnectionPool[Connection]):
    """Never lends a connection that the server has closed.

    The library's own check backs off for seconds per dead connection, and after a restart all of them are dead.
    """

    lent = 0
    refusal: Error | None = None
    """Why the last connection could not be made; the library only tells that none was made in time."""

    async def open_or_tell(self, timeout: float) -> None:  # noqa: ASYNC109 - handed to the library
        """Open it, with a connection that works. Raises ``PoolTimeout``, or why none can be made.

        Who gives up waiting leaves nothing behind: a worker of the library, cancelled while it connects, waits for
        work again, and the event loop would never end.
        """
        try:
            await self.open(wait=True, timeout=timeout)
        except PoolTimeout:
            if self.refusal is not None:
                raise self.refusal from None
            raise
        except asyncio.CancelledError:
            await self.close()
            raise

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


def memory_pool(url: str | UrlSource, limits: PoolLimits) -> WatchfulPool[PooledConnection[TupleRow]]:
    """Connections of Memory Core: vectors understood, statements prepared at first use. Not yet open."""

    async def configure(connection: PooledConnection[TupleRow]) -> None:
        await _configure(connection, MEMORY_PATH, limits)
        async with connection.transaction():
            await connection.begin_settings()
            await register_vector_async(connection)
        connection.prepared_max = _PREPARED
        connection.adapters.register_dumper(list, ListBinaryDumper)

    return _build_pool(url, limits, configure, "brain", PooledConnection[TupleRow])


def checkpoint_pool(url: str | UrlSource, limits: PoolLimits | None = None) -> WatchfulPool[PooledConnection[DictRow]]:
    """Connections shaped as LangGraph's saver wants them. Not yet open: ``async with`` it."""
    bounds = limits or PoolLimits()

    async def configure(connection: PooledConnection[DictRow]) -> None:
        await _configure(connection, CHECKPOINT_PATH, bounds)
        connection.row_factory = dict_row

    return _build_pool(url, bounds, configure, "checkpoint", PooledConnection[DictRow])


def _build_pool(
    url: str | UrlSource,
    limits: PoolLimits,
    configure: Callable[[Connection], Awaitable[None]],
    name: str,
    kind: type[Connection],
) -> WatchfulPool[Connection]:
    async def configure_or_tell(connection: Connection) -> None:
        try:
            await configure(connection)
        except Error as error:
            pool.refusal = error
            raise
        pool.refusal = None

    pool = WatchfulPool(
        url,
        connection_class=kind,
        kwargs=connection_kwargs(limits),
        min_size=1,
        max_size=limits.connections,
        timeout=limits.wait,
        # Each attempt waits twice as long as the one before; who asks after the last one begins anew, at once.
        reconnect_timeout=limits.wait,
        configure=configure_or_tell,
        open=False,
        name=name,
    )
    return pool


def connection_kwargs(limits: PoolLimits) -> dict[str, Any]:
    """How every connection is made. It prepares nothing until it is known who is at the other end."""
    return {
        "autocommit": True,
        "application_name": "brain",
        "connect_timeout": max(2, round(limits.connect)),
        "prepare_threshold": None,
        "tcp_user_timeout": round(limits.statement * 1000) + 5_000,
    }


async def _configure(connection: PooledConnection[Any], path: str, limits: PoolLimits) -> None:
    """Through a pooler nothing may outlast a transaction: the next one runs on another's connection.

    Statements are prepared at first use: psycopg believes a later preparation even when its pipeline failed.
    """
    settings = {"path": path, "bound": f"{round(limits.statement * 1000)}ms"}
    pooled = await is_pooled(connection)
    if pooled:
        connection.settings = _SETTINGS, {**settings, "of_transaction": True}
    else:
        await connection.execute(_SETTINGS.text.encode(), {**settings, "of_transaction": False})
    prepare = not pooled if limits.prepare is None else limits.prepare
    connection.prepare_threshold = 0 if prepare else None


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
