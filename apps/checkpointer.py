"""Where the server keeps its threads: LangGraph's saver on our PostgreSQL. ``langgraph.json`` names the factory."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NoReturn

import structlog
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

from brain.local_postgres.startup import app_url
from brain.settings import Settings
from brain.wiring import shared_resources
from memory.errors import BrainError
from memory.postgres.failures import translate_errors
from memory.postgres.pools import PoolLimits, checkpoint_pool
from memory.postgres.sql import statement

log = structlog.get_logger(__name__)

CAPTURED = "receipts"
"""The channel that holds something as soon as the turn is stored, and not before."""

REFUSED = 3
"""Exit status of a server that does not start; the one that uvicorn itself uses for it."""


TakeBack = Callable[[Sequence[str]], Awaitable[int]]
"""What else is undone with a run: its turns in memory."""


async def _undo_nothing(run_ids: Sequence[str]) -> int:
    return 0


class Saver(AsyncPostgresSaver):
    """LangGraph's saver, which can also undo a cancelled run and copy a thread: servers ask for both.

    Its failures are ``BrainError``. The checkpoint behind a turn that is already stored may be lost: the log has the
    turn, and the person would otherwise read that it failed.
    """

    def __init__(
        self, pool: AsyncConnectionPool[AsyncConnection[DictRow]], take_back: TakeBack = _undo_nothing
    ) -> None:
        super().__init__(pool, serde=strict_serializer())
        self._pool = pool
        self._take_back = take_back

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint. Raises ``BrainError`` unless it is the one behind a stored turn."""
        try:
            return await super().aput(config, checkpoint, metadata, new_versions)
        except BrainError as error:
            if CAPTURED not in new_versions or not checkpoint["channel_values"].get(CAPTURED):
                raise
            _log_lost_checkpoint(error)
            return config

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a node wrote. Raises ``BrainError`` unless it is the node that stored the turn."""
        try:
            await super().aput_writes(config, writes, task_id, task_path)
        except BrainError as error:
            if not any(channel == CAPTURED and value for channel, value in writes):
                raise
            _log_lost_checkpoint(error)

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Remove what these runs saved, so that their threads and memory stand where they stood before."""
        runs = [str(run) for run in run_ids]
        with translate_errors():
            async with self._pool.connection() as connection:
                await connection.execute(statement("drop_runs").text.encode(), {"run_ids": runs})
        await self._take_back(runs)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread with its whole history."""
        threads = {"source": str(source_thread_id), "target": str(target_thread_id)}
        with translate_errors():
            async with self._pool.connection() as connection:
                await connection.execute(statement("copy_thread").text.encode(), threads)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncGenerator[AsyncCursor[DictRow]]:
        """Every statement of LangGraph's own passes here."""
        with translate_errors():
            async with super()._cursor(pipeline=pipeline) as cursor:
                yield cursor


def _log_lost_checkpoint(error: BrainError) -> None:
    log.warning("checkpoint_not_saved", why=str(error), turn="stored")


def strict_serializer() -> JsonPlusSerializer:
    """Rebuilds plain values and messages only: a forged row in the database must not run code when it is read."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


@asynccontextmanager
async def open_saver(settings: Settings, take_back: TakeBack = _undo_nothing) -> AsyncGenerator[Saver]:
    """A saver on a database that runs and is migrated. Raises what ``brain.local_postgres.startup.ready`` raises."""
    url = app_url(settings)
    await url()
    limits = PoolLimits(connections=settings.database_connections, statement=settings.database_timeout)
    async with checkpoint_pool(url, limits) as pool:
        yield Saver(pool, take_back)


@asynccontextmanager
async def checkpointer() -> AsyncGenerator[Saver]:
    """The saver of this server, which refuses to start without one."""
    async with AsyncExitStack() as stack:
        try:
            resources = await asyncio.to_thread(shared_resources)
            saver = await stack.enter_async_context(open_saver(resources.settings, resources.memory.log.take_back))
        except BrainError as error:
            refuse_to_start(error)
        yield saver


def refuse_to_start(error: BrainError) -> NoReturn:
    """Say why in one line and end the process.

    An exception would drown the reason in a traceback of a hundred lines.
    """
    print(f"Brain does not start. {error}", file=sys.stderr, flush=True)
    os._exit(REFUSED)
