"""A home and a cell, the way to both as a process has it, and moves between them."""

import os
import signal
import subprocess
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from apps.cells.move import Moved, open_move
from apps.cells.settling import open_settlement
from apps.cells.standing import open_cell, prepare_cell
from apps.cells.tenant_tables import DERIVED, NUMBERED, QUEUED, STAYS
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.cells import HOME, CellDatabase
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses
from memory.postgres.server import SCHEMAS
from tests.conftest import a_database
from tests.integration.forked_process import MOVER, ForkedProcess

CELL = "east"
PATIENCE = 120.0
"""Seconds after which a mover counts as hanging."""


class Killed(BaseException):
    """What ends a mover between two of its steps."""


@dataclass(frozen=True)
class TwoCells:
    """Where both are."""

    where: Mapping[str, Addresses]

    @property
    def urls(self) -> dict[str, str]:
        """The owners' addresses."""
        return {name: each.owner for name, each in self.where.items()}

    async def move(self, tenant_id: UUID, to: str, on_step: Callable[[str], None] = lambda step: None) -> Moved:
        """Move the tenant."""
        async with open_move(tenant_id, self.urls, on_step) as move:
            return await move.run(to)

    async def choose(self, tenant_id: UUID, name: str) -> None:
        """Let the copy in this cell count."""
        async with open_settlement(tenant_id, self.urls) as settlement:
            await settlement.choose(name)

    async def move_until(self, tenant_id: UUID, to: str, step: str) -> bool:
        """Move the tenant and die where that step begins; whether it came to it."""

        def die(begun: str) -> None:
            if begun == step:
                raise Killed

        try:
            await self.move(tenant_id, to, die)
        except Killed:
            return True
        return False

    def move_until_killed(self, tenant_id: UUID, to: str, step: str) -> int:
        """Move the tenant in a process of its own that SIGKILL ends where that step begins; how it ended."""
        with self.mover(tenant_id, to, step, signal.SIGKILL) as process:
            return process.wait(PATIENCE)

    @contextmanager
    def mover(self, tenant_id: UUID, to: str, step: str, sent: signal.Signals) -> Generator[ForkedProcess]:
        """A process that moves the tenant, and gets that signal where the step begins."""
        told = [str(tenant_id), to, step, str(int(sent)), *(f"{name}={url}" for name, url in self.urls.items())]
        process = ForkedProcess([MOVER, *told], env=os.environ, cwd=Path.cwd(), stderr=subprocess.DEVNULL)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    @asynccontextmanager
    async def process(self) -> AsyncGenerator[tuple[Database, MemoryCore]]:
        """The way to both that a process has, with a memory of its own of where tenants are."""
        corpora = CorpusCache()
        cells = {name: Database(each.app) for name, each in self.where.items()}
        async with CellDatabase(cells.pop(HOME), cells, [corpora.forget]) as database:
            yield database, postgres_memory(database, corpora)

    def rows(self, cell: str, tenant_id: UUID) -> dict[str, list[str]]:
        """All that a tenant has in a cell and that outlives its server, numbers of the server aside."""
        left_out = STAYS | QUEUED | {DERIVED}
        with psycopg.connect(self.where[cell].owner, options="-c timezone=UTC") as owner:
            found = owner.execute(
                "select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                " join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'"
                " where n.nspname = any(%s) and c.relkind = 'r' and c.relpersistence = 'p'",
                (list(SCHEMAS),),
            )
            names = sorted(name for (name,) in found if name not in left_out)
            return {name: kept for name in names if (kept := _rows(owner, name, tenant_id))}

    def jobs(self, cell: str, tenant_id: UUID) -> list[tuple[Any, ...]]:
        """The tenant's jobs, in their order, without their numbers."""
        with psycopg.connect(self.where[cell].owner) as owner:
            return owner.execute(
                "select queue_name, task_name, status::text, args, lock, queueing_lock from queue.procrastinate_jobs"
                " where tenant_id = %s order by id",
                (tenant_id,),
            ).fetchall()

    def count_triggers(self, cell: str) -> int:
        """What moves have left on the tables."""
        with psycopg.connect(self.where[cell].owner) as owner:
            row = owner.execute("select count(*) from pg_trigger where tgname like 'zz_%move_%'").fetchone()
        assert row is not None
        return int(row[0])


@contextmanager
def two_databases(server_url: str, template: str) -> Generator[TwoCells]:
    """Two migrated databases, still of no relation."""
    with a_database(server_url, template) as home, a_database(server_url, template) as cell:
        yield TwoCells({HOME: home, CELL: cell})


async def relate(cells: TwoCells) -> None:
    """Make the second a cell of the first."""
    for each in cells.where.values():
        await migrate(each)
    async with open_cell(HOME, cells.urls[HOME]) as home, open_cell(CELL, cells.urls[CELL]) as cell:
        await prepare_cell(home, cell)


@asynccontextmanager
async def related_databases(server_url: str, template: str) -> AsyncGenerator[TwoCells]:
    """A home and its cell."""
    with two_databases(server_url, template) as made:
        await relate(made)
        yield made


@pytest.fixture
async def cells(server_url: str, template: str) -> AsyncGenerator[TwoCells]:
    """A home and its cell for one test."""
    async with related_databases(server_url, template) as made:
        yield made


@pytest.fixture(scope="module")
async def shared_cells(server_url: str, template: str) -> AsyncGenerator[TwoCells]:
    """A home and its cell for all tests of a module."""
    async with related_databases(server_url, template) as made:
        yield made


def _rows(owner: "psycopg.Connection[Any]", table: str, tenant_id: UUID) -> list[str]:
    query = SQL("select (to_jsonb(t) - %s)::text from {} t where tenant_id = %s order by 1")
    named = query.format(Identifier(*table.split(".")))
    return [row for (row,) in owner.execute(named, (NUMBERED.get(table, ""), tenant_id))]
