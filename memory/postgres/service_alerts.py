"""Alerts on PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from memory.levels import AuditCounts, LevelEvents, OperationCounts, Window
from memory.postgres.database import Database, tenant_scope
from memory.postgres.database_session import Transaction
from memory.service_alerts import (
    AlertCount,
    AlertReading,
    DutyReadings,
    EventCounts,
    QueueHealth,
    ServiceAlert,
    Watch,
)

KEPT = timedelta(days=90)
"""How long an alert that ended is listed."""
_ANY = 1_000_000
"""Turns waiting from which a minute is busy: busy minutes are not asked for here."""


@dataclass(frozen=True)
class _Claim:
    is_ours: bool


@dataclass(frozen=True)
class _Tenant:
    tenant_id: UUID


@dataclass(frozen=True)
class PostgresServiceAlerts:
    """The promises are those of the port."""

    database: Database

    async def claim(self, watch: Watch, pause: float) -> bool:
        async with self.database.anonymous_session() as session:
            found = await session.fetch_one("claim_act", {"act": watch, "pause": pause}, _Claim)
        return bool(found and found.is_ours)

    async def tenants(self) -> Sequence[UUID]:
        async with self.database.anonymous_session() as session:
            return [each.tenant_id for each in await session.fetch("tenants_with_alerts", {}, _Tenant)]

    async def count_events(
        self, tenant_id: UUID, windows: Sequence[Window], *, slow_ms: float
    ) -> Mapping[Window, EventCounts]:
        asked = {"tenant_id": tenant_id, "slow_ms": slow_ms, "enough": _ANY}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            answers = [
                (
                    window,
                    session.ask("level_events", asked | asdict(window), LevelEvents),
                    session.ask("operations_in_window", asked | asdict(window), OperationCounts),
                )
                for window in windows
            ]
            await session.flush()
            return {
                window: EventCounts(levels=levels.rows, operations=operations.rows[0])
                for window, levels, operations in answers
            }

    async def count_audited(self, tenant_id: UUID, window: Window) -> AuditCounts:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, **asdict(window)}
            return await session.fetch_one("audited_in_window", params, AuditCounts) or AuditCounts(
                changes=0, audited=0
            )

    async def read_duties(self) -> DutyReadings:
        async with self.database.anonymous_session() as session:
            found = await session.fetch_one("service_duties", {}, DutyReadings)
        return found or DutyReadings(queue_seconds=0.0, unsealed_seconds=0.0, backup_seconds=None)

    async def read_queue(self) -> QueueHealth:
        async with self.database.anonymous_session() as session:
            found = await session.fetch_one("queue_health", {}, QueueHealth)
        return found or QueueHealth(waiting=0, running=0, dead_letters=0, oldest_seconds=0.0, workers=0)

    async def list_active(self, tenant_id: UUID) -> Sequence[ServiceAlert]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("active_alerts", {"tenant_id": tenant_id}, ServiceAlert)

    async def list_newest(self, tenant_id: UUID, most: int) -> Sequence[ServiceAlert]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("newest_alerts", {"tenant_id": tenant_id, "most": most}, ServiceAlert)

    async def find(self, tenant_id: UUID, alert_id: UUID) -> ServiceAlert | None:
        params = {"tenant_id": tenant_id, "alert_id": alert_id}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch_one("alert_by_id", params, ServiceAlert)

    async def begin(
        self, tenant_id: UUID, alert_id: UUID, reading: AlertReading, at: datetime, *, tell: bool
    ) -> ServiceAlert | None:
        params = {"tenant_id": tenant_id, "alert_id": alert_id, "at": at, **asdict(reading)}
        async with self.database.transaction(tenant_scope(tenant_id)) as session:
            begun = await session.fetch_one("begin_alert", params, ServiceAlert)
            if begun is None:
                session.execute("renew_alert", params)
            else:
                session.execute("drop_old_alerts", {"tenant_id": tenant_id, "before": at - KEPT})
                _enqueue(session, begun, "began", tell)
        return begun

    async def end(self, alert: ServiceAlert, at: datetime, *, tell: bool) -> ServiceAlert | None:
        params = {"tenant_id": alert.tenant_id, "alert_id": alert.alert_id, "at": at}
        async with self.database.transaction(tenant_scope(alert.tenant_id)) as session:
            ended = await session.fetch_one("end_alert", params, ServiceAlert)
            if ended is not None:
                _enqueue(session, ended, "ended", tell)
        return ended

    async def count_active(self) -> Sequence[AlertCount]:
        async with self.database.anonymous_session() as session:
            return await session.fetch("active_alert_counts", {}, AlertCount)


def _enqueue(session: Transaction, alert: ServiceAlert, state: Literal["began", "ended"], tell: bool) -> None:
    if tell:
        params = {"tenant_id": alert.tenant_id, "alert_id": alert.alert_id, "state": state}
        session.execute("enqueue_alert", params)
