"""A backup keeps each person's rows under that person's key: without it nobody reads them, and all else comes back."""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from apps.backups.backups import Backups
from apps.backups.frames import open_frames
from apps.backups.manifest import find_backup
from apps.backups.restore_rows import Destroyed, RowOpener
from apps.backups.row_owners import OWNERS
from brain.local_postgres.server import EmbeddedPostgres
from brain.person_keys import PersonKeys
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.postgres.server import SCHEMAS
from memory.scope import Scope
from tests.integration.brain_process import as_url
from tests.integration.sealed_house import ANNS, BOBS, GROUP, House, all_rows, keys_in, restore
from tests.integration.test_isolation_everywhere import fill

GIVEN = "brain.sessions", "brain.conversation_events", "brain.memory_items", "checkpoint.checkpoints"
SHARED = {
    f"brain.{table}" for table in ("sessions", "documents", "document_versions", "note_entries", "memory_receipts")
}
OF_NOBODY = {
    "brain.agent_experiences",
    "brain.contract_versions",
    "brain.knowledge_entities",
    "brain.knowledge_entries",
    "brain.knowledge_relations",
    "brain.knowledge_state",
    "brain.knowledge_versions",
    "brain.promotion_proposals",
    "brain.soul_pauses",
    "brain.soul_reactions",
    "brain.chain_checkpoints",
    "brain.chain_links",
    "brain.chain_progress",
    "brain.erased_events",
    "brain.erased_receipts",
    "brain.erased_threads",
    "brain.inbox",
    "brain.installation",
    "brain.legal_profiles",
    "brain.tombstone_states",
    "brain.ended_panel_sessions",
    "brain.recall_origin",
    "brain.schema_migrations",
    "brain.token_ledger",
    "brain.experiments",
    "brain.experiment_counts",
    "brain.release_verdicts",
    "brain.level_thresholds",
    "brain.drills",
    "brain.service_alerts",
    "brain.last_done",
    "brain.tenant_cells",
    "brain.moved_rows",
    "brain.vector_weights",
    "checkpoint.checkpoint_migrations",
    "queue.procrastinate_workers",
}
"""Tables that hold no word of anybody."""
MANY = 15


def test_what_was_kept_under_keys_comes_back_exactly(house: House, empty_database: Addresses):
    done = restore(house, empty_database, house.backup, house.home)
    assert done.code == 0, done.err
    before, after = all_rows(house.brain.database_url), all_rows(empty_database.owner)
    assert after == before
    assert all(before[table] for table in GIVEN)
    assert done.json["rows"] == sum(map(len, before.values()))
    assert done.json["destroyed"]["people"] == 0
    assert find_backup(house.backup).manifest.rows == {table: len(rows) for table, rows in before.items()}


async def test_every_table_comes_back_for_those_whose_keys_are_left(
    fresh_database: Addresses, empty_database: Addresses, house: House, tmp_path: Path
):
    ann, bob = (Scope(tenant_id=uuid4(), user_id=uuid4()) for _ in range(2))
    others = Scope(tenant_id=uuid4(), user_id=uuid4(), key="group:family")
    async with Database(fresh_database.app) as database:
        for scope in (ann, bob, others):
            await fill(postgres_memory(database), scope)
    keys = PersonKeys(tmp_path / "keys", bytes(32))
    engine = EmbeddedPostgres(house.home)
    made = await Backups(fresh_database, engine, lambda _: None, lambda _: keys).save(tmp_path)
    before = all_rows(fresh_database.owner)
    assert keys.shred(ann.tenant_id, ann.user_id)
    restored = await Backups(empty_database, engine, lambda _: None, lambda _: keys).restore(made)
    after = all_rows(empty_database.owner)
    jobs = {row["id"] for row in before["queue.procrastinate_jobs"] if row["args"].get("user_id") == str(ann.user_id)}
    keys_of = {row["key_id"] for row in before["brain.api_keys"] if row["tenant_id"] == str(ann.tenant_id)}
    hers = {
        table: [
            row
            for row in rows
            if str(ann.user_id) in json.dumps(row) or row.get("job_id") in jobs or row.get("key_id") in keys_of
        ]
        for table, rows in before.items()
    }
    assert after == {table: [row for row in rows if row not in hers[table]] for table, rows in before.items()}
    assert len([table for table, rows in hers.items() if rows]) >= MANY
    assert restored.destroyed == Destroyed(rows=sum(map(len, hers.values())), people=1)


def test_sequences_go_on_where_they_were(house: House, empty_database: Addresses):
    assert restore(house, empty_database, house.backup, house.home).code == 0
    numbers = "select sequencename, last_value from pg_sequences where schemaname = any(%s) order by 1"
    found: list[list[Any]] = []
    for address in (house.brain.database_url, empty_database.owner):
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


def test_only_the_others_come_back_and_all_of_theirs(house: House, empty_database: Addresses, tmp_path: Path):
    done = restore(house, empty_database, house.backup, house.without("annabel"))
    assert done.code == 0, done.err
    before, after = all_rows(house.brain.database_url), all_rows(empty_database.owner)
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


def test_a_conversation_of_a_group_stays_for_those_who_are_left(
    house: House, empty_database: Addresses, tmp_path: Path
):
    assert restore(house, empty_database, house.backup, house.without("annabel")).code == 0
    (session,) = [row for row in all_rows(empty_database.owner)["brain.sessions"] if row["scope"] == "group:kitchen"]
    assert session["user_id"] == str(house.id_of("bob"))
    assert (session["entity_slots"], session["carried"], session["name"]) == ({}, {}, session["session_id"])
    chosen = dict(house.brain.settings)
    other = replace(house.brain, database_url=as_url(empty_database.owner), settings=chosen)
    said = other.ask("chat", "--user", "bob", *GROUP, "--json", "--message", "I also like tea.")
    assert said.code == 0, said.err


def test_what_is_left_out_is_told_in_words(house: House, empty_database: Addresses, tmp_path: Path):
    home = house.without("annabel", "bob")
    chosen = {"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": "error", "BRAIN_AUDIT_KEY": ""}
    done = replace(house.brain, database_url=as_url(empty_database.owner), settings=chosen).ask(
        "restore", str(house.backup)
    )
    assert done.code == 0, done.err
    assert "rows of 2 people whose keys were destroyed" in done.out
    assert not [row for row in all_rows(empty_database.owner)["brain.conversation_events"] if row["user_id"]]


def test_who_comes_back_after_that_has_a_new_key_and_later_backups_hold_them(
    house: House, empty_database: Addresses, tmp_path: Path
):
    home = house.without("annabel")
    brain = replace(house.brain, settings={"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": "error", "BRAIN_AUDIT_KEY": ""})
    saved = brain.ask("backup", str(tmp_path / "backups"), "--json")
    assert saved.code == 0, saved.err
    assert b"Ljubljana" in readable(Path(saved.json["folder"]), home)
    assert b"Ljubljana" not in readable(house.backup, home)
    assert restore(house, empty_database, Path(saved.json["folder"]), home).json["destroyed"]["people"] == 0


def test_a_backup_of_before_is_restored_under_a_new_master_secret(house: House, empty_database: Addresses):
    home = house.without()
    settings = {"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": "error", "BRAIN_AUDIT_KEY": ""}
    rotated = replace(house.brain, settings=settings).ask("keys", "rotate-master", "--json")
    assert rotated.code == 0, rotated.err
    assert rotated.json["keys"] == len(keys_in(house.home).load_all())

    assert restore(house, empty_database, house.backup, home).json["destroyed"]["people"] == 0
