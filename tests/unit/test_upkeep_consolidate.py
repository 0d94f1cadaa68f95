"""One memory in the place of several."""

from dataclasses import replace
from itertools import combinations
from uuid import UUID

import pytest

from evolution.upkeep.consolidate import consolidate, find_clusters, is_same_statement
from memory.memory_item import MemoryItem
from memory.ports import MemoryCore
from memory.upkeep import ActiveMemory, SimilarPair
from tests.contract.builders import by_ann
from tests.this_test import me
from tests.unit.upkeep_builders import a_living, a_run, a_state, an_item, an_old_draft


def named(*objects: str) -> list[ActiveMemory]:
    return [a_living(replace(an_item(object_=name), memory_id=UUID(int=n))) for n, name in enumerate(objects, start=1)]


def grouped(living: list[ActiveMemory]) -> list[list[str]]:
    """As if all of them were near to each other."""
    pairs = [SimilarPair(a=a.item.memory_id, b=b.item.memory_id, similarity=0.9) for a, b in combinations(living, 2)]
    found = find_clusters(pairs, {each.item.memory_id: each for each in living})
    return [[item.object for item in items] for items in found]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("green tea", "hot green tea", True),
        ("green tea", "black tea", False),
        ("sweet tea", "tea that is not sweet", False),
        ("tea", "tea without sugar", False),
        ("简约", "简约风格的衣服", True),
        ("甜的茶", "不甜的茶", False),
        ("running 5 km", "running 10 km", False),
        ("the", "green tea", False),
    ],
)
def test_one_says_what_the_other_says_or_they_stay_apart(a: str, b: str, same: bool):
    assert is_same_statement(an_item(object_=a), an_item(object_=b)) is same
    assert is_same_statement(an_item(object_=b), an_item(object_=a)) is same


def test_three_of_one_matter_are_a_group_and_the_fullest_speaks_for_it():
    assert grouped(named("tea", "hot green tea", "green tea")) == [["hot green tea", "green tea", "tea"]]
    assert grouped(named("green tea", "hot green tea")) == []


def test_a_general_word_does_not_tie_different_things_together():
    assert grouped(named("tea", "green tea", "black tea", "white tea")) == []


@pytest.mark.parametrize("change", [{"last_change": "restore"}, {"epistemic_type": "outdated"}])
def test_what_was_brought_back_and_what_is_over_stay_apart(change: dict[str, str]):
    living = named("tea", "green tea", "hot green tea")
    kept = {name: value for name, value in change.items() if name == "last_change"}
    item: MemoryItem = replace(living[0].item, **{k: v for k, v in change.items() if k not in kept})  # type: ignore[arg-type]
    assert grouped([replace(living[0], item=item, **kept), *living[1:]]) == []  # type: ignore[arg-type]


async def test_the_originals_are_superseded_and_a_second_run_finds_nothing(memory: MemoryCore):
    for name in ("green tea", "hot green tea", "very hot green tea", "jazz"):
        await memory.items.write(me(), an_old_draft(object_=name), by_ann(name))
    update = await consolidate(a_state(), a_run(memory))
    (action,) = update["actions"]
    assert (action["change"], action["after"], action["loses"], action["outcome"]) == (
        "consolidate",
        "The user likes very hot green tea",
        2,
        "done",
    )
    assert {item.object for item in await memory.items.list_newest(me())} == {"very hot green tea", "jazz"}
    assert await consolidate(a_state(), a_run(memory)) == {"actions": []}


async def test_a_dry_run_leaves_all_of_them(memory: MemoryCore):
    for name in ("green tea", "hot green tea", "very hot green tea"):
        await memory.items.write(me(), an_old_draft(object_=name), by_ann(name))
    update = await consolidate(a_state(dry_run=True), a_run(memory))
    assert [action["outcome"] for action in update["actions"]] == ["planned"]
    assert len(await memory.items.list_newest(me())) == 3
