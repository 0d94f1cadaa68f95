"""What each figure is made of: its value, and how many cases it rests on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from brain.levels.bounds import FigureName
from memory.levels import (
    COMPLETENESS_WINDOW,
    CONFLICT_WINDOW,
    DELETION_WINDOW,
    INJECTION_WINDOW,
    LATENCY_WINDOW,
    OVERFLOW_WINDOW,
    QUEUE_WINDOW,
    LevelCounts,
)

RTO_SECONDS, RPO_SECONDS = 30.0, 1.0
"""In which a standby answers, and how much of what was written may be lost (S0 section 2.3.2.2)."""
Unit = Literal["share", "ms", "per_minute", "of_limit"]
"""``of_limit``: the share of the time that was promised, 1 being all of it."""


@dataclass(frozen=True)
class Measured:
    """A value, None where nothing happened that could be measured, and how many cases it rests on."""

    value: float | None
    samples: int


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What is measured in which window; None is the moment itself, or the last drill."""

    unit: Unit
    window: timedelta | None
    measure: Callable[[LevelCounts], Measured]


def _staleness(counts: LevelCounts) -> Measured:
    own = counts.memories.get(False)
    return Measured(own.staleness, own.living) if own else Measured(None, 0)


def _conflict(counts: LevelCounts) -> Measured:
    found = counts.memories.values()
    return _share(sum(each.unsettled for each in found), sum(each.lasting for each in found))


def _injection_quality(counts: LevelCounts) -> Measured:
    """The share that was accepted, less as many as people rejected until they were taken out."""
    found = counts.injections
    if not found.offered:
        return Measured(None, 0)
    corrected = min(1.0, counts.fuses / found.accepted) if found.accepted else 0.0
    return Measured(found.accepted / found.offered * (1 - corrected), found.offered)


def _latency(counts: LevelCounts) -> Measured:
    return Measured(counts.searches.p95_ms, counts.searches.searches)


def _overflow(counts: LevelCounts) -> Measured:
    return _share(counts.overflow.exceeded, counts.overflow.offered)


def _deletion_timeout(counts: LevelCounts) -> Measured:
    found = counts.deletions
    return Measured(found.overdue / max(found.tombstones, 1), found.tombstones)


def _completeness(counts: LevelCounts) -> Measured:
    return _share(counts.receipts.complete, counts.receipts.receipts)


def _throughput(counts: LevelCounts) -> Measured:
    found = counts.operations
    value = found.busy_items / found.busy_minutes if found.busy_minutes else None
    # A queue that stands still has looked at nothing: its minutes are the cases then.
    return Measured(value, max(found.busy_items, found.busy_minutes))


def _deletion_time(counts: LevelCounts) -> Measured:
    return Measured(counts.deletions.longest or 0.0, counts.deletions.tombstones)


def _injection_completeness(counts: LevelCounts) -> Measured:
    return _share(counts.receipts.complete_injections, counts.receipts.injections)


def _standby(counts: LevelCounts) -> Measured:
    drill = counts.drill
    if drill is None:
        return Measured(None, 0)
    return Measured(max(drill.rto_seconds / RTO_SECONDS, drill.rpo_seconds / RPO_SECONDS), 1)


def _write_success(counts: LevelCounts) -> Measured:
    found = counts.operations
    return _share(found.finished - found.given_up, found.finished)


def _audit(counts: LevelCounts) -> Measured:
    found = counts.audited
    return Measured(found.audited / found.changes if found.changes else 1.0, found.changes)


def _share(part: int, whole: int) -> Measured:
    return Measured(part / whole if whole else None, whole)


MEASURED: Mapping[FigureName, Figure] = {
    "staleness_rate": Figure(unit="share", window=None, measure=_staleness),
    "conflict_rate": Figure(unit="share", window=CONFLICT_WINDOW, measure=_conflict),
    "injection_quality": Figure(unit="share", window=INJECTION_WINDOW, measure=_injection_quality),
    "retrieval_latency_p95": Figure(unit="ms", window=LATENCY_WINDOW, measure=_latency),
    "context_overflow_rate": Figure(unit="share", window=OVERFLOW_WINDOW, measure=_overflow),
    "deletion_timeout_rate": Figure(unit="share", window=DELETION_WINDOW, measure=_deletion_timeout),
    "receipt_completeness_rate": Figure(unit="share", window=COMPLETENESS_WINDOW, measure=_completeness),
    "evolution_throughput": Figure(unit="per_minute", window=QUEUE_WINDOW, measure=_throughput),
    "deletion_time": Figure(unit="of_limit", window=DELETION_WINDOW, measure=_deletion_time),
    "injection_receipt_completeness": Figure(unit="share", window=COMPLETENESS_WINDOW, measure=_injection_completeness),
    "standby_switch": Figure(unit="of_limit", window=None, measure=_standby),
    "write_success_rate": Figure(unit="share", window=QUEUE_WINDOW, measure=_write_success),
    "audit_completeness_rate": Figure(unit="share", window=QUEUE_WINDOW, measure=_audit),
}
