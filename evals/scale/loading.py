"""A recall index of millions of rows, made inside PostgreSQL: nothing but numbers is sent to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import psycopg
from psycopg.sql import SQL, Composed, Identifier, Literal

from evals.filling import BEGINNING, FACT_SHARE, MODEL, PERIOD, SAYINGS, Person, vectors
from evals.made_up_talk import sayings
from language.terms import analyse

CROWD_SHARE = 0.5
"""Of the rows, those of one great tenant; the others belong to tenants of a hundred people."""
ROWS_OF_CROWD_PERSON = 5
CROWD = "crowd"
SMALL = "asked"
BURST = 8
"""Rows that a person leaves at one time."""
COPIES = {100: 8, 1_000: 4}
"""How many people of a size are asked about in turn, in each of the two tenants; two of any other size."""
LOADING_MEMORY = "1GB"

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Who is in a table: people asked about in a great and in a small tenant, the crowd, and everybody else."""

    rows: int
    dimensions: int
    sizes: tuple[int, ...]
    texts: int = SAYINGS
    """Different things that are said."""

    @property
    def asked(self) -> list[Person]:
        """The people asked about."""
        return [
            Person(tenant, f"{size}-{copy}", size)
            for tenant in (SMALL, CROWD)
            for size in self.sizes
            for copy in range(COPIES.get(size, 2))
        ]

    @property
    def crowd(self) -> int:
        """Other people of the great tenant."""
        return round(self.rows * CROWD_SHARE) // ROWS_OF_CROWD_PERSON

    @property
    def others(self) -> int:
        """Rows of people in small tenants."""
        return max(0, self.rows - self.crowd * ROWS_OF_CROWD_PERSON - sum(each.memories for each in self.asked))


_POOL = """
create schema scale;
create unlogged table scale.saying (
    number bigint primary key, text text, words integer[], grams integer[], length integer, embedding halfvec);
create unlogged table scale.person (tenant_id uuid, user_id uuid, memories integer, begun float8, share float8);
"""
_CROWD = """
insert into scale.person
select %(tenant)s, md5('crowd ' || number)::uuid, %(each)s, random() * 0.8, 0.2
from generate_series(1, %(crowd)s) number
"""
_OTHERS = """
insert into scale.person
with sized as (
    select number, (array[100, 500, 1000, 2000])[1 + floor(random() * 4)::int] as memories
    from generate_series(1, 1 + %(rows)s / 100) as number),
counted as (select *, sum(memories) over (order by number) as upto from sized)
select md5('tenant ' || number / 100)::uuid, md5('person ' || number)::uuid,
       memories - greatest(0, upto - %(rows)s), random() * 0.8, 0.2
from counted where upto - memories < %(rows)s
"""
_BURSTS = """
create unlogged table scale.burst as
select row_number() over (order by moment) as number, tenant_id, user_id, first,
       least(%(burst)s, memories - first) as size, moment
from (select p.*, %(beginning)s::timestamptz + %(period)s::interval * (begun + share * random()) as moment, first
      from scale.person p cross join lateral generate_series(0, memories - 1, %(burst)s) as first) as there
order by moment
"""
_ROWS = """
insert into {table} (
    tenant_id, user_id, source_id, observed_at, valid_at, recorded_at, confidence, length, session_id, position, scope,
    lane, embedding_model, speaker, words, grams, embedding, role, text)
select b.tenant_id, b.user_id,
    (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 16, '0')
        || md5(b.user_id::text || n))::varchar(32)::uuid,
    moment, moment, moment, case when fact then 0.75 else 1 end, s.length,
    md5(b.user_id::text || n / 24)::uuid, case when fact then null else n %% 24 end, 'main',
    case when fact then 'fact' else 'turn' end, {model}, role, s.words, s.grams, s.embedding, role, s.text
from scale.burst b
    cross join lateral generate_series(b.first, b.first + b.size - 1) as n
    cross join lateral (select hashint8extended(b.number * 1000 + n, 7) as chance) as drawn
    cross join lateral (select (chance >> 32 & 1023) < 1024 * %(facts)s as fact) as kind
    cross join lateral (select case when n %% 2 = 1 and not fact then 'assistant' else 'user' end as role) as side
    join scale.saying s on s.number = (chance & 2147483647) %% {sayings}
"""


def load(owner_url: str, layout: Layout, say: Say = print) -> dict[str, float]:
    """Fill an empty table, then build its indexes and look at it. Seconds of each step.

    ``owner_url`` must be a superuser's. With ``wal_level = minimal`` no row is written twice.
    """
    seconds: dict[str, float] = {}
    with psycopg.connect(owner_url) as connection:
        connection.execute(SQL("set maintenance_work_mem = {0}; set work_mem = {0}").format(Literal(LOADING_MEMORY)))
        connection.execute("set max_parallel_workers_per_gather = 0")
        connection.execute("select setseed(0.5)")
        _time(seconds, "people", lambda: _make_people(connection, layout), say)
        connection.commit()
        indexes = index_definitions(connection, "brain.recall_index")
        _time(seconds, "rows", lambda: _fill(connection, layout), say)
        connection.commit()
        for name, build in indexes.items():
            _time(seconds, name, lambda build=build: connection.execute(build.encode()), say)
            connection.commit()
        connection.autocommit = True
        _time(seconds, "vacuum (freeze, analyze)", lambda: _settle(connection), say)
    return seconds


def fill_again(connection: psycopg.Connection, layout: Layout, table: str) -> None:
    """The same people's rows in another table of the same columns."""
    connection.execute(_statement(layout, table), {"facts": FACT_SHARE})


def _make_people(connection: psycopg.Connection, layout: Layout) -> None:
    connection.execute("drop schema if exists scale cascade")
    connection.execute(_POOL)
    _copy_sayings(connection, layout.texts, layout.dimensions)
    _copy_asked(connection, layout.asked)
    crowd = Person(CROWD, "anybody", 0).scope.tenant_id
    connection.execute(_CROWD, {"tenant": crowd, "each": ROWS_OF_CROWD_PERSON, "crowd": layout.crowd})
    if layout.others:
        connection.execute(_OTHERS, {"rows": layout.others})
    connection.execute(_BURSTS, {"burst": BURST, "beginning": BEGINNING, "period": PERIOD})
    connection.execute("analyze scale.saying, scale.person, scale.burst")


def _copy_sayings(connection: psycopg.Connection, texts: int, dimensions: int) -> None:
    made = vectors(texts, dimensions, np.random.default_rng(1))
    with connection.cursor() as cursor, cursor.copy("copy scale.saying from stdin") as copy:
        for number, (saying, vector) in enumerate(zip(sayings(texts, 1), made, strict=True)):
            terms = analyse(saying.text, speaker="user", on=BEGINNING.date())
            embedding = "[" + ",".join(f"{each:.4f}" for each in vector) + "]" if dimensions else None
            copy.write_row((number, saying.text, list(terms.words), list(terms.grams), terms.length, embedding))


def _copy_asked(connection: psycopg.Connection, asked: Sequence[Person]) -> None:
    with connection.cursor() as cursor, cursor.copy("copy scale.person from stdin") as copy:
        for person in asked:
            copy.write_row((person.scope.tenant_id, person.scope.user_id, person.memories, 0.0, 1.0))


def _fill(connection: psycopg.Connection, layout: Layout) -> None:
    """In the transaction that truncates, so that rows need no log where nothing reads it."""
    connection.execute("truncate brain.recall_index")
    connection.execute("alter table brain.recall_index drop constraint recall_index_pkey")
    for name in index_definitions(connection, "brain.recall_index"):
        connection.execute(SQL("drop index brain.{}").format(Identifier(name)))
    fill_again(connection, layout, "brain.recall_index")


def _statement(layout: Layout, table: str) -> Composed:
    return SQL(_ROWS).format(  # pyright: ignore[reportArgumentType]
        table=Identifier(*table.split(".")),
        model=Literal(MODEL if layout.dimensions else "none"),
        sayings=Literal(layout.texts),
    )


def _settle(connection: psycopg.Connection) -> None:
    connection.execute("vacuum (freeze, analyze) brain.recall_index")


def index_definitions(connection: psycopg.Connection, table: str) -> dict[str, str]:
    """What makes each index of a table again, by name."""
    rows = connection.execute(
        "select c.relname, case when i.indisprimary"
        " then format('alter table %%s add %%s', i.indrelid::regclass, pg_get_constraintdef(k.oid))"
        " else pg_get_indexdef(i.indexrelid) end"
        " from pg_index i join pg_class c on c.oid = i.indexrelid"
        " left join pg_constraint k on k.conindid = i.indexrelid and k.contype = 'p'"
        " where i.indrelid = %s::regclass order by 1",
        [table],
    ).fetchall()
    return {str(name): str(definition) for name, definition in rows}


def _time(seconds: dict[str, float], step: str, run: Callable[[], object], say: Say) -> None:
    begun = perf_counter()
    run()
    seconds[step] = perf_counter() - begun
    say(f"{step}: {seconds[step]:,.1f} s")
