"""Why jobs fail, kept beside the queue: who finds a dead letter must not have to search the worker's log."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, LiteralString, cast

from procrastinate import JobContext
from procrastinate.exceptions import ConnectorException
from procrastinate.worker import Worker

from memory.errors import BrainError
from memory.postgres.sql import statement

PATIENCE = 2.0
"""Seconds for writing a reason down; a database that is away must not hold the failed job up."""


async def note_failures(run: Callable[[], Awaitable[Any]], context: JobContext, worker: Worker) -> Any:
    """Run a job; when it fails, its reason is kept as long as the job is. Middleware of the worker."""
    try:
        return await run()
    except Exception as error:
        with suppress(ConnectorException, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await context.app.connector.execute_query_async(
                    cast("LiteralString", statement("note_failure").text),
                    job_id=context.job.id,
                    reason=reason_of(error),
                )
        raise


def reason_of(error: BaseException) -> str:
    """Our code, or the type of what nobody foresaw; never its words, which may quote a conversation."""
    return error.code if isinstance(error, BrainError) else type(error).__name__
