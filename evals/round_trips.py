"""How often a turn waits for the database, counted on the wire."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any

from psycopg_pool import AsyncConnectionPool

from evals.measure import Call
from memory.postgres.database import Database

_ANSWERED = b"\tReadyForQuery"
"""PostgreSQL says this once for each time that a client waits for it."""


@dataclass(frozen=True)
class Wires:
    """Everything through which a turn may reach the database. The pools must hold one connection each."""

    database: Database
    pools: Sequence[AsyncConnectionPool[Any]]

    async def per_turn(self, turn: Call, turns: int) -> float:
        """Round trips of a turn, on average over so many."""
        await turn(0)  # the first turn sees types and prepares statements
        counted = self.database.round_trips
        with TemporaryFile() as trace:
            async with _trace(self.pools, trace):
                for number in range(1, turns + 1):
                    await turn(number)
            trace.seek(0)
            return (self.database.round_trips - counted + trace.read().count(_ANSWERED)) / turns


@asynccontextmanager
async def _trace(pools: Sequence[AsyncConnectionPool[Any]], file: IO[bytes]) -> AsyncGenerator[None]:
    """libpq writes every message of these connections into the file."""
    async with AsyncExitStack() as stack:
        for pool in pools:
            async with pool.connection() as connection:
                connection.pgconn.trace(file.fileno())
                stack.callback(connection.pgconn.untrace)
        yield
