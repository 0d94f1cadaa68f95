"""What a month of talk leaves in every table: rows, bytes and log per turn, in two languages, with a model or none.

People chat as in ``ordinary_talk``; every message goes through the turn as a server runs it, with its saver, and
through the evolution behind it; every night upkeep runs. The second half of the month is counted, so that what a table
has from the beginning (its first pages, the first profile) is no part of a turn.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from psycopg.sql import SQL, Identifier

from apps.calibration.measurement import a_database
from apps.threads.checkpointer import Saver
from brain.context import Context
from brain.embeddings.backfill import embed_pending
from brain.identity import Identity
from brain.job_context import JobContext
from brain.models.roles import Models
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from evals.evaluation.memory_data import Language
from evals.evaluation.memory_replay import Calendar
from evals.ordinary_talk import Chatter, chatters
from evals.scale.noting_model import NotingModel
from evolution.upkeep.state import UpkeepState
from graphs.brain import builder
from graphs.evolution import evolve
from graphs.upkeep import run_upkeep
from memory.postgres.pools import PoolLimits, checkpoint_pool
from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of
from nodes.open_session import session_of

BEGINS = datetime(2026, 3, 2, 8)
TENANT = "month"
PAUSE = timedelta(minutes=47)
PATIENCE = 300.0
"""Seconds that a statement may take on a machine that does other things."""
LANGUAGES: tuple[Language, ...] = ("en", "zh")
SCHEMAS = ["brain", "checkpoint", "queue", "knowledge"]


@dataclass(frozen=True, kw_only=True)
class TableSize:
    """A table as it is: rows, and bytes with its overflow and its indexes."""

    rows: int
    heap: int
    indexes: int


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """All tables at one moment; bytes of log and transaction ids used so far."""

    tables: Mapping[str, TableSize]
    wal: int
    transactions: int


@dataclass(frozen=True, kw_only=True)
class PerTurn:
    """Of one table and turn, on average."""

    rows: float
    heap: float
    indexes: float


@dataclass(frozen=True, kw_only=True)
class MonthFigures:
    """What a turn leaves. ``wal`` is without full pages, which depend on how often checkpoints come."""

    language: Language
    model: bool
    people: int
    turns: int
    tables: Mapping[str, PerTurn]
    wal: float
    transactions: float


@dataclass(frozen=True)
class _Life:
    """One person's days."""

    resources: Resources
    graph: Any
    calendar: Calendar
    chatter: Chatter
    chance: Random

    @property
    def identity(self) -> Identity:
        whose = Speaker(tenant=TENANT, user=self.chatter.name)
        return Identity(scope=scope_of(whose), tenant=TENANT, user=self.chatter.name)

    async def spend(self, day: int) -> int:
        """One day, and its night; the number of turns."""
        morning = BEGINS.replace(tzinfo=ZoneInfo(self.chatter.zone)) + timedelta(days=day)
        session = f"day {day}"
        for number, remark in enumerate(self.chatter.days[day]):
            self.calendar.at = morning + number * PAUSE
            await self._say(session, remark.text.replace("{memory}", self.chance.choice(("Rome", "tea"))))
        self.calendar.at = morning + timedelta(hours=18)
        whose = self.identity.scope
        await run_upkeep(JobContext(scope=whose, resources=self.resources), UpkeepState())
        await embed_pending(self.resources, whose)
        return len(self.chatter.days[day])

    async def _say(self, session: str, text: str) -> None:
        context = Context(
            resources=self.resources,
            tenant=TENANT,
            user=self.chatter.name,
            session=session,
            time_zone=self.chatter.zone,
        )
        thread: RunnableConfig = {"configurable": {"thread_id": f"{self.chatter.name} {session}"}}
        await self.graph.ainvoke({"messages": [HumanMessage(text)]}, thread, context=context, durability="exit")
        await evolve(self.resources, self.identity.scope, session_of(self.identity, session))
        await embed_pending(self.resources, self.identity.scope)


async def measure_month(
    server: str, language: Language, *, model: bool, days: int = 30, embeddings: str = "encoder"
) -> MonthFigures:
    """Live a month in a database of its own and count."""
    everybody = [each for each in chatters(2, days, 1) if each.language == language]
    async with a_database(server) as where, _lives(where, everybody, model, embeddings) as lives:
        turns, half = 0, take_snapshot(where.owner)
        for day in range(days):
            if day == days // 2:
                turns, half = 0, take_snapshot(where.owner)
            for life in lives:
                turns += await life.spend(day)
        tables, wal, transactions = _per_turn(half, take_snapshot(where.owner), turns)
    return MonthFigures(
        language=language,
        model=model,
        people=len(lives),
        turns=turns,
        tables=tables,
        wal=wal,
        transactions=transactions,
    )


@asynccontextmanager
async def _lives(
    where: Addresses, everybody: Sequence[Chatter], model: bool, embeddings: str
) -> AsyncGenerator[list[_Life]]:
    settings = Settings(embeddings=embeddings, openai_api_key=None)
    resources = build_resources(settings.model_copy(update={"database_url": where.owner, "database_timeout": PATIENCE}))
    models = Models(chat=NotingModel(), fast=NotingModel()) if model else Models()
    try:
        async with checkpoint_pool(where.app, PoolLimits(connections=2)) as pool:
            graph: Any = builder.compile(checkpointer=Saver(pool))  # pyright: ignore[reportUnknownMemberType]
            lives = list[_Life]()
            for chatter in everybody:
                calendar = Calendar(BEGINS.replace(tzinfo=ZoneInfo(chatter.zone)))
                mine = replace(resources, clock=calendar, models=models)
                lives.append(_Life(mine, graph, calendar, chatter, Random(chatter.name)))
            yield lives
    finally:
        await resources.close()


def take_snapshot(owner_url: str) -> Snapshot:
    """Sizes after a vacuum, so that what was written over is not counted twice."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("vacuum")
        names = connection.execute(
            "select n.nspname, c.relname, pg_table_size(c.oid), pg_indexes_size(c.oid) from pg_class c"
            " join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname = any(%s)",
            [SCHEMAS],
        ).fetchall()
        tables = {
            f"{schema}.{name}": TableSize(rows=_count(connection, schema, name), heap=heap, indexes=indexes)
            for schema, name, heap, indexes in names
        }
        row = connection.execute(
            "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint, pg_current_xact_id()::text::bigint"
        ).fetchone()
    assert row is not None
    return Snapshot(tables=tables, wal=int(row[0]), transactions=int(row[1]))


def _count(connection: psycopg.Connection, schema: str, name: str) -> int:
    row = connection.execute(SQL("select count(*) from {}").format(Identifier(schema, name))).fetchone()
    return int(row[0]) if row else 0


def _per_turn(before: Snapshot, after: Snapshot, turns: int) -> tuple[dict[str, PerTurn], float, float]:
    tables = {
        name: PerTurn(
            rows=(now.rows - before.tables[name].rows) / turns,
            heap=(now.heap - before.tables[name].heap) / turns,
            indexes=(now.indexes - before.tables[name].indexes) / turns,
        )
        for name, now in after.tables.items()
        if now.rows != before.tables[name].rows
    }
    return tables, (after.wal - before.wal) / turns, (after.transactions - before.transactions) / turns
