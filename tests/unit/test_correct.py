"""The urgent path: what is taken back ends at once, whatever a model would say."""

import pytest

from evolution.correct import correct
from memory.memory_item import MemoryItem
from tests.contract.builders import a_draft
from tests.fakes import FakeModel
from tests.this_test import me
from tests.unit.evolution_builders import Talk

pytestmark = pytest.mark.usefixtures("memory")


HOME = {"slot": "user|lives_in", "predicate": "lives_in", "single_valued": True, "item_type": "fact"}
WORK = {"slot": "user|works_at", "predicate": "works_at", "single_valued": True, "item_type": "fact"}


async def everything(talk: Talk) -> list[MemoryItem]:
    return await talk.memory.items.list_newest(me(), include_inactive=True)


async def test_a_correction_is_written_before_any_model_is_asked():
    model = FakeModel()
    talk = Talk(model=model)
    old = await talk.knows(a_draft("Paris", content="The user lives in Paris", **HOME))
    turn = await talk.say("Actually I moved to Lyon, not Paris.")
    update = await correct(await talk.state(), talk.run)
    (new,) = await talk.memory.items.list_newest(me())
    ended = await talk.memory.items.get(me(), old.memory_id)
    assert model.asked == []
    assert update["written"] == {str(turn.operation_id): [str(new.memory_id)]}
    assert [each["object"] for each in update["known"]] == ["Lyon"]
    assert (new.object, new.provenance["level"]) == ("Lyon", "confirmed_by_user")
    assert (ended.status, ended.superseded_by) == ("superseded", new.memory_id)


async def test_a_taste_that_changed_in_chinese():
    talk = Talk()
    await talk.knows(a_draft("运动风", predicate="prefers", slot="user|prefers"))
    await talk.say("我不再喜欢运动风了，现在喜欢简约的")
    await correct(await talk.state(), talk.run)
    assert sorted((item.object, item.status) for item in await everything(talk)) == [
        ("我不再喜欢运动风了，现在喜欢简约的", "active"),
        ("运动风", "superseded"),
    ]


async def test_a_bare_correction_takes_the_place_of_the_one_memory_it_means_however_often():
    talk = Talk()
    await talk.knows(a_draft("Acme", content="The user works at Acme.", **WORK))
    turn = await talk.say("It's Apex, not Acme.")
    first = await correct(await talk.state(), talk.run)
    before = await everything(talk)
    assert await correct(await talk.state(), talk.run) == {}
    assert await everything(talk) == before
    assert sorted((item.content, item.status) for item in before) == [
        ("The user works at Acme.", "retracted"),
        ("The user works at Apex.", "active"),
    ]
    assert len(first["written"][str(turn.operation_id)]) == 1


async def test_a_bare_correction_of_nothing_known_writes_nothing():
    talk = Talk()
    await talk.say("不是周三，是周四")
    assert await correct(await talk.state(), talk.run) == {}
    assert await everything(talk) == []


async def test_a_bare_correction_of_what_was_said_a_moment_ago_finds_it():
    talk = Talk()
    first = await talk.say("I work at Acme.")
    second = await talk.say("It's Apex, not Acme.")
    update = await correct(await talk.state(), talk.run)
    assert set(update["written"]) == {str(first.operation_id), str(second.operation_id)}
    assert sorted((item.content, item.status) for item in await everything(talk)) == [
        ("I work at Acme.", "retracted"),
        ("I work at Apex.", "active"),
    ]


async def test_what_else_was_said_is_left_to_the_analysis():
    talk = Talk()
    await talk.say("I like tea.")
    await talk.say("Actually I moved to Lyon, not Paris.")
    await correct(await talk.state(), talk.run)
    assert [item.object for item in await everything(talk)] == ["Lyon"]
