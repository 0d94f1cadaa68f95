"""Recorded conversations reach memory by the path of a live turn."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from apps.ingestion.ingest import Destination, Ingestion
from brain.identity import Identity
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.turns import Event
from nodes.open_session import session_of
from tests.fakes import Leanings, resources_of
from tests.this_test import me, own_memory, own_tenant


def a_conversation(name: str, *texts: str, speaker: str = "Ann", session: str = "D1") -> dict[str, Any]:
    turns = [{"turn_id": f"{session}:{at}", "speaker": speaker, "text": text} for at, text in enumerate(texts, 1)]
    return {
        "conversation_id": name,
        "sessions": [{"session_id": session, "occurred_at": "2024-05-01T09:30:00", "turns": turns}],
    }


def a_file(path: Path, *conversations: dict[str, Any] | str) -> Path:
    lines = [each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in conversations]
    path.write_text("\n".join(lines))
    return path


async def ingested(file: Path, memory: MemoryCore, **destination: Any) -> Ingestion:
    resources = replace(resources_of(Leanings(memory=memory)), new_id=uuid4)
    where: dict[str, Any] = {"tenant": own_tenant(), **destination}
    run = Ingestion(resources, Destination(**where))
    await run.read(file, lambda _: None)
    return run


async def heard(memory: MemoryCore, user: str, session: str = "D1") -> Sequence[Event]:
    scope = me(user)
    owner = Identity(scope=scope, tenant=own_tenant(), user=user)
    return (await memory.log.open(scope, session_of(owner, session), 1000)).window


async def test_each_conversation_is_a_person_and_each_turn_keeps_its_name_order_and_time(
    tmp_path: Path, memory: MemoryCore
):
    file = a_file(tmp_path / "a", a_conversation("ann", "one", "two"), a_conversation("bob", "three"))
    run = await ingested(file, memory)
    ann, bob = await heard(memory, "ann"), await heard(memory, "bob")
    assert [(event.text, event.reference, event.position) for event in ann] == [("one", "D1:1", 0), ("two", "D1:2", 1)]
    assert [event.occurred_at for event in ann] == [
        datetime(2024, 5, 1, 9, 30, 0, tzinfo=UTC),
        datetime(2024, 5, 1, 9, 30, 1, tzinfo=UTC),
    ]
    assert [event.text for event in bob] == ["three"]
    assert (run.tally.conversations, run.tally.sessions, run.tally.added, run.tally.known) == (2, 2, 3, 0)


async def test_a_second_run_adds_nothing(tmp_path: Path, memory: MemoryCore):
    file = a_file(tmp_path / "a", a_conversation("ann", "one", "two"))
    await ingested(file, memory)
    again = await ingested(file, memory)
    assert (again.tally.added, again.tally.known) == (0, 2)
    assert len(await heard(memory, "ann")) == 2


async def test_a_run_that_was_cut_off_is_completed_by_the_next_one(tmp_path: Path, memory: MemoryCore):
    await ingested(a_file(tmp_path / "a", a_conversation("ann", "one")), memory)
    whole = await ingested(a_file(tmp_path / "a", a_conversation("ann", "one", "two")), memory)
    assert (whole.tally.added, whole.tally.known) == (1, 1)
    assert [event.text for event in await heard(memory, "ann")] == ["one", "two"]


async def test_small_batches_write_the_same_turns_in_the_same_order(tmp_path: Path, memory: MemoryCore):
    texts = [f"turn {number}" for number in range(7)]
    await ingested(a_file(tmp_path / "a", a_conversation("ann", *texts)), memory, batch=3)
    assert [event.text for event in await heard(memory, "ann")] == texts


async def test_naive_times_are_those_of_the_users_zone(tmp_path: Path, memory: MemoryCore):
    await ingested(a_file(tmp_path / "a", a_conversation("ann", "one")), memory, time_zone="Asia/Shanghai")
    (event,) = await heard(memory, "ann")
    assert event.occurred_at == datetime(2024, 5, 1, 1, 30, tzinfo=UTC)
    assert event.time_zone == "Asia/Shanghai"


@pytest.mark.parametrize(
    ("speaker", "role"),
    [("Ann", "user"), ("user", "user"), ("assistant", "assistant"), ("AI", "assistant"), ("Bot", "assistant")],
)
async def test_only_an_assistants_words_are_an_assistants(tmp_path: Path, speaker: str, role: str, memory: MemoryCore):
    await ingested(a_file(tmp_path / "a", a_conversation("ann", "one", speaker=speaker)), memory)
    (event,) = await heard(memory, "ann")
    assert (event.role, event.speaker) == (role, speaker)


async def test_one_person_may_own_several_conversations_whose_sessions_share_a_name(tmp_path: Path, memory: MemoryCore):
    file = a_file(tmp_path / "a", a_conversation("first", "one"), a_conversation("second", "two"))
    run = await ingested(file, memory, user="me")
    assert [event.text for event in await heard(memory, "me", "first/D1")] == ["one"]
    assert [event.text for event in await heard(memory, "me", "second/D1")] == ["two"]
    assert run.tally.added == 2


async def test_a_malformed_line_is_told_by_its_number_and_the_others_go_in(tmp_path: Path, memory: MemoryCore):
    bad = a_conversation("eve", "fine", "nul \x00")
    run = await ingested(
        a_file(tmp_path / "a", a_conversation("ann", "one"), "{oops", bad, a_conversation("bob", "two")), memory
    )
    assert [(refusal.line, refusal.code) for refusal in run.tally.refused] == [
        (2, "E_BAD_REQUEST"),
        (3, "E_BAD_REQUEST"),
    ]
    assert str(run.tally.refused[0]).startswith(f"{tmp_path / 'a'}:2: E_BAD_REQUEST: Invalid JSON")
    assert await heard(memory, "eve") == ()
    assert [event.text for event in await heard(memory, "bob")] == ["two"]


async def test_turns_that_say_nothing_are_left_out_and_counted(tmp_path: Path, memory: MemoryCore):
    run = await ingested(a_file(tmp_path / "a", a_conversation("ann", "one", "  ", "two")), memory)
    assert [event.text for event in await heard(memory, "ann")] == ["one", "two"]
    assert (run.tally.added, run.tally.blank) == (2, 1)


async def test_a_turn_longer_than_a_live_one_becomes_several_and_stays_one_when_read_again(
    tmp_path: Path, memory: MemoryCore
):
    line = "the boat leaks at the bow\n"
    file = a_file(tmp_path / "a", a_conversation("ann", line * 20_000, "two"))
    run = await ingested(file, memory)
    *parts, last = await heard(memory, "ann")
    assert len(parts) == 3
    assert "".join(event.text for event in parts) == line * 20_000
    assert all(event.text.endswith("\n") for event in parts)
    assert len({event.reference for event in parts}) == 1
    assert (last.text, run.tally.added, run.tally.blank) == ("two", 4, 0)
    assert (await ingested(file, memory)).tally.added == 0


async def test_a_zone_that_does_not_exist_is_refused_before_anything_is_written(tmp_path: Path, memory: MemoryCore):
    with pytest.raises(BrainError, match="is not a time zone"):
        await ingested(a_file(tmp_path / "a", a_conversation("ann", "one")), memory, time_zone="Mars/Olympus")
    assert await heard(memory, "ann") == ()


@pytest.mark.usefixtures("memory")
async def test_progress_adds_up_to_the_whole_file(tmp_path: Path):
    file = a_file(tmp_path / "a", a_conversation("ann", "one"), "{oops", a_conversation("bob", "two"))
    told: list[int] = []
    run = Ingestion(resources_of(Leanings(memory=own_memory())), Destination())
    await run.read(file, told.append)
    assert all(size >= 0 for size in told)
    assert sum(told) == file.stat().st_size


async def test_a_file_of_something_else_ends_the_run_after_its_first_lines(tmp_path: Path, memory: MemoryCore):
    file = a_file(tmp_path / "mail.log", *["not a conversation"] * 900)
    with pytest.raises(BrainError, match=r"mail\.log does not look like recorded conversations.*line 5: ") as refused:
        await ingested(file, memory)
    assert "brain ingest --help" in refused.value.hint


async def test_many_files_of_one_wrong_line_end_the_run_as_well(tmp_path: Path):
    run = Ingestion(resources_of(Leanings(memory=own_memory())), Destination())
    *first, fifth = [a_file(tmp_path / f"{number}.json", "{}") for number in range(5)]
    for file in first:
        await run.read(file, lambda _: None)
    with pytest.raises(BrainError, match=r"4\.json does not look like"):
        await run.read(fifth, lambda _: None)
    assert len(run.tally.refused) == 4


async def test_a_recording_with_a_damaged_stretch_is_read_to_its_end(tmp_path: Path, memory: MemoryCore):
    file = a_file(tmp_path / "a", "{", "{", a_conversation("ann", "one"), *["{"] * 9, a_conversation("bob", "two"))
    run = await ingested(file, memory)
    assert (run.tally.added, len(run.tally.refused)) == (2, 11)
