"""Service levels on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from uuid import UUID

from memory.levels import (
    COMPLETENESS_WINDOW,
    CONFLICT_WINDOW,
    DELETION_WINDOW,
    INJECTION_WINDOW,
    LATENCY_WINDOW,
    OVERFLOW_WINDOW,
    QUEUE_WINDOW,
    AuditCounts,
    DeletionCounts,
    Drill,
    InjectionCounts,
    LevelCounts,
    LevelEvents,
    MemoryCounts,
    OperationCounts,
    ReceiptCounts,
    ReleaseVerdict,
    SearchCounts,
    Threshold,
    Window,
)
from memory.postgres.database import Database, tenant_scope


@dataclass(frozen=True)
class _Fuses:
    fuses: int


@dataclass(frozen=True)
class _Tenant:
    tenant_id: UUID


@dataclass(frozen=True)
class PostgresServiceLevels:
    """The promises are those of the port."""

    database: Database

    async def measure(self, tenant_id: UUID, at: datetime, *, slow_ms: float, enough: int) -> LevelCounts:
        def within(length: timedelta, **more: object) -> dict[str, object]:
            return {"tenant_id": tenant_id, "since": at - length, "until": at, "at": at, **more}

        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            memories = session.ask("living_of_tenant", within(CONFLICT_WINDOW), MemoryCounts)
            injections = session.ask("injections_in_window", within(INJECTION_WINDOW), InjectionCounts)
            overflow = session.ask("injections_in_window", within(OVERFLOW_WINDOW), InjectionCounts)
            searches = session.ask("searches_in_window", within(LATENCY_WINDOW, slow_ms=slow_ms), SearchCounts)
            receipts = session.ask("receipts_in_window", within(COMPLETENESS_WINDOW), ReceiptCounts)
            fuses = session.ask("fuses_in_window", within(INJECTION_WINDOW), _Fuses)
            deletions = session.ask("deletions_in_window", within(DELETION_WINDOW), DeletionCounts)
            operations = session.ask("operations_in_window", within(QUEUE_WINDOW, enough=enough), OperationCounts)
            audited = session.ask("audited_in_window", within(QUEUE_WINDOW), AuditCounts)
            drill = await session.fetch_one("last_drill", {"at": at}, Drill)
        return LevelCounts(
            at=at,
            memories={each.of_group: each for each in memories.rows},
            injections=injections.rows[0],
            overflow=overflow.rows[0],
            searches=searches.rows[0],
            receipts=receipts.rows[0],
            fuses=fuses.rows[0].fuses,
            deletions=deletions.rows[0],
            operations=operations.rows[0],
            audited=audited.rows[0],
            drill=drill,
        )

    async def events(self, tenant_id: UUID, window: Window, *, slow_ms: float) -> Sequence[LevelEvents]:
        params = {"tenant_id": tenant_id, "slow_ms": slow_ms, **asdict(window)}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("level_events", params, LevelEvents)

    async def tenants(self, since: datetime) -> Sequence[UUID]:
        async with self.database.anonymous_session() as session:
            found = await session.fetch("tenants_with_receipts", {"since": since}, _Tenant)
        return [each.tenant_id for each in found]

    async def thresholds(self, tenant_id: UUID) -> Sequence[Threshold]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("level_thresholds", {"tenant_id": tenant_id}, Threshold)

    async def set_threshold(self, tenant_id: UUID, threshold: Threshold) -> None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            session.execute("set_level_threshold", {"tenant_id": tenant_id, **asdict(threshold)})

    async def drop_threshold(self, tenant_id: UUID, figure: str) -> bool:
        params = {"tenant_id": tenant_id, "figure": figure}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return bool(await session.fetch("drop_level_threshold", params, Threshold))

    async def record_drill(self, tenant_id: UUID, drill_id: UUID, drill: Drill) -> None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            session.execute("record_drill", {"tenant_id": tenant_id, "drill_id": drill_id, **asdict(drill)})

    async def last_drill(self, at: datetime) -> Drill | None:
        async with self.database.anonymous_session() as session:
            return await session.fetch_one("last_drill", {"at": at}, Drill)

    async def save_verdicts(self, tenant_id: UUID, release: str, verdicts: Sequence[ReleaseVerdict]) -> None:
        params = {
            "tenant_id": tenant_id,
            "release": release,
            "figures": [each.figure for each in verdicts],
            "states": [each.state for each in verdicts],
            "values": [each.value for each in verdicts],
            "samples": [each.samples for each in verdicts],
            "at": max(each.reported_at for each in verdicts),
        }
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            session.execute("save_verdict", params)

    async def list_verdicts(self, tenant_id: UUID, most: int = 12) -> Sequence[ReleaseVerdict]:
        params = {"tenant_id": tenant_id, "most": most}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("release_verdicts", params, ReleaseVerdict)
