"""Erasing a person for good: the tombstone and its states, what a tenant promises, and who may not be erased."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol
from uuid import UUID

TombstoneState = Literal[
    "requested",
    "verified",
    "tombstoned",
    "queued",
    "processing",
    "completed",
    "failed",
    "retry_pending",
    "escalated",
]
Requester = Literal["person", "tenant_admin"]
DayType = Literal["working", "calendar"]
_SATURDAY = 5


@dataclass(frozen=True, kw_only=True)
class LegalProfile:
    """How long erasing may take, and what share of that time is left when somebody is told (S0 section 3.1.1)."""

    name: str = "default"
    days: int = 15
    day_type: DayType = "working"
    warn_percent: int = 25
    critical_percent: int = 10

    def due_at(self, requested_at: datetime) -> datetime:
        """When it must be done. Weekends are no working days; no country's holidays are known here."""
        if self.day_type == "calendar":
            return requested_at + timedelta(days=self.days)
        due, left = requested_at, self.days
        while left:
            due += timedelta(days=1)
            left -= due.weekday() < _SATURDAY
        return due

    def alert_at(self, requested_at: datetime, percent: int) -> datetime:
        """When only so many percent of the time are left."""
        due = self.due_at(requested_at)
        return due - (due - requested_at) * percent / 100


@dataclass(frozen=True, kw_only=True)
class ErasureRequest:
    """Who is to be erased, in which compartment (None: in all), on whose request, under which profile."""

    tenant_id: UUID
    tombstone_id: UUID
    user_id: UUID
    user_name: str
    person_hash: str
    scope: str | None
    requested_by: Requester
    requested_at: datetime
    profile: LegalProfile = field(default_factory=LegalProfile)


@dataclass(frozen=True, kw_only=True)
class Tombstone:
    """One erasure. ``user_id`` is known until it is completed; ``erased`` counts rows by kind."""

    tenant_id: UUID
    tombstone_id: UUID
    person_hash: str
    user_id: UUID | None
    scope: str | None
    state: TombstoneState
    requested_at: datetime
    requested_by: Requester
    profile: str
    due_at: datetime
    alerted: str
    attempts: int
    failure: str | None
    erased: Mapping[str, int]
    completed_at: datetime | None
    certificate: Mapping[str, Any] | None


@dataclass(frozen=True)
class TombstoneStep:
    """A state that a tombstone was in, and since when."""

    state: TombstoneState
    entered_at: datetime


@dataclass(frozen=True, kw_only=True)
class LegalHold:
    """Why a person may not be erased for now; over once it is lifted."""

    tenant_id: UUID
    hold_id: UUID
    user_id: UUID
    scope: str | None
    reason: str
    placed_by: str
    placed_at: datetime
    lifted_by: str | None = None
    lifted_at: datetime | None = None


@dataclass(frozen=True)
class ErasedRows:
    """How many rows of a kind went."""

    kind: str
    erased: int


@dataclass(frozen=True)
class Residue:
    """Rows of a table that are still there."""

    kind: str
    counted: int


@dataclass(frozen=True)
class ErasedThread:
    """A thread that holds words of the person. ``named``: a new conversation may begin under its id."""

    thread_id: str
    named: bool


@dataclass(frozen=True)
class ErasureAlert:
    """An erasure whose deadline comes near: ``warn``, ``critical``, or ``escalated`` when it has passed."""

    tenant_id: UUID
    tombstone_id: UUID
    alert: Literal["warn", "critical", "escalated"]
    due_at: datetime


class Erasures(Protocol):
    """The tombstones of tenants, and what is done under them."""

    async def request(self, asked: ErasureRequest) -> Tombstone:
        """Close the person's rows to everybody and queue the work, in one transaction.

        Waits for the person's running transactions. Answers with the open tombstone if there is one. Raises
        ``E_CONFLICT`` while a legal hold is placed on them.
        """
        ...

    async def find(self, tenant_id: UUID, tombstone_id: UUID) -> Tombstone | None:
        """One tombstone of a tenant."""
        ...

    async def list_of(self, tenant_id: UUID, person_hash: str | None = None, limit: int = 100) -> Sequence[Tombstone]:
        """The tenant's tombstones, newest first, or those of one person."""
        ...

    async def list_steps(self, tenant_id: UUID, tombstone_id: UUID) -> Sequence[TombstoneStep]:
        """The states that a tombstone was in, in order."""
        ...

    async def advance(self, tombstone: Tombstone, state: TombstoneState, failure: str | None = None) -> None:
        """Enter the next state; one that is entered already is left as it is."""
        ...

    async def list_threads(self, tombstone: Tombstone) -> Sequence[ErasedThread]:
        """The threads that hold words of the person, forks and shared ones among them."""
        ...

    async def erase_thread(self, tombstone: Tombstone, thread: ErasedThread) -> int:
        """Delete a thread whole; nobody writes to it again. How many rows went."""
        ...

    async def rewrite_group_documents(self, tombstone: Tombstone, at: datetime) -> int:
        """Write the documents of the person's groups, with all kept versions, without what they said there.

        Returns how many memories of theirs were looked for.
        """
        ...

    async def untie(self, tombstone: Tombstone) -> int:
        """Take what others in the person's groups cite and repeat of them; how many rows went."""
        ...

    async def erase_rows(self, tombstone: Tombstone, most: int) -> ErasedRows | None:
        """Delete a batch of rows, and count it; None when there are none left. Locks nothing but these rows."""
        ...

    async def erase_soul_traces(self, tombstone: Tombstone) -> int:
        """End the person's proposals for SOUL and let their acts on it go on without a name; how many acts."""
        ...

    async def erase_name(self, tombstone: Tombstone) -> Sequence[ErasedRows]:
        """Delete what knows the person by name: jobs, keys, the name itself; the audit goes on without it."""
        ...

    async def find_residue(self, tombstone: Tombstone) -> Sequence[Residue]:
        """What is still there of the person, by table."""
        ...

    async def complete(self, tombstone: Tombstone, certificate: Mapping[str, Any], runs_end: float) -> bool:
        """End it, once: False when it was consumed before. Raises ``E_CONFLICT`` while something is still there.

        ``runs_end``: seconds until the names of its conversations can be used again.
        """
        ...

    async def find_request(self, tombstone: Tombstone) -> ErasureRequest | None:
        """Who is to be erased under it; None when it is completed."""
        ...

    async def installation_id(self) -> UUID:
        """Which installation this is; copies of its database have the same id."""
        ...

    async def list_known(self) -> Mapping[UUID, bool]:
        """The tombstones of all tenants, by id, and whether the list outside the database has them."""
        ...

    async def note_listed(self, tenant_id: UUID, tombstone_id: UUID) -> None:
        """The list outside the database has it."""
        ...

    async def alerts(self, at: datetime) -> Sequence[ErasureAlert]:
        """What is to be told at this moment of erasures of all tenants; each thing once."""
        ...

    async def is_erased_thread(self, tenant_id: UUID, thread_id: str) -> bool:
        """Whether a thread of a tenant was erased."""
        ...

    async def profile(self, tenant_id: UUID, name: str = "default") -> LegalProfile | None:
        """A profile of the tenant's; the built-in one under the name ``default``."""
        ...

    async def save_profile(self, tenant_id: UUID, profile: LegalProfile) -> None:
        """Promise this from now on; erasures that were asked for before keep their deadlines."""
        ...

    async def is_held(self, tenant_id: UUID, user_id: UUID) -> bool:
        """Whether a legal hold is placed on a person."""
        ...

    async def place_hold(self, hold: LegalHold) -> None:
        """Let a person not be erased until it is lifted."""
        ...

    async def lift_hold(self, tenant_id: UUID, hold_id: UUID, by: str, at: datetime) -> LegalHold | None:
        """End a hold; None when the tenant has no such hold. Its first end stands."""
        ...

    async def list_holds(self, tenant_id: UUID) -> Sequence[LegalHold]:
        """The tenant's holds, newest first."""
        ...
