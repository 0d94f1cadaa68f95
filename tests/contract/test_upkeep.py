"""What tidying promises."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID, uuid4

import pytest

from brain.recall import RecallRequest, query_of
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.upkeep import ActiveMemory, Consolidation, UpkeepChange
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said
from tests.contract.upkeep_builders import used

FIRST = UUID(int=0)


async def living_of(memory: MemoryCore, scope: Scope) -> list[ActiveMemory]:
    return await memory.upkeep.list_active(scope, FIRST, 100)


async def remembered(memory: MemoryCore, scope: Scope, name: str = "green tea", **more: object) -> UUID:
    receipt = await memory.items.write(scope, a_draft(name, **more), by_ann(f"write:{uuid4()}"))
    return receipt.memory_id


def outdating(living: ActiveMemory) -> UpkeepChange:
    return UpkeepChange(
        memory_id=living.item.memory_id,
        version=living.item.version,
        change="outdate",
        epistemic_type="outdated",
        provenance={"epistemic_before": "preference"},
    )


async def test_the_living_come_in_pages_and_only_they(memory: MemoryCore, scope: Scope):
    ids = sorted([await remembered(memory, scope, name) for name in ("tea", "rice", "jazz")])
    await memory.items.forget(scope, ids[1], by_ann("gone"))
    first = await memory.upkeep.list_active(scope, FIRST, 1)
    rest = await memory.upkeep.list_active(scope, first[0].item.memory_id, 5)
    assert [each.item.memory_id for each in (*first, *rest)] == [ids[0], ids[2]]
    assert [each.last_change for each in rest] == ["create"]


async def test_a_memory_counts_as_said_when_its_newest_turn_was(memory: MemoryCore, scope: Scope):
    early, late = said("I like green tea"), said("I like green tea", minutes=30)
    await memory.log.capture(scope, a_turn(early))
    await memory.log.capture(scope, a_turn(late))
    quotes = tuple(cited(each, "green tea") for each in (early, late))
    await remembered(memory, scope, citations=quotes)
    (living,) = await living_of(memory, scope)
    assert living.said_at == at(30)


async def test_uses_are_counted_by_how_they_were_taken(memory: MemoryCore, scope: Scope):
    memory_id = await remembered(memory, scope)
    await used(memory, scope, memory_id, "affirm", "correct", "deepen", "silence", "correct", "correct")
    (living,) = await living_of(memory, scope)
    feedback = living.feedback
    assert (feedback.uses, feedback.welcome, feedback.corrected, feedback.corrected_in_a_row) == (6, 1, 3, 3)
    assert (feedback.welcome_at, feedback.since) == (at(1), at())


async def test_what_the_reply_did_not_draw_on_is_not_judged(memory: MemoryCore, scope: Scope):
    memory_id = await remembered(memory, scope)
    await used(memory, scope, memory_id, "correct", "affirm", drawn_on=False)
    (living,) = await living_of(memory, scope)
    assert (living.feedback.uses, living.feedback.corrected, living.feedback.welcome_at) == (0, 0, None)


async def test_new_words_begin_with_no_feedback(memory: MemoryCore, scope: Scope):
    memory_id = await remembered(memory, scope)
    await used(memory, scope, memory_id, "correct")
    await memory.items.correct(scope, memory_id, "The user likes oolong", by_ann("right", minutes=20))
    (living,) = await living_of(memory, scope)
    assert (living.feedback.uses, living.feedback.since, living.last_change) == (0, at(20), "correct")


async def test_a_change_is_a_version_that_can_go_back(memory: MemoryCore, scope: Scope):
    memory_id = await remembered(memory, scope, epistemic_type="preference")
    (living,) = await living_of(memory, scope)
    await memory.upkeep.apply_change(scope, outdating(living), by_ann("k1", minutes=5))
    item = await memory.items.get(scope, memory_id)
    assert (item.epistemic_type, item.version, item.status) == ("outdated", 2, "active")
    assert [each.change for each in await memory.items.history(scope, memory_id)] == ["create", "outdate"]
    await memory.items.restore(scope, memory_id, 1, by_ann("k2", minutes=6))
    assert (await memory.items.get(scope, memory_id)).epistemic_type == "preference"


async def test_heard_of_again_what_was_outdated_lives_again(memory: MemoryCore, scope: Scope):
    memory_id = await remembered(memory, scope, epistemic_type="preference")
    (living,) = await living_of(memory, scope)
    await memory.upkeep.apply_change(scope, outdating(living), by_ann("k1", minutes=5))
    await remembered(memory, scope, epistemic_type="preference", observed_at=at(9))
    assert (await memory.items.get(scope, memory_id)).epistemic_type == "preference"


async def test_the_same_key_changes_nothing_again(memory: MemoryCore, scope: Scope):
    memory_id = await remembered(memory, scope)
    (living,) = await living_of(memory, scope)
    first = await memory.upkeep.apply_change(scope, outdating(living), by_ann("k1"))
    again = await memory.upkeep.apply_change(scope, outdating(living), by_ann("k1", minutes=9))
    assert again == first
    assert (await memory.items.get(scope, memory_id)).version == 2


async def test_what_changed_since_it_was_judged_is_left_alone(memory: MemoryCore, scope: Scope):
    memory_id = await remembered(memory, scope)
    (living,) = await living_of(memory, scope)
    await memory.items.confirm(scope, memory_id, by_ann("yes", minutes=1))
    with pytest.raises(BrainError, match="E_CONFLICT"):
        await memory.upkeep.apply_change(scope, outdating(living), by_ann("k1", minutes=2))
    assert (await memory.items.get(scope, memory_id)).epistemic_type is None


@pytest.mark.parametrize(("status", "ends"), [("archived", None), ("retracted", at(7))])
async def test_what_is_put_away_is_not_recalled_and_comes_back(
    memory: MemoryCore, scope: Scope, status: str, ends: datetime | None
):
    memory_id = await remembered(memory, scope)
    away = UpkeepChange(memory_id=memory_id, version=1, change="archive", status=status)  # type: ignore[arg-type]
    await memory.upkeep.apply_change(scope, away, by_ann("k1", minutes=7))
    gone = await memory.items.get(scope, memory_id)
    assert (gone.status, gone.invalid_at) == (status, ends)
    assert await memory.items.list_newest(scope) == []
    assert await living_of(memory, scope) == []
    await memory.items.restore(scope, memory_id, 1, by_ann("k2", minutes=9))
    (living,) = await living_of(memory, scope)
    assert (living.said_at, living.last_change, living.item.invalid_at) == (at(9), "restore", None)


async def test_those_that_say_nearly_the_same_are_found_nearest_first(memory: MemoryCore, scope: Scope):
    a = await remembered(memory, scope, "green tea")
    b = await remembered(memory, scope, "hot green tea", content="The user likes hot green tea")
    await remembered(memory, scope, "diesel", content="Trains with diesel engines fascinate this listener")
    await remembered(memory, scope, "green tea", slot="user|owns")
    await remembered(memory, scope, "cold green tea", content="The user likes cold green tea", negated=True)
    (pair,) = await memory.upkeep.find_similar(scope, 0.85, 10)
    assert {pair.a, pair.b} == {a, b}
    assert pair.a < pair.b
    assert 0.85 < pair.similarity < 1


async def test_vectors_decide_where_there_are_some(memory: MemoryCore, scope: Scope):
    a = await remembered(memory, scope, "puppies")
    b = await remembered(memory, scope, "young dogs", content="Small dogs please this listener")
    c = await remembered(memory, scope, "kittens")
    vectors = {a: (1.0, 0.0), b: (0.96, 0.28), c: (0.0, 1.0)}
    waiting = await memory.index.rows_without_vector(scope, "test:two", 10)
    await memory.index.save_vectors(scope, "test:two", waiting, [vectors[row.source_id] for row in waiting])
    (pair,) = await memory.upkeep.find_similar(scope, 0.85, 10)
    assert ({pair.a, pair.b}, pair.similarity) == ({a, b}, pytest.approx(0.96, abs=1e-3))


async def test_one_memory_takes_the_place_of_several_with_all_their_evidence(memory: MemoryCore, scope: Scope):
    texts = ("I like green tea", "Hot green tea is what I like", "I like hot green tea in the morning")
    events = [said(text, minutes=number) for number, text in enumerate(texts)]
    ids: list[UUID] = []
    for event, name in zip(events, ("green tea", "hot green tea", "hot green tea in the morning"), strict=True):
        await memory.log.capture(scope, a_turn(event))
        observed = {"provenance": "observation", "confidence": 0.5, "observed_at": event.occurred_at}
        ids.append(await remembered(memory, scope, name, citations=(cited(event, "green tea"),), **observed))
    members = tuple((each, 1) for each in reversed(ids))
    receipt = await memory.upkeep.consolidate(scope, Consolidation(members=members), by_ann("k1", minutes=9))
    (item,) = await memory.items.list_newest(scope)
    assert (item.memory_id, item.object, item.version) == (receipt.memory_id, "hot green tea in the morning", 1)
    assert item.confidence == pytest.approx(0.6)
    assert (item.valid_at, item.observed_at, item.provenance["level"]) == (at(), at(2), "observation")
    quoted = await memory.items.evidence(scope, item.memory_id)
    assert {(each.event_id, each.verified) for each in quoted} == {(event.event_id, True) for event in events}
    old = await memory.items.get(scope, ids[0])
    assert (old.status, old.superseded_by) == ("superseded", item.memory_id)
    assert [each.change for each in await memory.items.history(scope, ids[0])] == ["create", "consolidate"]
    assert await memory.upkeep.consolidate(scope, Consolidation(members=members), by_ann("k1")) == receipt


async def test_what_is_derived_is_trusted_as_far_as_the_least_of_its_sources(memory: MemoryCore, scope: Scope):
    said_so = [said(f"I like {name}", minutes=n) for n, name in enumerate(("tea", "green tea", "hot green tea"))]
    plain: list[UUID] = []
    for event in said_so:
        await memory.log.capture(scope, a_turn(event))
        name = event.text.removeprefix("I like ")
        plain.append(await remembered(memory, scope, name, citations=(cited(event, name),)))
    noted = {"provenance": "observation", "confidence": 0.5, "certainty": 0.5}
    by_a_tool = await remembered(memory, scope, "very hot green tea", **noted)
    members = Consolidation(members=tuple((each, 1) for each in (by_a_tool, *plain)))
    receipt = await memory.upkeep.consolidate(scope, members, by_ann("k1", minutes=9))
    item = await memory.items.get(scope, receipt.memory_id)
    assert (item.provenance["level"], item.confidence, item.certainty) == ("observation", 0.6, 0.5)
    found = await memory.index.candidates(scope, query_of(RecallRequest(text="hot green tea", at=at(60))))
    facts = {each.source_id: each.role for each in found.candidates if each.lane == "fact"}
    assert facts == {item.memory_id: "tool"}
    await memory.items.confirm(scope, item.memory_id, by_ann("k2", minutes=10))
    found = await memory.index.candidates(scope, query_of(RecallRequest(text="hot green tea", at=at(60))))
    assert {each.role for each in found.candidates if each.lane == "fact"} == {"user"}


async def test_a_consolidation_of_what_changed_meanwhile_writes_nothing(memory: MemoryCore, scope: Scope):
    ids = [await remembered(memory, scope, name) for name in ("tea", "hot tea", "very hot tea")]
    await memory.items.confirm(scope, ids[1], by_ann("yes", minutes=1))
    members = tuple((each, 1) for each in ids)
    with pytest.raises(BrainError, match="E_CONFLICT"):
        await memory.upkeep.consolidate(scope, Consolidation(members=members), by_ann("k1", minutes=2))
    assert {item.memory_id for item in await memory.items.list_newest(scope)} == set(ids)


async def test_three_replacements_are_often_and_tidying_is_none(memory: MemoryCore, scope: Scope):
    for minutes, city in enumerate(("Paris", "Lyon", "Rome")):
        await _moved(memory, scope, city, minutes)
    assert (await memory.upkeep.count_memories(scope, at(60))).replaced_often == 0
    await _moved(memory, scope, "Oslo", 3)
    assert (await memory.upkeep.count_memories(scope, at(60))).replaced_often == 1
    ids = [await remembered(memory, scope, name) for name in ("tea", "hot tea", "very hot tea")]
    await memory.upkeep.consolidate(scope, Consolidation(members=tuple((each, 1) for each in ids)), by_ann("k1"))
    assert (await memory.upkeep.count_memories(scope, at(60))).replaced_often == 1


async def _moved(memory: MemoryCore, scope: Scope, city: str, minutes: int) -> None:
    where = {"slot": "user|lives_in", "single_valued": True, "observed_at": at(minutes), "valid_at": at(minutes)}
    await memory.items.write(scope, a_draft(city, **where), by_ann(f"moved:{city}", minutes=minutes))


async def test_nobody_elses_memories_are_read_or_changed(memory: MemoryCore, scope: Scope):
    ids = [await remembered(memory, scope, name) for name in ("green tea", "hot green tea", "very hot green tea")]
    (living, *_) = await living_of(memory, scope)
    for stranger in (replace(scope, tenant_id=uuid4()), replace(scope, user_id=uuid4()), replace(scope, key="peer:x")):
        assert await living_of(memory, stranger) == []
        assert await memory.upkeep.find_similar(stranger, 0.1, 10) == []
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.upkeep.apply_change(stranger, outdating(living), by_ann("steal"))
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.upkeep.consolidate(
                stranger, Consolidation(members=tuple((each, 1) for each in ids)), by_ann("steal2")
            )


async def test_a_group_is_tidied_by_any_of_its_speakers_and_no_two_are_mixed(memory: MemoryCore, scope: Scope):
    ann = replace(scope, key="group:kitchen")
    bob = replace(ann, user_id=uuid4())
    ids = [await remembered(memory, who, name) for who, name in ((ann, "green tea"), (bob, "hot green tea"))]
    assert {each.item.memory_id for each in await living_of(memory, bob)} == set(ids)
    assert await memory.upkeep.find_similar(bob, 0.85, 10) == []
    of_ann = next(each for each in await living_of(memory, bob) if each.item.memory_id == ids[0])
    await memory.upkeep.apply_change(bob, outdating(of_ann), by_ann("k1", minutes=1))
    item = await memory.items.get(ann, ids[0])
    assert (item.epistemic_type, item.user_id) == ("outdated", ann.user_id)
    with pytest.raises(BrainError, match="E_NOT_FOUND"):
        await memory.upkeep.apply_change(replace(bob, key="main"), outdating(of_ann), by_ann("k2"))
