"""A backup keeps each person's rows under that person's key: without it nobody reads them, and all else comes back."""

import gzip
import json
import shutil
import subprocess
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from apps.backups.frames import open_frames
from apps.backups.manifest import MANIFEST, find_backup
from apps.backups.restore_rows import RowOpener
from apps.backups.row_owners import OWNERS
from brain.local_postgres.programs import find_program
from brain.local_postgres.server import EmbeddedPostgres
from brain.person_keys import PersonKeys, open_person_keys
from brain.settings import Settings
from memory.postgres.roles import Addresses
from memory.postgres.server import SCHEMAS
from memory.scope import name_id
from tests.conftest import a_database
from tests.integration.brain_process import Brain, Outcome, as_url

ANNS = ("Ljubljana", "Pangolin", "Quokka", "annabel")
BOBS = ("Reykjavik", "Axolotl", "Wombat")
"""Words that one of them has used, at home and among others, and a name."""
GROUP = ("--channel", "kitchen", "--session", "supper")
GIVEN = "brain.sessions", "brain.conversation_events", "brain.memory_items", "checkpoint.checkpoints"
SHARED = {
    f"brain.{table}" for table in ("sessions", "documents", "document_versions", "note_entries", "memory_receipts")
}
OF_NOBODY = {
    "brain.ended_panel_sessions",
    "brain.recall_origin",
    "brain.schema_migrations",
    "brain.token_ledger",
    "brain.vector_weights",
    "checkpoint.checkpoint_migrations",
    "queue.procrastinate_workers",
}
"""Tables that hold no word of anybody."""
KILLS = 8


@dataclass(frozen=True)
class House:
    """A Brain with two people in it, who also speak in a group, and a backup of that."""

    brain: Brain
    home: Path
    backup: Path = Path()

    @property
    def tenant(self) -> UUID:
        """Theirs."""
        return name_id("tenant", self.brain.tenant)

    def id_of(self, user: str) -> UUID:
        """The id of a person."""
        return name_id("user", self.brain.tenant, user)

    def without(self, *users: str) -> Path:
        """A copy of the data folder's secrets in which the keys of some people were destroyed."""
        home = a_home(self.home.parent, f"house-{uuid4()}")
        shutil.copytree(self.home / "keys", home / "keys")
        shutil.copy(self.home / "audit.key", home)
        for user in users:
            assert keys_in(home).shred(self.tenant, self.id_of(user))
        return home


def a_home(parent: Path, name: str) -> Path:
    """A data folder with the programs of the session's database."""
    home = parent / name
    home.mkdir()
    (home / "postgres").symlink_to(parent / "session" / "postgres")
    return home


def keys_in(home: Path) -> PersonKeys:
    return open_person_keys(Settings(data_dir=home), make=False)


@pytest.fixture(scope="module")
def house(server_url: str, reachable_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    home = a_home(reachable_folder, "house")
    chosen = {"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": "error"}
    with a_database(server_url) as where:
        brain = Brain(as_url(where.owner), tmp_path_factory.mktemp("folder"), settings=chosen)
        brain.says("I live in Ljubljana.", "My pet is called Pangolin.", user="annabel", session="home")
        brain.says("I live in Reykjavik.", "My pet is called Axolotl.", user="bob", session="home")
        for user, words in (("annabel", "I like Quokka soup."), ("bob", "I like Wombat pie.")):
            said = brain.ask("chat", "--user", user, *GROUP, "--json", "--message", words)
            assert said.code == 0, said.err
        assert brain.ask("worker", "--until-idle").code == 0
        house = House(brain, home)
        entangle(where, house)
        parent = tmp_path_factory.mktemp("backups")
        saved = brain.ask("backup", str(parent), "--json")
        assert saved.code == 0, saved.err
        yield replace(house, backup=Path(saved.json["folder"]))


def entangle(where: Addresses, house: House) -> None:
    """What one of them says in the group rests on the other: bob's memory gave way to annabel's, and cites her turn."""
    people = {"ann": house.id_of("annabel"), "bob": house.id_of("bob")}
    with psycopg.connect(where.owner) as owner:
        changed = owner.execute(
            "update brain.memory_items set status = 'superseded', superseded_by ="
            " (select item_id from brain.memory_items where scope like 'group:%%' and user_id = %(ann)s limit 1)"
            " where scope like 'group:%%' and user_id = %(bob)s",
            people,
        )
        assert changed.rowcount == 1
        cited = owner.execute(
            "insert into brain.memory_citations"
            " select i.tenant_id, i.item_id, e.event_id, 0, 1, e.sha256, i.scope, i.user_id"
            " from brain.memory_items i, brain.conversation_events e where i.scope like 'group:%%'"
            " and i.user_id = %(bob)s and e.scope = i.scope and e.user_id = %(ann)s and e.role = 'user' limit 1",
            people,
        )
        assert cited.rowcount == 1


@pytest.fixture
def empty(server_url: str) -> Generator[Addresses]:
    with a_database(server_url) as where:
        yield where


def restore(house: House, where: Addresses, backup: Path, home: Path, **settings: str) -> Outcome:
    chosen = {"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": "error"} | settings
    other = replace(house.brain, database_url=as_url(where.owner), settings=chosen)
    return other.ask("restore", str(backup), "--json")


def all_rows(address: str) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table of Brain's."""
    found: dict[str, list[dict[str, Any]]] = {}
    with psycopg.connect(address) as owner:
        owner.execute("set extra_float_digits = 3")
        tables = owner.execute(
            "select format('%%I.%%I', schemaname, tablename) from pg_tables where schemaname = any(%s)",
            (list(SCHEMAS),),
        )
        for (table,) in tables.fetchall():
            rows = owner.execute(f"select to_jsonb(t), t::text from {table} t order by 2".encode())
            found[table] = [row for row, _ in rows.fetchall()]
    return found


def test_what_was_kept_under_keys_comes_back_exactly(house: House, empty: Addresses):
    done = restore(house, empty, house.backup, house.home)
    assert done.code == 0, done.err
    before, after = all_rows(house.brain.database_url), all_rows(empty.owner)
    assert after == before
    assert all(before[table] for table in GIVEN)
    assert done.json["rows"] == sum(map(len, before.values()))
    assert done.json["destroyed"]["people"] == 0
    assert find_backup(house.backup).manifest.rows == {table: len(rows) for table, rows in before.items()}


def test_sequences_go_on_where_they_were(house: House, empty: Addresses):
    assert restore(house, empty, house.backup, house.home).code == 0
    numbers = "select sequencename, last_value from pg_sequences where schemaname = any(%s) order by 1"
    found: list[list[Any]] = []
    for address in (house.brain.database_url, empty.owner):
        with psycopg.connect(address) as owner:
            found.append(owner.execute(numbers, (list(SCHEMAS),)).fetchall())
    assert found[0] == found[1]
    assert any(value for _, value in found[0])


def test_no_word_and_no_name_is_readable_in_the_folder(house: House):
    files = [path for path in house.backup.rglob("*") if path.is_file()]
    assert [path.name for path in files if path.parent.name == "dump"] == ["toc.dat"]
    for path in files:
        content = path.read_bytes()
        plain = gzip.decompress(content) if path.suffix == ".gz" else content
        for word in (*ANNS, *BOBS, "bob", house.brain.tenant, "supper", "kitchen", str(house.id_of("annabel"))):
            assert word.encode() not in plain, path
        assert house.id_of("annabel").bytes not in plain
    assert {path.stat().st_mode & 0o022 for path in files} == {0}


def test_a_table_without_people_was_thought_of(house: House):
    """A new one without the column ``user_id`` fails here until somebody says whose its rows are."""
    sealed = find_backup(house.backup).manifest.sealed
    assert sealed is not None
    without = {table for table, columns in sealed.columns.items() if "user_id" not in columns}
    assert without - set(OWNERS) == OF_NOBODY


def readable(backup: Path, home: Path) -> bytes:
    """All that somebody reads in a backup who has the master secret and every key that is left."""
    found, sealed = find_backup(backup), find_backup(backup).manifest.sealed
    assert sealed is not None
    keys = keys_in(home).load_all()
    parts: list[bytes] = []
    for name in sorted(path.name for path in (backup / "rows").iterdir()):
        with open_frames(backup, RowOpener(found, sealed, keys).place(name)) as file:
            mine = [frame for frame in file.frames() if all(key_id in keys for key_id in frame.key_ids)]
            parts.extend(file.open(frame, tuple(keys[key_id] for key_id in frame.key_ids)) for frame in mine)
    return b"\n".join(parts)


def test_whose_key_was_destroyed_is_unreadable_in_an_earlier_backup(house: House, tmp_path: Path):
    whole, left = (
        readable(house.backup, house.home),
        readable(house.backup, house.without("annabel")),
    )
    for word in ANNS:
        assert word.encode() in whole
        assert word.encode() not in left
        assert word.lower().encode() not in left
    for word in BOBS[:2]:
        assert word.encode() in left


def test_only_the_others_come_back_and_all_of_theirs(house: House, empty: Addresses, tmp_path: Path):
    done = restore(house, empty, house.backup, house.without("annabel"))
    assert done.code == 0, done.err
    before, after = all_rows(house.brain.database_url), all_rows(empty.owner)
    ann, bob = str(house.id_of("annabel")), str(house.id_of("bob"))
    assert ann not in json.dumps(after)
    assert [(table, row) for table, rows in after.items() for row in rows if has_any(ANNS, row)] == []
    for table, rows in before.items():
        own = [row for row in rows if row.get("user_id") == bob and not is_shared(table, row)]
        kept = [row for row in after[table] if row.get("user_id") == bob and not is_shared(table, row)]
        if table == "brain.memory_items":
            own = [row | {"superseded_by": None} for row in own]
        if table == "brain.memory_citations":
            own = [row for row in own if row["event_id"] in {each["event_id"] for each in kept}]
            assert own
        assert kept == own, table
    told = done.json["destroyed"]
    assert (told["people"], told["removed"], told["cut"], told["emptied"]) == (1, 1, 1, 1)
    counted = sum(map(len, after.values()))
    assert done.json["rows"] == counted == sum(map(len, before.values())) - told["rows"] - told["removed"] + 1


def has_any(words: Sequence[str], row: Mapping[str, Any]) -> bool:
    text = json.dumps(row, ensure_ascii=False)
    return any(word in text for word in words)


def is_shared(table: str, row: Mapping[str, Any]) -> bool:
    """Whether a row may hold what anybody of a group said."""
    of_group = str(row["scope"]).startswith("group:")
    return of_group and (
        table in SHARED or row.get("lane") in ("document", "summary") or row.get("role") == "assistant"
    )


def test_a_conversation_of_a_group_stays_for_those_who_are_left(house: House, empty: Addresses, tmp_path: Path):
    assert restore(house, empty, house.backup, house.without("annabel")).code == 0
    (session,) = [row for row in all_rows(empty.owner)["brain.sessions"] if row["scope"] == "group:kitchen"]
    assert session["user_id"] == str(house.id_of("bob"))
    assert (session["entity_slots"], session["carried"], session["name"]) == ({}, {}, session["session_id"])
    chosen = dict(house.brain.settings)
    other = replace(house.brain, database_url=as_url(empty.owner), settings=chosen)
    said = other.ask("chat", "--user", "bob", *GROUP, "--json", "--message", "I also like tea.")
    assert said.code == 0, said.err


def test_what_is_left_out_is_told_in_words(house: House, empty: Addresses, tmp_path: Path):
    home = house.without("annabel", "bob")
    chosen = {"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": "error"}
    done = replace(house.brain, database_url=as_url(empty.owner), settings=chosen).ask("restore", str(house.backup))
    assert done.code == 0, done.err
    assert "rows of 2 people whose keys were destroyed" in done.out
    assert not [row for row in all_rows(empty.owner)["brain.conversation_events"] if row["user_id"]]


def test_who_comes_back_after_that_has_a_new_key_and_later_backups_hold_them(
    house: House, empty: Addresses, tmp_path: Path
):
    home = house.without("annabel")
    brain = replace(house.brain, settings={"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": "error"})
    saved = brain.ask("backup", str(tmp_path / "backups"), "--json")
    assert saved.code == 0, saved.err
    assert b"Ljubljana" in readable(Path(saved.json["folder"]), home)
    assert b"Ljubljana" not in readable(house.backup, home)
    assert restore(house, empty, Path(saved.json["folder"]), home).json["destroyed"]["people"] == 0


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
    house: House, empty: Addresses, tmp_path: Path, harm: Callable[[Path], None]
):
    home = house.without()
    harm(home)
    refused = restore(house, empty, house.backup, home)
    assert (refused.code, "E_CONFIG" in refused.err) == (1, True)
    assert all_rows(empty.owner) == {}


def test_a_master_secret_in_the_environment_is_taken(house: House, empty: Addresses, tmp_path: Path):
    home = house.without()
    refused = restore(house, empty, house.backup, home, BRAIN_AUDIT_KEY="A" * 43 + "=")
    assert "another master secret" in refused.err
    assert all_rows(empty.owner) == {}


def test_rows_that_were_exchanged_between_tables_or_cut_off_are_refused(house: House, empty: Addresses, tmp_path: Path):
    copy = Path(shutil.copytree(house.backup, tmp_path / house.backup.name))
    names, events = copy / "rows" / "brain.names", copy / "rows" / "brain.conversation_events"
    shutil.copy(names, events)
    manifest = json.loads((copy / MANIFEST).read_text())
    manifest["files"]["rows/brain.conversation_events"] = manifest["files"]["rows/brain.names"]
    (copy / MANIFEST).write_text(json.dumps(manifest))
    refused = restore(house, empty, copy, house.home)
    assert (refused.code, "E_BAD_REQUEST" in refused.err) == (1, True)
    assert all_rows(empty.owner) == {}


def test_a_backup_of_before_comes_back(house: House, empty: Addresses, tmp_path: Path):
    plain = tmp_path / "brain-20260101T000000.000000Z"
    plain.mkdir()
    where = Addresses(owner=house.brain.database_url, app=house.brain.database_url)
    save_as_before(where, house.home, plain, find_backup(house.backup).manifest.model_dump(mode="json"))
    done = restore(house, empty, plain, a_home(house.home.parent, f"house-{uuid4()}"))
    assert done.code == 0, done.err
    assert all_rows(empty.owner) == all_rows(house.brain.database_url)


def save_as_before(where: Addresses, home: Path, folder: Path, manifest: dict[str, Any]) -> None:
    """The first format: everything in the dump, and a manifest that says nothing of keys."""
    with psycopg.connect(where.owner) as connection:
        program = find_program(EmbeddedPostgres(home), "pg_dump", connection.info.server_version // 10_000)
    schemas = [f"--schema={schema}" for schema in SCHEMAS]
    dumped = ["--format=directory", "--no-owner", "--no-privileges", "--compress=gzip:1", f"--file={folder / 'dump'}"]
    subprocess.run([program, *dumped, *schemas, "--dbname", where.owner], check=True)
    del manifest["sealed"]
    (folder / MANIFEST).write_text(json.dumps({**manifest, "format": 1, "files": {}}))


def test_a_backup_that_is_killed_leaves_no_word_on_the_disk(house: House, tmp_path: Path):
    for number in range(KILLS):
        with house.brain.running("backup", str(tmp_path / "killed")) as process:
            wait_for_bytes(tmp_path / "killed", 40_000 * number)
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
