"""Ids as people type them, and times as they write them."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from apps.cli.memory_ids import find_memory_id, parse_uuid, short_ids
from apps.iso_times import parse_time
from brain.resources import Resources
from memory.errors import BrainError
from memory.scope import Scope
from tests.contract.builders import a_draft, by_ann
from tests.fakes import Leanings, resources_of
from tests.this_test import me, own_memory

pytestmark = pytest.mark.usefixtures("memory")


async def two_memories() -> tuple[Resources, UUID, UUID]:
    resources = resources_of(Leanings(memory=own_memory()))
    items = resources.memory.items
    first = await items.write(me(), a_draft("green tea"), by_ann("k1"))
    second = await items.write(me(), a_draft("jazz", slot="user|hears"), by_ann("k2"))
    return resources, first.memory_id, second.memory_id


def shared_beginning(a: UUID, b: UUID) -> str:
    return next(str(a)[:size] for size in range(36, -1, -1) if str(a)[:size] == str(b)[:size])


async def test_a_memory_is_found_by_its_whole_id_and_by_a_beginning_of_its_own():
    resources, first, second = await two_memories()
    own = str(second)[: len(shared_beginning(first, second)) + 1]
    assert await find_memory_id(resources, me(), f" {first} ") == first
    assert await find_memory_id(resources, me(), own.upper()) == second


async def test_a_beginning_that_two_memories_share_is_refused_with_the_choices():
    resources, first, second = await two_memories()
    await resources.memory.items.forget(me(), first, by_ann("k3", minutes=1))
    with pytest.raises(BrainError, match="2 memories begin with") as refused:
        await find_memory_id(resources, me(), shared_beginning(first, second))
    for name in short_ids([first, second]):
        assert name in refused.value.message
    assert "(deleted: The user likes green tea)" in refused.value.message


async def test_a_name_as_listed_works_whatever_is_not_listed():
    resources, first, second = await two_memories()
    await resources.memory.items.forget(me(), first, by_ann("k3", minutes=1))
    listed = await resources.memory.items.list_newest(me())
    (name,) = short_ids([item.memory_id for item in listed])
    assert [item.memory_id for item in listed] == [second]
    assert await find_memory_id(resources, me(), name) == second


def test_the_name_of_what_began_at_a_time_holds_for_all_that_is_made_later():
    (name,) = short_ids([UUID("01a1fe81-3091-7251-a288-a5c84141cfea")])
    assert name == "01a1fe81-3091-7251"
    assert not str(UUID("01a1fe81-3092-7251-a288-a5c84141cfea")).startswith(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("fffffff", "E_NOT_FOUND"),
        ("", "E_BAD_REQUEST"),
        ("'; drop", "E_BAD_REQUEST"),
    ],
)
async def test_a_memory_that_is_not_there_is_told_by_code(name: str, code: str):
    resources, _, _ = await two_memories()
    with pytest.raises(BrainError) as refused:
        await find_memory_id(resources, me(), name)
    assert refused.value.code == code


async def test_the_memories_of_another_person_cannot_be_named():
    resources, first, _ = await two_memories()
    with pytest.raises(BrainError, match="E_NOT_FOUND"):
        await find_memory_id(resources, Scope(tenant_id=UUID(int=1), user_id=UUID(int=3)), str(first)[:8])


def test_short_names_are_as_long_as_it_takes_to_tell_them_apart():
    alike = [UUID("01a1fd65-3221-735a-8000-000000000001"), UUID("01a1fd65-3221-7fff-8000-000000000001")]
    assert short_ids(alike) == ["01a1fd65-3221-735a", "01a1fd65-3221-7fff"]
    assert short_ids([UUID(int=0), UUID(int=1 << 127)]) == ["00000000", "80000000"]
    assert short_ids([]) == []


def test_an_operation_needs_its_whole_id():
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        parse_uuid("01a1")


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
    assert parse_time(text, "Asia/Shanghai") == at


@pytest.mark.parametrize("text", ["", "yesterday", "2024-13-01", "x" * 10_000])
def test_what_is_no_time_is_refused_in_a_short_line(text: str):
    with pytest.raises(BrainError, match="is not a time") as refused:
        parse_time(text, "UTC")
    assert len(refused.value.message) < 100
