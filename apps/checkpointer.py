"""Where the server keeps its threads: LangGraph's saver on our PostgreSQL. ``langgraph.json`` names the factory."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NoReturn

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

from brain.assembly import shared
from brain.local_postgres.startup import ready
from brain.settings import Settings
from memory.errors import BrainError
from memory.postgres.pools import Limits, checkpoint_pool
from memory.postgres.sql import statement

REFUSED = 3
"""Exit status of a server that does not start; the one that uvicorn itself uses for it."""


class Saver(AsyncPostgresSaver):
    """LangGraph's saver, which can also undo a cancelled run and copy a thread: servers ask for both."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[DictRow]]) -> None:
        super().__init__(pool, serde=strict())
        self._pool = pool

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Remove what these runs saved, so that their threads stand where they stood before."""
        async with self._pool.connection() as connection:
            await connection.execute(statement("drop_runs").text.encode(), {"run_ids": [str(run) for run in run_ids]})

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread with its whole history."""
        threads = {"source": str(source_thread_id), "target": str(target_thread_id)}
        async with self._pool.connection() as connection:
            await connection.execute(statement("copy_thread").text.encode(), threads)


def strict() -> JsonPlusSerializer:
    """Rebuilds plain values and messages only: a forged row in the database must not run code when it is read."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


@asynccontextmanager
async def open_saver(settings: Settings) -> AsyncGenerator[Saver]:
    """A saver on a database that runs and is migrated. Raises what ``brain.local_postgres.startup.ready`` raises."""
    where = await ready(settings)
    limits = Limits(connections=settings.database_connections, statement=settings.database_timeout)
    async with checkpoint_pool(where.app, limits) as pool:
        yield Saver(pool)


@asynccontextmanager
async def checkpointer() -> AsyncGenerator[Saver]:
    """The saver of this server, which refuses to start without one."""
    async with AsyncExitStack() as stack:
        try:
            resources = await asyncio.to_thread(shared)
            saver = await stack.enter_async_context(open_saver(resources.settings))
        except BrainError as error:
            refuse_to_start(error)
        yield saver


def refuse_to_start(error: BrainError) -> NoReturn:
    """Say why in one line and end the process.

    An exception would drown the reason in a traceback of a hundred lines.
    """
    print(f"Brain does not start. {error}", file=sys.stderr, flush=True)
    os._exit(REFUSED)
