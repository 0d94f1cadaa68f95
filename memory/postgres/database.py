"""The way to PostgreSQL: a pool of the application role's connections, and sessions bound to one scope."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Self
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from memory.postgres.database_session import (
    Begun,
    DatabaseSession,
    Params,
    SessionConnection,
    Transaction,
    run_transaction,
)
from memory.postgres.failures import translate_errors
from memory.postgres.pools import PooledConnection, PoolLimits, UrlSource, WatchfulPool, connection_kwargs, memory_pool
from memory.postgres.server import require_least_privilege
from memory.postgres.sql import SqlStatement
from memory.scope import Scope

_WHO = SqlStatement(
    "who",
    "select brain.act_as(%(tenant)s::uuid, %(scope)s, %(user)s::uuid)",
)
_WHO_AS_ROLE = SqlStatement(
    "who_as_role",
    "select brain.act_as(%(tenant)s::uuid, %(scope)s, %(user)s::uuid), set_config('role', %(role)s, true)",
)
RoleOf = Callable[[str], str]
"""The role that a session takes on, by the one that logged in."""


def scope_params(scope: Scope) -> dict[str, object]:
    """The parameters by which every statement is bounded."""
    return {
        "tenant_id": scope.tenant_id,
        "scope": scope.key,
        "user_id": scope.user_id,
        "is_group": scope.is_group,
    }


def tenant_scope(tenant_id: UUID) -> Scope:
    """A tenant as a whole, for what belongs to none of its people, or where the caller is not known as a person yet."""
    return Scope(tenant_id=tenant_id, user_id=UUID(int=0))


class Database:
    """Memory Core's connections. Opens itself at first use and belongs to the event loop that did so."""

    def __init__(self, url: str | UrlSource, limits: PoolLimits | None = None) -> None:
        self._url = url
        self.round_trips = 0
        self._limits = limits or PoolLimits()
        self._opening = asyncio.Lock()
        self._pool: WatchfulPool[PooledConnection[TupleRow]] | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect, refusing a role that could see past row-level security. Raises ``E_DEP_*`` or ``E_CONFIG``."""
        async with self._opening:
            if self._pool is None:
                self._pool = await self._open_pool()

    @property
    def is_open(self) -> bool:
        """Whether it has been reached, and not closed since."""
        return self._pool is not None

    async def close(self) -> None:
        """Give every connection back to the server."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()

    @asynccontextmanager
    async def scope_session(self, scope: Scope, role: RoleOf | None = None) -> AsyncGenerator[DatabaseSession]:
        """A session that sees one person's rows; each batch is one round trip and one transaction.

        With a ``role`` it may do what that role may, and nothing else.
        """
        async with self.begin(scope, role) as begun:
            session = DatabaseSession(begun)
            yield session
            await session.flush()

    @asynccontextmanager
    async def anonymous_session(self, tenant_id: UUID | None = None) -> AsyncGenerator[DatabaseSession]:
        """A session that is nobody: it sees no secured row, only what belongs to the installation (the queue).

        A statement may say by itself who asks; that holds to the end of its batch, so it has to travel alone.
        ``tenant_id``: whose cell is asked.
        """
        async with self.begin(None if tenant_id is None else tenant_scope(tenant_id), anonymous=True) as begun:
            session = DatabaseSession(begun)
            yield session
            await session.flush()

    @asynccontextmanager
    async def transaction(self, scope: Scope, role: RoleOf | None = None) -> AsyncGenerator[Transaction]:
        """A session of one person whose reads and writes all happen together or not at all."""
        async with self.begin(scope, role) as begun, run_transaction(begun) as session:
            yield session

    @asynccontextmanager
    async def begin(
        self, scope: Scope | None, role: RoleOf | None = None, *, anonymous: bool = False
    ) -> AsyncGenerator[Begun]:
        """A connection for a session, with what its batches begin with."""
        async with self._borrow_connection() as line:
            yield Begun(line, None if anonymous or scope is None else _identity(scope, line, role))

    @asynccontextmanager
    async def _borrow_connection(self) -> AsyncGenerator[SessionConnection]:
        if self._pool is None:
            await self.open()
        pool = self._pool
        assert pool is not None
        with translate_errors():
            connection = await pool.getconn()
        try:
            yield SessionConnection(
                connection=connection,
                timeout=self._limits.statement,
                on_round_trip=self._count_round_trip,
                settings=connection.settings,
            )
        finally:
            await pool.putconn(connection)

    async def _open_pool(self) -> WatchfulPool[PooledConnection[TupleRow]]:
        url = self._url if isinstance(self._url, str) else await self._url()
        with translate_errors():
            async with await AsyncConnection.connect(url, **connection_kwargs(self._limits)) as connection:
                await require_least_privilege(connection)
            pool = memory_pool(self._url, self._limits)
            await pool.open_or_tell(self._limits.connect + self._limits.wait)
        return pool

    def _count_round_trip(self) -> None:
        self.round_trips += 1


def acting_as(scope: Scope) -> tuple[SqlStatement, Params]:
    """How a session begins: it says who asks."""
    return _WHO, {"tenant": str(scope.tenant_id), "scope": scope.key, "user": str(scope.user_id)}


def _identity(scope: Scope, line: SessionConnection, role: RoleOf | None) -> tuple[SqlStatement, Params]:
    who, told = acting_as(scope)
    return (who, told) if role is None else (_WHO_AS_ROLE, {**told, "role": role(line.connection.info.user)})
