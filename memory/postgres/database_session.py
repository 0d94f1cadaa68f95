"""A conversation with the database in which every batch of statements is one round trip and one transaction."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from psycopg import AsyncConnection, AsyncCursor, AsyncRawCursor
from psycopg.errors import DatabaseError, Error, ReadOnlySqlTransaction
from psycopg.rows import class_row, tuple_row

from memory.errors import BrainError
from memory.frozen_dataclass import build_frozen
from memory.postgres.failures import MovedError, to_storable, translate_errors
from memory.postgres.sql import SqlStatement, statement

Row = TypeVar("Row")
RowMaker = Callable[[Sequence[Any]], Row]
Params = Mapping[str, object]

_NOTHING: Params = {}
_BEGIN, _COMMIT = SqlStatement("begin", "begin"), SqlStatement("commit", "commit")


class QueuedStatement(Generic[Row]):
    """A queued statement and, once its batch has travelled, its rows."""

    def __init__(self, query: str | SqlStatement, params: Params, row_type: type[Row] | None) -> None:
        self._wire = (query if isinstance(query, SqlStatement) else statement(query)).wire
        self._values = [to_storable(value) for value in self._wire.values(params)]
        self._row_type = row_type
        self._cursor: AsyncCursor[Any] | None = None
        self._rows: list[Row] | None = None

    @property
    def rows(self) -> list[Row]:
        """Raises ``E_INTERNAL`` when the batch has not travelled, or when no row type was asked for."""
        if self._rows is None:
            raise BrainError("E_INTERNAL", "These rows were read before their batch was sent.")
        return self._rows

    async def send(self, connection: AsyncConnection) -> None:
        """Put the statement on the wire without waiting for it."""
        rows = frozen_row(self._row_type) if self._row_type else tuple_row
        self._cursor = AsyncRawCursor(connection, row_factory=rows)
        await self._cursor.execute(self._wire.text, self._values)

    async def collect(self) -> None:
        """Turn what arrived into rows; costs no round trip after the batch's end."""
        if self._cursor is not None and self._row_type is not None:
            self._rows = await self._cursor.fetchall()


@dataclass(frozen=True, kw_only=True)
class SessionConnection:
    """A connection with what a session needs to know about it, and what each transaction on it must set first."""

    connection: AsyncConnection
    timeout: float
    on_round_trip: Callable[[], None]
    settings: tuple[SqlStatement, Params] | None = None


@dataclass(frozen=True)
class Begun:
    """A connection, what every batch on it begins with (who asks), and how to go on where the tenant lives now."""

    line: SessionConnection
    prelude: tuple[SqlStatement, Params] | None
    follow: "Callable[[], Awaitable[Begun]] | None" = None


class DatabaseSession:
    """Queue statements, then read: everything queued since the last read travels as one batch.

    A batch begins with the prelude (who is asking) and ends with one Sync. The connection is in autocommit, so
    PostgreSQL runs a batch as one transaction: all of it happens or nothing, and errors raise ours. A batch that was
    refused because its tenant moved did nothing, and travels again to where the tenant lives. Where a pooler lends
    the connection, the transaction's settings come before the prelude.
    """

    def __init__(self, begun: Begun) -> None:
        self._begun_on = begun
        self._queue: list[QueuedStatement[Any]] = []

    def execute(self, query: str | SqlStatement, params: Params = _NOTHING) -> None:
        """Queue a statement whose rows nobody needs; it travels with the next read or at the end."""
        self._queue.append(QueuedStatement(query, params, None))

    def ask(self, query: str | SqlStatement, params: Params, row_type: type[Row]) -> QueuedStatement[Row]:
        """Queue a statement whose rows are wanted once the batch has travelled."""
        answer = QueuedStatement(query, params, row_type)
        self._queue.append(answer)
        return answer

    async def fetch(self, query: str | SqlStatement, params: Params, row_type: type[Row]) -> list[Row]:
        """Send the batch, this statement last, and return its rows as ``row_type`` (columns are its fields)."""
        answer = self.ask(query, params, row_type)
        await self.flush()
        return answer.rows

    async def fetch_one(self, query: str | SqlStatement, params: Params, row_type: type[Row]) -> Row | None:
        """The first row of ``fetch``, or None."""
        rows = await self.fetch(query, params, row_type)
        return rows[0] if rows else None

    async def flush(self) -> None:
        """Send what is queued: one round trip, one transaction. Nothing queued costs nothing."""
        queue, self._queue = self._queue, []
        if queue:
            await self._run_batch(queue)

    @property
    def _line(self) -> SessionConnection:
        return self._begun_on.line

    def _prelude_statements(self) -> list[QueuedStatement[Any]]:
        first = (self._line.settings, self._begun_on.prelude)
        return [QueuedStatement(query, params, None) for query, params in filter(None, first)]

    async def _run_batch(self, queue: list[QueuedStatement[Any]]) -> None:
        while True:
            try:
                return await self._travel([*self._prelude_statements(), *queue])
            except MovedError:
                if not await self._follow():
                    raise

    async def _follow(self) -> bool:
        """Go on with a connection to where the tenant lives now; whether that can be."""
        if self._begun_on.follow is None:
            return False
        self._begun_on = await self._begun_on.follow()
        return True

    async def _travel(self, batch: list[QueuedStatement[Any]]) -> None:
        self._line.on_round_trip()
        with translate_errors():
            try:
                async with asyncio.timeout(self._line.timeout):
                    await _send_batch(self._line.connection, batch)
            except (TimeoutError, ReadOnlySqlTransaction):
                # Who leads now may be another server: a connection to one that takes no changes is not lent again.
                await self._line.connection.close()
                raise


class Transaction(DatabaseSession):
    """A session whose batches share one explicit transaction, for reading first and writing by what was read."""

    _begun = False
    _has_read = False

    def _prelude_statements(self) -> list[QueuedStatement[Any]]:
        if self._begun:
            return []
        self._begun = True
        return [QueuedStatement(_BEGIN, _NOTHING, None), *super()._prelude_statements()]

    async def _travel(self, batch: list[QueuedStatement[Any]]) -> None:
        await super()._travel(batch)
        self._has_read = True

    async def _follow(self) -> bool:
        """Only while nothing was read: what a caller decided by it may be different elsewhere."""
        if self._has_read:
            return False
        if self._begun and not self._line.connection.closed:
            await self._line.connection.rollback()
        self._begun = False
        return await super()._follow()

    async def commit(self) -> None:
        """Send what is still queued together with the commit."""
        if self._begun or self._queue:
            self._queue.append(QueuedStatement(_COMMIT, _NOTHING, None))
            await self.flush()

    async def roll_back(self) -> None:
        """Undo everything; a connection that is already closed was undone by the server."""
        self._queue.clear()
        if self._begun and not self._line.connection.closed:
            self._line.on_round_trip()
            with translate_errors():
                await self._line.connection.rollback()


@asynccontextmanager
async def run_transaction(begun: Begun) -> AsyncGenerator[Transaction]:
    """A transaction that is committed at the end, or undone when something is raised."""
    session = Transaction(begun)
    try:
        yield session
        await session.commit()
    except BaseException:
        await session.roll_back()
        raise


async def _send_batch(connection: AsyncConnection, batch: list[QueuedStatement[Any]]) -> None:
    # A statement alone is a transaction as it is: a pipeline around it would only cost.
    failure = await _send_all(connection, batch) if len(batch) == 1 else await _send_pipelined(connection, batch)
    if failure is not None:
        raise failure
    for answer in batch:
        await answer.collect()


async def _send_pipelined(connection: AsyncConnection, batch: list[QueuedStatement[Any]]) -> Exception | None:
    failure: Exception | None = None
    try:
        async with connection.pipeline():
            failure = await _send_all(connection, batch)
    except Error:
        if failure is None:
            raise
    return failure


async def _send_all(connection: AsyncConnection, batch: list[QueuedStatement[Any]]) -> Exception | None:
    """The first failure, for the caller to raise once the batch has ended in an orderly way."""
    try:
        for answer in batch:
            await answer.send(connection)
    except DatabaseError as error:
        if error.sqlstate is None:
            await connection.close()
        return error
    except BaseException:
        # Nothing was refused by the server, so a Sync at the end of a pipeline would commit half a batch.
        await connection.close()
        raise
    return None


@cache
def frozen_row(kind: type[Row]) -> Callable[[AsyncCursor[Any]], RowMaker[Row]]:
    """Like psycopg's ``class_row``, faster, for columns that are exactly the fields of a frozen dataclass.

    Anything but a full set of fields goes the ordinary way.
    """

    def rows(cursor: AsyncCursor[Any]) -> RowMaker[Row]:
        names = _columns(cursor)
        return _maker(kind, names) if frozenset(names) == _fields(kind) else class_row(kind)(cursor)

    return rows


def _columns(cursor: AsyncCursor[Any]) -> list[str]:
    """The names alone: psycopg's own description builds an object per column, at every statement."""
    result = cursor.pgresult
    names = [result.fname(number) for number in range(result.nfields)] if result else []
    return [name.decode() for name in names if name]


@cache
def _fields(kind: type[Any]) -> frozenset[str]:
    return frozenset(each.name for each in fields(kind)) if is_dataclass(kind) else frozenset()


def _maker(kind: type[Row], names: Sequence[str]) -> RowMaker[Row]:
    settle: Callable[[Row], None] | None = getattr(kind, "__post_init__", None)

    def row(values: Sequence[Any]) -> Row:
        made = build_frozen(kind, dict(zip(names, values, strict=True)))
        if settle is not None:
            settle(made)
        return made

    return row
