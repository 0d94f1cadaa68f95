"""Why jobs fail, kept beside the queue: who finds a dead letter must not have to search the worker's log."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, LiteralString, cast

import procrastinate
from procrastinate import JobContext
from procrastinate.exceptions import ConnectorException
from procrastinate.worker import Worker

from memory.errors import BrainError
from memory.postgres.sql import statement

PATIENCE = 2.0
"""Seconds for writing a reason down; a database that is away must not hold the failed job up."""


async def noting_failures(run: Callable[[], Awaitable[Any]], context: JobContext, worker: Worker) -> Any:
    """Run a job; when it fails, its reason is kept until it succeeds. Middleware of the worker."""
    try:
        result = await run()
    except Exception as error:
        await _write(context, "note_failure", reason=reason_of(error))
        raise
    if context.job.attempts:
        await _write(context, "forget_failure")
    return result


async def forget_failures_of_gone_jobs(app: procrastinate.App) -> None:
    """Reasons of jobs that ended in another way than by succeeding."""
    await app.connector.execute_query_async(_query("forget_failures_of_gone_jobs"))


def reason_of(error: BaseException) -> str:
    """Our code, or the type of what nobody foresaw; never its words, which may quote a conversation."""
    return error.code if isinstance(error, BrainError) else type(error).__name__


async def _write(context: JobContext, name: str, **values: object) -> None:
    with suppress(ConnectorException, TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await context.app.connector.execute_query_async(_query(name), job_id=context.job.id, **values)


def _query(name: str) -> LiteralString:
    return cast("LiteralString", statement(name).text)
