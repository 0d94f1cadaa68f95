"""``brain documents import`` in a folder that holds other things too, and ``restore`` without a version."""

from pathlib import Path

import pytest

from memory.postgres.roles import Addresses
from tests.integration.brain_process import Brain, Outcome, as_url


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "notes"


def told(brain: Brain, command: str, *arguments: str) -> Outcome:
    return brain.ask("documents", command, *arguments, "--user", "ann")


def exported(brain: Brain, folder: Path) -> None:
    """A profile and the note of the day in a folder."""
    brain.learns("I live in Ghent.")
    assert told(brain, "export", str(folder)).out == "Files: 2 written.\n"


def test_files_that_are_no_documents_are_named_with_the_reason(brain: Brain, folder: Path):
    (folder / "daily").mkdir(parents=True)
    (folder / "recipes").mkdir()
    for path in ("shopping.md", "memory.txt", "daily/monday.md", ".hidden"):
        (folder / path).write_text("Not ours.")
    done = told(brain, "import", str(folder))
    assert done.code == 1
    assert done.err.startswith(f"E_BAD_REQUEST: {folder} holds no document. Documents are MEMORY.md, ")
    assert [line.split(" — ")[0] for line in done.out.splitlines()] == [
        "passed over: memory.txt",
        "passed over: recipes",
        "passed over: shopping.md",
        "passed over: daily/monday.md",
        "Files: 4 passed over.",
    ]
    assert "no document is called so" in done.out
    assert "it is a folder" in done.out


def test_an_empty_folder_is_no_success(brain: Brain, folder: Path):
    folder.mkdir()
    done = told(brain, "import", str(folder))
    assert (done.code, "holds no document" in done.err) == (1, True)


def test_a_stranger_beside_documents_is_told_and_does_no_harm(brain: Brain, folder: Path):
    exported(brain, folder)
    (folder / "shopping.md").write_text("Milk.")
    done = told(brain, "import", str(folder), "--json")
    brought = [(each["file"], each["outcome"]) for each in done.json if not each["file"].startswith("daily/")]
    assert (done.code, brought) == (0, [("profiles/user.md", "unchanged"), ("shopping.md", "passed over")])


def test_the_version_before_is_restored_when_none_is_named(brain: Brain, folder: Path):
    exported(brain, folder)
    lonely = told(brain, "restore", "profile")
    assert (lonely.code, "Only the newest version is kept." in lonely.err) == (1, True)
    profile = folder / "profiles/user.md"
    profile.write_text(profile.read_text() + "\nPlays the cello.\n")
    assert told(brain, "import", str(folder)).out == "saved: profiles/user.md\nFiles: 1 saved, 1 unchanged.\n"
    done = told(brain, "restore", "user_profile")
    assert done.out == "Restored: profile is at version 3.\n"
    assert "cello" not in told(brain, "show", "profile").out


def test_a_conversation_leaves_a_note_a_profile_and_a_memory_without_a_command(brain: Brain, folder: Path):
    brain.says("I live in Ghent.", "We decided to hire a van instead of movers.", "What should I pack?")
    listed = told(brain, "list", "--json").json
    assert {each["kind"] for each in listed} == {"daily_note", "user_profile", "memory"}
    bodies = {each["kind"]: told(brain, "show", each["name"]).out for each in listed}
    assert "Ghent" in bodies["user_profile"]
    assert all("hire a van" in bodies[kind] for kind in ("daily_note", "memory"))
    assert "What should I pack?" not in bodies["daily_note"]
