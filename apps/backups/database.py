"""What a backup asks of a database: one snapshot of it, its tables and foreign keys, whether it is empty."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import structlog
from psycopg import AsyncConnection, Error
from psycopg.sql import SQL, Identifier

from apps.backups.manifest import Backup, Reference
from apps.backups.row_owners import TableShape
from memory.errors import config_error
from memory.postgres.pooler import require_session
from memory.postgres.roles import Addresses
from memory.postgres.server import SCHEMAS

log = structlog.get_logger(__name__)

_TABLES = """
select n.nspname || '.' || c.relname,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any(%s) and c.relkind = 'r' and c.relpersistence = 'p' order by pg_table_size(c.oid) desc, 1"""
_REFERENCES = """
select n.nspname || '.' || c.relname, m.nspname || '.' || p.relname,
       array(select a.attname::text from unnest(k.conkey) with ordinality as o (number, place)
             join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.number order by o.place),
       array(select a.attname::text from unnest(k.conkey) as o (number)
             join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.number where not a.attnotnull),
       array(select a.attname::text from unnest(k.confkey) with ordinality as o (number, place)
             join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.number order by o.place)
from pg_constraint k
join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
join pg_class p on p.oid = k.confrelid join pg_namespace m on m.oid = p.relnamespace
where k.contype = 'f' and n.nspname = any(%s)
order by 2, k.conname"""
_NOTE = """
insert into brain.last_done (act, done_at) values ('backup', %s)
on conflict (act) do update set done_at = greatest(brain.last_done.done_at, excluded.done_at)"""
_SEES_ALL = "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"


@asynccontextmanager
async def open_snapshot(where: Addresses) -> AsyncGenerator[tuple[AsyncConnection[Any], str]]:
    """A transaction whose view of the database others may share. Raises ``E_CONFIG`` for an owner who sees not all."""
    async with await AsyncConnection.connect(where.owner, application_name="brain backup") as connection:
        await require_session(connection, where.owner)
        await connection.rollback()
        await connection.execute("set transaction isolation level repeatable read, read only")
        if await _value(connection, _SEES_ALL) is not True:
            raise config_error(
                "The database's owner does not see past row-level security, so a backup would lack rows.",
                "Give the role in BRAIN_DATABASE_URL the attribute BYPASSRLS, or dump as a superuser.",
            )
        if not await list_tables(connection):
            raise config_error("There is nothing of Brain's in this database.", "Run 'brain migrate' first.")
        yield connection, str(await _value(connection, "select pg_export_snapshot()"))


async def note_backup(where: Addresses, made_at: datetime) -> None:
    """Remember in the database when its newest backup was made; the backup is one, whether or not this succeeds."""
    try:
        async with await AsyncConnection.connect(where.owner, application_name="brain backup") as connection:
            await connection.execute(_NOTE, (made_at,))
    except Error as error:
        log.warning("backup_not_noted", error=type(error).__name__)


async def list_tables(connection: AsyncConnection[Any]) -> list[TableShape]:
    """Every table of Brain's that outlives a crash of the server, the largest first."""
    found = await connection.execute(_TABLES, (list(SCHEMAS),))
    return [TableShape(str(name), tuple(columns)) for name, columns in await found.fetchall()]


async def list_references(connection: AsyncConnection[Any]) -> tuple[Reference, ...]:
    """Every foreign key of Brain's tables."""
    found = await connection.execute(_REFERENCES, (list(SCHEMAS),))
    return tuple(
        Reference(table=table, columns=tuple(columns), optional=tuple(optional), to=to, to_columns=tuple(to_columns))
        for table, to, columns, optional, to_columns in await found.fetchall()
    )


def require_as_new(connection: AsyncConnection[Any], backup: Backup) -> None:
    """Raises ``E_CONFIG`` for a server that is older than the backup's."""
    here, there = connection.info.server_version // 10_000, backup.manifest.server // 10_000
    if here < there:
        raise config_error(f"This server is PostgreSQL {here}, the backup is of {there}.", "Restore into a newer one.")


async def require_empty(connection: AsyncConnection[Any]) -> None:
    """Raises ``E_CONFIG`` for a database with tables of Brain's."""
    if await list_tables(connection):
        raise config_error(
            "This database is not empty, and a backup replaces nothing.",
            "Name an empty database in BRAIN_DATABASE_URL, or a new folder in BRAIN_HOME.",
        )


async def require_rows(connection: AsyncConnection[Any], backup: Backup) -> None:
    """Raises ``E_CONFIG`` where a table has not as many rows as the backup says."""
    missing: list[str] = []
    for table, count in backup.manifest.rows.items():
        query = SQL("select count(*) from {}").format(Identifier(*table.split(".")))
        row = await (await connection.execute(query)).fetchone()
        if not row or row[0] != count:
            missing.append(table)
    if missing:
        raise config_error(f"Not every row came back: {', '.join(missing)}.", "Try again in another empty database.")


async def _value(connection: AsyncConnection[Any], query: str) -> object:
    row = await (await connection.execute(query.encode())).fetchone()
    return row[0] if row else None
