"""The queue's connections: the library's, on tables whose rows are secured."""

import asyncio
from collections.abc import Mapping
from typing import Any, LiteralString

import procrastinate
from procrastinate import sql
from psycopg_pool import AsyncConnectionPool

_COLUMNS = "id, status, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name, attempts, worker_id"
_BY_FUNCTION: Mapping[str, LiteralString] = {
    sql.queries["select_stalled_jobs_by_heartbeat"]: (
        f"select {_COLUMNS} from queue.stalled_jobs(%(seconds_since_heartbeat)s, %(queue)s, %(task_name)s)"
    ),
    sql.queries["list_jobs_to_abort"]: "select id from queue.jobs_to_abort(%(queue_name)s)",
}
"""Statements of the library's own over the tables, by what answers them here."""


class QueueConnector(procrastinate.PsycopgConnector):
    """The library's; row-level security is forced on the queue's tables, so functions answer what it would ask them."""

    async def open_async(self, pool: AsyncConnectionPool | None = None) -> None:
        """Make connections. Who gives up waiting for them leaves nothing behind, as in ``memory.postgres.pools``."""
        try:
            await super().open_async(pool)
        except asyncio.CancelledError:
            await self.close_async()
            raise

    async def execute_query_all_async(self, query: LiteralString, **arguments: Any) -> list[dict[str, Any]]:
        """Rows of a statement."""
        return await super().execute_query_all_async(_BY_FUNCTION.get(query, query), **arguments)
