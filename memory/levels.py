"""Service levels of a tenant (S0 section 2.3.2): what is counted over all its people, and in which windows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol
from uuid import UUID

Indicator = Literal[
    "staleness_rate",
    "conflict_rate",
    "injection_quality",
    "retrieval_latency_p95",
    "context_overflow_rate",
    "deletion_timeout_rate",
    "receipt_completeness_rate",
]
"""The seven service level indicators."""
LevelState = Literal["PASS", "FAIL", "OBSERVE"]

CONFLICT_WINDOW = timedelta(days=30)
INJECTION_WINDOW = timedelta(days=7)
LATENCY_WINDOW = timedelta(hours=1)
OVERFLOW_WINDOW = timedelta(hours=24)
DELETION_WINDOW = timedelta(days=7)
COMPLETENESS_WINDOW = timedelta(hours=24)
QUEUE_WINDOW = timedelta(hours=24)
"""Of the turns that memory looked at, and of what the audit has."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """From a moment on and before another."""

    since: datetime
    until: datetime

    @classmethod
    def before(cls, until: datetime, length: timedelta) -> "Window":
        """The window of a length that ends at a moment."""
        return cls(since=until - length, until=until)


@dataclass(frozen=True, kw_only=True)
class MemoryCounts:
    """Living memories by what is wrong with them.

    ``over``: ended, outdated or in doubt, each memory once. ``lasting``: those without an end; ``unsettled`` of these
    are contradicted by another living memory, or were replaced three times or more, the last time in the window.
    """

    of_group: bool = False
    living: int = 0
    outdated: int = 0
    ended: int = 0
    doubted: int = 0
    over: int = 0
    lasting: int = 0
    replaced_often: int = 0
    contested: int = 0
    unsettled: int = 0

    @property
    def staleness(self) -> float:
        """The share of the living that is over (0 to 1)."""
        return self.over / self.living if self.living else 0.0

    @property
    def conflict(self) -> float:
        """The share of the lasting that is unsettled (0 to 1)."""
        return self.unsettled / self.lasting if self.lasting else 0.0


@dataclass(frozen=True, kw_only=True)
class ReceiptCounts:
    """Receipts of a window; ``complete`` ones say all that one of their kind has to say."""

    receipts: int
    complete: int
    injections: int
    complete_injections: int


@dataclass(frozen=True, kw_only=True)
class InjectionCounts:
    """Memories that ranking put forward for the prompt; ``accepted`` ones stood in it, ``exceeded`` found no room."""

    offered: int
    accepted: int
    exceeded: int


@dataclass(frozen=True, kw_only=True)
class SearchCounts:
    """Questions put to memory; ``slow`` ones took as long as was allowed, or longer."""

    searches: int
    slow: int
    p95_ms: float | None


@dataclass(frozen=True, kw_only=True)
class DeletionCounts:
    """Erasures of a window; ``longest``: the largest share of its time that one took, or has taken so far."""

    tombstones: int
    overdue: int
    longest: float | None


@dataclass(frozen=True, kw_only=True)
class OperationCounts:
    """Turns that memory looked at, those it gave up on, and those it looked at in minutes with enough to do."""

    finished: int
    given_up: int
    busy_minutes: int
    busy_items: int


@dataclass(frozen=True, kw_only=True)
class AuditCounts:
    """Changes of memories, and how many of them the audit has."""

    changes: int
    audited: int


@dataclass(frozen=True, kw_only=True)
class LevelEvents:
    """Good and bad events of one indicator between two moments."""

    indicator: Indicator
    good: int
    bad: int


@dataclass(frozen=True, kw_only=True)
class Drill:
    """A switch to the standby: seconds until it answered again, and seconds of what was written that were lost."""

    rto_seconds: float
    rpo_seconds: float
    held_at: datetime


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """From where on a figure passes, and beyond where it fails."""

    figure: str
    pass_at: float
    fail_at: float


@dataclass(frozen=True, kw_only=True)
class ReleaseVerdict:
    """What a release came to in one figure, as it was measured. ``first_at`` is its place in the order of releases."""

    release: str
    figure: str
    state: LevelState
    value: float | None
    samples: int
    first_at: datetime
    reported_at: datetime


@dataclass(frozen=True, kw_only=True)
class LevelCounts:
    """All that is counted of a tenant at one moment, each in its own window; memories by whether a group has them."""

    at: datetime
    memories: Mapping[bool, MemoryCounts]
    injections: InjectionCounts
    overflow: InjectionCounts
    searches: SearchCounts
    receipts: ReceiptCounts
    fuses: int
    deletions: DeletionCounts
    operations: OperationCounts
    audited: AuditCounts
    drill: Drill | None


class ServiceLevels(Protocol):
    """What is counted of a tenant as a whole. Nothing that comes back tells of one person."""

    async def measure(self, tenant_id: UUID, at: datetime, *, slow_ms: float, enough: int) -> LevelCounts:
        """Everything at once, in one round trip. ``enough``: turns waiting from which a minute counts as busy."""
        ...

    async def events(self, tenant_id: UUID, window: Window, *, slow_ms: float) -> Sequence[LevelEvents]:
        """Good and bad events of each indicator that is made of events; of erasures those under way in the window."""
        ...

    async def tenants(self, since: datetime) -> Sequence[UUID]:
        """Tenants that have levels to watch: something was looked for since then, or an erasure is under way."""
        ...

    async def thresholds(self, tenant_id: UUID) -> Sequence[Threshold]:
        """What the tenant has set for itself."""
        ...

    async def set_threshold(self, tenant_id: UUID, threshold: Threshold) -> None:
        """Judge a figure of the tenant so from now on."""
        ...

    async def drop_threshold(self, tenant_id: UUID, figure: str) -> bool:
        """Judge it as the server is set; False when it was so before."""
        ...

    async def record_drill(self, tenant_id: UUID, drill_id: UUID, drill: Drill) -> None:
        """Keep what a switch to the standby came to, under the tenant whose operator held it."""
        ...

    async def last_drill(self, at: datetime) -> Drill | None:
        """The newest one of the whole installation, of those held until then."""
        ...

    async def save_verdicts(self, tenant_id: UUID, release: str, verdicts: Sequence[ReleaseVerdict]) -> None:
        """Keep what a release came to; told again, it keeps its place in the order of releases."""
        ...

    async def list_verdicts(self, tenant_id: UUID, most: int = 12) -> Sequence[ReleaseVerdict]:
        """The verdicts of so many releases, the newest release first."""
        ...
