"""What becomes of an assertion beside what is remembered."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from language.questions import analyse_question
from memory.memory_item import MemoryDraft
from memory.ports import MemoryCore
from memory.recall.query import Filters, RecallQuery, TemporalIntent
from memory.scope import Scope
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said

HOME = {"slot": "user|lives_in", "predicate": "lives_in", "single_valued": True, "item_type": "fact"}


def a_home(place: str, minutes: float = 0, **more: object) -> MemoryDraft:
    told = {**HOME, "content": f"The user lives in {place}", "observed_at": at(minutes), "valid_at": at(minutes)}
    return a_draft(place, **(told | more))


async def everything(memory: MemoryCore, scope: Scope) -> list[tuple[str, str, int]]:
    items = await memory.items.list_newest(scope, include_inactive=True)
    return sorted((item.object, item.status, item.version) for item in items)


async def living(memory: MemoryCore, scope: Scope) -> set[str]:
    return {item.object for item in await memory.items.list_newest(scope)}


async def test_a_turn_that_is_cited_already_adds_nothing_under_any_key(memory: MemoryCore, scope: Scope):
    event = said("I like green tea")
    await memory.log.capture(scope, a_turn(event))
    draft = a_draft(citations=(cited(event, "green tea"),))
    first = await memory.items.write(scope, draft, by_ann("k1"))
    again = await memory.items.write(scope, replace(draft, object="Green tea."), by_ann("k2", minutes=9))
    assert (again.memory_id, again.status) == (first.memory_id, "merged")
    assert await everything(memory, scope) == [("green tea", "active", 1)]


async def test_another_turn_is_another_piece_of_evidence(memory: MemoryCore, scope: Scope):
    first, second = said("I like green tea"), said("Green tea is what I like", minutes=1)
    await memory.log.capture(scope, a_turn(first, second))
    for number, event in enumerate((first, second)):
        draft = a_draft(citations=(cited(event, event.text),))
        await memory.items.write(scope, draft, by_ann(f"k{number}"))
    (item,) = await memory.items.list_newest(scope)
    assert len(await memory.items.evidence(scope, item.memory_id)) == 2
    assert await everything(memory, scope) == [("green tea", "active", 2)]


async def test_what_was_superseded_does_not_come_back_from_its_own_turn(memory: MemoryCore, scope: Scope):
    paris, lyon = said("I live in Paris"), said("I live in Lyon", minutes=1)
    await memory.log.capture(scope, a_turn(paris, lyon))
    drafts = [
        a_home("Paris", citations=(cited(paris, paris.text),)),
        a_home("Lyon", 1, citations=(cited(lyon, lyon.text),)),
    ]
    for round_ in range(3):
        for number, draft in enumerate(drafts):
            await memory.items.write(scope, draft, by_ann(f"k{round_}{number}", minutes=round_))
    assert await everything(memory, scope) == [("Lyon", "active", 1), ("Paris", "superseded", 2)]


@pytest.mark.parametrize("act", ["forget", "The user likes oolong", "I hate jazz", "Oolong it is"])
async def test_what_a_person_forgot_or_put_right_survives_another_look_at_its_turn(
    memory: MemoryCore, scope: Scope, act: str
):
    event = said("I like green tea")
    await memory.log.capture(scope, a_turn(event))
    draft = a_draft(citations=(cited(event, "green tea"),))
    memory_id = (await memory.items.write(scope, draft, by_ann("k1"))).memory_id
    if act == "forget":
        await memory.items.forget(scope, memory_id, by_ann("k2", minutes=1))
    else:
        await memory.items.correct(scope, memory_id, act, by_ann("k2", minutes=1))
    before = await memory.items.list_newest(scope, include_inactive=True)
    await memory.items.write(scope, draft, by_ann("k3", minutes=2))
    assert await memory.items.list_newest(scope, include_inactive=True) == before


async def test_no_longer_with_nothing_new_ends_the_one_value_and_says_why(memory: MemoryCore, scope: Scope):
    event = said("I no longer live in Paris", minutes=10)
    await memory.log.capture(scope, a_turn(event))
    old = await memory.items.write(scope, a_home("Paris"), by_ann("k1"))
    ends = a_home("Paris", 10, negated=True, replaces="Paris", citations=(cited(event, event.text),))
    receipt = await memory.items.write(scope, ends, by_ann("k2", minutes=10))
    item = await memory.items.get(scope, old.memory_id)
    assert receipt.memory_id == old.memory_id
    assert (item.status, item.invalid_at, item.superseded_by) == ("retracted", at(10), None)
    assert [each.change for each in await memory.items.history(scope, old.memory_id)] == ["create", "retract"]
    assert [each.quote for each in await memory.items.evidence(scope, old.memory_id)] == ["I no longer live in Paris"]
    assert await everything(memory, scope) == [("Paris", "retracted", 2)]
    await memory.items.write(scope, ends, by_ann("k3", minutes=11))
    assert await everything(memory, scope) == [("Paris", "retracted", 2)]


async def test_what_is_learned_late_goes_before_what_came_after_it(memory: MemoryCore, scope: Scope):
    lyon = await memory.items.write(scope, a_home("Lyon", 10), by_ann("k1", minutes=10))
    paris = await memory.items.write(scope, a_home("Paris"), by_ann("k2", minutes=20))
    item = await memory.items.get(scope, paris.memory_id)
    assert await living(memory, scope) == {"Lyon"}
    assert (item.status, item.superseded_by, item.invalid_at, item.version) == ("superseded", lyon.memory_id, at(10), 1)


async def test_a_constraint_gives_way_only_to_what_is_nearly_certain(memory: MemoryCore, scope: Scope):
    budget = {"item_type": "constraint", "slot": "user|budget", "single_valued": True}
    await memory.items.write(scope, a_draft("4,000 euros", **budget), by_ann("k1"))
    doubtful = a_draft("5,000 euros", **budget, certainty=0.8, observed_at=at(1))
    await memory.items.write(scope, doubtful, by_ann("k2", minutes=1))
    assert await living(memory, scope) == {"4,000 euros", "5,000 euros"}
    certain = a_draft("6,000 euros", **budget, certainty=0.85, observed_at=at(2))
    await memory.items.write(scope, certain, by_ann("k3", minutes=2))
    assert await living(memory, scope) == {"6,000 euros"}


async def test_a_memory_is_replaced_by_name_whatever_its_slot_is_called(memory: MemoryCore, scope: Scope):
    old = await memory.items.write(scope, a_draft("sporty", slot="user|style"), by_ann("k1"))
    other = await memory.items.write(scope, a_draft("loud", slot="user|style"), by_ann("k2"))
    draft = a_draft("plain", slot="user|prefers", replaces_memory=old.memory_id, observed_at=at(1))
    new = await memory.items.write(scope, draft, by_ann("k3", minutes=1))
    item = await memory.items.get(scope, old.memory_id)
    assert (item.status, item.superseded_by) == ("superseded", new.memory_id)
    assert (await memory.items.get(scope, other.memory_id)).version == 1


async def test_a_memory_of_somebody_else_is_not_replaced_by_name(memory: MemoryCore, scope: Scope):
    theirs = replace(scope, user_id=UUID(int=99))
    old = await memory.items.write(theirs, a_draft("sporty", slot="user|style"), by_ann("k1"))
    await memory.items.write(scope, a_draft("plain", replaces_memory=old.memory_id), by_ann("k2"))
    assert (await memory.items.get(theirs, old.memory_id)).status == "active"


async def test_only_the_very_value_is_taken_back_where_it_is_held(memory: MemoryCore, scope: Scope):
    for number, each in enumerate(("tea", "green tea", "steak")):
        await memory.items.write(scope, a_draft(each), by_ann(f"k{number}"))
    await memory.items.write(scope, a_draft("coffee", replaces="tea", observed_at=at(1)), by_ann("k9", minutes=1))
    assert await living(memory, scope) == {"green tea", "steak", "coffee"}


async def test_a_value_is_taken_back_by_whole_words_only(memory: MemoryCore, scope: Scope):
    for number, each in enumerate(("steak", "green tea")):
        await memory.items.write(scope, a_draft(each), by_ann(f"k{number}"))
    await memory.items.write(scope, a_draft("coffee", replaces="tea", observed_at=at(1)), by_ann("k9", minutes=1))
    assert await living(memory, scope) == {"steak", "coffee"}


async def test_saying_again_what_is_known_ends_what_is_taken_back_with_it(memory: MemoryCore, scope: Scope):
    for number, each in enumerate(("tea", "coffee")):
        await memory.items.write(scope, a_draft(each), by_ann(f"k{number}"))
    await memory.items.write(scope, a_draft("coffee", replaces="tea", observed_at=at(1)), by_ann("k9", minutes=1))
    assert await everything(memory, scope) == [("coffee", "active", 2), ("tea", "superseded", 2)]


async def recalled(memory: MemoryCore, scope: Scope, minutes: float, intent: TemporalIntent) -> list[str]:
    query = RecallQuery(
        text="Where does the user live?",
        question=analyse_question("Where does the user live?"),
        at=at(minutes),
        as_of=at(minutes) if intent == "current_state" else None,
        temporal_intent=intent,
        filters=Filters(lanes=("fact",)),
    )
    found = await memory.index.candidates(scope, query)
    return sorted(each.text for each in found.candidates)


async def test_a_point_in_time_tells_what_held_then_and_the_history_tells_the_whole_chain(
    memory: MemoryCore, scope: Scope
):
    for number, place in enumerate(("Paris", "Lyon", "Rome")):
        await memory.items.write(scope, a_home(place, 10 * number), by_ann(place, minutes=10 * number))
    assert [await recalled(memory, scope, minutes, "current_state") for minutes in (5, 15, 25)] == [
        ["The user lives in Paris"],
        ["The user lives in Lyon"],
        ["The user lives in Rome"],
    ]
    assert await recalled(memory, scope, 30, "history_trace") == [
        "The user lives in Lyon",
        "The user lives in Paris",
        "The user lives in Rome",
    ]
    chain = await memory.items.list_newest(scope, include_inactive=True)
    successors = {item.object: item.superseded_by for item in chain}
    by_id = {item.memory_id: item.object for item in chain}
    assert {old: by_id.get(new or UUID(int=0)) for old, new in successors.items()} == {
        "Paris": "Lyon",
        "Lyon": "Rome",
        "Rome": None,
    }


async def test_what_a_turn_left_can_be_asked_for_whatever_became_of_it(memory: MemoryCore, scope: Scope):
    paris, lyon = said("I live in Paris"), said("I live in Lyon", minutes=1)
    await memory.log.capture(scope, a_turn(paris, lyon))
    await memory.items.write(scope, a_home("Paris", citations=(cited(paris, "in Paris"),)), by_ann("k1"))
    told = await memory.items.write(scope, a_home("Lyon", 1, citations=(cited(lyon, "in Lyon"),)), by_ann("k2"))
    found = await memory.items.find_prior_extractions(scope, [paris.event_id, lyon.event_id])
    assert {(cited.event_id, item.object, cited.start, cited.end) for item, cited in found} == {
        (paris.event_id, "Paris", 7, 15),
        (lyon.event_id, "Lyon", 7, 14),
    }
    await memory.items.forget(scope, told.memory_id, by_ann("k3", minutes=2))
    ((left, _),) = await memory.items.find_prior_extractions(scope, [lyon.event_id])
    assert (left.memory_id, left.slot, left.negated) == (told.memory_id, "user|lives_in", False)
    assert await memory.items.find_prior_extractions(scope, []) == []


async def test_what_the_turns_of_others_left_stays_theirs(memory: MemoryCore, make_scope: Callable[..., Scope]):
    ann, bob = make_scope(key="group:x"), make_scope(key="group:x", user_id=uuid4())
    event = said("I live in Paris")
    await memory.log.capture(ann, a_turn(event))
    await memory.items.write(ann, a_home("Paris", citations=(cited(event, "in Paris"),)), by_ann("k1"))
    assert await memory.items.find_prior_extractions(bob, [event.event_id]) == []


TAKEN_BACK = {
    "replaced": {"object_": "coffee", "content": "The user likes coffee", "replaces": "tea"},
    "ended": {"object_": "tea", "negated": True, "replaces": "tea", "single_valued": True},
}


async def taste(memory: MemoryCore, scope: Scope, minutes: float, object_: str = "tea", **more: object) -> UUID:
    """What a turn of that minute says about drinks."""
    event = said(f"About {object_} at {minutes}", minutes=minutes)
    await memory.log.capture(scope, a_turn(event))
    when = {"observed_at": at(minutes), "valid_at": at(minutes), "citations": (cited(event, event.text),)}
    author = by_ann(f"{object_} at {minutes}", minutes=100 + minutes)
    return (await memory.items.write(scope, a_draft(object_, **(when | more)), author)).memory_id


@pytest.mark.parametrize("by", list(TAKEN_BACK))
async def test_what_was_taken_back_does_not_come_back_from_an_earlier_turn_that_is_read_later(
    memory: MemoryCore, scope: Scope, by: str
):
    tea = await taste(memory, scope, 0)
    await taste(memory, scope, 10, **TAKEN_BACK[by])  # type: ignore[arg-type]
    lives = await living(memory, scope)
    assert "tea" not in lives
    assert await taste(memory, scope, 5) == tea
    assert await living(memory, scope) == lives
    assert len(await memory.items.evidence(scope, tea)) == (2 if by == "replaced" else 3)


@pytest.mark.parametrize("by", list(TAKEN_BACK))
async def test_what_was_taken_back_and_is_said_again_lives_again(memory: MemoryCore, scope: Scope, by: str):
    tea = await taste(memory, scope, 0)
    await taste(memory, scope, 10, **TAKEN_BACK[by])  # type: ignore[arg-type]
    assert await taste(memory, scope, 20) != tea
    assert "tea" in await living(memory, scope)


async def test_two_sentences_of_a_turn_on_one_topic_are_two_memories(memory: MemoryCore, scope: Scope):
    turn = said("I work nights. I hate my boss.")
    await memory.log.capture(scope, a_turn(turn))
    for sentence in ("I work nights.", "I hate my boss.", "I work nights."):
        filed = {"predicate": "work", "slot": "user|work", "content": sentence, "citations": (cited(turn, sentence),)}
        await memory.items.write(scope, a_draft(sentence, **filed), by_ann(sentence))
    assert {item.content for item in await memory.items.list_newest(scope)} == {"I work nights.", "I hate my boss."}
