"""Ids as people type them, and times as they write them."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from apps.cli.naming import memory_named, required_uuid, short_names
from apps.moments import moment
from memory.errors import BrainError
from memory.in_memory import in_memory
from memory.ports import MemoryItems
from memory.scope import Scope
from tests.contract.builders import a_draft, by_ann

SCOPE = Scope(tenant_id=UUID(int=1), user_id=UUID(int=2))


async def two_memories() -> tuple[MemoryItems, UUID, UUID]:
    items = in_memory().items
    first = await items.write(SCOPE, a_draft("green tea"), by_ann("k1"))
    second = await items.write(SCOPE, a_draft("jazz", slot="user|hears"), by_ann("k2"))
    return items, first.memory_id, second.memory_id


def shared_beginning(a: UUID, b: UUID) -> str:
    return next(str(a)[:size] for size in range(36, -1, -1) if str(a)[:size] == str(b)[:size])


async def test_a_memory_is_found_by_its_whole_id_and_by_a_beginning_of_its_own():
    items, first, second = await two_memories()
    own = str(second)[: len(shared_beginning(first, second)) + 1]
    assert (await memory_named(items, SCOPE, f" {first} ")).memory_id == first
    assert (await memory_named(items, SCOPE, own.upper())).memory_id == second


async def test_a_beginning_that_two_memories_share_is_refused():
    items, first, second = await two_memories()
    with pytest.raises(BrainError, match="2 memories begin with"):
        await memory_named(items, SCOPE, shared_beginning(first, second))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("fffffff", "E_NOT_FOUND"),
        (str(UUID(int=9**20)), "E_NOT_FOUND"),
        ("", "E_BAD_REQUEST"),
        ("'; drop", "E_BAD_REQUEST"),
    ],
)
async def test_a_memory_that_is_not_there_is_told_by_code(name: str, code: str):
    items, _, _ = await two_memories()
    with pytest.raises(BrainError) as refused:
        await memory_named(items, SCOPE, name)
    assert refused.value.code == code


async def test_the_memories_of_another_person_cannot_be_named():
    items, first, _ = await two_memories()
    with pytest.raises(BrainError, match="E_NOT_FOUND"):
        await memory_named(items, Scope(tenant_id=UUID(int=1), user_id=UUID(int=3)), str(first)[:8])


def test_short_names_are_as_long_as_it_takes_to_tell_them_apart():
    alike = [UUID("01a1fd65-3221-735a-8000-000000000001"), UUID("01a1fd65-3221-7fff-8000-000000000001")]
    assert short_names(alike) == ["01a1fd65-3221-73", "01a1fd65-3221-7f"]
    assert short_names([UUID(int=0), UUID(int=1 << 127)]) == ["00000000", "80000000"]
    assert short_names([]) == []


def test_an_operation_needs_its_whole_id():
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        required_uuid("01a1")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2024-05-01T09:30", datetime(2024, 5, 1, 1, 30, tzinfo=UTC)),
        ("2024-05-01", datetime(2024, 4, 30, 16, tzinfo=UTC)),
        ("2024-05-01T09:30:00Z", datetime(2024, 5, 1, 9, 30, tzinfo=UTC)),
        ("2024-05-01T09:30:00+02:00", datetime(2024, 5, 1, 7, 30, tzinfo=UTC)),
    ],
)
def test_a_naive_time_is_meant_in_the_persons_zone(text: str, at: datetime):
    assert moment(text, "Asia/Shanghai") == at


@pytest.mark.parametrize("text", ["", "yesterday", "2024-13-01", "x" * 10_000])
def test_what_is_no_time_is_refused_in_a_short_line(text: str):
    with pytest.raises(BrainError, match="is not a time") as refused:
        moment(text, "UTC")
    assert len(refused.value.message) < 100
