"""What the worker does: one task per kind of job. A job carries ids only and reads the rest itself."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, LiteralString, cast
from uuid import UUID

import procrastinate
import structlog
from langgraph.checkpoint.base import BaseCheckpointSaver
from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Job
from procrastinate.tasks import Task
from procrastinate.worker import Worker

from apps.jobs.connector import QueueConnector
from apps.jobs.evolution_job import Evolution, EvolutionJob
from apps.jobs.retention import prune_checkpoints, sweep_store
from brain.embeddings.backfill import embed_pending
from brain.job_context import JobContext
from brain.resources import Resources
from brain.service_alerts.telling import State, tell_alert
from evolution.erasure.alerts import tell_alerts
from evolution.erasure.job import run_erasure
from evolution.experience.count import count_experiences
from evolution.promotion.count import count_promotions
from evolution.repair import repair_memory
from evolution.soul.watch import watch_souls
from evolution.upkeep.state import UpkeepState
from graphs.correction import apply_corrections
from graphs.upkeep import run_upkeep
from memory.errors import BrainError
from memory.postgres.failures import ErasedError, MovedError
from memory.postgres.sql import statement
from memory.scope import Scope

log = structlog.get_logger(__name__)
PATIENCE = 2.0
"""Seconds for writing a reason down; a database that is away must not hold the failed job up."""
PLACES: Mapping[tuple[str, ...], int] = {("evolution", "upkeep"): 4, ("corrections",): 2}
"""How many jobs of which queues a worker does at once: a correction never waits for a place that a slow model holds."""
WAITS = (1, 2, 4, 8, 16, 16, 16, 16)
"""Seconds before each retry; after the last one the job is a dead letter."""
ALERT_WAITS = (*WAITS, 60, 300, 900, 1_800, 3_600)
"""The same for an alert: a receiver may be away for an hour."""
THOROUGH_HOUR = 3
"""The hour (UTC) of the one count a day over many people for which a model is asked."""
UPKEEP_PRIORITY = -100
"""Whatever somebody waits for goes first."""
UpkeepTask = Task[..., Any, Any]


class Backoff(BaseRetryStrategy):
    """A retry after each of some waits; what can never succeed goes straight to the dead letters."""

    def __init__(self, waits: Sequence[int] = WAITS) -> None:
        self._waits = waits

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """When to try again, or None for never."""
        hopeless = isinstance(exception, BrainError) and not (exception.is_retryable or exception.code == "E_CONFLICT")
        if hopeless or job.attempts >= len(self._waits):
            return None
        return RetryDecision(retry_in={"seconds": self._waits[job.attempts]})


class JobApp(procrastinate.App):
    """The queue, with the workers and the jobs of this process: they live, however long a job holds their loop up."""

    def __init__(self, *, connector: QueueConnector) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            connector=connector, worker_defaults={"task_middleware": [note_running, note_failures]}
        )
        self.workers: set[int] = set()
        self.running: set[int] = set()

    def has_at_hand(self, job: Job) -> bool:
        """Whether a worker of this process works on the job."""
        return job.id in self.running or job.worker_id in self.workers


def job_app(url: str, resources: Resources, saver: BaseCheckpointSaver[Any] | None = None) -> JobApp:
    """The queue's tasks, bound to the resources of the loop that will run them; ``saver`` lets evolution resume."""
    connector = QueueConnector(conninfo=url, kwargs={"options": "-c search_path=queue"}, min_size=1, max_size=4)
    app = JobApp(connector=connector)
    evolution = Evolution(resources, saver)
    upkeep = upkeep_task(app, resources, Backoff())

    @app.task(name="embed", queue="evolution")
    async def embed(attempt: int = 0, **job: str) -> None:
        await _embed(resources, embed, job, attempt)

    @app.task(name="evolve", queue="evolution", retry=Backoff(), pass_context=True)
    async def evolve(context: procrastinate.JobContext, **job: str) -> None:  # pyright: ignore[reportUnusedFunction]
        await _evolve(evolution, context, job)
        await plan_upkeep(upkeep, job, resources.settings.upkeep_hours)
        if resources.embedder is not None:
            await _embed_later(embed, job)

    @app.task(name="correct", queue="corrections", retry=Backoff())
    async def correct(**job: str) -> None:  # pyright: ignore[reportUnusedFunction]
        await apply_corrections(resources, job_scope(job), UUID(job["session_id"]))
        if resources.embedder is not None:
            await _embed_later(embed, job)

    @app.task(name="repair", queue="evolution", retry=Backoff())
    async def mend(**job: str) -> None:  # pyright: ignore[reportUnusedFunction]
        await repair_memory(resources, job_scope(job), UUID(job["memory_id"]))

    _add_erasure(app, resources)
    _add_alerts(app, resources)
    _add_sweeps(app, resources)
    return app


def _add_erasure(app: JobApp, resources: Resources) -> None:
    @app.task(name="erase", queue="corrections", retry=Backoff())
    async def erase(tenant_id: str, tombstone_id: str) -> None:  # pyright: ignore[reportUnusedFunction]
        await run_erasure(resources, UUID(tenant_id), UUID(tombstone_id))

    @app.periodic(cron="*/10 * * * *")
    @app.task(name="tell_erasure_alerts", queue="upkeep", queueing_lock="tell_erasure_alerts")
    async def tell(timestamp: int) -> None:  # pyright: ignore[reportUnusedFunction]
        await tell_alerts(resources)


def _add_alerts(app: JobApp, resources: Resources) -> None:
    @app.task(name="tell_alert", queue="corrections", retry=Backoff(ALERT_WAITS))
    async def tell(tenant_id: str, alert_id: str, state: State) -> None:  # pyright: ignore[reportUnusedFunction]
        await tell_alert(resources, UUID(tenant_id), UUID(alert_id), state)


def _add_sweeps(app: JobApp, resources: Resources) -> None:
    @app.periodic(cron="17 * * * *")
    @app.task(name="prune_checkpoints", queue="upkeep", queueing_lock="prune_checkpoints")
    async def prune(timestamp: int) -> None:  # pyright: ignore[reportUnusedFunction]
        await prune_checkpoints(resources.settings, resources.clock())

    @app.periodic(cron="*/10 * * * *")
    @app.task(name="watch_souls", queue="upkeep", queueing_lock="watch_souls")
    async def watch(timestamp: int) -> None:  # pyright: ignore[reportUnusedFunction]
        await watch_souls(resources)

    @app.periodic(cron="*/10 * * * *")
    @app.task(name="sweep_store", queue="upkeep", queueing_lock="sweep_store")
    async def sweep(timestamp: int) -> None:  # pyright: ignore[reportUnusedFunction]
        await sweep_store(resources)

    @app.periodic(cron="43 * * * *")
    @app.task(name="count_over_people", queue="upkeep", queueing_lock="count_over_people")
    async def count(timestamp: int) -> None:  # pyright: ignore[reportUnusedFunction]
        thorough = datetime.fromtimestamp(timestamp, UTC).hour == THOROUGH_HOUR
        await count_promotions(resources, thorough=thorough)
        await count_experiences(resources)


async def free_queueing_lock(app: procrastinate.App, job_id: int) -> None:
    """Before a job waits again: its session may have queued another one meanwhile, and two under one lock cannot."""
    query = cast("LiteralString", statement("free_queueing_lock").text)
    await app.connector.execute_query_async(query, job_id=job_id)


async def _evolve(evolution: Evolution, context: procrastinate.JobContext, job: Mapping[str, str]) -> None:
    asked = _evolution_job(context.job, job)
    try:
        await evolution.run(asked)
    except Exception as error:
        log.warning("evolution_failed", session_id=str(asked.session_id), error=type(error).__name__)
        if Backoff().get_retry_decision(exception=error, job=context.job) is None:
            with suppress(BrainError):
                await evolution.give_up(asked, reason_of(error))
        raise


def _evolution_job(queued: Job, job: Mapping[str, str]) -> EvolutionJob:
    return EvolutionJob(
        job_id=queued.id or 0, scope=job_scope(job), session_id=UUID(job["session_id"]), resumed=queued.attempts > 0
    )


async def _embed(resources: Resources, embed: Task[..., Any, Any], job: Mapping[str, str], attempt: int) -> None:
    """What fails is tried again by a job of its own: the queue takes none back while another of the person waits."""
    try:
        await embed_pending(resources, job_scope(job))
    except Exception as error:
        if attempt >= len(WAITS) or (isinstance(error, BrainError) and not error.is_retryable):
            raise
        log.warning("embedding_failed", attempt=attempt, error=type(error).__name__)
        await _embed_later(embed, job, attempt + 1)


async def _embed_later(embed: Task[..., Any, Any], job: Mapping[str, str], attempt: int = 0) -> None:
    """One waiting job per person is enough: it embeds whatever is there when it runs."""
    name = f"embed:{job['tenant_id']}:{job['scope']}:{job['user_id']}"
    with suppress(AlreadyEnqueued):
        wait: dict[str, Any] = {"schedule_in": {"seconds": WAITS[attempt - 1]}} if attempt else {}
        await embed.configure(queueing_lock=name, **wait).defer_async(**person_arguments(job), attempt=attempt)


async def note_running(run: Callable[[], Awaitable[Any]], context: procrastinate.JobContext, worker: Worker) -> Any:
    """Run a job that nobody takes over meanwhile. Middleware of the worker."""
    app, job_id = cast("JobApp", context.app), context.job.id
    assert job_id is not None
    if worker.worker_id is not None:
        app.workers.add(worker.worker_id)
    app.running.add(job_id)
    try:
        return await run()
    finally:
        app.running.discard(job_id)


async def note_failures(run: Callable[[], Awaitable[Any]], context: procrastinate.JobContext, worker: Worker) -> Any:
    """Run a job; when it fails, its reason is kept as long as the job is. Middleware of the worker.

    What is about somebody who is being erased ends there: its work is dropped, and nobody tries it again.
    """
    try:
        return await run()
    except Exception as error:
        if isinstance(error, ErasedError):
            log.info("evolution_blocked_by_erasure", task=context.job.task_name, job=context.job.id)
            return None
        if isinstance(error, MovedError) and "tenant_id" not in context.job.task_kwargs:
            log.info("sweep_met_moving_tenant", task=context.job.task_name)  # the next one finds it elsewhere
            return None
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
        lock=name, queueing_lock=name, priority=UPKEEP_PRIORITY, schedule_in={"seconds": round(hours * 3600)}
    )
    with suppress(AlreadyEnqueued):
        await planned.defer_async(**person_arguments(job))


def job_scope(job: Mapping[str, str]) -> Scope:
    """The person behind a job."""
    return Scope(tenant_id=UUID(job["tenant_id"]), user_id=UUID(job["user_id"]), key=job["scope"])


def person_arguments(job: Mapping[str, str]) -> dict[str, str]:
    """The arguments that name this person, for another job."""
    return {name: job[name] for name in ("tenant_id", "scope", "user_id")}
