"""A disk fills up under a backup, a restore or a migration: it is said so, nothing is half done, and room mends it."""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import conninfo
from psycopg.sql import SQL, Identifier, Literal

from brain.local_postgres.server import EmbeddedPostgres
from memory.errors import BrainError
from memory.postgres.roles import Addresses
from tests.conftest import a_database
from tests.integration.brain_process import PATIENCE, Brain, Outcome, as_url
from tests.integration.filled_brain import a_filled_brain, back_up, saved_rows
from tests.integration.small_disk import SmallDisk, a_small_disk

SHARES = [0.5, *(pytest.param(share, marks=pytest.mark.exhaustive) for share in (0.0, 0.1, 0.3, 0.7, 0.8, 0.9, 0.97))]
"""How much of what is needed fits."""
PAGE = 4096
NO_SPACE = "No space left on device"


@pytest.fixture(scope="module")
def filled(server_url: str, reachable_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Brain]:
    with a_filled_brain(
        server_url, reachable_folder / "session", tmp_path_factory.mktemp("filled"), "warning"
    ) as brain:
        yield brain


@pytest.fixture(scope="module")
def saved(filled: Brain, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return back_up(filled, tmp_path_factory.mktemp("backups"))


@pytest.fixture
def target() -> Generator[SmallDisk]:
    """A disk for backups."""
    with a_small_disk("32m") as disk:
        yield disk


@pytest.fixture(scope="module")
def tables() -> Generator[SmallDisk]:
    """A disk for the tables of databases."""
    with a_small_disk("256m") as disk:
        yield disk


@contextmanager
def a_database_on(disk: SmallDisk, server_url: str) -> Generator[Addresses]:
    """An empty database whose tables lie on a disk of their own, and its server's log on another."""
    folder, name = disk.folder / uuid4().hex, Identifier(f"small_{uuid4().hex[:12]}")
    with psycopg.connect(server_url, autocommit=True) as administrator:
        (home,) = administrator.execute("show data_directory").fetchone() or ("",)
        if not Path(home).is_dir():
            pytest.skip("The server is on another machine.")
        folder.mkdir()
        os.chown(folder, Path(home).stat().st_uid, -1)
        administrator.execute(SQL("create tablespace {} location {}").format(name, Literal(str(folder))))
        try:
            with a_database(server_url) as where:
                database = Identifier(str(conninfo.conninfo_to_dict(where.owner)["dbname"]))
                administrator.execute(SQL("alter database {} set tablespace {}").format(database, name))
                yield where
        finally:
            disk.make_room()
            administrator.execute(SQL("drop tablespace {}").format(name))


def used(folder: Path) -> int:
    """Bytes on a disk of whole pages."""
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return sum(-(-size // PAGE) * PAGE for size in sizes)


def rows_in(url: str) -> list[int | None]:
    """How many rows some tables have; None for one that is not there."""
    with psycopg.connect(url, autocommit=True) as owner:
        return [count_rows(owner, f"brain.{name}") for name in ("conversation_events", "memory_items", "recall_index")]


def count_rows(owner: psycopg.Connection[Any], table: str) -> int | None:
    if owner.execute("select to_regclass(%s) is null", (table,)).fetchone() == (True,):
        return None
    counted = owner.execute(f"select count(*) from {table}".encode()).fetchone()
    return counted[0] if counted else None


def is_refused_for_now(outcome: Outcome, words: str) -> bool:
    return outcome.code == 1 and "E_DEP_UNAVAILABLE" in outcome.err and words in outcome.err


@pytest.mark.parametrize("share", SHARES)
def test_a_backup_leaves_none_and_is_made_once_there_is_room(
    share: float, filled: Brain, saved: Path, target: SmallDisk
):
    folder = target.folder / "backups"
    target.fill_but(int(used(saved) * share))
    refused = filled.ask("backup", str(folder))
    assert is_refused_for_now(refused, NO_SPACE), refused
    assert list(folder.glob("brain-*")) == []
    target.make_room()
    assert filled.ask("backup", str(folder)).code == 0
    assert saved_rows(folder) == saved_rows(saved)


def test_a_service_of_backups_goes_on_once_there_is_room(filled: Brain, target: SmallDisk):
    folder = target.folder / "backups"

    def wait_for_another() -> None:
        before, deadline = set(folder.glob("brain-*/manifest.json")), time.monotonic() + PATIENCE
        while not set(folder.glob("brain-*/manifest.json")) - before:
            assert service.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)

    with filled.running("backup", str(folder), "--every", "0.01", "--keep", "2") as service:
        wait_for_another()
        target.fill()
        assert service.stderr is not None
        told = service.stderr.readline()
        assert b"backup_failed" in told
        assert NO_SPACE.encode() in told
        target.make_room()
        wait_for_another()


def test_the_disk_of_the_keys_is_full(filled: Brain, target: SmallDisk, tmp_path: Path):
    """A key that is not on its disk locks nothing."""
    keys = target.folder / "keys"
    elsewhere = replace(filled, settings={**filled.settings, "BRAIN_KEYS_DIR": str(keys)})
    target.fill()
    refused = elsewhere.ask("backup", str(tmp_path))
    assert is_refused_for_now(refused, f"{keys} cannot be used: {NO_SPACE}. Make room"), refused
    assert list(tmp_path.glob("brain-*")) == []
    target.make_room()
    assert elsewhere.ask("backup", str(tmp_path)).code == 0


@pytest.mark.parametrize("share", SHARES)
def test_a_restore_leaves_nothing_or_all(share: float, filled: Brain, saved: Path, tables: SmallDisk, server_url: str):
    whole = rows_in(filled.database_url)
    with a_database_on(tables, server_url) as where:
        empty = used(tables.folder)
        assert replace(filled, database_url=as_url(where.owner)).ask("restore", str(saved)).code == 0
        needed = used(tables.folder) - empty
    with a_database_on(tables, server_url) as where:
        other = replace(filled, database_url=as_url(where.owner))
        tables.fill_but(int(needed * share))
        refused = other.ask("restore", str(saved))
        assert is_refused_for_now(refused, "no disk space left"), refused
        tables.make_room()
        is_back = rows_in(where.owner) == whole
        assert is_back or rows_in(where.owner) == [None] * len(whole)
        assert ("'brain migrate' does the rest" in refused.err) is is_back
        again = other.ask("migrate") if is_back else other.ask("restore", str(saved))
        assert again.code == 0, again.err
        assert rows_in(where.owner) == whole


def test_what_is_left_to_do_behind_a_restore_is_said(filled: Brain, saved: Path, server_url: str):
    """The disk fills up when the rows are back."""
    with a_database(server_url) as where, psycopg.connect(where.owner, autocommit=True) as owner:
        owner.execute(
            "create function public.no_room() returns event_trigger language plpgsql as"
            " $$ begin raise disk_full using message = 'could not extend file'; end $$"
        )
        owner.execute(
            "create event trigger no_room on ddl_command_start when tag in ('GRANT') execute function public.no_room()"
        )
        other = replace(filled, database_url=as_url(where.owner))
        refused = other.ask("restore", str(saved))
        assert is_refused_for_now(refused, "The rows are back: when that is mended, 'brain migrate' does the rest.")
        owner.execute("drop event trigger no_room")
        assert rows_in(where.owner) == rows_in(filled.database_url)
        assert other.ask("migrate").code == 0
        assert "Moos" in other.says("What is my cat called?", session="later")[0]["reply"]


@pytest.mark.parametrize("share", SHARES)
def test_a_migration_goes_on_where_it_stopped(share: float, filled: Brain, tables: SmallDisk, server_url: str):
    with a_database_on(tables, server_url) as where:
        empty = used(tables.folder)
        assert replace(filled, database_url=as_url(where.owner)).ask("migrate").code == 0
        needed = used(tables.folder) - empty
    with a_database_on(tables, server_url) as where:
        other = replace(filled, database_url=as_url(where.owner))
        tables.fill_but(int(needed * share))
        refused = other.ask("migrate")
        assert is_refused_for_now(refused, "no disk space left"), refused
        tables.make_room()
        done = other.ask("migrate")
        assert done.code == 0, done.err
        assert "applied" in done.out or "restored privileges" in done.out
        assert other.ask("migrate").out.strip() == "Nothing to apply: the database is up to date."
        with psycopg.connect(where.owner) as owner:
            assert owner.execute("select indexrelid::regclass from pg_index where not indisvalid").fetchall() == []
        assert "Ghent" in other.says("I live in Ghent.", "Where do I live?")[1]["reply"]


def test_an_embedded_database_for_which_there_is_no_room_is_not_begun():
    with a_small_disk("1m") as disk:
        disk.fill()
        with pytest.raises(BrainError) as refused:
            EmbeddedPostgres(disk.folder / "home").start()
        assert refused.value.code == "E_DEP_UNAVAILABLE"
        assert "Its disk is full" in refused.value.message
