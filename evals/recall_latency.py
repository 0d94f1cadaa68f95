"""How fast is recall, for people with few and many memories, among how many rows of others, beside other memories?

``python -m evals.recall_latency --rows 200000 --dimensions 384 --beside store mem0 --json out.json``
"""

import argparse
import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import psycopg
from rich.console import Console
from rich.progress import Progress

from apps.calibration.measurement import a_database
from evals.computing import measure_computing
from evals.contenders import (
    BrainRecall,
    Contender,
    KnownVectors,
    StoreSearch,
    a_store,
    brain_database,
    fill_store,
    mem0_search,
    queries,
    resources,
)
from evals.evaluation.scratch import a_server
from evals.filling import Person, Population, fill, population
from evals.latency_tables import Case, OfPerson, tables
from evals.log_filling import fill_log
from evals.measure import Rounds, measure_interleaved, timing, under_load
from evals.recall_parts import WORDS_ONLY, Field, parts
from memory.postgres.corpus_cache import PAGE, CorpusCache
from memory.postgres.database import Database
from memory.postgres.index import PostgresIndex
from memory.postgres.roles import Addresses

COPIES = {100: 8, 1_000: 4}
"""How many people of a size are asked about in turn; one of any other size."""
QUESTIONS = 200
WIDTH = 110
"""Columns of the printed tables, at least: also where the output is a file."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What to measure."""

    rows: tuple[int, ...]
    dimensions: tuple[int, ...]
    people: tuple[int, ...]
    concurrency: tuple[int, ...]
    beside: tuple[str, ...]
    ann: bool
    rounds: Rounds
    seconds: float


async def measure(options: Options, url: str | None, progress: Progress) -> list[Case]:
    """Every table size and dimension in a fresh database."""
    with a_server(url) as server:
        return [
            await _case(server, options, population(_people_asked(options.people), rows, dimensions), progress)
            for dimensions in options.dimensions
            for rows in options.rows
        ]


def _people_asked(sizes: Sequence[int]) -> list[Person]:
    return [Person("asked", f"{size}-{copy}", size) for size in sizes for copy in range(COPIES.get(size, 1))]


async def _case(server: str, options: Options, people: Population, progress: Progress) -> Case:
    async with a_database(server) as where:
        await asyncio.to_thread(fill, where.owner, people, progress)
        sizes = _sizes(where, people.rows)
        async with _open_field(where, options, people, progress) as field:
            task = progress.add_task("asking", total=len(options.people))
            figures = [
                await _measure_person(field, memories, options, partial(progress.advance, task))
                for memories in options.people
            ]
            rebuild = await _rebuild(where, field.database, max(people.asked, key=lambda each: each.memories))
    return Case(
        rows=people.rows,
        dimensions=people.dimensions,
        people=tuple(figures),
        bytes_per_million=sizes,
        rebuild=rebuild,
    )


@asynccontextmanager
async def _open_field(
    where: Addresses, options: Options, people: Population, progress: Progress
) -> AsyncGenerator[Field]:
    questions = queries(people, QUESTIONS)
    known = KnownVectors({query.text: query.vector for query in questions if query.vector})
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(brain_database(where))
        embedder = known if people.dimensions else None
        contenders: dict[str, Contender] = {
            "brain": BrainRecall(resources(database, embedder)),
            WORDS_ONLY: BrainRecall(resources(database, None)),
            "brain, first question": BrainRecall(resources(database, embedder, corpora=CorpusCache(megabytes=0))),
        }
        if "store" in options.beside and people.dimensions:
            task = progress.add_task("filling LangGraph's store", total=None)
            store = await stack.enter_async_context(a_store(where, known, people.dimensions))
            await asyncio.to_thread(fill_store, where.owner, ann=options.ann)
            contenders["store"] = StoreSearch(store)
            progress.update(task, total=1, completed=1)
        if "mem0" in options.beside and people.dimensions:
            task = progress.add_task("filling mem0", total=None)
            contenders["mem0"] = await asyncio.to_thread(mem0_search, where, people.dimensions, ann=options.ann)
            progress.update(task, total=1, completed=1)
        asked = {size: [each for each in people.asked if each.memories == size] for size in options.people}
        yield Field(where.owner, database, contenders, questions, asked)


async def _measure_person(field: Field, memories: int, options: Options, done: Any) -> OfPerson:
    async def find(name: str, number: int) -> int:
        contender, person, query = field.asks(name, memories, number)
        found[name].append(count := await contender.find(person, query))
        return count

    found: dict[str, list[int]] = {name: [] for name in field.contenders}
    calls = {name: partial(find, name) for name in field.contenders}
    await _acquaint(field, memories)
    alone = await measure_interleaved(calls, options.rounds)
    computed = await measure_computing(calls, options.rounds.calls, field.owner_url)
    loads = {
        name: [await under_load(call, clients, options.seconds) for clients in options.concurrency if clients > 1]
        for name, call in calls.items()
    }
    done()
    return OfPerson(
        memories=memories,
        alone={name: timing(each) for name, each in alone.items()},
        found={name: sum(each) / len(each) for name, each in found.items()},
        computing=computed,
        parts=await parts(field, memories, options.rounds),
        loads=loads,
    )


async def _acquaint(field: Field, memories: int) -> None:
    """Each has asked before, so that Brain keeps them all, and everybody's caches are warm."""
    questions = (2 + memories // PAGE) * len(field.people[memories])
    for name in field.contenders:
        for number in range(questions):
            contender, person, query = field.asks(name, memories, number)
            await contender.find(person, query)


def _sizes(where: Addresses, rows: int) -> dict[str, int]:
    """Bytes per million rows of the index's heap, its overflow (TOAST) and each of its B-trees."""
    with psycopg.connect(where.owner, autocommit=True) as connection:
        found = connection.execute(
            "select c.relname, pg_relation_size(c.oid) from pg_index i join pg_class c on c.oid = i.indexrelid"
            " where i.indrelid = 'brain.recall_index'::regclass union all"
            " select 'heap', pg_relation_size('brain.recall_index') union all"
            " select 'overflow', pg_table_size('brain.recall_index') - pg_relation_size('brain.recall_index')"
        ).fetchall()
    return {str(name): round(int(size) * 1_000_000 / rows) for name, size in found}


async def _rebuild(where: Addresses, database: Database, person: Person) -> dict[str, float]:
    """Seconds to derive one person's index again from the log."""
    await asyncio.to_thread(fill_log, where.owner, person)
    begun = perf_counter()
    written = await PostgresIndex(database).rebuild(person.scope)
    return {"rows": written, "seconds": perf_counter() - begun}


def _options() -> tuple[Options, argparse.Namespace]:
    parser = argparse.ArgumentParser(prog="python -m evals.recall_latency", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[200_000], help="rows of other people")
    parser.add_argument("--dimensions", type=int, nargs="+", default=[384], help="0: no vectors at all")
    parser.add_argument("--people", type=int, nargs="+", default=[100, 1_000, 10_000], help="memories of who asks")
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--beside", nargs="*", choices=["store", "mem0"], default=["store"])
    parser.add_argument("--ann", action="store_true", help="give the others their HNSW index; it takes long to build")
    parser.add_argument("--calls", type=int, default=40, help="questions per repetition")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="of load per contender and number of clients")
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    options = Options(
        rows=tuple(told.rows),
        dimensions=tuple(told.dimensions),
        people=tuple(told.people),
        concurrency=tuple(told.concurrency),
        beside=tuple(told.beside),
        ann=told.ann,
        rounds=Rounds(calls=told.calls, repetitions=told.repetitions),
        seconds=told.seconds,
    )
    return options, told


def main() -> None:
    """Measure, print tables, write JSON."""
    options, told = _options()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        cases = asyncio.run(measure(options, told.url, progress))
    console = Console(width=max(WIDTH, Console().width))
    for table in tables(cases):
        console.print(table)
    if told.json:
        figures = {"options": asdict(options), "cases": [asdict(case) for case in cases]}
        told.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
