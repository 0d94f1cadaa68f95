"""The way to PostgreSQL: a pool of the application role's connections, and sessions bound to one scope."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Self

from psycopg import AsyncConnection

from memory.postgres.failures import translated
from memory.postgres.pools import Limits, UrlSource, WatchfulPool, connection_kwargs, memory_pool
from memory.postgres.server import require_powerless
from memory.postgres.session import Line, Params, Session, Transaction
from memory.postgres.sql import Statement
from memory.scope import Scope

_WHO = Statement(
    "who",
    "select set_config('brain.tenant_id', %(tenant)s, true), set_config('brain.scope', %(scope)s, true),"
    " set_config('brain.user_id', %(user)s, true)",
)


def of_scope(scope: Scope) -> dict[str, object]:
    """The parameters by which every statement is bounded."""
    return {
        "tenant_id": scope.tenant_id,
        "scope": scope.key,
        "user_id": scope.user_id,
        "is_group": scope.is_group,
    }


class Database:
    """Memory Core's connections. Opens itself at first use and belongs to the event loop that did so."""

    def __init__(self, url: str | UrlSource, limits: Limits | None = None) -> None:
        self._url = url
        self.round_trips = 0
        self._limits = limits or Limits()
        self._opening = asyncio.Lock()
        self._pool: WatchfulPool[AsyncConnection] | None = None

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
        """A session that is nobody: it sees no secured row, only what belongs to the installation (the queue).

        A statement may say by itself who asks; that holds to the end of its batch, so it has to travel alone.
        """
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
        if self._pool is None:
            await self.open()
        pool = self._pool
        assert pool is not None
        with translated():
            connection = await pool.getconn()
        try:
            yield Line(connection=connection, timeout=self._limits.statement, on_round_trip=self._count)
        finally:
            await pool.putconn(connection)

    async def _opened(self) -> WatchfulPool[AsyncConnection]:
        url = self._url if isinstance(self._url, str) else await self._url()
        with translated():
            async with await AsyncConnection.connect(url, **connection_kwargs(self._limits)) as connection:
                await require_powerless(connection)
            pool = memory_pool(self._url, self._limits)
            await pool.open(wait=True, timeout=self._limits.connect + self._limits.wait)
        return pool

    def _count(self) -> None:
        self.round_trips += 1


def _who(scope: Scope) -> tuple[Statement, Params]:
    return _WHO, {"tenant": str(scope.tenant_id), "scope": scope.key, "user": str(scope.user_id)}
