"""Removes what does not stay for ever: old checkpoints, and values that were stored for a limited time."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import structlog

from brain.local_postgres.startup import pool_limits, resolve_addresses
from brain.resources import Resources
from brain.settings import Settings
from memory.postgres.database import Database, tenant_scope
from memory.postgres.database_session import Params
from memory.postgres.failures import PASSED_OVER

log = structlog.get_logger(__name__)

THREADS = 200
"""Threads looked up at a time."""
ITEMS = 500
"""Items of the store deleted in one transaction."""
CHECKPOINTS = 500
"""Checkpoints dropped in one transaction, so that nobody waits long for a lock."""

_GREGORIAN = datetime(1582, 10, 15, tzinfo=UTC)


@dataclass(frozen=True)
class PruneCounts:
    """How many rows went, and from how many threads."""

    threads: int = 0
    checkpoints: int = 0
    writes: int = 0
    blobs: int = 0


@dataclass(frozen=True)
class _Thread:
    tenant_id: UUID
    thread_id: str


async def prune_checkpoints(settings: Settings, now: datetime) -> PruneCounts:
    """Cut idle threads back to their newest state, long ones to their newest checkpoints; what is kept stays readable.

    Bounds come from ``checkpoint_retention_days`` and ``checkpoints_per_thread``. Safe beside running turns.
    """
    where = await resolve_addresses(settings)
    async with Database(where.app, pool_limits(settings, connections=1, statement=60.0)) as database:
        idle = await _prune_idle(database, now - timedelta(days=settings.checkpoint_retention_days))
        long = await _prune_long(database, settings.checkpoints_per_thread)
    pruned = _sum([idle, long])
    if pruned.checkpoints:
        log.info("checkpoints_pruned", threads=pruned.threads, checkpoints=pruned.checkpoints, blobs=pruned.blobs)
    return pruned


async def sweep_store(resources: Resources) -> int:
    """Delete what has expired in everybody's store, a batch at a time; how many items went."""
    swept, at = 0, resources.clock()
    while count := await resources.memory.store.sweep(at, ITEMS):
        swept += count
    if swept:
        log.info("store_swept", items=swept)
    return swept


def id_at(moment: datetime) -> str:
    """The smallest id that a checkpoint of that moment can have: UUIDv6 begins with the time, in 100 ns since 1582."""
    ticks = (moment - _GREGORIAN) // timedelta(microseconds=1) * 10
    return str(UUID(int=(ticks >> 12) << 80 | 6 << 76 | (ticks & 0xFFF) << 64))


async def _prune_idle(database: Database, since: datetime) -> PruneCounts:
    found = _find_threads(database, "idle_threads", {"before": id_at(since)})
    return _sum([await _shorten_served(database, thread, 1) async for thread in found])


async def _prune_long(database: Database, kept: int) -> PruneCounts:
    found = _find_threads(database, "long_threads", {"kept": kept})
    return _sum([await _shorten_served(database, thread, kept) async for thread in found])


async def _find_threads(database: Database, name: str, params: Params) -> AsyncGenerator[_Thread]:
    """Threads to shorten, each once: one that cannot be shortened now must not be found again for ever."""
    seen: set[_Thread] = set()
    while True:
        async with database.anonymous_session() as session:
            rows = await session.fetch(name, {**params, "limit": THREADS + len(seen)}, _Thread)
        fresh = [row for row in rows if row not in seen]
        if not fresh:
            return
        for thread in fresh:
            seen.add(thread)
            yield thread


@dataclass(frozen=True)
class _DropCounts:
    checkpoints: int
    writes: int
    blobs: int


async def _shorten_served(database: Database, thread: _Thread, kept: int) -> PruneCounts:
    """One thread; an erased one, or that of a tenant which has only an old copy here, is left alone."""
    try:
        return await _shorten(database, thread, kept)
    except PASSED_OVER:
        return PruneCounts()


async def _shorten(database: Database, thread: _Thread, kept: int) -> PruneCounts:
    total = PruneCounts(threads=1)
    while True:
        async with database.scope_session(tenant_scope(thread.tenant_id)) as session:
            params = {"thread_id": thread.thread_id, "kept": kept, "batch": CHECKPOINTS}
            rows = await session.fetch("shorten_thread", params, _DropCounts)
        for row in rows:
            total = _sum([total, PruneCounts(checkpoints=row.checkpoints, writes=row.writes, blobs=row.blobs)])
        if not rows or rows[0].checkpoints < CHECKPOINTS:
            return total


def _sum(parts: list[PruneCounts]) -> PruneCounts:
    return PruneCounts(
        threads=sum(part.threads for part in parts),
        checkpoints=sum(part.checkpoints for part in parts),
        writes=sum(part.writes for part in parts),
        blobs=sum(part.blobs for part in parts),
    )
