"""How long does knowledge take in a turn, kept and at first; and how fast does much of it come in?

``python -m evals.knowledge_speed`` measures 1,000 and 20,000 entries; ``--bulk 1000000 --tenants 50`` many tenants.
``--database URL`` names a migrated database of a superuser's to fill, in which a run that was stopped goes on.
"""

import argparse
import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from random import Random
from struct import pack
from time import perf_counter
from uuid import UUID, uuid5

import numpy as np
import psycopg
from rich.console import Console
from rich.progress import Progress

from apps.calibration.measurement import a_database
from brain.knowledge_database import KnowledgeSessions
from evals.evaluation.scratch import a_server
from evals.filling import encode_field, encode_ints
from evals.knowledge_data import NOW, TENANT, Asked, Handbook, read_handbook, read_questions
from knowledge.port import KnowledgeQuestion, QuestionVector
from knowledge.postgres.knowledge import PostgresKnowledge
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses

CHUNK = 5_000
"""Entries that are copied in one transaction: what a run that is stopped has to do again."""
QUESTIONS = 200
IN_TURN = 10
"""Tenants that ask one after another."""
_COLUMNS = ("tenant_id", "entry_id", "text", "source", "source_key", "content_sha256", "words", "grams", "length")
_COPY = (
    f"copy brain.knowledge_entries ({', '.join(_COLUMNS)}, embedding_model, embedding) from stdin with (format binary)"
)
_NOISE = 0.02
"""By how much the vector of a copied entry differs from the entry's own in each dimension."""


@dataclass(frozen=True)
class Times:
    """Milliseconds, of calls in their order."""

    of_calls: list[float]

    def share(self, part: float) -> float:
        """The time within which that part of the calls was over."""
        return sorted(self.of_calls)[min(len(self.of_calls) - 1, int(part * len(self.of_calls)))]

    def __str__(self) -> str:
        return f"p50 {self.share(0.5):.1f} ms, p95 {self.share(0.95):.1f} ms"


def tenant_of(number: int) -> UUID:
    """One of the tenants."""
    return uuid5(TENANT, f"tenant {number}")


def fill(url: str, handbook: Handbook, tenants: int, entries: int, progress: Progress) -> tuple[int, float]:
    """Give each tenant so many entries, going on where a run before was stopped. Returns rows and seconds."""
    task, copied, started = progress.add_task("copying", total=tenants * entries), 0, perf_counter()
    with psycopg.connect(url, autocommit=True) as connection:
        for number in range(tenants):
            held = _count(connection, tenant_of(number))
            progress.advance(task, held)
            for first in range(held, entries, CHUNK):
                rows = min(CHUNK, entries - first)
                _copy(connection, handbook, tenant_of(number), range(first, first + rows))
                copied += rows
                progress.advance(task, rows)
        spent = perf_counter() - started
        connection.execute("analyze brain.knowledge_entries")
    return copied, spent


def _count(connection: "psycopg.Connection[tuple[int]]", tenant_id: UUID) -> int:
    row = connection.execute(
        "select count(*) from brain.knowledge_entries where tenant_id = %s", (tenant_id,)
    ).fetchone()
    return row[0] if row else 0


def _copy(connection: "psycopg.Connection[tuple[int]]", handbook: Handbook, tenant_id: UUID, numbers: range) -> None:
    with connection.transaction(), connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + pack(">ii", 0, 0))
        for row in _rows(handbook, tenant_id, numbers):
            copy.write(row)
        copy.write(pack(">h", -1))


def _rows(handbook: Handbook, tenant_id: UUID, numbers: range) -> Iterator[bytes]:
    chance, picks = np.random.default_rng(numbers.start), Random(f"{tenant_id}{numbers.start}")
    for number in numbers:
        row = handbook.rows[picks.randrange(len(handbook.rows))]
        assert row.vector is not None
        noisy = (row.vector + chance.normal(0, _NOISE, len(row.vector))).astype(">f2")
        yield pack(">h", len(_COLUMNS) + 2) + b"".join(
            (
                encode_field(tenant_id.bytes),
                encode_field(uuid5(tenant_id, str(number)).bytes),
                encode_field(f"{row.text} ({number})".encode()),
                encode_field(b"bulk"),
                encode_field(str(number).encode()),
                encode_field(number.to_bytes(32, "big")),
                encode_field(encode_ints(row.words.tolist())),
                encode_field(encode_ints(row.grams.tolist())),
                encode_field(pack(">i", row.length)),
                encode_field(row.model.encode()),
                encode_field(pack(">HH", len(noisy), 0) + noisy.tobytes()),
            )
        )


def question_of(handbook: Handbook, asked: Asked, tenant_id: UUID, at: datetime = NOW) -> KnowledgeQuestion:
    """As a turn puts it; the vector is there, as memory has asked for it."""
    _, vector = handbook.question(asked)

    async def embed() -> QuestionVector:
        return vector

    return KnowledgeQuestion(tenant_id=tenant_id, text=asked.text, at=at, embed=embed)


async def time_calls(call: Callable[[int], Awaitable[object]], times: int) -> Times:
    """One call after another."""
    spent: list[float] = []
    for number in range(times):
        started = perf_counter()
        await call(number)
        spent.append((perf_counter() - started) * 1000)
    return Times(spent)


async def measure_size(where: Addresses, handbook: Handbook, asked: list[Asked]) -> tuple[Times, Times, float]:
    """A tenant's first question, and those that follow; and how many megabytes it takes."""
    async with Database(where.app) as database:
        await database.open()
        firsts: list[float] = []
        knowledge = PostgresKnowledge(KnowledgeSessions(database), megabytes=4_000)
        for number in range(5):
            knowledge = PostgresKnowledge(KnowledgeSessions(database), megabytes=4_000)
            question = question_of(handbook, asked[number], tenant_of(0))
            firsts += (await time_calls(lambda _, q=question, k=knowledge: k.consult(q), 1)).of_calls
        questions = [question_of(handbook, each, tenant_of(0)) for each in asked[:QUESTIONS]]
        kept = await time_calls(lambda n: knowledge.consult(questions[n % len(questions)]), len(questions))
        return Times(firsts), kept, knowledge.shelf.size / 1e6


async def measure_tenants(
    where: Addresses, handbook: Handbook, asked: list[Asked], options: argparse.Namespace
) -> Times:
    """Questions of all tenants in turn, where not all of them can be kept."""
    tenants: int = min(options.tenants, IN_TURN)
    async with Database(where.app) as database:
        knowledge = PostgresKnowledge(KnowledgeSessions(database), options.megabytes)
        questions = [question_of(handbook, asked[n], tenant_of(n)) for n in range(tenants)]
        return await time_calls(lambda n: knowledge.consult(questions[n]), len(questions))


@asynccontextmanager
async def _database(url: str | None) -> AsyncGenerator[Addresses]:
    if url:
        where = addresses(url)
        await migrate(where)
        yield where
        return
    with a_server() as server:
        async with a_database(server) as where:
            yield where


async def _run(options: argparse.Namespace, console: Console) -> None:
    handbook, asked = await read_handbook(), await read_questions()
    console.print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    many = [(options.bulk // options.tenants, options.tenants)] if options.bulk else [(1_000, 1), (20_000, 1)]
    for entries, tenants in many:
        async with _database(options.database) as where:
            with Progress(console=Console(stderr=True)) as progress:
                copied, seconds = await asyncio.to_thread(fill, where.owner, handbook, tenants, entries, progress)
            pace = f"{copied / seconds:,.0f} a second" if copied else "none to do"
            console.print(f"{tenants * entries:,} entries in {tenants} tenants; {copied:,} copied, {pace}")
            first, kept, megabytes = await measure_size(where, handbook, asked)
            console.print(f"{entries:,} of one tenant: kept {kept}; first {first}; {megabytes:.0f} MB")
            if tenants > 1:
                in_turn = await measure_tenants(where, handbook, asked, options)
                console.print(f"tenants one after another within {options.megabytes} MB: {in_turn}")
    console.print(f"load {os.getloadavg()[0]:.1f} afterwards")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bulk", type=int, default=0, help="entries of all tenants together")
    parser.add_argument("--tenants", type=int, default=50)
    parser.add_argument("--megabytes", type=int, default=256, help="BRAIN_KNOWLEDGE_MEMORY where tenants ask in turn")
    parser.add_argument("--database", help="a superuser's URL of a database to go on in")
    asyncio.run(_run(parser.parse_args(), Console()))


if __name__ == "__main__":
    main()
