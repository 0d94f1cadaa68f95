"""Upkeep on a schedule: nobody may list all people, so each person's own activity plans that person's next upkeep."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import procrastinate
import structlog
from procrastinate import BaseRetryStrategy
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.tasks import Task

from apps.jobs.job_scope import job_scope, person_arguments
from brain.job_context import JobContext
from brain.resources import Resources
from evolution.upkeep.state import UpkeepState
from graphs.upkeep import run_upkeep

log = structlog.get_logger(__name__)

LOWEST = -100
"""Whatever somebody waits for goes first."""

UpkeepTask = Task[..., Any, Any]


def upkeep_task(app: procrastinate.App, resources: Resources, retry: BaseRetryStrategy) -> UpkeepTask:
    """Tidy one person's memories, and plan the next time as long as that person has any."""

    @app.task(name="upkeep", queue="upkeep", retry=retry)
    async def upkeep(**job: str) -> None:
        done = await run_upkeep(JobContext(scope=job_scope(job), resources=resources), UpkeepState())
        log.info("upkeep_done", user_id=job["user_id"], steps=done.report["steps"])
        if done.report["figures"]["living"]:
            await plan_upkeep(upkeep, job, resources.settings.upkeep_hours)

    return upkeep


async def plan_upkeep(upkeep: UpkeepTask, job: Mapping[str, str], hours: float) -> None:
    """Have this person's memories tidied so many hours from now; one that is planned already stays as it is.

    The lock is upkeep's own: it must not keep the person's next correction waiting. Whatever both change at once, the
    later one finds changed, and leaves alone.
    """
    if not hours:
        return
    scope = job_scope(job)
    name = f"upkeep:{scope.tenant_id}:{scope.key}:{scope.owner}"
    planned = upkeep.configure(
        lock=name, queueing_lock=name, priority=LOWEST, schedule_in={"seconds": round(hours * 3600)}
    )
    with suppress(AlreadyEnqueued):
        await planned.defer_async(**person_arguments(job))
