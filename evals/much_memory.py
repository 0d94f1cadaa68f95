"""How long does it take to change the memory of somebody who has much of it?

``python -m evals.much_memory --turns 10000 --facts 2000 --json out.json``

Sessions in which somebody tells what they ate and Brain repeats it, with a memory of every meal up to ``--facts``. The
bounds of every wait are Brain's own, so what takes too long fails here as it would in life.
"""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from uuid import UUID, uuid4

import psycopg
from rich.console import Console
from rich.table import Table

from apps.calibration.measurement import a_database
from evals.evaluation.scratch import a_server
from evals.filling import BEGINNING
from evals.measure import Timing, timing
from memory.memory_item import Author, Citation, MemoryDraft
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.scope import Scope
from memory.turns import Capture, SessionRef, Utterance

SESSION = 20
PAGE = 500
OLD, NEW = ("eval:old", (1.0, 0.0)), ("eval:new", (0.0, 1.0, 0.0))
"""Two embedding models and the vector that each makes of everything: what vectors say costs nothing here."""

Change = Callable[[UUID], Awaitable[object]]


async def measure(turns: int, facts: int, calls: int, url: str | None) -> dict[str, Timing]:
    """Milliseconds of each change, in a database of its own."""
    scope = Scope(tenant_id=uuid4(), user_id=uuid4())
    with a_server(url) as server:
        async with a_database(server) as where, Database(where.app) as database:
            memory = postgres_memory(database)
            known = await _fill(memory, scope, turns, facts)
            await asyncio.to_thread(_analyze, where.owner)
            return await _time_changes(memory, scope, known[:calls]) | await _all_at_once(memory, scope)


def _analyze(owner_url: str) -> None:
    """What a server does by itself before long: until then its plans are guesses."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("analyze")


async def _fill(memory: MemoryCore, scope: Scope, turns: int, facts: int) -> list[UUID]:
    known: list[UUID] = []
    for first in range(0, turns, SESSION):
        session = SessionRef(session_id=uuid4(), name=str(first), user_name="ann", tenant_name="eval")
        for number in range(first, min(first + SESSION, turns), 2):
            told, reply = _meal(number)
            await memory.log.capture(scope, Capture(operation_id=uuid4(), session=session, utterances=(told, reply)))
            if len(known) < facts:
                written = await memory.items.write(scope, _draft(told, number), _author(f"write {number}", number))
                known.append(written.memory_id)
    return known


def _meal(number: int) -> tuple[Utterance, Utterance]:
    at = BEGINNING + timedelta(minutes=number)
    told = f"On day {number // SESSION} I ate dish number {number} with Betty in Rome"
    reply = f"How nice, dish number {number} sounds good"
    return (
        Utterance(event_id=uuid4(), role="user", speaker="ann", text=told, occurred_at=at),
        Utterance(event_id=uuid4(), role="assistant", speaker="brain", text=reply, occurred_at=at),
    )


def _draft(told: Utterance, number: int) -> MemoryDraft:
    quote = f"I ate dish number {number}"
    start, digest = told.text.index(quote), sha256(told.text.encode()).hexdigest()
    return MemoryDraft(
        item_type="fact",
        subject="user",
        predicate="ate",
        object=f"dish number {number}",
        content=f"The user ate dish number {number}",
        category="food",
        slot=f"user|ate|{number}",
        single_valued=False,
        provenance="confirmed_by_user",
        confidence=0.9,
        certainty=0.9,
        observed_at=told.occurred_at,
        valid_at=told.occurred_at,
        citations=(Citation(event_id=told.event_id, start=start, end=start + len(quote), sha256=digest),),
    )


def _author(key: str, minutes: int) -> Author:
    at = BEGINNING + timedelta(days=400, minutes=minutes)
    return Author(operator="user", reason="a measurement", idempotency_key=key, at=at)


async def _time_changes(memory: MemoryCore, scope: Scope, known: Sequence[UUID]) -> dict[str, Timing]:
    changes: Mapping[str, Change] = {
        "correct one": lambda each: memory.items.correct(scope, each, "The user ate soup", _author(f"c {each}", 1)),
        "forget one": lambda each: memory.items.forget(scope, each, _author(f"f {each}", 2)),
        "restore one": lambda each: memory.items.restore(scope, each, 1, _author(f"r {each}", 3)),
    }
    return {name: timing([[await _seconds(change(each)) for each in known]]) for name, change in changes.items()}


async def _all_at_once(memory: MemoryCore, scope: Scope) -> dict[str, Timing]:
    index = memory.index
    changes: Mapping[str, Callable[[], Awaitable[object]]] = {
        "derive the index again": lambda: index.rebuild(scope),
        "save all vectors": lambda: _embed(memory, scope),
        "stage those of another model": lambda: _stage(memory, scope),
        "switch to it": lambda: index.switch_vectors(scope, NEW[0]),
    }
    return {name: timing([[await _seconds(change())]]) for name, change in changes.items()}


async def _embed(memory: MemoryCore, scope: Scope) -> None:
    model, vector = OLD
    while rows := await memory.index.rows_without_vector(scope, model, PAGE):
        await memory.index.save_vectors(scope, model, rows, [vector] * len(rows))


async def _stage(memory: MemoryCore, scope: Scope) -> None:
    model, vector = NEW
    while rows := await memory.index.rows_without_staged_vector(scope, model, PAGE):
        await memory.index.stage_vectors(scope, model, rows, [vector] * len(rows))


async def _seconds(change: Awaitable[object]) -> float:
    begun = perf_counter()
    await change
    return perf_counter() - begun


def _table(timings: Mapping[str, Timing], turns: int, facts: int) -> Table:
    table = Table(title=f"p50 / p95 ms · {turns:,} turns · {facts:,} memories")
    for column in ("what", "ms"):
        table.add_column(column)
    for name, each in timings.items():
        table.add_row(name, f"{each.p50:,.0f} / {each.p95:,.0f}" if each.calls > 1 else f"{each.p50:,.0f}")
    return table


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.much_memory", description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--facts", type=int, default=2_000)
    parser.add_argument("--calls", type=int, default=50, help="memories that are corrected, forgotten, restored")
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    timings = asyncio.run(measure(told.turns, told.facts, told.calls, told.url))
    Console().print(_table(timings, told.turns, told.facts))
    if told.json:
        told.json.write_text(json.dumps({name: asdict(each) for name, each in timings.items()}, indent=2))


if __name__ == "__main__":
    main()
