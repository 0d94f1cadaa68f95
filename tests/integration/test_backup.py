"""A backup is whole or not there, and comes back whole or not at all, whatever is killed meanwhile."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from filelock import FileLock

from apps.backups.manifest import DRAFT, MANIFEST, find_backup
from brain.local_postgres.server import EmbeddedPostgres
from memory.errors import BrainError
from memory.postgres.roles import Addresses
from tests.conftest import a_database
from tests.integration.brain_process import COMMAND, PATIENCE, Brain, as_url
from tests.integration.filled_brain import a_filled_brain, back_up, saved_rows

KILLS = [3, pytest.param(10, marks=pytest.mark.exhaustive)]


@pytest.fixture(scope="module")
def filled(server_url: str, reachable_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Brain]:
    with a_filled_brain(server_url, reachable_folder / "session", tmp_path_factory.mktemp("filled"), "error") as brain:
        yield brain


@pytest.fixture(scope="module")
def saved(filled: Brain, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return back_up(filled, tmp_path_factory.mktemp("backups"))


@pytest.fixture
def empty(server_url: str, filled: Brain) -> Generator[tuple[Brain, Addresses]]:
    """Another database of another name, whose application role does not exist yet."""
    with a_database(server_url) as where:
        yield replace(filled, database_url=as_url(where.owner)), where


def rows_in(where: Addresses | str, *tables: str) -> list[int | None]:
    """How many rows each table has; None for one that is not there."""
    address = where if isinstance(where, str) else where.owner
    with psycopg.connect(address, autocommit=True) as owner:
        found: list[int | None] = []
        for table in tables:
            there = owner.execute("select to_regclass(%s) is not null", (table,)).fetchone()
            counted = owner.execute(f"select count(*) from {table}".encode()).fetchone() if there == (True,) else None
            found.append(counted[0] if counted else None)
        return found


TABLES = ("brain.conversation_events", "brain.memory_items", "brain.recall_index", "queue.procrastinate_jobs")


def memories_of(brain: Brain) -> list[str]:
    return sorted(each["text"] for each in brain.ask("memories", "list", "--user", "ann", "--json").json)


def test_what_was_saved_comes_back_under_another_name_with_roles_grants_and_numbers(
    filled: Brain, saved: Path, empty: tuple[Brain, Addresses]
):
    other, where = empty
    done = other.ask("restore", str(saved.parent))
    assert done.code == 0, done.err
    assert f"restored the role {where.app_role}" in done.out
    assert rows_in(where, *TABLES) == rows_in(filled.database_url, *TABLES)
    assert memories_of(other) == memories_of(filled) != []
    assert "Moos" in other.says("What is my cat called?", session="later")[0]["reply"]
    assert other.ask("migrate").out.strip() == "Nothing to apply: the database is up to date."
    other.learns("I moved to Lyon.")
    assert "I moved to Lyon." in memories_of(other)


def test_the_manifest_names_every_file_and_counts_every_row(filled: Brain, saved: Path):
    manifest = json.loads((saved / MANIFEST).read_text())
    files = {str(path.relative_to(saved)) for path in saved.rglob("*") if path.is_file()}
    assert set(manifest["files"]) == files - {MANIFEST}
    assert [manifest["rows"][table] for table in TABLES] == rows_in(filled.database_url, *TABLES)
    assert {path.stat().st_mode & 0o077 for path in (saved, saved.parent / saved.name)} == {0}


def test_without_the_index_it_is_derived_again(filled: Brain, empty: tuple[Brain, Addresses], tmp_path: Path):
    other, where = empty
    assert filled.ask("backup", str(tmp_path), "--no-index").code == 0
    done = other.ask("restore", str(tmp_path))
    assert "until 'brain rebuild --all-users'" in done.out
    assert rows_in(where, "brain.recall_index") == [0]
    assert "Moos" not in other.ask("recall", "cat", "--user", "ann", "--json").out
    assert "said is logged, but has no index" in other.ask("doctor", "--tenant", other.tenant).out
    assert other.ask("rebuild", "--all-users").code == 0
    assert "has no index" not in other.ask("doctor", "--tenant", other.tenant).out
    assert rows_in(where, "brain.recall_index") == rows_in(filled.database_url, "brain.recall_index")
    assert "Moos" in other.ask("recall", "cat", "--user", "ann", "--json").out


def test_a_database_that_is_not_empty_is_left_as_it_is(filled: Brain, saved: Path):
    before = rows_in(filled.database_url, *TABLES)
    refused = filled.ask("restore", str(saved))
    assert (refused.code, "E_CONFIG" in refused.err) == (1, True)
    assert rows_in(filled.database_url, *TABLES) == before


@pytest.mark.parametrize("harm", ["changed", "removed", "newer", "newer server"])
def test_a_backup_that_is_not_as_it_was_made_is_refused(
    saved: Path, empty: tuple[Brain, Addresses], tmp_path: Path, harm: str
):
    other, where = empty
    copy = Path(shutil.copytree(saved, tmp_path / saved.name))
    some = max((copy / "rows").iterdir(), key=lambda path: path.stat().st_size)
    manifest: dict[str, Any] = json.loads((copy / MANIFEST).read_text())
    if harm == "changed":
        some.write_bytes(some.read_bytes()[:-1] + b"!")
    elif harm == "removed":
        some.unlink()
    elif harm == "newer server":
        manifest["server"] = 990_000
        (copy / MANIFEST).write_text(json.dumps(manifest))
    else:
        manifest["migrations"]["9999_from_the_future.sql"] = "0" * 64
        (copy / MANIFEST).write_text(json.dumps(manifest))
    refused = other.ask("restore", str(copy))
    assert refused.code == 1
    assert ("E_CONFIG" if harm.startswith("newer") else "E_BAD_REQUEST") in refused.err
    assert rows_in(where, *TABLES) == [None] * len(TABLES)


def test_a_folder_without_a_backup_is_no_backup(empty: tuple[Brain, Addresses], tmp_path: Path):
    (tmp_path / f"brain-20260101T000000Z{DRAFT}").mkdir()
    refused = empty[0].ask("restore", str(tmp_path))
    assert (refused.code, "E_BAD_REQUEST" in refused.err) == (1, True)


@pytest.mark.parametrize("kills", KILLS)
def test_a_backup_that_is_killed_leaves_none(kills: int, filled: Brain, tmp_path: Path):
    begun = time.monotonic()
    assert filled.run("backup", str(tmp_path / "whole")).code == 0
    took = time.monotonic() - begun
    for number in range(kills):
        with filled.running("backup", str(tmp_path / "killed")) as process:
            time.sleep(took * (number + 1) / (kills + 1))
            process.kill()
    whole = [path for path in (tmp_path / "killed").glob("brain-*") if not path.name.endswith(DRAFT)]
    assert all((path / MANIFEST).is_file() for path in whole)
    if not whole:
        with pytest.raises(BrainError, match="There is no backup"):
            find_backup(tmp_path / "killed")
    assert filled.run("backup", str(tmp_path / "killed")).code == 0
    assert saved_rows(tmp_path / "killed") == saved_rows(tmp_path / "whole")


@pytest.mark.parametrize("kills", KILLS)
def test_a_restore_that_is_killed_leaves_nothing_or_all_while_others_write(
    kills: int, filled: Brain, saved: Path, server_url: str, tmp_path: Path
):
    whole = rows_in(filled.database_url, *TABLES)
    took = 0.0
    with a_database(server_url) as elsewhere:
        writing = replace(filled, database_url=as_url(elsewhere.owner))
        for number in range(kills + 1):
            with a_database(server_url) as where:
                other = replace(filled, database_url=as_url(where.owner))
                begun = time.monotonic()
                if not number:
                    assert other.run("restore", str(saved)).code == 0
                    took = time.monotonic() - begun
                    continue
                with other.running("restore", str(saved)) as process:
                    time.sleep(took * number / (kills + 1))
                    process.kill()
                writing.says(f"I own a boat with {number} sails.")
                assert settled(where) in ([None] * len(TABLES), whole)
                if settled(where) != whole:
                    assert other.run("restore", str(saved)).code == 0
                assert other.run("migrate").code == 0
                assert memories_of(other) == memories_of(filled)


def settled(where: Addresses) -> list[int | None]:
    """The rows once the server has noticed that its client is gone."""
    deadline = time.monotonic() + PATIENCE
    with psycopg.connect(where.owner, autocommit=True) as owner:
        others = "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
        while owner.execute(others).fetchone() != (0,) and time.monotonic() < deadline:
            time.sleep(0.05)
    return rows_in(where, *TABLES)


def test_the_runbook_for_the_night_works_as_it_stands(filled: Brain, saved: Path, reachable_folder: Path):
    page = (Path(__file__).parents[2] / "docs" / "backup.md").read_text("utf-8")
    (runbook,) = re.findall(r"```bash runbook\n(.*?)```", page, re.DOTALL)
    home = reachable_folder / "night"
    quiet = {"BRAIN_LOG_LEVEL": "error"}
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    path = f"{COMMAND.parent}{os.pathsep}{kept['PATH']}"
    environment = (
        kept
        | quiet
        | {"PATH": path, "NEW_HOME": str(home), "BACKUPS": str(saved.parent), "KEPT": filled.settings["BRAIN_HOME"]}
    )
    try:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", runbook], env=environment, capture_output=True, text=True, check=False
        )
    finally:
        EmbeddedPostgres(home).stop()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rows of" in done.stdout
    assert "degraded  schema" not in done.stdout


def test_only_the_newest_stay_and_two_do_not_write_at_once(filled: Brain, tmp_path: Path):
    (tmp_path / f"brain-20260101T000000.000000Z{DRAFT}").mkdir()
    for _ in range(3):
        assert filled.ask("backup", str(tmp_path), "--no-index", "--keep", "2").code == 0
    kept = sorted(path.name for path in tmp_path.glob("brain-*"))
    assert len(kept) == 2
    with FileLock(tmp_path / ".lock"):
        refused = filled.ask("backup", str(tmp_path))
    assert (refused.code, "E_CONFLICT" in refused.err) == (1, True)
    assert sorted(path.name for path in tmp_path.glob("brain-*")) == kept


def test_an_owner_who_does_not_see_every_row_is_refused(filled: Brain, server_url: str, tmp_path: Path):
    with psycopg.connect(server_url, autocommit=True) as owner:
        owner.execute("create role half_blind login password 'x' nosuperuser")
    try:
        blind = replace(filled, database_url=re.sub(r"//[^@]*@", "//half_blind:x@", filled.database_url))
        refused = blind.ask("backup", str(tmp_path))
    finally:
        with psycopg.connect(server_url, autocommit=True) as owner:
            owner.execute("drop role half_blind")
    assert (refused.code, "BYPASSRLS" in refused.err) == (1, True)
    assert list(tmp_path.glob("brain-*")) == []
