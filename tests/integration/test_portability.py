"""Everything that is kept of a person leaves Brain and comes back as it was, byte for byte, or is refused."""

import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.portability.export_person import export_person
from apps.portability.import_person import import_person
from brain.identity import Identity
from brain.resources import Resources
from memory.errors import BrainError
from memory.past_imports import BROUGHT_ALONG, PastImport
from memory.person_rows import DERIVED
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of
from tests.contract.builders import a_picture, a_session, a_turn, said
from tests.fakes import Leanings, resources_of
from tests.integration.test_isolation_everywhere import fill

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60)
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))
TURNS = st.lists(
    st.tuples(WORDS, WORDS, MOMENTS, st.sampled_from(["user", "assistant", "tool"]), st.booleans()),
    min_size=1,
    max_size=4,
)


@pytest.fixture
async def there(fresh_database: Addresses) -> AsyncGenerator[MemoryCore]:
    """Another Brain, which knows nobody."""
    async with Database(fresh_database.app) as opened:
        yield postgres_memory(opened)


@pytest.fixture
def here(database: Database) -> MemoryCore:
    return postgres_memory(database)


def a_person() -> Identity:
    tenant, user = f"tenant {uuid4()}", "ann"
    return Identity(scope=scope_of(Speaker(tenant=tenant, user=user)), tenant=tenant, user=user)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def carried(here: MemoryCore, there: MemoryCore, owner: Identity, folder: Path) -> tuple[Any, Any]:
    """What an export holds, and what the export of the Brain that read it holds."""
    await export_person(resources(here), owner, folder / "first")
    await import_person(resources(there), owner, folder / "first")
    await export_person(resources(there), owner, folder / "second")
    return bytes_of(folder / "first"), bytes_of(folder / "second")


async def test_every_table_of_people_comes_back_byte_for_byte(here: MemoryCore, there: MemoryCore, tmp_path: Path):
    owner = a_person()
    await fill(here, owner.scope)
    first, second = await carried(here, there, owner, tmp_path)
    assert first == second
    tables = {each.name for each in await here.person_rows.list_tables()}
    assert {Path(name).stem for name in first if name.startswith("rows/")} == tables
    assert not tables & set(DERIVED)
    (picture,) = (name for name in first if name.startswith("media/"))
    assert first[picture] == a_picture().data
    assert any(f"](../{picture})".encode() in told for name, told in first.items() if name.startswith("conversations/"))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turns=TURNS, told=st.tuples(st.dictionaries(WORDS, WORDS, max_size=3), WORDS))
async def test_whatever_was_said_comes_back_byte_for_byte(
    here: MemoryCore, there: MemoryCore, tmp_path: Path, turns: list[Any], told: tuple[dict[str, str], str]
):
    slots, file_name = told
    owner, folder = a_person(), tmp_path / uuid4().hex
    folder.mkdir()
    brought = PastImport(import_id=uuid4(), file_name=file_name, sha256="0" * 64, format="mem0", started_at=turns[0][2])
    await here.past_imports.begin(owner.scope, brought)
    for number, (text, speaker, at, role, indexed) in enumerate(turns):
        words = replace(said(text, role=role, speaker=speaker, indexed=indexed), occurred_at=at)
        old = {"settled": BROUGHT_ALONG, "import_id": brought.import_id} if number % 2 else {}
        await here.log.capture(owner.scope, a_turn(words, session=a_session(), entity_slots=slots, **old))
    first, second = await carried(here, there, owner, folder)
    assert first == second
    events = [json.loads(line) for line in first["rows/conversation_events.jsonl"].decode().split("\n") if line]
    assert sorted(each["text"] for each in events) == sorted(turn[0] for turn in turns)


async def test_a_changed_a_foreign_and_a_second_folder_are_refused(here: MemoryCore, there: MemoryCore, tmp_path: Path):
    owner, folder = a_person(), tmp_path / "out"
    await here.log.capture(owner.scope, a_turn(said("I live in Ghent.")))
    await export_person(resources(here), owner, folder)

    async def refusal(of: Identity = owner, by: MemoryCore = there) -> str:
        with pytest.raises(BrainError) as refused:
            await import_person(resources(by), of, folder)
        return f"{refused.value.code} {refused.value.message}"

    assert (await refusal(by=here)).startswith("E_CONFLICT")
    assert "memory of 'ann'" in await refusal(of=replace(a_person(), user="bob"))
    rows = folder / "rows" / "conversation_events.jsonl"
    whole = rows.read_bytes()
    rows.write_bytes(whole.replace(b"Ghent", b"Paris"))
    assert "is not as the export wrote it" in await refusal()
    rows.write_bytes(whole)
    (folder / "more.txt").write_text("x")
    assert "'more.txt' is not as" in await refusal()
    (folder / "more.txt").unlink()
    (folder / "link").symlink_to("/etc/passwd")
    assert "'link' is not as" in await refusal()
    (folder / "link").unlink()
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"rows": {}}))
    assert "'manifest.json' is not as" in await refusal()
    (folder / "manifest.json").write_text("{}")
    assert "no export of Brain's" in await refusal()
    with pytest.raises(BrainError, match="is there already"):
        await export_person(resources(here), owner, folder)
    assert await there.person_rows.is_empty(owner.scope)
    assert {name.split("/")[0] for name in bytes_of(tmp_path)} == {"out"}
    assert folder.stat().st_mode & 0o077 == 0


def resources(memory: MemoryCore) -> Resources:
    return resources_of(Leanings(memory=memory))
