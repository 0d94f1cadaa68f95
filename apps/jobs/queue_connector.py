"""The queue's connector. Row-level security is forced on its tables, so functions answer what it would ask directly.

Most of what a worker does are functions of the library, which the migrations let run as their owner.
"""

from collections.abc import Mapping
from typing import Any, LiteralString

import procrastinate
from procrastinate import sql

_COLUMNS = "id, status, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name, attempts, worker_id"
_BY_FUNCTION: Mapping[str, LiteralString] = {
    sql.queries["select_stalled_jobs_by_heartbeat"]: (
        f"select {_COLUMNS} from queue.stalled_jobs(%(seconds_since_heartbeat)s, %(queue)s, %(task_name)s)"
    ),
    sql.queries["list_jobs_to_abort"]: "select id from queue.jobs_to_abort(%(queue_name)s)",
}
"""Statements of the library's own over the tables, by what answers them here."""


class QueueConnector(procrastinate.PsycopgConnector):
    """Like the library's."""

    async def execute_query_all_async(self, query: LiteralString, **arguments: Any) -> list[dict[str, Any]]:
        """Rows of a statement."""
        return await super().execute_query_all_async(_BY_FUNCTION.get(query, query), **arguments)
