"""How jobs of the queue are told: ids, codes and times. The name inside a scope may be a person's or a channel's.

The queue belongs to the installation, so its readers see ids, and names only in the tenant that they name themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from apps.jobs.queued_jobs import QueuedJob

_AWAY = "It answered too late or was away: see 'brain doctor', then 'brain jobs retry --all-dead'."
_ADVICE = {
    "E_DEP_UNAVAILABLE": _AWAY,
    "E_DEP_TIMEOUT": _AWAY,
    "E_CONFIG": "Set up what it names ('brain doctor' tells), then 'brain jobs retry ID'.",
    "E_DIM_MISMATCH": "Take the former embedding model, or 'brain embed switch'; then 'brain jobs retry ID'.",
    "E_CONFLICT": "Others kept changing the same rows; 'brain jobs retry ID' is safe.",
}
_OTHERWISE = "Brain could not do it: the worker's log has the trace. Retry it once what caused it has changed."
_UNKNOWN = "No reason was kept: a worker died over it. 'brain jobs retry ID' is safe."

COLUMNS = ("id", "job", "status", "tries", "asked", "due in", "whose")
DEAD_COLUMNS = ("id", "job", "why", "tries", "given up", "whose")


@dataclass(frozen=True, kw_only=True)
class TenantPeople:
    """The people of one tenant, by id."""

    tenant: str
    tenant_id: UUID
    people: Mapping[UUID, str] = field(default_factory=dict[UUID, str])

    def name_of(self, queued: QueuedJob) -> str | None:
        """What the person behind a job is called; None for one of another tenant, or of nobody."""
        if queued.user_id is None or queued.tenant_id != self.tenant_id:
            return None
        return self.people.get(queued.user_id)


def job_fields(queued: QueuedJob, known: TenantPeople) -> Mapping[str, object]:
    """All that may be printed of a job; times in seconds."""
    return {
        "id": queued.job_id,
        "cell": queued.cell,
        "job": queued.task,
        "status": queued.state,
        "tries": queued.attempts,
        "priority": queued.priority,
        "reason": queued.reason,
        "age": queued.age,
        "since": queued.since,
        "due_in": queued.due_in,
        "user": known.name_of(queued),
        "tenant_id": queued.tenant_id,
        "user_id": queued.user_id,
        "scope": queued.compartment,
        "session_id": queued.session_id,
        "memory_id": queued.memory_id,
    }


def job_row(queued: QueuedJob, known: TenantPeople) -> tuple[object, ...]:
    """Under ``COLUMNS``."""
    whose = _owner_label(queued, known)
    return queued.name, queued.task, queued.state, queued.attempts, ago(queued.age), due(queued), whose


def dead_row(queued: QueuedJob, known: TenantPeople) -> tuple[object, ...]:
    """Under ``DEAD_COLUMNS``."""
    why = queued.reason or "unknown"
    return queued.name, queued.task, why, queued.attempts, ago(queued.since), _owner_label(queued, known)


def _owner_label(queued: QueuedJob, known: TenantPeople) -> str:
    if queued.owner_scope is None:
        return "everybody"
    if name := known.name_of(queued):
        return f"{name} in {known.tenant} ({queued.compartment})"
    return f"tenant {queued.tenant_id} user {queued.user_id} ({queued.compartment})"


def due(queued: QueuedJob) -> str:
    """When it will be taken at the earliest."""
    waits = queued.state in {"waiting", "planned"}
    return "-" if not waits else "now" if not queued.due_in else _span(queued.due_in)


def ago(seconds: float) -> str:
    """How long ago, roughly."""
    return f"{_span(seconds)} ago"


def _span(seconds: float) -> str:
    """The largest unit that fits, which is all that a person needs to see at once."""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def advice(reason: str | None) -> str:
    """What a person can do about a dead letter."""
    return _ADVICE.get(reason, _OTHERWISE) if reason else _UNKNOWN
