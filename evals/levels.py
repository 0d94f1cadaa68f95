"""What counting service levels costs: ``python -m evals.levels [--receipts N] [--memories N]``.

A tenant of 1,000 people with a week of receipts (one search for nine injections) and memories, a tenth of which were
replaced; then a whole report, the good and bad events of five minutes, and a person's count, each a few times.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from statistics import median
from time import perf_counter
from typing import LiteralString
from uuid import UUID

import psycopg
from rich.console import Console
from rich.table import Table

from apps.calibration.measurement import a_database
from evals.evaluation.scratch import a_server
from memory.levels import Window
from memory.postgres import postgres_memory
from memory.postgres.database import Database, PoolLimits
from memory.scope import Scope

ROUNDS = 5
PEOPLE = 1_000
TENANT, PERSON = UUID(int=73), UUID(int=1)
_WEEK_SECONDS = 604_800
_RECEIPTS: LiteralString = """
insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, receipt_type, memory_id, lane, details,
                                   details_schema_version, created_at)
select %(tenant)s, gen_random_uuid(), 'main', lpad(to_hex(n %% %(people)s), 32, '0')::uuid,
       case when n %% 10 = 0 then 'retrieval' else 'injection' end, gen_random_uuid(), 'fact',
       case when n %% 10 = 0 then
           jsonb_build_object('policy', 'blend', 'queries', jsonb_build_array('tea'), 'latency_ms', random() * 150,
               'candidates', (select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'score', random()))
                              from generate_series(1, 15)),
               'stores_used', jsonb_build_array('memory'), 'degraded_reason', '[]'::jsonb)
       else
           jsonb_build_object('candidate_score', random(), 'decision_reason', 'relevance', 'policy_version', 'blend',
               'guardrail_hit', jsonb_build_object('hit', false, 'rule', null), 'context_position', n %% 9,
               'budget_exceeded', false, 'text', repeat('The user keeps a boat in Lisbon. ', 5))
       end, 3, %(at)s - make_interval(secs => %(week)s::float8 * n / %(count)s)
from generate_series(1, %(count)s::integer) n"""
_MEMORIES: LiteralString = """
insert into brain.memory_items (tenant_id, item_id, scope, user_id, item_type, subject, predicate, object, negated,
                                content, category, slot, status, confidence, certainty, provenance, superseded_by,
                                version, observed_at, valid_at, created_at, updated_at)
select %(tenant)s, lpad(to_hex(n), 32, '0')::uuid, 'main', lpad(to_hex(n %% %(people)s), 32, '0')::uuid, 'fact', 'user',
       'likes', 'tea', false, 'The user likes tea.', 'tea', 'slot ' || n,
       case when n %% 10 = 0 then 'superseded' else 'active' end, 0.9, 0.9, '{}',
       case when n %% 10 = 0 then lpad(to_hex(n - 1), 32, '0')::uuid end, 1,
       %(at)s - interval '40 days', %(at)s - interval '40 days', %(at)s - interval '40 days', %(at)s - interval '5 days'
from generate_series(1, %(count)s::integer) n"""


def fill(owner: str, receipts: int, memories: int, at: datetime) -> None:
    """Lay the rows."""
    told = {"tenant": TENANT, "people": PEOPLE, "week": _WEEK_SECONDS, "at": at}
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(_RECEIPTS, told | {"count": receipts})
        connection.execute(_MEMORIES, told | {"count": memories})
        connection.execute("vacuum analyze brain.memory_receipts, brain.memory_items")


async def time_rounds(work: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds of the middle round."""
    took: list[float] = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        await work()
        took.append((perf_counter() - begun) * 1_000)
    return median(took)


async def measure(url: str, at: datetime) -> dict[str, float]:
    """Milliseconds by what is counted."""
    async with Database(url, PoolLimits(connections=1, statement=600.0)) as database:
        memory = postgres_memory(database)
        person = Scope(tenant_id=TENANT, user_id=PERSON)
        short = Window.before(at, timedelta(minutes=5))
        return {
            "a report": await time_rounds(lambda: memory.levels.measure(TENANT, at, slow_ms=200.0, enough=100)),
            "events of 5 minutes": await time_rounds(lambda: memory.levels.events(TENANT, short, slow_ms=200.0)),
            "tenants to watch": await time_rounds(lambda: memory.levels.tenants(short.since)),
            "a person": await time_rounds(lambda: memory.upkeep.count_memories(person, at)),
        }


async def main(receipts: int, memories: int) -> None:
    """Fill a database of its own and measure."""
    at = datetime.now(UTC)
    with a_server() as server:
        async with a_database(server) as where:
            fill(where.owner, receipts, memories, at)
            found = await measure(where.app, at)
    table = Table(box=None)
    table.add_column(f"{receipts:,} receipts, {memories:,} memories")
    table.add_column("ms", justify="right")
    for name, took in found.items():
        table.add_row(name, f"{took:,.1f}")
    Console().print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--receipts", type=int, default=300_000)
    parser.add_argument("--memories", type=int, default=100_000)
    given = parser.parse_args()
    asyncio.run(main(given.receipts, given.memories))
