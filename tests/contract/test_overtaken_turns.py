"""A turn whose words no longer hold gives way to what does, whichever way memories are found again."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from brain.recall import RecallRequest, query_of
from memory.conflicts import Settlement
from memory.index_rows import STANDING_CONFIDENCE
from memory.memory_item import MemoryDraft, WriteReceipt
from memory.ports import MemoryCore
from memory.provenance import DOUBTED
from memory.recall.policies.registry import POLICIES, find_policy, rank
from memory.recall.query import RecallPass
from memory.scope import Scope
from memory.turns import Utterance
from memory.upkeep import Consolidation, UpkeepChange
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said

PARIS, LYON = "I live in Paris", "Actually I moved to Lyon"
NOW = RecallRequest(text="Where do I live?", at=at(60))
HELD, PARTLY, OVER = (pytest.approx(STANDING_CONFIDENCE[each]) for each in ("holds", "partly", "over"))


@pytest.fixture
def memory(recalling: MemoryCore) -> MemoryCore:
    """However memories are found again."""
    return recalling


async def heard(memory: MemoryCore, scope: Scope, text: str, *, minutes: float = 0) -> Utterance:
    turn = said(text, minutes=minutes)
    await memory.log.capture(scope, a_turn(turn))
    return turn


def a_home(turn: Utterance, city: str, **more: object) -> MemoryDraft:
    values: dict[str, object] = {
        "slot": "user|lives_in",
        "predicate": "lives_in",
        "item_type": "fact",
        "single_valued": True,
        "content": f"The user lives in {city}",
        "citations": (cited(turn, city),),
        "observed_at": turn.occurred_at,
        "valid_at": turn.occurred_at,
    }
    return a_draft(city, **(values | more))


async def written(memory: MemoryCore, scope: Scope, draft: MemoryDraft) -> WriteReceipt:
    return await memory.items.write(scope, draft, by_ann(f"{draft.slot} {draft.object} {draft.observed_at}"))


async def lived(memory: MemoryCore, scope: Scope, text: str, city: str, *, minutes: float = 0) -> WriteReceipt:
    return await written(memory, scope, a_home(await heard(memory, scope, text, minutes=minutes), city))


async def moved(memory: MemoryCore, scope: Scope) -> tuple[WriteReceipt, WriteReceipt]:
    return await lived(memory, scope, PARIS, "Paris"), await lived(memory, scope, LYON, "Lyon", minutes=9)


async def weights(memory: MemoryCore, scope: Scope) -> dict[str, float]:
    """How far each turn is believed, told as outdated where all is over; deriving the index anew changes nothing."""
    before = await _weights(memory, scope)
    await memory.index.rebuild(scope)
    assert await _weights(memory, scope) == before
    return before


async def _weights(memory: MemoryCore, scope: Scope) -> dict[str, float]:
    found = await found_for(memory, scope, RecallRequest(text="I live work like moved Paris Lyon Acme tea", at=at(60)))
    turns = [each for each in found.candidates if each.lane == "turn"]
    assert all((each.epistemic_type == "outdated") == (each.confidence == OVER) for each in turns)
    return {each.text: each.confidence for each in turns}


async def found_for(memory: MemoryCore, scope: Scope, question: RecallRequest) -> RecallPass:
    return await memory.index.candidates(scope, query_of(question))


def ranked(found: RecallPass, policy: str) -> list[tuple[str, float]]:
    return [(each.candidate.text, each.score) for each in rank([found], find_policy(policy))]


@pytest.mark.parametrize("policy", sorted(POLICIES))
async def test_asked_about_now_what_holds_stands_first_and_what_was_said_once_last(
    memory: MemoryCore, scope: Scope, policy: str
):
    await moved(memory, scope)
    texts = [text for text, _ in ranked(await found_for(memory, scope, NOW), policy)]
    assert (texts[0], texts[-1]) == ("The user lives in Lyon", PARIS)


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("past", [{"temporal": "history_trace"}, {"temporal": "time_slice"}, {"as_of": at(5)}])
async def test_asked_about_the_past_a_turn_counts_as_ever(
    memory: MemoryCore, scope: Scope, policy: str, past: dict[str, object]
):
    await moved(memory, scope)
    found = await found_for(memory, scope, replace(NOW, **past))  # type: ignore[arg-type]
    undoubted = [replace(each, confidence=1.0) if each.lane == "turn" else each for each in found.candidates]
    assert PARIS in [text for text, _ in ranked(found, policy)]
    assert ranked(found, policy) == ranked(replace(found, candidates=tuple(undoubted)), policy)


async def test_only_the_turn_that_says_the_old_is_believed_less(memory: MemoryCore, scope: Scope):
    await moved(memory, scope)
    assert await weights(memory, scope) == {PARIS: OVER, LYON: HELD}


async def test_restoring_the_memory_raises_its_turn_again(memory: MemoryCore, scope: Scope):
    old, _ = await moved(memory, scope)
    await memory.items.restore(scope, old.memory_id, 1, by_ann("r", minutes=20))
    assert await weights(memory, scope) == {PARIS: HELD, LYON: OVER}


async def test_saying_it_anew_leaves_the_old_turn_below_the_new_one(memory: MemoryCore, scope: Scope):
    await moved(memory, scope)
    back = "I live in Paris again"
    await lived(memory, scope, back, "Paris", minutes=20)
    assert await weights(memory, scope) == {PARIS: OVER, LYON: OVER, back: HELD}


async def test_a_turn_of_which_one_half_still_holds_stands_below_what_took_the_place_of_the_other(
    memory: MemoryCore, scope: Scope
):
    both = "I live in Paris and work at Acme"
    turn = await heard(memory, scope, both)
    await written(memory, scope, a_home(turn, "Paris"))
    job = a_home(turn, "Acme", slot="user|works_at", predicate="works_at", content="The user works at Acme")
    await written(memory, scope, job)
    await lived(memory, scope, LYON, "Lyon", minutes=9)
    assert await weights(memory, scope) == {both: PARTLY, LYON: HELD}
    texts = [text for text, _ in ranked(await found_for(memory, scope, NOW), find_policy().name)]
    assert texts.index("The user lives in Lyon") < texts.index(both)


async def test_a_turn_that_tells_of_a_change_itself_holds(memory: MemoryCore, scope: Scope):
    change = "I moved from Paris to Lyon"
    turn = await heard(memory, scope, change)
    await written(memory, scope, a_home(turn, "Paris"))
    await written(memory, scope, a_home(turn, "Lyon", replaces="Paris", valid_at=at(1)))
    assert await weights(memory, scope) == {change: HELD}


async def test_what_a_turn_says_besides_raises_it_when_it_is_understood_later(memory: MemoryCore, scope: Scope):
    both = "I live in Paris and like tea"
    turn = await heard(memory, scope, both)
    await written(memory, scope, a_home(turn, "Paris"))
    await lived(memory, scope, LYON, "Lyon", minutes=9)
    assert (await weights(memory, scope))[both] == OVER
    await written(memory, scope, a_draft("tea", citations=(cited(turn, "tea"),)))
    assert (await weights(memory, scope))[both] == PARTLY


async def test_what_is_taken_back_weighs_on_what_said_it_and_not_on_what_took_it_back(memory: MemoryCore, scope: Scope):
    denial = "I no longer live in Paris"
    old = await lived(memory, scope, PARIS, "Paris")
    turn = await heard(memory, scope, denial, minutes=9)
    await written(memory, scope, a_home(turn, "Paris", negated=True, replaces="Paris"))
    assert (await memory.items.get(scope, old.memory_id)).status == "retracted"
    assert await weights(memory, scope) == {PARIS: OVER, denial: HELD}


async def test_what_was_learned_late_and_is_over_already_weighs_on_its_turn(memory: MemoryCore, scope: Scope):
    early = await heard(memory, scope, PARIS)
    await lived(memory, scope, LYON, "Lyon", minutes=9)
    await written(memory, scope, a_home(early, "Paris"))
    assert await weights(memory, scope) == {PARIS: OVER, LYON: HELD}


async def test_words_that_a_person_corrected_are_believed_less_than_the_correction(memory: MemoryCore, scope: Scope):
    old = await lived(memory, scope, PARIS, "Paris")
    await memory.items.correct(scope, old.memory_id, "The user lives in Lyon", by_ann("c", minutes=9))
    assert await weights(memory, scope) == {PARIS: OVER}
    await memory.items.restore(scope, old.memory_id, 1, by_ann("r", minutes=20))
    assert await weights(memory, scope) == {PARIS: HELD}


async def test_a_turn_that_returns_from_being_forgotten_weighs_what_it_weighed(memory: MemoryCore, scope: Scope):
    old, _ = await moved(memory, scope)
    await memory.items.forget(scope, old.memory_id, by_ann("f", minutes=20))
    assert await weights(memory, scope) == {LYON: HELD}
    await memory.items.restore(scope, old.memory_id, 2, by_ann("r", minutes=30))
    assert await weights(memory, scope) == {PARIS: HELD, LYON: OVER}


async def test_memories_put_together_go_on_speaking_for_their_turns(memory: MemoryCore, scope: Scope):
    teas = ("I like green tea", "I like hot green tea", "I like good green tea")
    turns = [await heard(memory, scope, text) for text in teas]
    drafts = (a_draft(text[7:], citations=(cited(turn, "tea"),)) for text, turn in zip(teas, turns, strict=True))
    told = [await written(memory, scope, draft) for draft in drafts]
    first, second, third = ((each.memory_id, 1) for each in told)
    fused = await memory.upkeep.consolidate(scope, Consolidation(members=(first, second)), by_ann("u", minutes=9))
    assert await weights(memory, scope) == dict.fromkeys(teas, HELD)
    again = Consolidation(members=((fused.memory_id, 1), third))
    await memory.upkeep.consolidate(scope, again, by_ann("v", minutes=10))
    assert await weights(memory, scope) == dict.fromkeys(teas, HELD)


@pytest.mark.parametrize(("resolution", "weight"), [("keep", HELD), ("merge", HELD), ("discard", OVER)])
async def test_the_loser_of_a_contradiction_weighs_on_its_turn_unless_both_say_the_same(
    memory: MemoryCore, scope: Scope, resolution: str, weight: float
):
    await lived(memory, scope, PARIS, "Paris")
    hint = await heard(memory, scope, LYON, minutes=9)
    await written(memory, scope, a_home(hint, "Lyon", provenance="observation"))
    (conflict,) = await memory.conflicts.list_conflicts(scope)
    settlement = Settlement(resolution=resolution)  # type: ignore[arg-type]
    await memory.conflicts.resolve(scope, conflict.conflict_id, settlement, by_ann("s", minutes=20))
    assert await weights(memory, scope) == {PARIS: HELD, LYON: weight}


async def doubt(memory: MemoryCore, scope: Scope, memory_id: UUID, key: str = "doubt") -> None:
    (item,) = await memory.items.get_many(scope, [memory_id])
    change = UpkeepChange(
        memory_id=memory_id, version=item.version, change="calibrate", provenance={DOUBTED: [str(uuid4())]}
    )
    await memory.upkeep.apply_change(scope, change, by_ann(key, minutes=20))


async def test_what_something_newer_leaves_in_doubt_is_believed_less_until_it_is_heard_again(
    memory: MemoryCore, scope: Scope
):
    paris = await lived(memory, scope, PARIS, "Paris")
    await doubt(memory, scope, paris.memory_id)
    assert await weights(memory, scope) == {PARIS: PARTLY}
    found = await found_for(memory, scope, NOW)
    assert [each.confidence < 0.3 for each in found.candidates if each.lane == "fact"] == [True]
    await memory.items.confirm(scope, paris.memory_id, by_ann("confirm", minutes=30))
    assert await weights(memory, scope) == {PARIS: HELD}
