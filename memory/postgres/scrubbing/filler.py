"""Rows that say nothing, of a chosen size: they take the place of erased ones and are never committed."""

import base64
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg.sql import SQL, Composed, Identifier, Literal

from memory.errors import config_error
from memory.postgres.scrubbing.pages import named

_COLUMNS = """
select a.attname, t.typname, a.attnotnull, a.attgenerated <> '', a.atthasdef,
    exists (select from pg_index i where i.indrelid = a.attrelid and a.attnum = any (i.indkey)) as indexed,
    (select (regexp_match(pg_get_constraintdef(c.oid), '''([^'']+)''::text'))[1] from pg_constraint c
        where c.conrelid = a.attrelid and c.contype = 'c' and c.conkey = array[a.attnum] limit 1) as allowed,
    a.attlen = -1 and a.attstorage in ('x', 'e') as toasted
from pg_attribute a join pg_type t on t.oid = a.atttypid
where a.attrelid = %s::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum"""
_TOAST_TARGET = """
select coalesce((select option_value from pg_options_to_table(reloptions) where option_name = 'toast_tuple_target'),
    '2032')::int from pg_class where oid = %s::regclass"""
_PADDED: dict[str, LiteralString] = {
    "bytea": "convert_to({}, 'utf8')",
    "text": "{}",
    "varchar": "{}",
    "jsonb": "to_jsonb({}::text)",
    "json": "to_json({}::text)",
}
_VALUES: dict[str, LiteralString] = {
    "uuid": "gen_random_uuid()",
    "timestamptz": "timestamptz '2000-01-01 00:00Z'",
    "date": "date '2000-01-01'",
    "bool": "false",
    "jsonb": "'{}'::jsonb",
    "json": "'{}'::json",
    "bytea": "'\\x00'::bytea",
}
_NUMBERS = frozenset({"int2", "int4", "int8", "float4", "float8", "numeric"})
_HASH = "^[0-9a-f]{64}$"
"""What a check compares a hash with."""
_RANDOM_BYTES = 120_000
# Cut as bytes: a text would be counted letter by letter to its end, for every row.
_LETTERS: LiteralString = """
convert_from(substring((select current_setting('brain.noise')::bytea)
    from 1 for ({}::int[])[1 + mod(generate_series - 1, {})]), 'UTF8')"""


@dataclass(frozen=True)
class Column:
    """A column, as far as a row that says nothing must know it."""

    name: str
    type: str
    required: bool
    generated: bool
    has_default: bool
    indexed: bool
    allowed: str | None
    toasted: bool

    @property
    def can_pad(self) -> bool:
        """Whether a value of any length may stand here."""
        return self.type in _PADDED and not (self.indexed or self.generated or self.allowed)


@dataclass(frozen=True)
class Filler:
    """How to make such rows in one table. ``toast`` says whether it keeps long values in a table of their own."""

    table: str
    columns: Sequence[Column]
    pad: Column
    toast_target: int

    def insert(self, rows: int, letters: Sequence[int]) -> Composed:
        """Insert so many rows, with so many letters in turn; returns where they are."""
        names = [column for column in self.columns if column is self.pad or _must_be_given(column)]
        padding = SQL(_PADDED[self.pad.type]).format(
            SQL(_LETTERS).format(Literal(list(letters)), Literal(len(letters)))
        )
        values = [padding if column is self.pad else _value(column) for column in names]
        return SQL("insert into {} ({}) select {} from generate_series(1, {}) returning ctid::text").format(
            named(self.table),
            SQL(", ").join(Identifier(column.name) for column in names),
            SQL(", ").join(values),
            Literal(rows),
        )


async def make_filler(connection: AsyncConnection[Any], table: str) -> Filler:
    """What fits the table. Raises ``E_CONFIG`` where no column may hold a value of any length."""
    rows = await (await connection.execute(_COLUMNS, (table,))).fetchall()
    columns = [Column(*row) for row in rows]
    fitting = [column for column in columns if column.can_pad]
    # What may be null is often tied to another column by a check, and then has to be given.
    optional = (column for column in fitting if not column.required and column.type in ("jsonb", "json", "bytea"))
    pad = next(optional, next(iter(fitting), None))
    if pad is None:
        raise config_error(f"{table} has no column that filler could stand in.", "Leave it out of what is scrubbed.")
    row = await (await connection.execute(_TOAST_TARGET, (table,))).fetchone()
    assert row is not None
    return Filler(table, columns, pad, int(row[0]))


async def prepare_noise(connection: AsyncConnection[Any]) -> None:
    """Give this session letters that PostgreSQL cannot compress."""
    noise = base64.b64encode(os.urandom(_RANDOM_BYTES)).decode()
    await connection.execute("select set_config('brain.noise', %s, false)", (noise,))


def _must_be_given(column: Column) -> bool:
    """The default of a tenant asks who is speaking, so that identifiers are always made up."""
    return column.required and not column.generated and (not column.has_default or column.type == "uuid")


def _value(column: Column) -> SQL | Composed:
    if column.allowed == _HASH:
        return SQL("encode(sha256(uuid_send(gen_random_uuid())), 'hex')")
    if column.allowed is not None:
        return SQL("{}").format(Literal(column.allowed))
    if column.type in _VALUES:
        return SQL(_VALUES[column.type])
    if column.type in _NUMBERS:
        return SQL("(- generate_series - 1)") if column.type == "int8" else SQL("1")
    if column.type.startswith("_"):
        return SQL("'{x}'") if column.type == "_text" else SQL("'{}'")
    return SQL("gen_random_uuid()::text") if column.indexed else SQL("'x'")
