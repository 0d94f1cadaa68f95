"""Where the server keeps its threads: LangGraph's saver on our PostgreSQL. ``langgraph.json`` names the factory."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, LiteralString, NoReturn, Self, cast
from uuid import UUID

import structlog
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from apps.access.caller import tenant_of_caller
from apps.threads.checkpoint_order import follow_checkpoint
from apps.threads.registry import thread_registry
from apps.threads.server_files import open_records
from apps.threads.without_bytes import strip_channels, strip_value
from brain.cells import settings_by_cell
from brain.local_postgres.startup import app_url, pool_limits
from brain.settings import Settings
from brain.wiring import shared_resources
from memory.errors import BrainError, bad_request
from memory.postgres.cells import HOME, MOVE_SECONDS, CellDirectory, CellReach, find_in_cells
from memory.postgres.database import Database
from memory.postgres.failures import MovedError, translate_errors
from memory.postgres.pools import PooledConnection, PoolLimits, checkpoint_pool
from memory.postgres.sql import statement

log = structlog.get_logger(__name__)

CAPTURED = "receipts"
"""The channel that holds something as soon as the turn is stored, and not before."""

LAID_DOWN = "laid_down"
"""The channel that tells a run that a client wrote the checkpoint it goes on from."""

REFUSED = 3
"""Exit status of a server that does not start; the one that uvicorn itself uses for it."""

Prelude = tuple[LiteralString, Mapping[str, str]]
"""The statement that says for whom a transaction runs, with its parameters."""

_thread: ContextVar[str | None] = ContextVar("thread", default=None)
"""The thread that is being written."""
CheckpointPool = AsyncConnectionPool[PooledConnection[DictRow]]
TakeBack = Callable[[Sequence[str], UUID], Awaitable[int]]
"""What else is undone with a run of a tenant: its turns in memory."""


async def _undo_nothing(run_ids: Sequence[str], tenant_id: UUID) -> int:
    return 0


class Saver(AsyncPostgresSaver):
    """LangGraph's saver, which can also undo a cancelled run and copy a thread: servers ask for both.

    It shows everybody the threads of their own tenant, by the database's row-level security; another tenant's thread is
    not found by who reads, and refused to who writes (``E_TENANT_FORBIDDEN``).

    Its failures are ``BrainError``. The checkpoint behind a turn that is already stored may be lost: the log has the
    turn, and the person would otherwise read that it failed.
    """

    def __init__(self, pool: CheckpointPool, take_back: TakeBack = _undo_nothing) -> None:
        super().__init__(cast("AsyncConnectionPool[AsyncConnection[DictRow]]", pool), serde=strict_serializer())
        self._pool = pool
        self._take_back = take_back

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """A checkpoint. What this process saves from now on is newer, also where its clock was set back."""
        if (found := await super().aget_tuple(config)) is not None:
            follow_checkpoint(found.checkpoint["id"])
        return found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint. Raises ``BrainError`` unless it is the one behind a stored turn."""
        values = await asyncio.to_thread(strip_channels, checkpoint["channel_values"])
        if metadata.get("source") == "update":
            values = {**values, LAID_DOWN: True}
        checkpoint = {**checkpoint, "channel_values": values}
        try:
            with _writing_to(config):
                return await super().aput(config, checkpoint, metadata, new_versions)
        except BrainError as error:
            if not (CAPTURED in new_versions and checkpoint["channel_values"].get(CAPTURED)) or _is_refusal(error):
                raise
            _log_lost_checkpoint(error)
            return config

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a node wrote. Raises ``BrainError`` unless it is the node that stored the turn."""
        writes = [(channel, await asyncio.to_thread(strip_value, value)) for channel, value in writes]
        try:
            with _writing_to(config):
                await super().aput_writes(config, writes, task_id, task_path)
        except BrainError as error:
            if not any(channel == CAPTURED and value for channel, value in writes) or _is_refusal(error):
                raise
            _log_lost_checkpoint(error)

    async def adelete_thread(self, thread_id: str) -> None:
        """Remove all that one of the caller's threads has."""
        await self._run("delete_threads", {"thread_ids": [str(thread_id)]})

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Remove what these runs saved, so that their threads and memory stand where they stood before."""
        runs = [str(run) for run in run_ids]
        await self._run("drop_runs", {"run_ids": runs})
        await self._take_back(runs, tenant_of_caller())

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy one of the caller's threads with its whole history."""
        with _writing_to({"configurable": {"thread_id": str(target_thread_id)}}):
            await self._run("copy_thread", {"source": str(source_thread_id), "target": str(target_thread_id)})

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Cut some of the caller's threads back to their newest state, or with ``delete`` remove them."""
        threads = [str(thread) for thread in thread_ids]
        if strategy == "delete":
            await self._run("delete_threads", {"thread_ids": threads})
            return
        if strategy != "keep_latest":
            raise bad_request(f"There is no strategy {strategy!r}.", "Use keep_latest or delete.")
        await self._run("prune_threads", {"thread_ids": threads})

    async def _run(self, name: str, params: Mapping[str, Any]) -> None:
        """Run a statement of ours in the caller's name."""
        async with self._cursor() as cursor:
            await cursor.execute(cast("LiteralString", statement(name).text), params)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncGenerator[AsyncCursor[DictRow]]:
        """Every statement passes here, and says for which tenant it runs within its own round trip."""
        prelude = _prelude()
        with translate_errors():
            async with self.lock, self._pool.connection() as connection:
                cursor = _TenantCursor(connection, prelude)
                if not pipeline:
                    yield cursor
                    return
                async with connection.pipeline():
                    await connection.begin_settings()
                    await connection.execute(*prelude)
                    yield AsyncCursor(connection, row_factory=dict_row)


class CellSaver(Saver):
    """The same over several cells: what is read and written goes to the cell in which the caller's tenant lives.

    Who asks is said in a round trip of its own, so that a tenant which moved is followed before anything is done.
    """

    def __init__(
        self, pools: Mapping[str, CheckpointPool], home: Database, take_back: TakeBack = _undo_nothing
    ) -> None:
        super().__init__(pools[HOME], take_back)
        self._pools = pools
        self._directory, self._reach, self._opening = CellDirectory(home), CellReach(), asyncio.Lock()

    async def close(self) -> None:
        """Give back the connections of every cell."""
        for each in self._pools.values():
            await each.close()

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncGenerator[AsyncCursor[DictRow]]:
        async with AsyncExitStack() as lent:
            connection = await self._enter(lent, _prelude())
            with translate_errors():
                if pipeline:
                    await lent.enter_async_context(connection.pipeline())
                yield AsyncCursor(connection, row_factory=dict_row)

    async def _enter(self, lent: AsyncExitStack, prelude: Prelude) -> AsyncConnection[DictRow]:
        """A transaction in the cell of the caller's tenant, which holds that tenant there to its end."""
        tenant_id, until = tenant_of_caller(), monotonic() + MOVE_SECONDS
        while True:
            cell = await self._directory.find(tenant_id)
            try:
                with self._reach.attempt(cell), translate_errors():
                    connection = await lent.enter_async_context((await self._open(cell)).connection())
                    await lent.enter_async_context(connection.transaction())
                    await connection.execute(*prelude)
                return connection
            except MovedError:
                await lent.aclose()
                await self._directory.follow(tenant_id, until)

    async def _open(self, cell: str) -> CheckpointPool:
        """A cell is reached when the first of its tenants asks: nobody else starts or waits for its database."""
        pool = find_in_cells(self._pools, cell)
        async with self._opening:
            if pool.closed:
                await pool.open()
        return pool


class _TenantCursor(AsyncCursor[DictRow]):
    """Sends who asks with each statement, as one transaction: a pooler may share the connection with others."""

    def __init__(self, connection: PooledConnection[DictRow], prelude: Prelude) -> None:
        super().__init__(connection, row_factory=dict_row)
        self._begin = connection.begin_settings
        self._prelude = prelude

    async def execute(self, *args: Any, **options: Any) -> Self:
        """Like the driver's own."""
        async with self.connection.pipeline():
            await self._begin()
            await self.connection.execute(*self._prelude)
            await super().execute(*args, **options)
        return self


def _prelude() -> Prelude:
    tenant, thread = str(tenant_of_caller()), _thread.get()
    if thread is None:
        return cast("LiteralString", statement("act_for_tenant").text), {"tenant_id": tenant}
    return cast("LiteralString", statement("enter_thread").text), {"tenant_id": tenant, "thread_id": thread}


@contextmanager
def _writing_to(config: RunnableConfig) -> Generator[None]:
    token = _thread.set(str(config.get("configurable", {})["thread_id"]))
    try:
        yield
    finally:
        _thread.reset(token)


def _is_refusal(error: BrainError) -> bool:
    return error.code == "E_TENANT_FORBIDDEN"


def _log_lost_checkpoint(error: BrainError) -> None:
    log.warning("checkpoint_not_saved", why=str(error), turn="stored")


def strict_serializer() -> JsonPlusSerializer:
    """Rebuilds plain values and messages only: a forged row in the database must not run code when it is read."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


@asynccontextmanager
async def open_saver(settings: Settings, take_back: TakeBack = _undo_nothing) -> AsyncGenerator[Saver]:
    """A saver on a database that runs and is migrated. Raises what ``brain.local_postgres.startup.ready`` raises."""
    cells = settings_by_cell(settings)
    urls = {name: app_url(each) for name, each in cells.items()}
    await urls[HOME]()
    limits = pool_limits(settings)
    pools = {name: checkpoint_pool(each, limits) for name, each in urls.items()}
    if len(pools) == 1:
        async with pools[HOME] as pool:
            yield Saver(pool, take_back)
        return
    async with Database(urls[HOME], PoolLimits(connections=1)) as home:
        saver = CellSaver(pools, home, take_back)
        try:
            yield saver
        finally:
            await saver.close()


@asynccontextmanager
async def checkpointer() -> AsyncGenerator[Saver]:
    """The saver of this server, which refuses to start without one. Its runs begin after this."""
    async with AsyncExitStack() as stack:
        try:
            resources = await asyncio.to_thread(shared_resources)
            saver = await stack.enter_async_context(open_saver(resources.settings, resources.memory.log.take_back))
            await asyncio.to_thread(open_records, await thread_registry().fetch_database_id())
        except BrainError as error:
            refuse_to_start(error)
        yield saver


def refuse_to_start(error: BrainError) -> NoReturn:
    """Say why in one line and end the process.

    An exception would drown the reason in a traceback of a hundred lines.
    """
    print(f"Brain does not start. {error}", file=sys.stderr, flush=True)
    os._exit(REFUSED)
