"""The queue as an operator sees it, and how a dead letter comes back. It belongs to no tenant."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from brain.settings_cells import HOME
from memory.errors import BrainError
from memory.postgres.database import Database, scope_params
from memory.scope import Scope
from memory.turns import Operation

State = Literal["running", "waiting", "planned", "dead"]
STATES: tuple[State, ...] = ("running", "waiting", "planned", "dead")
"""``planned`` is upkeep that is due another day; ``dead`` is what was given up: a dead letter."""
MAX_JOBS = 100_000
_LOOK = "'brain jobs list' shows what there is."


@dataclass(frozen=True, kw_only=True)
class QueuedJob:
    """A job that has not succeeded. Times in seconds: ``age`` since it was asked for, ``since`` its last change.

    ``total`` counts all the jobs of the queue that the question fits, listed or not. ``reason`` is that of its last
    failure. ``cell``: in whose queue it is, which alone knows it by its number.
    """

    job_id: int
    task: str
    state: State
    priority: int
    attempts: int
    tenant_id: UUID | None
    user_id: UUID | None
    scope: str | None
    session_id: UUID | None
    memory_id: UUID | None
    due_in: float | None
    reason: str | None
    age: float
    since: float
    total: int
    cell: str = HOME

    @property
    def name(self) -> str:
        """By which it is known among all queues."""
        return str(self.job_id) if self.cell == HOME else f"{self.cell}:{self.job_id}"

    @property
    def compartment(self) -> str | None:
        """Which kind of scope; the rest of a scope may be the name of a channel or of a person."""
        return self.scope.partition(":")[0] if self.scope else None

    @property
    def owner_scope(self) -> Scope | None:
        """The person behind it; None for work that concerns everybody."""
        if self.tenant_id is None or self.user_id is None or self.scope is None:
            return None
        return Scope(tenant_id=self.tenant_id, user_id=self.user_id, key=self.scope)


async def fetch_jobs(database: Database, state: State | None = None, most: int = MAX_JOBS) -> list[QueuedJob]:
    """Running jobs first, then those that wait in the order in which they are taken, planned ones, dead letters."""
    return await _fetch_rows(database, {"state": state, "job_id": None, "most": most})


async def fetch_job(database: Database, job_id: int) -> QueuedJob:
    """Raises ``E_NOT_FOUND``; what succeeded is there no more."""
    found = await _fetch_rows(database, {"state": None, "job_id": job_id, "most": 1})
    if not found:
        raise BrainError("E_NOT_FOUND", f"There is no job {job_id}; those that succeeded are gone.", _LOOK)
    return found[0]


async def fetch_operations(database: Database, queued: QueuedJob, most: int = 50) -> list[Operation]:
    """The accepted turns behind a job that have not come to an end, the last ones first."""
    if queued.owner_scope is None or queued.session_id is None:
        return []
    params = scope_params(queued.owner_scope) | {"session_id": queued.session_id, "most": most}
    async with database.scope_session(queued.owner_scope) as session:
        return await session.fetch("operations_of_session", params, Operation)


async def replay(database: Database, queued: QueuedJob) -> None:
    """Let a dead letter be tried again, and its turns wait again with it: both in one transaction.

    It takes the place that its number gives it among the jobs of its person. Raises ``E_CONFLICT`` when it is no dead
    letter (any more).
    """
    if queued.state != "dead" or not await _replay_job(database, queued):
        state = queued.state if queued.state != "dead" else "being replayed by somebody else"
        raise BrainError("E_CONFLICT", f"Job {queued.job_id} is no dead letter: it is {state}.", _LOOK)


async def replay_all(database: Database, told: Callable[[int, int], None]) -> int:
    """Replay every dead letter that there is now, oldest first; how many came back.

    ``told`` hears how many of how many are done.
    """
    dead = sorted(await fetch_jobs(database, "dead"), key=lambda each: each.job_id)
    replayed = 0
    for done, each in enumerate(dead, start=1):
        replayed += await _replay_job(database, each)
        told(done, len(dead))
    return replayed


@dataclass(frozen=True)
class _JobRow:
    job_id: int


async def _replay_job(database: Database, dead: QueuedJob) -> bool:
    scope = dead.owner_scope
    async with database.scope_session(scope) if scope else database.anonymous_session() as session:
        if scope and dead.session_id:
            session.execute("reopen_operations", scope_params(scope) | {"session_id": dead.session_id})
        return bool(await session.fetch("replay_job", {"job_id": dead.job_id}, _JobRow))


async def _fetch_rows(database: Database, asked: dict[str, object]) -> list[QueuedJob]:
    async with database.anonymous_session() as session:
        return await session.fetch("jobs_listed", asked, QueuedJob)
