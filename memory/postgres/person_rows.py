"""All rows of one person on PostgreSQL. Which tables there are the database says: a new one is carried too."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from psycopg.sql import SQL, Composed, Identifier

from memory.person_rows import (
    DERIVED,
    OF_THE_INSTALLATION,
    Give,
    PersonTable,
    Take,
    sort_by_reference,
)
from memory.postgres.database import Database, scope_params
from memory.postgres.sql import SqlStatement
from memory.scope import Scope

_AT_ONCE = 500
"""Rows that are in memory at once; of those that hold files only one."""
_OWN = SQL(
    "t.tenant_id = brain.current_tenant() and t.scope = brain.current_scope() and t.user_id = brain.current_user_id()"
)
_OPEN = SQL(
    "declare {cursor} no scroll cursor for"
    " select (to_jsonb(t) - array['tenant_id', 'user_id', 'written_by'])::text as line"
    " from {table} t where {own} order by {key}"
)
_NEXT = SQL("fetch forward {most} from {cursor}")
_ANY = SQL("select exists (select from {table} t where {own}) as found")
_INSERT = SQL(
    "insert into {table} (tenant_id, user_id, {columns})"
    " select brain.current_tenant(), brain.current_user_id(), {columns}"
    " from jsonb_populate_recordset(null::{table}, %(rows)s::jsonb)"
)


@dataclass(frozen=True)
class _Line:
    line: str


@dataclass(frozen=True)
class _Found:
    found: bool


@dataclass(frozen=True)
class PostgresPersonRows:
    """The promises are those of the port."""

    database: Database

    async def list_tables(self) -> list[PersonTable]:
        left_out = {"left_out": [*DERIVED, *OF_THE_INSTALLATION]}
        async with self.database.anonymous_session() as session:
            return sort_by_reference(await session.fetch("tables_of_people", left_out, PersonTable))

    async def read(self, scope: Scope, take: Take) -> None:
        tables = await self.list_tables()
        async with self.database.transaction(scope) as session:
            session.execute("read_in_utc", {})
            # What refers to others is opened first: the others, opened later, hold all that it refers to.
            for table in reversed(tables):
                session.execute(_statement(_open(table)))
            for table in tables:
                following = _statement(_NEXT.format(most=_most(table), cursor=_cursor(table)))
                while rows := await session.fetch(following, {}, _Line):
                    take(table, [row.line for row in rows])

    async def is_empty(self, scope: Scope) -> bool:
        tables = await self.list_tables()
        async with self.database.scope_session(scope) as session:
            asked = [session.ask(_statement(_ANY.format(table=_name(each), own=_OWN)), {}, _Found) for each in tables]
        return not any(each.rows[0].found for each in asked)

    async def write(self, scope: Scope, names: tuple[str, str], tables: Sequence[PersonTable], give: Give) -> None:
        tenant, user = names
        async with self.database.transaction(scope) as session:
            session.execute("read_in_utc", {})
            session.execute("remember_names", scope_params(scope) | {"tenant_name": tenant, "user_name": user})
            for table in sort_by_reference(tables):
                insert = _statement(_insert(table))
                # Rows that refer to others of their table stand in one statement with them.
                lines = give(table)
                groups = [tuple(lines)] if table.name in table.refers_to else _batches(lines, _most(table))
                for rows in groups:
                    if rows:
                        session.execute(insert, {"rows": f"[{','.join(rows)}]"})
                        await session.flush()
            session.execute("enqueue_arrived", scope_params(scope))


def _statement(query: Composed) -> SqlStatement:
    text = query.as_string(None)
    return SqlStatement(text[:40], text)


def _name(table: PersonTable) -> Identifier:
    return Identifier("brain", table.name)


def _cursor(table: PersonTable) -> Identifier:
    return Identifier(f"rows_of_{table.name}")


def _open(table: PersonTable) -> Composed:
    """By the bytes of its key, which every server orders alike."""
    key = SQL(", ").join(SQL("convert_to(t.{}::text, 'UTF8')").format(Identifier(each)) for each in table.key)
    return _OPEN.format(cursor=_cursor(table), table=_name(table), own=_OWN, key=key)


def _insert(table: PersonTable) -> Composed:
    return _INSERT.format(table=_name(table), columns=SQL(", ").join(map(Identifier, table.columns)))


def _most(table: PersonTable) -> int:
    return 1 if table.has_bytes else _AT_ONCE


def _batches(lines: Iterator[str], most: int) -> Iterator[tuple[str, ...]]:
    while rows := tuple(islice(lines, most)):
        yield rows
