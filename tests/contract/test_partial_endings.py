"""What is over only in part lives on with that part named; what nobody may end by inference waits for the person."""

import pytest

from memory.index_rows import note_of, speaker_of
from memory.memory_item import MemoryItem
from memory.partial_endings import parts_over
from memory.ports import MemoryCore
from memory.provenance import events_of, provenance_level
from memory.scope import Scope
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said

HOME = {
    "slot": "user|lives_in",
    "predicate": "lives_in",
    "item_type": "fact",
    "category": "home",
    "single_valued": True,
}
SEVERAL = "I live in Ghent with my husband Peter and work as a nurse."


async def remembered(
    memory: MemoryCore, scope: Scope, text: str, key: str, minutes: float, **more: object
) -> MemoryItem:
    """What somebody said, as a memory that cites its turn."""
    spoken = said(text, minutes=minutes)
    await memory.log.capture(scope, a_turn(spoken))
    values: dict[str, object] = {"content": text, "observed_at": at(minutes), "speaker": "user", **more}
    value = str(values.pop("value", text))
    draft = a_draft(value, citations=(cited(spoken, text),), **values)
    receipt = await memory.items.write(scope, draft, by_ann(key, minutes=minutes))
    return await memory.items.get(scope, receipt.memory_id)


async def read(memory: MemoryCore, scope: Scope, item: MemoryItem) -> MemoryItem:
    return await memory.items.get(scope, item.memory_id)


async def test_a_sentence_that_says_several_things_lives_on_with_the_part_that_is_over(
    memory: MemoryCore, scope: Scope
):
    old = await remembered(memory, scope, SEVERAL, "k1", 0, value="Ghent", **HOME)
    new = await remembered(memory, scope, "I moved to Lyon.", "k2", 1, value="Lyon", **HOME)
    held = await read(memory, scope, old)
    assert (held.status, held.content, new.status) == ("active", SEVERAL, "active")
    assert [(part.over, part.instead) for part in parts_over(held)] == [("Ghent", "Lyon")]
    assert note_of(held) == "no longer so: Ghent; now: Lyon"


async def test_forgetting_what_is_newer_lifts_the_doubt(memory: MemoryCore, scope: Scope):
    old = await remembered(memory, scope, SEVERAL, "k1", 0, value="Ghent", **HOME)
    new = await remembered(memory, scope, "I moved to Lyon.", "k2", 1, value="Lyon", **HOME)
    await memory.items.forget(scope, new.memory_id, by_ann("f", minutes=2))
    held = await read(memory, scope, old)
    assert (held.status, parts_over(held), note_of(held)) == ("active", [], "")


@pytest.mark.parametrize(("grounds", "ended"), [("said", True), ("excluded", False), ("likely", False)])
async def test_a_constraint_ends_by_the_persons_word_alone(memory: MemoryCore, scope: Scope, grounds: str, ended: bool):
    old = await remembered(memory, scope, "I must not eat nuts.", "k1", 0, item_type="constraint", slot="user|health")
    named = {"replaces_memory": old.memory_id, "grounds": grounds, "slot": "user|food"}
    new = await remembered(memory, scope, "I eat nuts now.", "k2", 1, **named)
    opened = await memory.conflicts.list_conflicts(scope)
    assert (await read(memory, scope, old)).status == ("superseded" if ended else "active")
    assert [(each.held_id, each.new_id) for each in opened] == ([] if ended else [(old.memory_id, new.memory_id)])


async def test_what_only_is_likely_to_be_over_is_asked_about(memory: MemoryCore, scope: Scope):
    old = await remembered(memory, scope, "I drive a Clio.", "k1", 0, slot="user|belongings")
    named = {"replaces_memory": old.memory_id, "grounds": "likely", "slot": "user|travel"}
    await remembered(memory, scope, "The Yaris is a dream on the motorway.", "k2", 1, **named)
    assert (await read(memory, scope, old)).status == "active"
    assert len(await memory.conflicts.list_conflicts(scope)) == 1


async def test_corrected_words_rest_on_both_turns_and_are_nobodys_quotation(memory: MemoryCore, scope: Scope):
    old = await remembered(memory, scope, "I work at Acme.", "k1", 0, slot="user|work")
    spoken = said("It's Apex, not Acme.", minutes=1)
    await memory.log.capture(scope, a_turn(spoken))
    draft = a_draft(
        "I work at Apex.",
        content="I work at Apex.",
        slot="user|work",
        observed_at=at(1),
        replaces_memory=old.memory_id,
        retracts=True,
        composed=True,
        provenance="analysis",
        citations=(cited(spoken, "It's Apex, not Acme."),),
    )
    receipt = await memory.items.write(scope, draft, by_ann("k2", minutes=1))
    new = await memory.items.get(scope, receipt.memory_id)
    assert (await read(memory, scope, old)).status == "retracted"
    assert events_of(new) == [str(spoken.event_id), *events_of(old)]
    assert (speaker_of(new), provenance_level(new)) == ("", "analysis")
    proofs = await memory.items.evidence(scope, new.memory_id)
    quotes = {each.quote: each.verified for each in proofs}
    assert quotes == {"I work at Acme.": True, "It's Apex, not Acme.": True}


async def test_words_that_do_not_stand_in_their_turn_are_not_verified(memory: MemoryCore, scope: Scope):
    spoken = said("I always take the 8:25 train.")
    await memory.log.capture(scope, a_turn(spoken))
    wrong = "I have worked at Acme since 8:25."
    draft = a_draft(wrong, content=wrong, speaker="user", citations=(cited(spoken, spoken.text),))
    receipt = await memory.items.write(scope, draft, by_ann("k1"))
    assert [each.verified for each in await memory.items.evidence(scope, receipt.memory_id)] == [False]
    assert not (await memory.items.get(scope, receipt.memory_id)).stale
