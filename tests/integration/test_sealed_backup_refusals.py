"""A sealed backup is refused without its keys, or changed; a plain one of before is not. Killed ones leave no word."""

import gzip
import json
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from apps.backups.manifest import MANIFEST, find_backup
from brain.local_postgres.programs import find_program
from brain.local_postgres.server import EmbeddedPostgres
from memory.postgres.roles import Addresses
from memory.postgres.server import SCHEMAS
from tests.integration.sealed_house import ANNS, BOBS, House, a_home, all_rows, restore

KILLS = [3, pytest.param(8, marks=pytest.mark.exhaustive)]


def no_master(home: Path) -> None:
    (home / "audit.key").unlink()


def another_master(home: Path) -> None:
    (home / "audit.key").write_text("ab" * 32)


def no_keys(home: Path) -> None:
    shutil.rmtree(home / "keys")


def a_lost_key(home: Path) -> None:
    next((home / "keys").glob("*.key")).unlink()


@pytest.mark.parametrize("harm", [no_master, another_master, no_keys, a_lost_key])
def test_without_the_keys_nothing_is_restored(
    house: House, empty_database: Addresses, tmp_path: Path, harm: Callable[[Path], None]
):
    home = house.without()
    harm(home)
    refused = restore(house, empty_database, house.backup, home)
    assert (refused.code, "E_CONFIG" in refused.err) == (1, True)
    assert all_rows(empty_database.owner) == {}


def test_a_master_secret_in_the_environment_is_taken(house: House, empty_database: Addresses, tmp_path: Path):
    home = house.without()
    refused = restore(house, empty_database, house.backup, home, BRAIN_AUDIT_KEY="A" * 43 + "=")
    assert "another master secret" in refused.err
    assert all_rows(empty_database.owner) == {}


def test_rows_that_were_put_into_another_table_are_refused(house: House, empty_database: Addresses, tmp_path: Path):
    copy = Path(shutil.copytree(house.backup, tmp_path / house.backup.name))
    names, events = copy / "rows" / "brain.names", copy / "rows" / "brain.conversation_events"
    shutil.copy(names, events)
    manifest = json.loads((copy / MANIFEST).read_text())
    manifest["files"]["rows/brain.conversation_events"] = manifest["files"]["rows/brain.names"]
    (copy / MANIFEST).write_text(json.dumps(manifest))
    refused = restore(house, empty_database, copy, house.home)
    assert (refused.code, "E_BAD_REQUEST" in refused.err) == (1, True)
    assert all_rows(empty_database.owner) == {}


def test_a_backup_of_before_comes_back(house: House, empty_database: Addresses, tmp_path: Path):
    plain = tmp_path / "brain-20260101T000000.000000Z"
    plain.mkdir()
    where = Addresses(owner=house.brain.database_url, app=house.brain.database_url)
    with psycopg.connect(where.owner) as owner:
        owner.execute("delete from brain.last_done where act = 'backup'")
    save_as_before(where, house.home, plain, find_backup(house.backup).manifest.model_dump(mode="json"))
    done = restore(house, empty_database, plain, a_home(house.home.parent, f"house-{uuid4()}"))
    assert done.code == 0, done.err
    assert all_rows(empty_database.owner) == all_rows(house.brain.database_url)


def save_as_before(where: Addresses, home: Path, folder: Path, manifest: dict[str, Any]) -> None:
    """The first format: everything in the dump, and a manifest that says nothing of keys."""
    with psycopg.connect(where.owner) as connection:
        program = find_program(EmbeddedPostgres(home), "pg_dump", connection.info.server_version // 10_000)
    schemas = [f"--schema={schema}" for schema in SCHEMAS]
    dumped = ["--format=directory", "--no-owner", "--no-privileges", "--compress=gzip:1", f"--file={folder / 'dump'}"]
    subprocess.run([program, *dumped, *schemas, "--dbname", where.owner], check=True)
    del manifest["sealed"]
    (folder / MANIFEST).write_text(json.dumps({**manifest, "format": 1, "files": {}}))


@pytest.mark.parametrize("kills", KILLS)
def test_a_backup_that_is_killed_leaves_no_word_on_the_disk(kills: int, house: House, tmp_path: Path):
    for number in range(kills):
        with house.brain.running("backup", str(tmp_path / "killed")) as process:
            wait_for_bytes(tmp_path / "killed", 40_000 * number * 8 // kills)
            process.kill()
            process.wait()
            for path in (tmp_path / "killed").rglob("*"):
                content = path.read_bytes() if path.is_file() else b""
                plain = gzip.decompress(content) if path.suffix == ".gz" and path.stat().st_size else content
                assert not [word for word in (*ANNS, *BOBS) if word.encode() in plain], path


def wait_for_bytes(folder: Path, many: int) -> None:
    for _ in range(2_000):
        with suppress(FileNotFoundError):  # the draft became a backup meanwhile
            if sum(path.stat().st_size for path in folder.glob("*/rows/*")) >= max(many, 1):
                return
