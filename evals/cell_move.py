"""How long callers of a tenant wait while it moves to another cell, and whether a turn is lost or doubled.

``python -m evals.cell_move --rows 100000``: two PostgreSQL servers, a tenant with so many rows that some people talk to
while it moves, beside another tenant that stays. ``--kills N`` ends the mover with SIGKILL at chance moments first. In
the end the tenant's new cell is killed and started again: what does the tenant that stays notice?
"""

import argparse
import asyncio
import random
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from time import monotonic
from uuid import UUID, uuid4

import psycopg

from apps.cells.move import open_move
from apps.cells.standing import open_cell, prepare_cell
from brain.local_postgres.server import EmbeddedPostgres
from evals.standby import cluster_of, kill
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.cells import HOME, CellDatabase
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses
from memory.scope import Scope
from memory.turns import Capture, SessionRef, Utterance

CELL = "east"
PEOPLE = 4
"""People of the tenant who talk without a pause; as many of another one."""
_SPAN = 8.0
"""Seconds within which a mover is killed."""
_LOOK = 20.0
"""Seconds of talk before a cell is killed, while it is away, and afterwards."""
_COLUMNS = """
select string_agg(quote_ident(attname), ', ') from pg_attribute
where attrelid = %s::regclass and attnum > 0 and not attisdropped and attgenerated = ''"""
_CLONE = """
insert into {table} ({columns})
select {columns} from (
    select (jsonb_populate_record(one.t, jsonb_build_object({key}, gen_random_uuid(), 'position', 100000 + n,
        'idempotency_key', 'filled ' || n))).*
    from (select t from {table} t where tenant_id = %s limit 1) one, generate_series(1, %s) n) filled"""
_CLONED = (("brain.conversation_events", "'event_id'"), ("brain.recall_index", "'source_id'"))
"""Tables of which each gets half of the rows, with what names a row."""


@dataclass
class Talk:
    """What somebody said, and how long each turn took. ``refused``: codes of turns that were not accepted."""

    scope: Scope
    session: SessionRef = field(
        default_factory=lambda: SessionRef(session_id=uuid4(), name="talk", user_name="ann", tenant_name="acme")
    )
    said: list[UUID] = field(default_factory=list[UUID])
    seconds: list[float] = field(default_factory=list[float])
    refused: list[str] = field(default_factory=list[str])

    async def say(self, memory: MemoryCore) -> None:
        """One turn."""
        text = f"Words {len(self.seconds)} of {self.scope.user_id}"
        spoken = Utterance(event_id=uuid4(), role="user", speaker="user", text=text, occurred_at=datetime.now(UTC))
        begun = monotonic()
        try:
            await memory.log.capture(
                self.scope, Capture(operation_id=uuid4(), session=self.session, utterances=(spoken,))
            )
            self.said.append(spoken.event_id)
        except BrainError as error:
            self.refused.append(error.code)
        self.seconds.append(monotonic() - begun)

    async def go_on(self, memory: MemoryCore, over: asyncio.Event) -> None:
        """Say one thing after the other."""
        while not over.is_set():
            await self.say(memory)
            await asyncio.sleep(0.01)


async def measure(where: dict[str, Addresses], east: EmbeddedPostgres, rows: int, kills: int) -> None:
    """Fill a tenant, let people talk, move it there, back and there, kill its cell, and print what they noticed."""
    moving, staying = uuid4(), uuid4()
    talks = [Talk(Scope(tenant_id=each, user_id=uuid4())) for each in [moving, staying] * PEOPLE]
    urls = {name: each.owner for name, each in where.items()}
    async with _process(where) as memory:
        for each in talks[:2]:
            await each.say(memory)
        await asyncio.to_thread(_fill, urls[HOME], moving, rows)
        print(f"filled with {rows:,} rows")
        await _talk_while(memory, talks, asyncio.sleep(5))
        _print("nobody moves", talks, staying)
        for to in (CELL, HOME, CELL):
            for _ in range(kills):
                await _talk_while(memory, talks, asyncio.to_thread(_kill_a_mover, where, moving, to))
            begun = monotonic()
            await _talk_while(memory, talks, _move(urls, moving, to))
            print(f"to {to}: {monotonic() - begun:.1f} s")
            _print(f"moving to {to}", talks, staying)
            _compare(urls[to], talks)
        await _talk_while(memory, talks, asyncio.sleep(_LOOK))
        _print("both cells are up", talks, staying)
        kill(cluster_of(east))
        await _talk_while(memory, talks, asyncio.sleep(_LOOK))
        _print(f"{CELL} was killed", talks, staying)
        await asyncio.to_thread(east.start)
        await _talk_while(memory, talks, asyncio.sleep(_LOOK))
        _print(f"{CELL} is back", talks, staying)
        _compare(urls[CELL], talks)


async def _move(urls: dict[str, str], tenant_id: UUID, to: str) -> None:
    begun = monotonic()
    steps = dict[str, float]()
    async with open_move(tenant_id, urls, lambda step: steps.update({step: monotonic() - begun})) as move:
        moved = await move.run(to)
    print("  steps began at (s):", ", ".join(f"{step} {at:.1f}" for step, at in steps.items()))
    print(f"{moved.rows:,} rows, {moved.changed:,} written meanwhile; held for {moved.held_seconds:.2f} s")


async def _talk_while(memory: MemoryCore, talks: Sequence[Talk], work: Coroutine[None, None, object]) -> None:
    """Let everybody talk until the work is done, and forget how long turns took, and what was refused, before."""
    over = asyncio.Event()
    for each in talks:
        each.seconds.clear()
        each.refused.clear()
    talking = [asyncio.create_task(each.go_on(memory, over)) for each in talks]
    try:
        await work
    finally:
        over.set()
    await asyncio.gather(*talking)


def _print(when: str, talks: Sequence[Talk], staying: UUID) -> None:
    for name, stays in (("moves", False), ("stays", True)):
        group = [each for each in talks if (each.scope.tenant_id == staying) == stays]
        seconds = [one for each in group for one in each.seconds]
        refused = sum(len(each.refused) for each in group)
        p95 = quantiles(seconds, n=20)[-1]
        print(
            f"  {when}, the tenant that {name}: {len(seconds):,} turns, {refused} refused,"
            f" p95 {p95 * 1000:.0f} ms, longest {max(seconds):.2f} s"
        )


def _compare(owner_url: str, talks: Sequence[Talk]) -> None:
    """Whether all that was acknowledged is there once. Whoever stays is at home."""
    moving = talks[0].scope.tenant_id
    told = [each for talk in talks if talk.scope.tenant_id == moving for each in talk.said]
    with psycopg.connect(owner_url) as owner:
        found = owner.execute(
            "select event_id from brain.conversation_events where tenant_id = %s and event_id = any(%s)", (moving, told)
        ).fetchall()
    print(f"  said {len(told):,}; lost {len(told) - len(found)}, doubled {len(told) - len(set(told))}")


def _kill_a_mover(where: dict[str, Addresses], tenant_id: UUID, to: str) -> None:
    """A process that moves the tenant, ended at a chance moment; what it left is repeated by the next."""
    command = [sys.executable, "-m", "evals.cell_move", "--mover", str(tenant_id), to]
    urls = [f"{name}={each.owner}" for name, each in where.items()]
    mover = subprocess.Popen([*command, *urls], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        mover.wait(random.uniform(0.5, _SPAN))
    except subprocess.TimeoutExpired:
        mover.kill()
        mover.wait()
    print(f"  a mover to {to} ended with {mover.returncode}")


@asynccontextmanager
async def _process(where: dict[str, Addresses]) -> AsyncGenerator[MemoryCore]:
    corpora = CorpusCache()
    cells = {name: Database(each.app) for name, each in where.items()}
    async with CellDatabase(cells.pop(HOME), cells, [corpora.forget]) as database:
        yield postgres_memory(database, corpora)


def _fill(owner_url: str, tenant_id: UUID, rows: int) -> None:
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("set session_replication_role = replica")
        for table, key in _CLONED:
            (columns,) = owner.execute(_COLUMNS, (table,)).fetchone() or ("",)
            clone = _CLONE.format(table=table, columns=columns, key=key)
            owner.execute(clone.encode(), (tenant_id, rows // len(_CLONED)))
        owner.execute("analyze")


async def _prepare(where: dict[str, Addresses]) -> None:
    for each in where.values():
        await migrate(each)
    async with AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(open_cell(name, each.owner)) for name, each in where.items()]
        await prepare_cell(*opened)


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000, help="rows of the tenant that moves")
    parser.add_argument("--kills", type=int, default=0, help="movers that are killed before each move")
    parser.add_argument("--mover", nargs="+", help=argparse.SUPPRESS)
    told = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    if told.mover:
        tenant, to, *urls = told.mover
        asyncio.run(_move(dict(each.split("=", 1) for each in urls), UUID(tenant), to))
        return
    with tempfile.TemporaryDirectory(prefix="brain-cells-") as folder, ExitStack() as stack:
        Path(folder).chmod(0o711)
        servers = {name: EmbeddedPostgres(Path(folder) / name, durable=name == CELL) for name in (HOME, CELL)}
        where: dict[str, Addresses] = {}
        for name, server in servers.items():
            stack.callback(server.stop)
            where[name] = addresses(server.start())
        asyncio.run(_prepare(where))
        asyncio.run(measure(where, servers[CELL], told.rows, told.kills))


if __name__ == "__main__":
    main()
