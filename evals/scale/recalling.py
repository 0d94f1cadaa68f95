"""Recall of one person in tables of different sizes, asked in turn; and what a first question reads of a cold table."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import psycopg
from pgvector.psycopg import register_vector

from brain.recall import RecallRequest, query_of
from evals.computing import Computing, measure_computing
from evals.contenders import FOUND, BrainRecall, Contender, KnownVectors, Query, brain_database, queries, resources
from evals.evaluation.metrics import percentile
from evals.filling import BEGINNING, MODEL, PERIOD, Person, population
from evals.measure import Call, Rounds, Timing, measure_interleaved, timing
from evals.scale.loading import Layout
from evals.scale.pages import evict
from memory.postgres.corpus_cache import PAGE, CorpusCache
from memory.postgres.roles import Addresses
from memory.postgres.sql import SqlStatement, statement
from memory.recall.statement import recall_parameters
from memory.scope import Scope

QUESTIONS = 200
KEPT, FIRST = "kept", "first"
"""Somebody who goes on talking, whose rows the process keeps, and the statement that answers everybody else."""


@dataclass(frozen=True)
class Table:
    """A filled database."""

    where: Addresses
    layout: Layout

    def people(self, tenant: str, memories: int) -> list[Person]:
        """Those asked about, of one tenant and size."""
        return [each for each in self.layout.asked if each.tenant == tenant and each.memories == memories]


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """One combination of table, tenant, memories and way; ``computing`` in milliseconds of processor time."""

    rows: int
    tenant: str
    memories: int
    way: str
    took: Timing
    computing: Computing


@dataclass(frozen=True, kw_only=True)
class ColdRead:
    """Medians over people who are asked about for the first time, the table being in no memory at all.

    ``read`` and ``hit`` are pages of 8 kB outside and inside PostgreSQL's own; ``warm_ms`` is the same at once again.
    """

    rows: int
    tenant: str
    memories: int
    people: int
    read: float
    hit: float
    cold_ms: float
    warm_ms: float
    warm_hit: float
    plan: str


async def measure_recall(tables: Sequence[Table], sizes: Sequence[int], rounds: Rounds) -> list[Recalled]:
    """All tables and tenants side by side, call by call, one number of memories after another."""
    asked = questions(tables[0].layout)
    async with AsyncExitStack() as stack:
        ways = {table.layout.rows: await stack.enter_async_context(_ways(table, asked)) for table in tables}
        return [each for size in sizes for each in await _measure_size(tables, ways, asked, size, rounds)]


def questions(layout: Layout) -> list[Query]:
    """What is asked about made-up talk."""
    return queries(population([], 0, layout.dimensions), QUESTIONS)


@asynccontextmanager
async def _ways(table: Table, asked: Sequence[Query]) -> AsyncGenerator[Mapping[str, Contender]]:
    known = KnownVectors({query.text: query.vector for query in asked if query.vector})
    embedder = known if table.layout.dimensions else None
    async with brain_database(table.where) as database:
        yield {
            KEPT: BrainRecall(resources(database, embedder)),
            FIRST: BrainRecall(resources(database, embedder, corpora=CorpusCache(megabytes=0))),
        }


async def _measure_size(
    tables: Sequence[Table],
    ways: Mapping[int, Mapping[str, Contender]],
    asked: Sequence[Query],
    size: int,
    rounds: Rounds,
) -> list[Recalled]:
    calls: dict[tuple[int, str, str], Call] = {}
    owners: dict[int, str] = {table.layout.rows: table.where.owner for table in tables}
    for table in tables:
        for tenant in dict.fromkeys(each.tenant for each in table.layout.asked):
            for way, contender in ways[table.layout.rows].items():
                people = table.people(tenant, size)
                call = partial(_ask, contender, people, asked)
                for number in range((2 + size // PAGE) * len(people)):
                    await call(number)
                calls[table.layout.rows, tenant, way] = call
    named = {"/".join(map(str, key)): call for key, call in calls.items()}
    seconds = await measure_interleaved(named, rounds)
    return [
        Recalled(
            rows=key[0],
            tenant=key[1],
            memories=size,
            way=key[2],
            took=timing(seconds[name]),
            computing=(await measure_computing({name: named[name]}, rounds.calls, owners[key[0]]))[name],
        )
        for key, name in zip(calls, named, strict=True)
    ]


async def _ask(contender: Contender, people: Sequence[Person], asked: Sequence[Query], number: int) -> int:
    return await contender.find(people[number % len(people)], asked[number % len(asked)])


def measure_cold(table: Table, sizes: Sequence[int], statement_text: SqlStatement | None = None) -> list[ColdRead]:
    """Each person once after everything was evicted, and at once again. Needs a superuser, and root for the files."""
    asked, found = questions(table.layout), list[ColdRead]()
    for size in sizes:
        for tenant in dict.fromkeys(each.tenant for each in table.layout.asked):
            evict(table.where.owner)
            reads = [
                explain_twice(table.where, person.scope, asked[number], statement_text or statement("recall"))
                for number, person in enumerate(table.people(tenant, size))
            ]
            found.append(_summary(table.layout.rows, tenant, size, reads))
    return found


@dataclass(frozen=True)
class _Explained:
    """Pages and milliseconds of one execution, and by which index the person's rows were found."""

    read: int
    hit: int
    ms: float
    planning_ms: float
    plan: str


def explain_twice(where: Addresses, scope: Scope, asked: Query, recall: SqlStatement) -> tuple[_Explained, _Explained]:
    """Cold and warm, as the application's role under row-level security, in a session that has looked at nothing."""
    with psycopg.connect(where.app, options="-c search_path=brain,public,extensions") as connection:
        connection.execute("select brain.act_as(%s, %s, %s)", [scope.tenant_id, scope.key, scope.user_id])
        explained = f"explain (analyze, buffers, format json) {recall.text}".encode()
        register_vector(connection)
        first, second = (_read_plan(connection.execute(explained, _params(scope, asked)).fetchone()) for _ in range(2))
    return first, second


def _params(scope: Scope, asked: Query) -> dict[str, object]:
    query = query_of(RecallRequest(text=asked.text, at=BEGINNING + PERIOD, limit=FOUND))
    query = replace(query, embedding=asked.vector, embedding_model=MODEL if asked.vector else "none")
    return recall_parameters(scope, query)


def _read_plan(row: Any) -> _Explained:
    (told,) = row[0]
    top = told["Plan"]
    return _Explained(
        read=top["Shared Read Blocks"],
        hit=top["Shared Hit Blocks"],
        ms=told["Execution Time"],
        planning_ms=told["Planning Time"],
        plan=" + ".join(dict.fromkeys(_scans(top))),
    )


def _scans(node: Mapping[str, Any]) -> list[str]:
    """How each part of the recall index is reached."""
    own = []
    if node.get("Index Name") or node["Node Type"] in {"Seq Scan", "Tid Scan"}:
        own = [f"{node['Node Type']} {node.get('Index Name', '')}".strip()]
    return [*own, *(scan for each in node.get("Plans", ()) for scan in _scans(each))]


def _summary(rows: int, tenant: str, size: int, reads: Sequence[tuple[_Explained, _Explained]]) -> ColdRead:
    cold, warm = zip(*reads, strict=True)
    return ColdRead(
        rows=rows,
        tenant=tenant,
        memories=size,
        people=len(reads),
        read=percentile([each.read for each in cold], 0.5),
        hit=percentile([each.hit for each in cold], 0.5),
        cold_ms=percentile([each.ms for each in cold], 0.5),
        warm_ms=percentile([each.ms for each in warm], 0.5),
        warm_hit=percentile([each.hit for each in warm], 0.5),
        plan=" | ".join(dict.fromkeys(each.plan for each in cold)),
    )
