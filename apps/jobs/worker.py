"""The worker behind the conversation: procrastinate on the same PostgreSQL, in this process or in one of its own."""

import asyncio
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from functools import partial
from typing import LiteralString, cast

import procrastinate
import structlog
from procrastinate.exceptions import ConnectorException

from apps.cells.recovery import recover_regularly
from apps.jobs.abandoned_turns import sweep_regularly
from apps.jobs.alerting import watch_regularly
from apps.jobs.sealing import seal_regularly
from apps.jobs.supervisor import REST, WorkerSupervisor
from apps.jobs.tasks import PLACES, JobApp, free_queueing_lock, job_app
from apps.threads.checkpointer import open_saver
from brain.background import cancel_until_done, run_beside
from brain.cells import settings_by_cell
from brain.local_postgres.startup import prepare_database
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from memory.errors import BrainError, unavailable
from memory.postgres.cells import HOME
from memory.postgres.sql import statement

_ASKS = (signal.SIGINT, signal.SIGTERM)
log = structlog.get_logger(__name__)

HEARTBEAT = 2.0
POLL = 0.2
"""Seconds between looks for work that has become due; what is new, and what became free, is announced."""
DEAD_AFTER = 10.0
"""Seconds without a heartbeat after which a worker counts as dead and another takes over its jobs."""
GRACE = 10.0
"""Seconds in which the jobs at hand may be finished when a worker ends."""
TO_END = GRACE + 1.0
"""Seconds after which a worker that was told to end has lost the word."""


def _do_nothing() -> None:
    """Who runs a worker in the foreground sees it end."""


async def run_worker(
    settings: Settings,
    resources: Resources | None = None,
    *,
    until_idle: bool = False,
    signals: bool = True,
    ended: Callable[[], None] = _do_nothing,
) -> None:
    """Work until cancelled or told to end by a signal, or until nothing is left to do.

    ``resources`` are what it leans on, instead of what the settings call for; they are closed at the end. ``ended`` is
    told before connections are closed. Raises ``E_DEP_UNAVAILABLE`` when the queue went away.
    """
    settings = settings_by_cell(settings)[HOME]  # one worker serves the queue of one database
    resources = resources or build_resources(settings)
    try:
        where = (await prepare_database(settings)).session
        await resources.load()
        async with (
            open_saver(settings) as saver,
            _open_app(job_app(where, resources, saver)) as app,
            sweep_regularly(resources),
            seal_regularly(resources.memory.audit_chain, settings),
            watch_regularly(resources),
        ):
            try:
                with end_on_signals() if signals else nullcontext(asyncio.Event()) as asked:
                    await _serve(app, until_idle=until_idle)
            finally:
                ended()
    except ConnectorException as error:
        raise _connection_lost_error() from error
    finally:
        ended()
        await resources.close()
    if not until_idle and not asked.is_set():
        raise _connection_lost_error()


async def keep_working(settings: Settings) -> None:
    """A worker of each cell until a signal ends it, with a successor whenever the database was away or full."""
    async with work_in_other_cells(settings):
        await _keep_working_at_home(settings_by_cell(settings)[HOME])


@asynccontextmanager
async def work_in_other_cells(settings: Settings) -> AsyncGenerator[None]:
    """A worker for each cell beside home, on a thread of its own: a database that is away keeps nobody else.

    Moves between the cells whose mover died are ended meanwhile.
    """
    others = [each for name, each in settings_by_cell(settings).items() if name != HOME]
    workers = [WorkerSupervisor(partial(BackgroundWorker, each)) for each in others]
    for each in workers:
        each.start()
    try:
        async with recover_regularly(settings):
            yield
    finally:
        await asyncio.gather(*(asyncio.to_thread(each.stop) for each in workers))


async def _keep_working_at_home(settings: Settings) -> None:
    while True:
        try:
            return await run_worker(settings)
        except BrainError as error:
            if not error.is_retryable:
                raise
            log.warning("worker_ended", why=error.message, next_in_seconds=REST)
        await asyncio.sleep(REST)


async def _serve(app: procrastinate.App, *, until_idle: bool) -> None:
    """A worker that nobody stopped returns as well: its watch over a queue has broken off."""
    enough = asyncio.FIRST_EXCEPTION if until_idle else asyncio.FIRST_COMPLETED
    serving = [asyncio.create_task(_serve_queues(app, each, until_idle=until_idle)) for each in PLACES]
    try:
        await asyncio.wait(serving, return_when=enough)
    finally:
        await cancel_until_done(serving, TO_END)
    failures = [failed for each in serving if not each.cancelled() and (failed := each.exception())]
    if failures:
        raise failures[0]


async def _serve_queues(app: procrastinate.App, queues: tuple[str, ...], *, until_idle: bool) -> None:
    await app.run_worker_async(
        queues=list(queues),
        concurrency=PLACES[queues],
        wait=not until_idle,
        fetch_job_polling_interval=POLL,
        shutdown_graceful_timeout=GRACE,
        update_heartbeat_interval=HEARTBEAT,
        stalled_worker_timeout=DEAD_AFTER,
        install_signal_handlers=False,
        delete_jobs="successful",
    )


def _connection_lost_error() -> BrainError:
    return unavailable("The worker lost its connection to the queue.", "'brain doctor' tells whether it is back.")


async def take_over(app: JobApp, dead_after: float | None = None) -> int:
    """Give the jobs of dead workers back to the queue; how many there were. Its own workers are not dead.

    A worker counts as dead ``dead_after`` seconds without a heartbeat, as ever where nothing is said.
    """
    await _follow_clock(app)
    silent = DEAD_AFTER if dead_after is None else dead_after
    found = await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=silent)
    stalled = [job for job in found if not app.has_at_hand(job)]
    for job in stalled:
        log.warning("job_taken_over", job=job.id, task=job.task_name)
        if job.id is not None:
            await free_queueing_lock(app, job.id)
        await app.job_manager.retry_job(job)
    return len(stalled)


async def _follow_clock(app: JobApp) -> None:
    """After a clock was set back: what it left in the future is of now. Otherwise this changes nothing."""
    await app.connector.execute_query_async(cast("LiteralString", statement("follow_clock").text))


@asynccontextmanager
async def _open_app(app: JobApp) -> AsyncGenerator[JobApp]:
    async with app.open_async(), _watch_takeovers(app):
        yield app


@asynccontextmanager
async def _watch_takeovers(app: JobApp) -> AsyncGenerator[None]:
    """Look for jobs of dead workers at the start, and every few seconds from then on."""
    await take_over(app)
    async with run_beside(_watch(app)):
        yield


async def _watch(app: JobApp) -> None:
    while True:
        await asyncio.sleep(DEAD_AFTER / 2)
        try:
            await take_over(app)
        except ConnectorException as error:
            log.warning("takeover_failed", error=type(error).__name__)


class BackgroundWorker:
    """The worker on a thread and event loop of its own, for doors that are not workers themselves."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._begun = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="brain-worker", daemon=True)
        self.failure: BaseException | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it is working; when not, ``failure`` says why. One that only closes connections works no more."""
        return self._thread.is_alive() and not self._ended.is_set()

    @property
    def has_thread(self) -> bool:
        """Whether its thread still runs, at work or closing connections."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self, timeout: float = 15.0) -> None:
        """Finish the jobs at hand, then end."""
        if self._thread.ident is None:
            return
        if self._begun.wait(timeout) and self._loop is not None and self._task is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(timeout)

    def _run(self) -> None:
        try:
            with suppress(asyncio.CancelledError):
                asyncio.run(self._work())
        except OSError as error:  # without descriptors there is not even a loop
            self.failure = error
        finally:
            self._begun.set()

    async def _work(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._begun.set()
        try:
            await run_worker(self._settings, signals=False, ended=self._ended.set)
        except Exception as error:
            self.failure = error


@contextmanager
def end_on_signals() -> Generator[asyncio.Event]:
    """SIGINT and SIGTERM cancel the task inside, and the block is left as if it had come to its end.

    The event tells an end that was asked for from one that was not. Only the main thread's loop can be asked.
    """
    loop, task, asked = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()
    assert task is not None

    def end() -> None:
        asked.set()
        task.cancel()

    for each in _ASKS:
        loop.add_signal_handler(each, end)
    try:
        yield asked
    except asyncio.CancelledError:
        if not asked.is_set():
            raise
        task.uncancel()
    finally:
        for each in _ASKS:
            loop.remove_signal_handler(each)
