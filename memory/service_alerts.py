"""Alerts about how the service does: they begin once, are renewed while they last, and end. None is about a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, get_args
from uuid import UUID

from memory.levels import AuditCounts, Indicator, LevelEvents, OperationCounts, Window

Severity = Literal["urgent", "ticket"]
"""``urgent``: somebody is called now. ``ticket``: somebody looks at it on a working day."""
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
TenantAlert = Literal["write_success_rate", "audit_completeness_rate", "access_refused"]
ServiceDuty = Literal["queue_age", "seal_age", "backup_age"]
"""What the installation as a whole owes: that work does not wait, that the audit is sealed, that backups are made."""
CellAlert = Literal["cell_away", "move_unfinished"]
"""What is wrong among several databases: one cannot be reached, or moves wait for a person to end them."""
AlertName = Indicator | TenantAlert | ServiceDuty | CellAlert
ALERT_NAMES: tuple[AlertName, ...] = (
    *get_args(Indicator),
    *get_args(TenantAlert),
    *get_args(ServiceDuty),
    *get_args(CellAlert),
)
INSTALLATION = UUID(int=0)
"""The tenant under which the installation's own alerts stand."""
Watch = Literal["burn", "levels", "cells", "moves"]
"""What is looked at by one worker at a time: what burns and which databases are away, every minute; the figures that
change slowly, every hour; moves whose mover died, every few seconds."""


@dataclass(frozen=True, kw_only=True)
class AlertReading:
    """What an alert is about. ``value`` is over ``threshold`` (or under it, of ``injection_quality``).

    Of what burns the value is how many times as fast as allowed the budget is spent over the long window; of duties it
    is seconds. ``samples``: how many events it rests on.
    """

    name: AlertName
    severity: Severity
    value: float
    threshold: float
    samples: int


@dataclass(frozen=True, kw_only=True)
class ServiceAlert(AlertReading):
    """An alert of a tenant, or of the installation. It is active while ``ended_at`` is None."""

    tenant_id: UUID
    alert_id: UUID
    began_at: datetime
    renewed_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class EventCounts:
    """Good and bad events of one window: by indicator, and the turns that memory looked at."""

    levels: Sequence[LevelEvents]
    operations: OperationCounts


@dataclass(frozen=True, kw_only=True)
class DutyReadings:
    """How the installation stands. ``backup_seconds`` is None where no backup is known."""

    queue_seconds: float
    unsealed_seconds: float
    backup_seconds: float | None


@dataclass(frozen=True)
class QueueHealth:
    """How the work behind the conversation stands; ``oldest_seconds`` is the longest wait."""

    waiting: int
    running: int
    dead_letters: int
    oldest_seconds: float
    workers: int


@dataclass(frozen=True, kw_only=True)
class AlertCount:
    """How many tenants have an alert now. ``seconds``: how long ago somebody looked; None where nobody has."""

    name: AlertName
    severity: Severity
    alerts: int
    seconds: float | None


@dataclass(frozen=True, kw_only=True)
class AlertChange:
    """An alert that began or ended just now."""

    alert: ServiceAlert
    state: Literal["began", "ended"]


class ServiceAlerts(Protocol):
    """Alerts, and what they are made of."""

    async def claim(self, watch: Watch, pause: float) -> bool:
        """Whether this process is the one to look now: nobody has within so many seconds. It has looked then."""
        ...

    async def tenants(self) -> Sequence[UUID]:
        """Tenants that have active alerts, the installation among them."""
        ...

    async def count_events(
        self, tenant_id: UUID, windows: Sequence[Window], *, slow_ms: float
    ) -> Mapping[Window, EventCounts]:
        """Good and bad events of each window, in one round trip."""
        ...

    async def count_audited(self, tenant_id: UUID, window: Window) -> AuditCounts:
        """Changes of memories, and how many of them the audit has."""
        ...

    async def read_duties(self) -> DutyReadings:
        """How the installation stands."""
        ...

    async def read_queue(self) -> QueueHealth:
        """How the queue stands now."""
        ...

    async def list_active(self, tenant_id: UUID) -> Sequence[ServiceAlert]:
        """What is going on, the newest first."""
        ...

    async def list_newest(self, tenant_id: UUID, most: int) -> Sequence[ServiceAlert]:
        """Active ones first, then those that ended last."""
        ...

    async def find(self, tenant_id: UUID, alert_id: UUID) -> ServiceAlert | None:
        """One of them."""
        ...

    async def begin(
        self, tenant_id: UUID, alert_id: UUID, reading: AlertReading, at: datetime, *, tell: bool
    ) -> ServiceAlert | None:
        """Begin, or renew the one that is active already: None then, however many processes try at once.

        With ``tell`` the queue has it told, in the same transaction.
        """
        ...

    async def end(self, alert: ServiceAlert, at: datetime, *, tell: bool) -> ServiceAlert | None:
        """End; None where it had ended."""
        ...

    async def count_active(self) -> Sequence[AlertCount]:
        """Over all tenants, by name and severity: for metrics."""
        ...
