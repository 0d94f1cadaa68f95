"""``brain documents`` on a real PostgreSQL: a folder that a person edits and brings back."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory.documents.document import DocumentDraft, DocumentKind
from memory.documents.port import NoteEntry
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope, name_id
from tests.contract.builders import a_draft, at, by_ann
from tests.integration.brain_process import Brain, Outcome, as_url


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


@pytest.fixture
def scope(brain: Brain) -> Scope:
    return Scope(tenant_id=name_id("tenant", brain.tenant), user_id=name_id("user", brain.tenant, "ann"))


@pytest.fixture
def folder(brain: Brain) -> Path:
    return brain.folder / "notes"


def told(brain: Brain, command: str, *arguments: str) -> Outcome:
    return brain.ask("documents", command, *arguments, "--user", "ann")


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def outcomes(done: Outcome) -> dict[str, str]:
    return {each["file"]: each["outcome"] for each in done.json}


async def save(database: Database, scope: Scope, body: str, kind: DocumentKind = "memory", name: str = "MEMORY") -> int:
    memory = postgres_memory(database)
    draft = DocumentDraft(kind=kind, name=name, body=body, front={"tags": ["茶", "boats"], "note": "a: b"})
    found = [each for each in await memory.documents.list_documents(scope, kind) if each.name == name]
    return (await memory.documents.save(scope, draft, found[0].version if found else 0, by_ann("k"))).version


async def note(database: Database, scope: Scope, text: str) -> None:
    entry = NoteEntry(key=text, text=text, at=at(), source="summary")
    await postgres_memory(database).documents.append_note(scope, [entry], by_ann("k"))


async def body_of(database: Database, scope: Scope, name: str = "MEMORY") -> str:
    return next(
        each.body for each in await postgres_memory(database).documents.list_documents(scope) if each.name == name
    )


async def exported(brain: Brain, database: Database, scope: Scope, folder: Path) -> None:
    """MEMORY, a profile and a daily note in a folder."""
    await save(database, scope, "Ann runs a bakery.")
    await save(database, scope, "Likes tea.", "user_profile", "profile")
    await note(database, scope, "Bob called.")
    done = await in_thread(told, brain, "export", str(folder))
    assert done.code == 0, done.err


async def in_thread(call: Callable[..., Outcome], *arguments: Any) -> Outcome:
    """A command runs an event loop of its own."""
    return await asyncio.to_thread(call, *arguments)


async def test_a_folder_goes_out_and_comes_back_without_a_change(
    brain: Brain, database: Database, scope: Scope, folder: Path
):
    await exported(brain, database, scope, folder)
    assert files_in(folder) == ["MEMORY.md", "daily/2026-03-01.md", "profiles/user.md"]
    assert (folder / "MEMORY.md").read_text().startswith("---\ntags: [茶, boats]\nnote: 'a: b'\nbrain:\n  id: ")
    done = await in_thread(told, brain, "import", str(folder), "--json")
    assert (done.code, set(outcomes(done).values())) == (0, {"unchanged"})
    again = await in_thread(told, brain, "export", str(folder), "--json")
    assert set(outcomes(again).values()) == {"unchanged"}


async def test_an_edited_file_becomes_the_next_version_and_can_be_taken_back(
    brain: Brain, database: Database, scope: Scope, folder: Path
):
    await exported(brain, database, scope, folder)
    path = folder / "MEMORY.md"
    path.write_text(path.read_text().replace("a bakery", "two bakeries").replace("茶", "tea"))
    dry = await in_thread(told, brain, "import", str(folder), "--dry-run", "--json")
    assert outcomes(dry)["MEMORY.md"] == "saved"
    assert await body_of(database, scope) == "Ann runs a bakery.\n"
    done = await in_thread(told, brain, "import", str(folder))
    assert (done.code, "saved: MEMORY.md" in done.out) == (0, True)
    assert await body_of(database, scope) == "Ann runs two bakeries.\n"
    out = await in_thread(told, brain, "export", str(folder), "--json")
    assert (out.code, outcomes(out)["MEMORY.md"]) == (0, "unchanged")
    shown = (await in_thread(told, brain, "show", "MEMORY", "--json")).json
    assert (shown["front"]["tags"], shown["version"], shown["author"]) == (["tea", "boats"], 2, "ann")
    restored = await in_thread(told, brain, "restore", "MEMORY", "--version", "1")
    assert "version 3" in restored.out
    assert await body_of(database, scope) == "Ann runs a bakery.\n"
    history = (await in_thread(told, brain, "history", "MEMORY", "--json")).json
    assert [each["version"] for each in history["versions"]] == [1, 2, 3]
    found = brain_recalls(await in_thread(brain.ask, "recall", "bakery", "--user", "ann", "--json"))
    assert "Ann runs a bakery." in found


async def test_a_file_can_be_edited_and_imported_again_and_again(
    brain: Brain, database: Database, scope: Scope, folder: Path
):
    await exported(brain, database, scope, folder)
    path = folder / "MEMORY.md"
    for before, after in (("a bakery", "two bakeries"), ("two bakeries", "three bakeries")):
        path.write_text(path.read_text().replace(before, after))
        done = await in_thread(told, brain, "import", str(folder), "--json")
        assert (done.code, outcomes(done)["MEMORY.md"]) == (0, "saved")
    again = await in_thread(told, brain, "import", str(folder), "--json")
    assert (again.code, set(outcomes(again).values())) == (0, {"unchanged"})
    assert await body_of(database, scope) == "Ann runs three bakeries.\n"


async def test_what_brain_wrote_since_is_no_conflict_with_lines_of_ones_own(
    brain: Brain, database: Database, scope: Scope, folder: Path
):
    memory = postgres_memory(database)
    tea = await memory.items.write(scope, a_draft(), by_ann("k1"))
    await in_thread(brain.ask, "memories", "confirm", str(tea.memory_id), "--user", "ann")
    await in_thread(told, brain, "export", str(folder))
    jazz = await memory.items.write(scope, a_draft("jazz"), by_ann("k2"))
    await in_thread(brain.ask, "memories", "confirm", str(jazz.memory_id), "--user", "ann")
    path = folder / "profiles/user.md"
    path.write_text(path.read_text() + "\nPlays the cello.\n")
    done = await in_thread(told, brain, "import", str(folder), "--json")
    assert (done.code, outcomes(done)["profiles/user.md"]) == (0, "saved")
    body = await body_of(database, scope, "profile")
    assert ("Plays the cello." in body, "jazz" in body, "green tea" in body) == (True, True, True)
    assert path.read_text().endswith(body)


async def test_an_edit_of_a_generated_line_changes_the_memory_or_is_refused(
    brain: Brain, database: Database, scope: Scope, folder: Path
):
    memory = postgres_memory(database)
    tea = await memory.items.write(scope, a_draft(), by_ann("k1"))
    jazz = await memory.items.write(scope, a_draft("jazz"), by_ann("k2"))
    await in_thread(brain.ask, "memories", "confirm", str(tea.memory_id), "--user", "ann")
    await in_thread(told, brain, "export", str(folder))
    path = folder / "profiles/user.md"
    whole = path.read_text()
    path.write_text(whole.replace("## Drinks", "- I like cocoa\n\n## Drinks"))
    done = await in_thread(told, brain, "import", str(folder), "--json")
    (told_why,) = [each["message"] for each in done.json if each["outcome"] == "refused"]
    assert (done.code, "'- I like cocoa' stands in the part that Brain writes" in told_why) == (1, True)
    lines = [line for line in whole.splitlines(keepends=True) if str(jazz.memory_id) not in line]
    path.write_text("".join(lines).replace("likes green tea", "likes white tea"))
    done = await in_thread(told, brain, "import", str(folder), "--json")
    assert [(each["outcome"], each["message"]) for each in done.json if each["file"] == "profiles/user.md"] == [
        ("saved", "memories corrected: 1, forgotten: 1")
    ]
    corrected = await memory.items.get(scope, tea.memory_id)
    assert (corrected.content, corrected.status) == ("The user likes white tea", "active")
    assert (await memory.items.get(scope, jazz.memory_id)).status == "deleted"
    again = await in_thread(told, brain, "import", str(folder), "--json")
    assert (again.code, outcomes(again)["profiles/user.md"]) == (0, "unchanged")
    assert "white tea" in path.read_text()


def brain_recalls(done: Outcome) -> list[str]:
    return [hit["text"] for hit in done.json["memories"]]


async def test_a_document_that_moved_on_is_a_conflict_and_nothing_is_overwritten(
    brain: Brain, database: Database, scope: Scope, folder: Path
):
    await exported(brain, database, scope, folder)
    path, beside = folder / "MEMORY.md", folder / "MEMORY.conflict.md"
    path.write_text(path.read_text().replace("a bakery", "two bakeries"))
    await save(database, scope, "Ann sold the bakery.")
    dry = await in_thread(told, brain, "import", str(folder), "--dry-run", "--json")
    assert (dry.code, outcomes(dry)["MEMORY.md"], beside.exists()) == (1, "conflict", False)
    done = await in_thread(told, brain, "import", str(folder), "--json")
    assert (done.code, outcomes(done)["MEMORY.md"]) == (1, "conflict")
    assert await body_of(database, scope) == "Ann sold the bakery.\n"
    assert "two bakeries" in path.read_text()
    assert "Ann sold the bakery." in beside.read_text()
    back = await in_thread(told, brain, "export", str(folder))
    assert (back.code, "MEMORY.md holds changes" in back.out) == (1, True)
    assert "two bakeries" in path.read_text()
    beside.write_text(beside.read_text().replace("sold the bakery", "sold both bakeries"))
    assert (await in_thread(told, brain, "import", str(folder))).code == 1
    assert "sold both bakeries" in beside.read_text()
    beside.replace(path)
    settled = await in_thread(told, brain, "import", str(folder), "--json")
    assert (settled.code, outcomes(settled)["MEMORY.md"]) == (0, "saved")
    assert await body_of(database, scope) == "Ann sold both bakeries.\n"


async def test_an_old_copy_that_nobody_edited_changes_nothing(
    brain: Brain, database: Database, scope: Scope, folder: Path
):
    await exported(brain, database, scope, folder)
    await save(database, scope, "Ann sold the bakery.")
    done = await in_thread(told, brain, "import", str(folder), "--json")
    assert (done.code, set(outcomes(done).values())) == (0, {"unchanged"})
    assert await body_of(database, scope) == "Ann sold the bakery.\n"
    await in_thread(told, brain, "export", str(folder))
    assert "Ann sold the bakery." in (folder / "MEMORY.md").read_text()


async def test_deleting_a_file_deletes_no_document_and_a_new_file_makes_one(
    brain: Brain, database: Database, scope: Scope, folder: Path
):
    await exported(brain, database, scope, folder)
    (folder / "MEMORY.md").unlink()
    (folder / "daily/2026-02-27.md").write_text("Wrote this by hand.\n")
    (folder / "README.md").write_text("not a document")
    done = await in_thread(told, brain, "import", str(folder), "--json")
    assert outcomes(done) == {
        "daily/2026-02-27.md": "created",
        "daily/2026-03-01.md": "unchanged",
        "profiles/user.md": "unchanged",
        "README.md": "passed over",
    }
    assert await body_of(database, scope) == "Ann runs a bakery.\n"
    assert await body_of(database, scope, "2026-02-27") == "Wrote this by hand.\n"


async def test_a_file_of_unknown_origin_overwrites_nothing(
    brain: Brain, database: Database, scope: Scope, folder: Path
):
    await exported(brain, database, scope, folder)
    (folder / "MEMORY.md").write_text("All mine now.\n")
    bob = await in_thread(brain.ask, "documents", "import", str(folder), "--user", "bob", "--json")
    assert set(outcomes(bob).values()) == {"created"}
    done = await in_thread(told, brain, "import", str(folder), "--json")
    assert outcomes(done)["MEMORY.md"] == "conflict"
    assert await body_of(database, scope) == "Ann runs a bakery.\n"


async def test_what_cannot_be_trusted_is_refused_by_code_and_the_rest_goes_on(
    brain: Brain, database: Database, scope: Scope, folder: Path, tmp_path: Path
):
    await exported(brain, database, scope, folder)
    secret = tmp_path / "secret.md"
    secret.write_text("do not read me")
    hostile = {
        "2026-01-01": b"\xff\xfe broken",
        "2026-01-02": b"a\x00b",
        "2026-01-03": b"x" * 300_000,
        "2026-01-04": b"---\na: &x [1]\nb: *x\n---\n",
        "2026-01-05": b"---\nname: Ann\n",
        "2026-02-30": b"no such day",
    }
    for day, content in hostile.items():
        (folder / f"daily/{day}.md").write_bytes(content)
    (folder / "daily/2026-01-06.md").symlink_to(secret)
    (folder / "daily/2026-01-07.md").mkdir()
    os.mkfifo(folder / "daily/2026-01-08.md")
    (folder / "profiles/group.md").write_text("not ours")
    (folder / "daily/2026-02-01.md").write_text("Good.\n")
    done = await in_thread(told, brain, "import", str(folder), "--json")
    refused = {each["file"]: each["message"] for each in done.json if each["outcome"] == "refused"}
    days = [*hostile, "2026-01-06", "2026-01-07", "2026-01-08"]
    assert set(refused) == {*(f"daily/{day}.md" for day in days), "profiles/group.md"}
    assert all(message.startswith("E_BAD_REQUEST: ") for message in refused.values())
    assert (done.code, outcomes(done)["daily/2026-02-01.md"]) == (1, "created")
    assert "do not read me" not in json.dumps(
        [each.body for each in await postgres_memory(database).documents.list_documents(scope)]
    )


async def test_no_folder_behind_a_link_is_read_or_written(
    brain: Brain, database: Database, scope: Scope, folder: Path, tmp_path: Path
):
    await exported(brain, database, scope, folder)
    elsewhere = tmp_path / "elsewhere"
    (folder / "daily").rename(elsewhere)
    (folder / "daily").symlink_to(elsewhere)
    before = (elsewhere / "2026-03-01.md").read_text()
    for command in ("import", "export"):
        done = await in_thread(told, brain, command, str(folder))
        assert (done.code, done.err.startswith("E_BAD_REQUEST: ")) == (1, True)
    assert (elsewhere / "2026-03-01.md").read_text() == before
    missing = await in_thread(told, brain, "import", str(tmp_path / "nowhere"))
    assert (missing.code, missing.err.startswith("E_BAD_REQUEST: ")) == (1, True)


async def test_a_link_in_the_place_of_a_file_is_neither_followed_nor_replaced(
    brain: Brain, database: Database, scope: Scope, folder: Path, tmp_path: Path
):
    await exported(brain, database, scope, folder)
    target = tmp_path / "precious"
    target.write_text("keep me")
    (folder / "MEMORY.md").unlink()
    (folder / "MEMORY.md").symlink_to(target)
    done = await in_thread(told, brain, "export", str(folder))
    assert (done.code, done.err.startswith("E_BAD_REQUEST: ")) == (1, True)
    assert target.read_text() == "keep me"


async def test_documents_are_listed_shown_and_told_apart_by_person(brain: Brain, database: Database, scope: Scope):
    await save(database, scope, "Ann runs a bakery.")
    listed = await in_thread(told, brain, "list")
    assert ("MEMORY" in listed.out, "ann" in listed.out or "user" in listed.out) == (True, True)
    shown = await in_thread(told, brain, "show", "MEMORY")
    assert shown.out.endswith("---\nAnn runs a bakery.\n")
    assert (await in_thread(brain.ask, "documents", "list", "--user", "bob")).out == "No documents yet.\n"
    for command in ("show", "history"):
        done = await in_thread(brain.ask, "documents", command, "MEMORY", "--user", "bob")
        assert (done.code, done.err.split(":")[0]) == (1, "E_NOT_FOUND")
    gone = await in_thread(told, brain, "show", "MEMORY", "--version", "7")
    assert gone.err.startswith("E_NOT_FOUND")


async def test_a_memory_that_is_forgotten_on_the_command_line_leaves_the_profile_at_once(
    brain: Brain, database: Database, scope: Scope
):
    memory = postgres_memory(database)
    tea = await memory.items.write(scope, a_draft(), by_ann("k1"))
    coffee = await memory.items.write(scope, a_draft("coffee"), by_ann("k2"))
    await in_thread(brain.ask, "memories", "confirm", str(tea.memory_id), "--user", "ann")
    assert "green tea" in await body_of(database, scope, "profile")
    await in_thread(brain.ask, "memories", "forget", str(tea.memory_id), "--user", "ann")
    await in_thread(brain.ask, "memories", "correct", str(coffee.memory_id), "I like mocha", "--user", "ann")
    body = await body_of(database, scope, "profile")
    assert ("green tea" in body, "coffee" in body, "I like mocha" in body) == (False, False, True)
