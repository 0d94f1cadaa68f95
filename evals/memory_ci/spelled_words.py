"""Which tables of a database spell a word, as text or as the bytes of a checkpoint."""

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier


def find_tables(owner_url: str, *words: str) -> list[str]:
    """Every table with a row that spells one of these, whoever's it is. ``owner_url`` must be a superuser's."""
    with psycopg.connect(owner_url) as connection:
        found = connection.execute(
            "select table_schema, table_name from information_schema.tables"
            " where table_schema in ('brain', 'queue', 'checkpoint') and table_type = 'BASE TABLE'"
        ).fetchall()
        return [f"{schema}.{name}" for schema, name in found if _spells(connection, schema, name, words)]


def _spells(connection: psycopg.Connection[Any], schema: str, name: str, words: Sequence[str]) -> bool:
    query = SQL("select exists (select from {} t where t::text like any(%s) or t::text like any(%s))")
    spelt = [f"%{word}%" for word in words]
    in_bytes = [f"%{word.encode().hex()}%" for word in words]
    row = connection.execute(query.format(Identifier(schema, name)), (spelt, in_bytes)).fetchone()
    return bool(row and row[0])
