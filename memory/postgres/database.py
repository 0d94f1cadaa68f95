"""The way to PostgreSQL: a pool of the application role's connections, and sessions bound to one scope."""

import asyncio
import select
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from memory.postgres.failures import translated
from memory.postgres.server import require_powerless
from memory.postgres.session import Line, Params, Session, Transaction
from memory.postgres.sql import Statement
from memory.scope import Scope

MEMORY_PATH = "brain, queue, public, extensions"
"""Search path of Memory Core; schemas that a server does not have are ignored by PostgreSQL."""
CHECKPOINT_PATH = "checkpoint"
"""Search path of LangGraph's saver, whose statements name tables without a schema."""

UrlSource = Callable[[], Awaitable[str]]
"""Where the database is, found out when it is first needed: it may have to be started."""

_PREPARED = 256

_WHO = Statement(
    "who",
    "select set_config('brain.tenant_id', %(tenant)s, true), set_config('brain.scope', %(scope)s, true),"
    " set_config('brain.user_id', %(user)s, true)",
)
_CONFIGURE = (
    "select set_config('search_path', %(path)s, false), set_config('statement_timeout', %(timeout)s, false),"
    " set_config('idle_in_transaction_session_timeout', '60s', false)"
)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of every wait, in seconds, and how many connections one process may hold."""

    connections: int = 8
    connect: float = 5.0
    wait: float = 5.0
    statement: float = 10.0


class Database:
    """Memory Core's connections. Opens itself at first use and belongs to the event loop that did so."""

    def __init__(self, url: str | UrlSource, limits: Limits | None = None) -> None:
        self._url = url
        self.round_trips = 0
        self._limits = limits or Limits()
        self._opening = asyncio.Lock()
        self._pool: AsyncConnectionPool[AsyncConnection] | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect, refusing a role that could see past row-level security. Raises ``E_DEP_*`` or ``E_CONFIG``."""
        async with self._opening:
            if self._pool is None:
                self._pool = await self._opened()

    async def close(self) -> None:
        """Give every connection back to the server."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()

    @asynccontextmanager
    async def scoped(self, scope: Scope) -> AsyncGenerator[Session]:
        """A session that sees one person's rows; each batch is one round trip and one transaction."""
        async with self._line() as line:
            session = Session(line, _who(scope))
            yield session
            await session.flush()

    @asynccontextmanager
    async def unscoped(self) -> AsyncGenerator[Session]:
        """A session that is nobody: it sees no secured row, only what belongs to the installation (the queue)."""
        async with self._line() as line:
            session = Session(line, None)
            yield session
            await session.flush()

    @asynccontextmanager
    async def transaction(self, scope: Scope) -> AsyncGenerator[Transaction]:
        """A session of one person whose reads and writes all happen together or not at all."""
        async with self._line() as line:
            session = Transaction(line, _who(scope))
            try:
                yield session
                await session.commit()
            except BaseException:
                await session.abandon()
                raise

    @asynccontextmanager
    async def _line(self) -> AsyncGenerator[Line]:
        async with self._borrowed() as connection:
            yield Line(connection=connection, timeout=self._limits.statement, on_round_trip=self._count)

    @asynccontextmanager
    async def _borrowed(self) -> AsyncGenerator[AsyncConnection]:
        if self._pool is None:
            await self.open()
        pool = self._pool
        assert pool is not None
        with translated():
            connection = await pool.getconn()
        try:
            yield connection
        finally:
            await pool.putconn(connection)

    async def _opened(self) -> AsyncConnectionPool[AsyncConnection]:
        url = self._url if isinstance(self._url, str) else await self._url()
        with translated():
            async with await AsyncConnection.connect(url, **_kwargs(self._limits)) as connection:
                await require_powerless(connection)
            pool: AsyncConnectionPool[AsyncConnection] = AsyncConnectionPool(
                url,
                kwargs=_kwargs(self._limits),
                min_size=1,
                max_size=self._limits.connections,
                timeout=self._limits.wait,
                configure=self._configure,
                check=_require_open,
                open=False,
                name="brain",
            )
            await pool.open(wait=True, timeout=self._limits.connect + self._limits.wait)
        return pool

    async def _configure(self, connection: AsyncConnection) -> None:
        await _set_path(connection, MEMORY_PATH, self._limits.statement)
        await register_vector_async(connection)
        connection.prepared_max = _PREPARED

    def _count(self) -> None:
        self.round_trips += 1


def checkpoint_pool(url: str, limits: Limits | None = None) -> AsyncConnectionPool[AsyncConnection[DictRow]]:
    """Connections shaped as LangGraph's saver wants them. Not yet open: ``async with`` it."""
    bounds = limits or Limits()

    async def configure(connection: AsyncConnection[DictRow]) -> None:
        await _set_path(connection, CHECKPOINT_PATH, bounds.statement)

    return AsyncConnectionPool(
        url,
        connection_class=AsyncConnection[DictRow],
        kwargs={**_kwargs(bounds), "row_factory": dict_row},
        min_size=1,
        max_size=bounds.connections,
        timeout=bounds.wait,
        configure=configure,
        check=_require_open,
        open=False,
        name="checkpoint",
    )


def _who(scope: Scope) -> tuple[Statement, Params]:
    return _WHO, {"tenant": str(scope.tenant_id), "scope": scope.key, "user": str(scope.user_id)}


def _kwargs(limits: Limits) -> dict[str, Any]:
    return {
        "autocommit": True,
        "application_name": "brain",
        "connect_timeout": max(2, round(limits.connect)),
        "prepare_threshold": 0,  # psycopg forgets a statement prepared in a failed pipeline only at its first use
        "tcp_user_timeout": round(limits.statement * 1000) + 5_000,
    }


async def _set_path(connection: AsyncConnection[Any], path: str, statement_seconds: float) -> None:
    await connection.execute(_CONFIGURE, {"path": path, "timeout": f"{round(statement_seconds * 1000)}ms"})


async def _require_open(connection: AsyncConnection[Any]) -> None:
    """A server that hung up leaves the idle socket readable: asking that costs microseconds, not a round trip."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        await AsyncConnectionPool.check_connection(connection)
