"""Every place that can hold a person's words is in the catalogue, and the catalogue names no other."""

import os
import subprocess
from collections.abc import Generator
from fnmatch import fnmatch
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from brain.local_postgres.server import EmbeddedPostgres
from evolution.erasure.catalogue import FILES, TABLES
from memory.postgres.roles import Addresses
from tests.integration.brain_process import COMMAND

_ERASING = """
select kind from (select unnest(regexp_matches(prosrc, '''([a-z_]+)''', 'g')) as kind
                  from pg_proc where proname = 'erase_rows') named
union select (regexp_matches(prosrc, 'delete from (promotion_[a-z]+)', 'g'))[1]
from pg_proc where proname in ('withdraw_erased', 'withdraw_promotions')
"""


def columns_that_hold_text(where: Addresses) -> dict[str, set[str]]:
    with psycopg.connect(where.owner) as connection:
        rows = connection.execute(
            "select t.table_schema || '.' || t.table_name, c.column_name,"
            "       c.data_type in ('text', 'jsonb', 'json', 'bytea', 'character varying')"
            "       or c.udt_name in ('_text', '_int4', 'halfvec', 'vector')"
            " from information_schema.tables t join information_schema.columns c using (table_schema, table_name)"
            " where t.table_schema in ('brain', 'queue', 'checkpoint') and t.table_type = 'BASE TABLE'"
        ).fetchall()
    found: dict[str, set[str]] = {table: set() for table, _, _ in rows}
    for table, column, is_text in rows:
        if is_text:
            found[table].add(column)
    return found


def test_every_column_that_can_hold_words_is_named_and_no_other(test_addresses: Addresses):
    assert {table: set(place.columns) for table, place in TABLES.items()} == columns_that_hold_text(test_addresses)


def test_every_table_of_people_is_erased_or_says_why_not(test_addresses: Addresses):
    with psycopg.connect(test_addresses.owner) as connection:
        people = {
            f"brain.{name}"
            for (name,) in connection.execute(
                "select table_name from information_schema.columns"
                " where table_schema = 'brain' and column_name = 'user_id'"
            ).fetchall()
        }
        erased = {f"brain.{name}" for (name,) in connection.execute(_ERASING).fetchall()}
    renamed = {table for table, place in TABLES.items() if place.fate in ("renamed", "kept without a name")}
    assert people - erased - renamed == set()


@pytest.fixture
def home(reachable_folder: Path) -> Generator[Path]:
    folder = reachable_folder / uuid4().hex[:8]
    yield folder
    EmbeddedPostgres(folder).stop()


def test_every_file_of_the_data_folder_is_named(home: Path):
    environment = {name: value for name, value in os.environ.items() if name != "BRAIN_AUDIT_KEY"}
    environment |= {"BRAIN_HOME": str(home)}
    for arguments in (["chat", "--message", "I live in Ghent."], ["erase", "--yes"]):
        subprocess.run([COMMAND, *arguments], env=environment, cwd=home.parent, check=True, stdout=subprocess.DEVNULL)
    found = {path.relative_to(home).as_posix() for path in [*home.glob("*"), *home.glob("postgres/*")]}
    assert {"audit.key", "erasures"} <= found
    assert {name for name in found - {"postgres"} if not any(fnmatch(name, each) for each in FILES)} == set()
