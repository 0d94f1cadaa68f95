"""What keeping the table costs: vacuum after a tenth was updated, what stays behind, and partitions by tenant."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from evals.evaluation.metrics import percentile
from evals.scale.loading import fill_again
from evals.scale.recalling import Table, explain_twice, questions
from memory.postgres.sql import SqlStatement, statement

UPDATED_OF = 10
"""One row in so many is updated."""
INDEX = "brain.recall_index"


@dataclass(frozen=True, kw_only=True)
class Vacuumed:
    """A tenth of the rows updated as upkeep does it, and vacuumed. Bytes of the table and of its indexes."""

    rows: int
    updated: int
    seconds_update: float
    wal: int
    seconds_vacuum: float
    before: Mapping[str, int]
    after: Mapping[str, int]
    age: int


@dataclass(frozen=True, kw_only=True)
class Partitioned:
    """The same rows in partitions by tenant; milliseconds are medians over people, planning included apart."""

    partitions: int
    rows: int
    greatest: int
    planning_ms: float
    execution_ms: float
    seconds_vacuum: float


def sizes(owner_url: str, table: str = INDEX) -> dict[str, int]:
    """Bytes of a table with its overflow, and of each of its indexes."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        found = connection.execute(
            "select c.relname, pg_relation_size(c.oid) from pg_index i join pg_class c on c.oid = i.indexrelid"
            " where i.indrelid = %(table)s::regclass union all select 'table', pg_table_size(%(table)s::regclass)",
            {"table": table},
        ).fetchall()
    return {str(name): int(size) for name, size in found}


def measure_vacuum(where_owner: str, rows: int) -> Vacuumed:
    """With the server as shipped; autovacuum waits, so that what is timed is one vacuum without its pauses."""
    before = sizes(where_owner)
    with psycopg.connect(where_owner, autocommit=True) as connection:
        connection.execute("alter table brain.recall_index set (autovacuum_enabled = off)")
        start = _wal(connection)
        begun = perf_counter()
        updated = connection.execute(
            "update brain.recall_index set injected_count = injected_count + 1"
            " where hashtext(source_id::text) %% %s = 0",
            [UPDATED_OF],
        ).rowcount
        middle = perf_counter()
        wal = _wal(connection) - start
        connection.execute("vacuum brain.recall_index")
        ended = perf_counter()
        connection.execute("alter table brain.recall_index reset (autovacuum_enabled)")
        age = connection.execute("select age(relfrozenxid) from pg_class where oid = %s::regclass", [INDEX]).fetchone()
    return Vacuumed(
        rows=rows,
        updated=updated,
        seconds_update=middle - begun,
        wal=wal,
        seconds_vacuum=ended - middle,
        before=before,
        after=sizes(where_owner),
        age=int(age[0]) if age else 0,
    )


def _wal(connection: psycopg.Connection) -> int:
    row = connection.execute("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint").fetchone()
    return int(row[0]) if row else 0


def measure_partitions(table: Table, partitions: int, memories: int) -> Partitioned:
    """Hash partitions by tenant, filled with the same people's rows; 0 stands for the table as it is."""
    name = f"scale.hashed_{partitions}" if partitions else INDEX
    if partitions:
        make_partitions(table, partitions)
    recall = statement("recall")
    other = SqlStatement("recall", recall.text.replace(INDEX, name))
    asked = questions(table.layout)
    people = [each for each in table.layout.asked if each.memories == memories]
    explained = [explain_twice(table.where, each.scope, asked[n], other)[1] for n, each in enumerate(people)]
    with psycopg.connect(table.where.owner, autocommit=True) as connection:
        begun = perf_counter()
        connection.execute(SQL("vacuum {}").format(Identifier(*name.split("."))))
        vacuumed = perf_counter() - begun
        greatest = connection.execute(
            "select max(c.reltuples)::bigint from pg_class c left join pg_inherits i on i.inhrelid = c.oid"
            " where i.inhparent = %(name)s::regclass or (c.oid = %(name)s::regclass and c.relkind = 'r')",
            {"name": name},
        ).fetchone()
    return Partitioned(
        partitions=partitions,
        rows=table.layout.rows,
        greatest=int(greatest[0]) if greatest else 0,
        planning_ms=percentile([each.planning_ms for each in explained], 0.5),
        execution_ms=percentile([each.ms for each in explained], 0.5),
        seconds_vacuum=vacuumed,
    )


def make_partitions(table: Table, partitions: int) -> None:
    """A table like the index, in hash partitions by tenant, with the same rows."""
    name = Identifier("scale", f"hashed_{partitions}")
    with psycopg.connect(table.where.owner, autocommit=True) as connection:
        connection.execute(SQL("drop table if exists {}").format(name))
        connection.execute(
            SQL("create table {} (like brain.recall_index including all) partition by hash (tenant_id)").format(name)
        )
        for number in range(partitions):
            part = Identifier("scale", f"hashed_{partitions}_{number}")
            connection.execute(
                SQL("create table {} partition of {} for values with (modulus {}, remainder {})").format(
                    part, name, Literal(partitions), Literal(number)
                )
            )
        fill_again(connection, table.layout, f"scale.hashed_{partitions}")
        connection.execute(SQL("vacuum (freeze, analyze) {}").format(name))
        connection.execute(SQL("grant usage on schema scale to {}").format(Identifier(table.where.app_role)))
        connection.execute(SQL("grant select on {} to {}").format(name, Identifier(table.where.app_role)))
