"""What the audit chain costs: ``python -m evals.chain [--rows N] [--seconds S] [--tenants T]``.

Receipts as turns leave them are sealed and signed in batches as the worker does it: first a backlog, then behind a
writer that commits turns at a steady rate. A share of a core is processor time of the sealing backend of PostgreSQL and
of this process's sealing, by the seconds that passed. At last: what writing a turn's receipts costs with the chain's
two columns and its index, and without. Writers do not wait for the disk.
"""

import argparse
import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, sleep, thread_time
from typing import Any, LiteralString
from uuid import UUID, uuid5

import psycopg
from rich.console import Console
from rich.table import Table

from apps.audit_chain.verification import verify_chain
from apps.calibration.measurement import a_database
from apps.jobs.sealing import LINKS, PAUSE, sign_head
from brain.audit_key import AuditKey
from evals.evaluation.scratch import a_server
from memory.postgres.audit_chain import PostgresAuditChain
from memory.postgres.chain_reader import open_chain
from memory.postgres.database import Database, PoolLimits
from memory.postgres.sql import SqlStatement

TURNS, RECEIPTS = 200, 10
"""Turns a second, and receipts of a turn."""
ROUNDS = 5
KEY = AuditKey.derive(bytes(32))
_TENANTS = UUID(int=48)
_INSERT: LiteralString = """
insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, session_id, operation_id, thread_id, run_id,
                                   receipt_type, memory_id, lane, details, details_schema_version, created_at)
select %(tenant)s, gen_random_uuid(), 'main', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'thread', 'run',
       'injection', gen_random_uuid(), 'fact',
       jsonb_build_object('text', repeat('The user keeps a boat in Lisbon. ', 5), 'score', random(),
                          'context_position', n,
                          'signals', jsonb_build_object('words', random(), 'vectors', random(), 'age', random()),
                          'decision_reason', 'above the cut', 'sources', jsonb_build_array(gen_random_uuid())), 1, now()
from generate_series(1, %(count)s::integer) n"""
_WITHOUT: LiteralString = """
drop index brain.receipts_by_writer;
alter table brain.memory_receipts alter salt drop default, alter written_by drop default"""
_WITH: LiteralString = """
create index receipts_by_writer on brain.memory_receipts (written_by, receipt_id) where written_by is not null;
alter table brain.memory_receipts alter salt set default gen_random_uuid(),
    alter written_by set default pg_current_xact_id()"""


@dataclass(frozen=True)
class _Pid:
    pid: int


@dataclass(frozen=True)
class Cost:
    """What some sealing took: seconds that passed, processor seconds of the backend and of this process, links."""

    seconds: float
    backend: float
    python: float
    links: int

    @property
    def core(self) -> float:
        """The share of one core."""
        return (self.backend + self.python) / self.seconds


class Sealer:
    """Seals over one connection, whose backend's processor time it reads."""

    def __init__(self, database: Database, pid: int) -> None:
        self._chain, self._stat = PostgresAuditChain(database), Path(f"/proc/{pid}/stat")
        self.seconds = self.python = 0.0
        self.links = 0

    def backend_seconds(self) -> float:
        """Processor time of the backend so far."""
        fields = self._stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def seal(self) -> None:
        """All that waits."""
        begun, worked = perf_counter(), thread_time()
        while (links := (await self._chain.seal(lambda head: sign_head(KEY, head), LINKS)).links) == LINKS:
            self.links += links
        self.links += links
        self.seconds, self.python = self.seconds + perf_counter() - begun, self.python + thread_time() - worked


@asynccontextmanager
async def a_sealer(url: str) -> AsyncGenerator[Sealer]:
    """A sealer with a connection of its own."""
    async with Database(url, PoolLimits(connections=1, statement=60.0)) as database:
        async with database.anonymous_session() as session:
            (found,) = await session.fetch(SqlStatement("pid", "select pg_backend_pid() as pid"), {}, _Pid)
        yield Sealer(database, found.pid)


async def seal_backlog(url: str, owner: str, rows: int, tenants: int) -> Cost:
    """Sealing rows that are all there."""
    with _connect(owner) as connection:
        for number in range(tenants):
            _write(connection, number, rows // tenants)
        connection.execute("vacuum analyze brain.memory_receipts")
    async with a_sealer(url) as sealer:
        before = sealer.backend_seconds()
        await sealer.seal()
        return Cost(sealer.seconds, sealer.backend_seconds() - before, sealer.python, sealer.links)


async def seal_behind_turns(url: str, owner: str, seconds: float, tenants: int) -> Cost:
    """Sealing every few seconds behind turns that go on."""
    async with a_sealer(url) as sealer:
        await sealer.seal()
        before, begun, worked, links = sealer.backend_seconds(), perf_counter(), sealer.python, sealer.links
        with writing_turns(owner, tenants):
            while (left := begun + seconds - perf_counter()) > 0:
                await asyncio.sleep(min(PAUSE, left))
                await sealer.seal()
        passed = perf_counter() - begun
        return Cost(passed, sealer.backend_seconds() - before, sealer.python - worked, sealer.links - links)


@contextmanager
def writing_turns(owner: str, tenants: int) -> Generator[None]:
    """Commit turns at their rate from a thread; late ones are made up for."""
    over = threading.Event()

    def write() -> None:
        with _connect(owner) as connection:
            begun, done = perf_counter(), 0
            while not over.is_set():
                while done < (perf_counter() - begun) * TURNS:
                    _write(connection, done % tenants, RECEIPTS)
                    done += 1
                sleep(0.002)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        over.set()
        writer.join()


async def verify(owner: str) -> tuple[int, float]:
    """How many links of one tenant were verified, and in how many seconds."""
    begun = perf_counter()
    async with open_chain(owner, _tenant(0)) as reader:
        found = await verify_chain(reader, {KEY.public_key}, ())
    return found.report.links, perf_counter() - begun


def write_with_and_without(owner: str, turns: int) -> tuple[float, float]:
    """Median milliseconds of writing the receipts of a turn: with the chain's columns, and without; in turns."""
    taken: tuple[list[float], list[float]] = ([], [])
    with _connect(owner) as connection:
        for _ in range(ROUNDS):
            taken[0].append(_time_turns(connection, turns))
            connection.execute(_WITHOUT)
            taken[1].append(_time_turns(connection, turns))
            connection.execute(_WITH)
    return median(taken[0]), median(taken[1])


def _connect(owner: str) -> "psycopg.Connection[Any]":
    return psycopg.connect(owner, autocommit=True, options="-c synchronous_commit=off")


def _time_turns(connection: "psycopg.Connection[Any]", turns: int) -> float:
    taken: list[float] = []
    for number in range(turns):
        begun = perf_counter()
        _write(connection, number % 7, RECEIPTS)
        taken.append((perf_counter() - begun) * 1000)
    return median(taken)


def _write(connection: "psycopg.Connection[Any]", tenant: int, count: int) -> None:
    connection.execute(_INSERT, {"tenant": _tenant(tenant), "count": count})


def _tenant(number: int) -> UUID:
    return uuid5(_TENANTS, str(number))


async def measure(told: argparse.Namespace) -> list[tuple[str, str]]:
    """Figures by name."""
    with a_server(told.url) as server:
        async with a_database(server) as where:
            backlog = await seal_backlog(where.app, where.owner, told.rows, told.tenants)
            steady = await seal_behind_turns(where.app, where.owner, told.seconds, told.tenants)
            links, seconds = await verify(where.owner)
            written, plain = write_with_and_without(where.owner, 1_000)
    rate = TURNS * RECEIPTS
    return [
        ("backlog, rows sealed and signed a second", f"{backlog.links / backlog.seconds:,.0f}"),
        ("backlog, processor time a row, backend and Python, µs", f"{_micro(backlog):.1f}"),
        (f"that at {rate:,} rows a second, share of a core", f"{_micro(backlog) * rate / 1e6:.1%}"),
        (f"behind {TURNS} turns a second, rows sealed a second", f"{steady.links / steady.seconds:,.0f}"),
        ("behind turns, share of a core", f"{steady.core:.1%}"),
        ("verified in the database, links a second", f"{links / seconds:,.0f}"),
        (f"writing {RECEIPTS} receipts with the chain's columns, ms p50", f"{written:.2f}"),
        (f"writing {RECEIPTS} receipts without, ms p50", f"{plain:.2f}"),
    ]


def _micro(cost: Cost) -> float:
    return (cost.backend + cost.python) / cost.links * 1e6


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m evals.chain", description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="of the backlog")
    parser.add_argument("--seconds", type=float, default=30, help="of turns")
    parser.add_argument("--tenants", type=int, default=20)
    parser.add_argument("--url", help="a superuser's URL of a server on this machine; else an embedded one is started")
    told = parser.parse_args()
    table = Table(title=f"{told.rows:,} rows, {told.tenants} tenants")
    table.add_column("what")
    table.add_column("figure", justify="right")
    for row in asyncio.run(measure(told)):
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
