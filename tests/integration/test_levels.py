"""Service levels over a made-up month: what every figure has to be is counted by hand here."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import psycopg
import pytest

from memory.levels import (
    AuditCounts,
    DeletionCounts,
    InjectionCounts,
    LevelCounts,
    LevelEvents,
    MemoryCounts,
    OperationCounts,
    ReceiptCounts,
    SearchCounts,
    Window,
)
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.integration import own_database
from tests.integration.level_rows import AT, CUT_OFF, INJECTION, LEFT_OUT, RETRIEVAL, TICK, WRITE, Rows, ago

test_addresses, database = own_database.test_addresses, own_database.database


@pytest.fixture
def owner(test_addresses: Addresses) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(test_addresses.owner, autocommit=True) as connection:
        yield connection


@pytest.fixture
def rows(owner: psycopg.Connection[tuple[object, ...]]) -> Rows:
    """A tenant beside another one, of whose rows none may count."""
    noise = Rows(owner)
    for kind, details in (("injection", {}), ("retrieval", RETRIEVAL | {"latency_ms": 9_000.0}), ("write", {})):
        noise.receipts(3, kind, ago(minutes=5), details)
    noise.memories(3, stale=True)
    noise.contradiction(noise.memory(), noise.memory())
    fused = noise.replaced(3, ago(days=1))
    noise.version(fused, 2, "fuse", ago(days=1), audited=False)
    noise.tombstone(ago(days=60), ago(days=30))
    noise.operation(ago(hours=1), ago(minutes=1), "dead_letter")
    return Rows(owner)


async def measured(database: Database, rows: Rows, enough: int = 100) -> LevelCounts:
    return await postgres_memory(database).levels.measure(rows.tenant_id, AT, slow_ms=200.0, enough=enough)


async def test_memories_that_are_over_by_their_end_by_upkeep_or_by_their_evidence_are_stale(
    database: Database, rows: Rows
):
    rows.memories(14)
    rows.memory(invalid_at=AT - TICK)
    rows.memory(invalid_at=AT)
    rows.memory(invalid_at=AT + TICK)
    rows.memory(invalid_at=ago(days=90), valid_at=ago(days=400))  # over when it was said: true of the past
    rows.memory(epistemic_type="outdated")
    rows.memory(stale=True, epistemic_type="outdated", invalid_at=ago(days=1))  # thrice over, counted once
    for status in ("superseded", "retracted", "deleted", "archived"):
        rows.memory(status=status, invalid_at=ago(days=1))
    rows.memory(use="excluded", stale=True)
    rows.memory(created_at=AT + TICK, stale=True)
    rows.memory(scope="group:office", stale=True)
    counts = (await measured(database, rows)).memories
    assert counts[False] == MemoryCounts(living=20, outdated=2, ended=2, doubted=1, over=3, lasting=15)
    assert counts[False].staleness == 0.15
    assert counts[True] == MemoryCounts(of_group=True, living=1, doubted=1, over=1, lasting=1)


async def test_memories_that_were_replaced_three_times_or_are_contradicted_are_in_conflict(
    database: Database, rows: Rows
):
    rows.memories(94)
    rows.replaced(2, ago(days=1))
    rows.replaced(3, ago(days=30))
    rows.replaced(3, ago(days=30) - TICK)
    tidied = rows.replaced(3, ago(days=1))
    rows.connection.execute(
        "update brain.memory_items set provenance = '{\"consolidates\": []}' where item_id = %s", [tidied]
    )
    rows.replaced(4, ago(days=1), invalid_at=AT + timedelta(days=1))  # it will end: none of the lasting
    both = rows.replaced(3, ago(days=1))
    rows.contradiction(both, rows.memory(status="retracted"))
    rows.contradiction(rows.memory(), rows.memory(), status="kept")
    counts = (await measured(database, rows)).memories[False]
    expected = MemoryCounts(living=102, over=0, lasting=101, replaced_often=2, contested=1, unsettled=2)
    assert counts == expected
    assert counts.conflict == 2 / 101
    rows.contradiction(rows.memory(), rows.memory())
    assert (await measured(database, rows)).memories[False].conflict == 4 / 103


async def test_a_person_is_counted_by_the_same_statement(database: Database, rows: Rows):
    other = Rows(rows.connection, rows.tenant_id)
    other.memories(5, stale=True)
    rows.memories(3)
    rows.memory(stale=True)
    rows.contradiction(rows.memory(), rows.replaced(3, ago(days=2)))
    memory = postgres_memory(database)
    own = Scope(tenant_id=rows.tenant_id, user_id=rows.user_id)
    counts = await memory.upkeep.count_memories(own, AT)
    assert counts == MemoryCounts(living=6, doubted=1, over=1, lasting=6, replaced_often=1, contested=2, unsettled=2)
    assert await memory.upkeep.count_memories(replace(own, user_id=uuid4()), AT) == MemoryCounts()
    whole = (await measured(database, rows)).memories[False]
    assert (whole.living, whole.over) == (11, 6)


async def test_injections_count_what_ranking_put_forward_within_a_week(database: Database, rows: Rows):
    rows.receipts(5, "injection", ago(days=7), INJECTION)
    rows.receipts(9, "injection", ago(days=7) - TICK, INJECTION)
    rows.receipts(3, "injection", AT - TICK, LEFT_OUT)
    rows.receipts(9, "injection", AT, LEFT_OUT)
    blocked = {"decision_reason": "blocked", "guardrail_hit": {"hit": True, "rule": "sanitizer"}}
    rows.receipt("injection", ago(days=1), LEFT_OUT | blocked | {"budget_exceeded": False})
    rows.receipt("injection", ago(days=1), CUT_OFF | {"decision_reason": "in_document"})
    for reason in ("below_cut", "repeat", "question", "courtesy", "own_reply"):
        rows.receipts(4, "injection", ago(days=2), CUT_OFF | {"decision_reason": reason})
    item = rows.memory()
    for number, at in enumerate((ago(days=7) - TICK, ago(days=7), AT - TICK, AT), 1):
        rows.version(item, number, "fuse", at)
    rows.version(item, 9, "correct", ago(days=1))
    counts = await measured(database, rows)
    assert (counts.injections.offered, counts.injections.accepted, counts.fuses) == (10, 6, 2)


async def test_latency_is_that_of_searches_within_an_hour(database: Database, rows: Rows):
    for number in range(1, 21):
        rows.receipt("retrieval", ago(hours=1), RETRIEVAL | {"latency_ms": 10.0 * number})
    rows.receipts(9, "retrieval", ago(hours=1) - TICK, RETRIEVAL | {"latency_ms": 9_000.0})
    rows.receipts(9, "retrieval", AT, RETRIEVAL | {"latency_ms": 9_000.0})
    rows.receipts(9, "retrieval", ago(minutes=1), RETRIEVAL | {"latency_ms": 0.0, "queries": []})
    counts = (await measured(database, rows)).searches
    # The 95th of 100 lies at 0.95 × 19 = 18.05 steps: 190 + 0.05 × 10. At 200 ms and above a search is slow.
    assert counts.p95_ms == pytest.approx(190.5)  # pyright: ignore[reportUnknownMemberType]
    assert (counts.searches, counts.slow) == (20, 1)


async def test_overflow_counts_the_day(database: Database, rows: Rows):
    rows.receipts(19, "injection", ago(hours=24), INJECTION)
    rows.receipt("injection", AT - TICK, LEFT_OUT)
    rows.receipts(7, "injection", ago(hours=24) - TICK, LEFT_OUT)
    rows.receipts(7, "injection", ago(hours=1), CUT_OFF)
    counts = (await measured(database, rows)).overflow
    assert (counts.offered, counts.exceeded) == (20, 1)


def without(details: Mapping[str, object], name: str) -> dict[str, object]:
    return {key: value for key, value in details.items() if key != name}


async def test_a_receipt_is_complete_when_it_has_all_that_its_kind_says(database: Database, rows: Rows):
    whole = (("injection", INJECTION), ("injection", LEFT_OUT), ("injection", CUT_OFF), ("retrieval", RETRIEVAL))
    five = ("candidate_score", "decision_reason", "policy_version", "guardrail_hit", "context_position")
    for kind, details in (*whole, ("write", WRITE)):
        rows.receipt(kind, ago(hours=24), details)
        rows.receipt(kind, ago(hours=24) - TICK, {})
    rows.receipt("write", ago(hours=1), {"action": "put", "namespace": ["a"], "key": "k", "version": 1}, lane="store")
    rows.receipt("injection", ago(hours=1), INJECTION | {"guardrail_hit": {"hit": True, "rule": "secrets"}})
    for name in five:
        rows.receipt("injection", ago(hours=1), without(INJECTION, name))
        rows.receipt("injection", ago(hours=1), INJECTION | {name: None})
    rows.receipt("injection", ago(hours=1), INJECTION | {"guardrail_hit": {"hit": True, "rule": None}})
    rows.receipt("injection", ago(hours=1), INJECTION, memory_id=None)
    for name in ("candidates", "stores_used", "degraded_reason", "latency_ms", "policy"):
        rows.receipt("retrieval", ago(hours=1), without(RETRIEVAL, name))
    for name in WRITE:
        rows.receipt("write", ago(hours=1), without(WRITE, name))
    rows.receipt("write", ago(hours=1), {"action": "put"}, lane="store")
    counts = (await measured(database, rows)).receipts
    assert (counts.receipts, counts.complete) == (7 + 12 + 5 + 3 + 1, 7)
    assert (counts.injections, counts.complete_injections) == (4 + 12, 4)


async def test_erasures_count_while_they_are_under_way(database: Database, rows: Rows):
    assert (await measured(database, rows)).deletions == DeletionCounts(tombstones=0, overdue=0, longest=None)
    rows.tombstone(ago(days=20), ago(days=10), ago(days=7) - TICK)  # completed before the window, and late
    rows.tombstone(ago(days=17), ago(days=7), ago(days=9) + timedelta(days=2))  # on its deadline
    rows.tombstone(ago(days=8), AT + timedelta(days=2))  # open, four fifths of its time
    rows.tombstone(AT, AT + timedelta(days=15))
    rows.tombstone(ago(days=10), AT)  # due now, not yet overdue
    assert (await measured(database, rows)).deletions == DeletionCounts(tombstones=3, overdue=0, longest=1.0)
    rows.tombstone(ago(days=10), AT - TICK)
    found = (await measured(database, rows)).deletions
    assert (found.tombstones, found.overdue) == (4, 1)
    assert found.longest is not None
    assert found.longest > 1.0


async def test_the_queue_is_measured_in_minutes_that_had_enough_to_do(database: Database, rows: Rows):
    start = ago(hours=24)
    for number in range(12):  # twelve wait from the first minute on; five are done in it, four in the next
        minute = 0 if number < 5 else 1 if number < 9 else 30
        rows.operation(start, start + timedelta(minutes=minute, seconds=30), "nothing" if number % 2 else "stored")
    rows.operation(start - TICK, start + timedelta(seconds=5))
    rows.operation(ago(hours=2), ago(hours=2) + timedelta(seconds=1), "dead_letter")
    rows.operation(ago(hours=1))
    counts = (await measured(database, rows, enough=7)).operations
    assert counts == OperationCounts(finished=13, given_up=1, busy_minutes=2, busy_items=9)
    assert (await measured(database, rows, enough=8)).operations.busy_minutes == 1
    stalled = (await measured(database, rows, enough=3)).operations
    assert (stalled.busy_minutes, stalled.busy_items) == (31, 12)


async def test_the_audit_has_each_change(database: Database, rows: Rows):
    item = rows.memory()
    rows.version(item, 1, "create", ago(hours=24))
    rows.version(item, 2, "correct", AT - TICK)
    rows.version(item, 3, "forget", ago(hours=2), audited=False)
    rows.version(item, 4, "restore", ago(hours=24) - TICK, audited=False)
    assert (await measured(database, rows)).audited == AuditCounts(changes=3, audited=2)


async def test_an_empty_tenant_counts_nothing(database: Database, rows: Rows):
    counts = await measured(database, rows)
    assert (counts.memories, counts.fuses) == ({}, 0)
    assert counts.injections == counts.overflow == InjectionCounts(offered=0, accepted=0, exceeded=0)
    assert counts.searches == SearchCounts(searches=0, slow=0, p95_ms=None)
    assert counts.receipts == ReceiptCounts(receipts=0, complete=0, injections=0, complete_injections=0)


async def test_events_are_good_or_bad_between_two_moments(database: Database, rows: Rows):
    window = Window(since=ago(minutes=5), until=AT)
    for at in (window.since - TICK, window.since, AT - TICK, AT):
        rows.receipt("retrieval", at, RETRIEVAL | {"latency_ms": 199.9})
        rows.receipt("retrieval", at, RETRIEVAL | {"latency_ms": 200.0})
        rows.receipt("injection", at, INJECTION)
        rows.receipt("injection", at, LEFT_OUT)
        rows.receipt("write", at, {})
    rows.tombstone(ago(days=30), ago(days=1))
    rows.tombstone(ago(days=3), ago(days=1), ago(days=2))
    rows.tombstone(ago(days=3), AT + timedelta(days=1))
    found = await postgres_memory(database).levels.events(rows.tenant_id, window, slow_ms=200.0)
    assert found == [
        LevelEvents(indicator="retrieval_latency_p95", good=2, bad=2),
        LevelEvents(indicator="context_overflow_rate", good=2, bad=2),
        LevelEvents(indicator="receipt_completeness_rate", good=8, bad=2),
        LevelEvents(indicator="injection_quality", good=2, bad=2),
        LevelEvents(indicator="deletion_timeout_rate", good=1, bad=1),
    ]


async def test_tenants_with_something_to_watch_are_found(database: Database, rows: Rows):
    quiet, erasing = Rows(rows.connection), Rows(rows.connection)
    rows.receipt("write", ago(hours=1), WRITE)
    quiet.receipt("write", ago(hours=1) - TICK, WRITE)
    erasing.tombstone(ago(days=1), AT)
    found = set(await postgres_memory(database).levels.tenants(ago(hours=1)))
    assert {rows.tenant_id, erasing.tenant_id} <= found
    assert quiet.tenant_id not in found
