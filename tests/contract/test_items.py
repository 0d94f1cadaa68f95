"""What memories promise."""

from dataclasses import replace
from uuid import uuid4

import pytest

from memory.errors import BrainError
from memory.memory_item import Author, MemoryDraft
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said

LIVES = {"predicate": "lives_in", "slot": "user|lives_in", "single_valued": True}


async def test_a_memory_is_read_back_as_it_was_written(memory: MemoryCore, scope: Scope):
    session_id = uuid4()
    receipt = await memory.items.write(scope, a_draft(session_id=session_id), by_ann("k1"))
    item = await memory.items.get(scope, receipt.memory_id)
    assert receipt.status == "accepted"
    assert (item.content, item.object, item.version, item.status) == (
        "The user likes green tea",
        "green tea",
        1,
        "active",
    )
    assert (item.user_id, item.source_sessions, item.valid_at) == (scope.user_id, (session_id,), at())
    assert item.item_id == item.memory_id
    assert item.confidence == pytest.approx(0.9)


async def test_confidence_never_passes_what_provenance_allows(memory: MemoryCore, scope: Scope):
    receipt = await memory.items.write(scope, a_draft(provenance="observation", confidence=0.95), by_ann("k1"))
    assert (await memory.items.get(scope, receipt.memory_id)).confidence == pytest.approx(0.6)


async def test_the_same_key_gives_the_same_receipt_and_writes_once(memory: MemoryCore, scope: Scope):
    first = await memory.items.write(scope, a_draft(), by_ann("k1"))
    again = await memory.items.write(scope, a_draft("black tea"), by_ann("k1", minutes=5))
    assert again == first
    assert len(await memory.items.list_newest(scope, include_inactive=True)) == 1


async def test_saying_it_again_merges_instead_of_repeating(memory: MemoryCore, scope: Scope):
    first = await memory.items.write(scope, a_draft(provenance="observation", confidence=0.5), by_ann("k1"))
    again = await memory.items.write(scope, a_draft("Green tea."), by_ann("k2", minutes=1))
    (item,) = await memory.items.list_newest(scope)
    assert again.status == "merged"
    assert (item.memory_id, item.version) == (first.memory_id, 2)
    assert item.confidence == pytest.approx(0.9)


async def test_several_likes_live_side_by_side(memory: MemoryCore, scope: Scope):
    await memory.items.write(scope, a_draft("green tea"), by_ann("k1"))
    await memory.items.write(scope, a_draft("coffee"), by_ann("k2"))
    assert {item.object for item in await memory.items.list_newest(scope)} == {"green tea", "coffee"}


async def test_a_new_home_ends_the_old_one_and_names_its_successor(memory: MemoryCore, scope: Scope):
    home = {"slot": "user|lives_in", "single_valued": True, "item_type": "fact"}
    old = await memory.items.write(scope, a_draft("Paris", **home), by_ann("k1"))
    new = await memory.items.write(
        scope, a_draft("Lyon", **home, observed_at=at(10), valid_at=at(10)), by_ann("k2", minutes=10)
    )
    before = await memory.items.get(scope, old.memory_id)
    assert [item.object for item in await memory.items.list_newest(scope)] == ["Lyon"]
    assert (before.status, before.superseded_by, before.invalid_at) == ("superseded", new.memory_id, at(10))
    assert [version.change for version in await memory.items.history(scope, old.memory_id)] == ["create", "supersede"]


async def test_validity_never_ends_before_it_starts(memory: MemoryCore, scope: Scope):
    home = {"slot": "user|lives_in", "single_valued": True}
    old = await memory.items.write(scope, a_draft("Paris", **home), by_ann("k1"))
    await memory.items.write(scope, a_draft("Lyon", **home, valid_at=at(-600)), by_ann("k2", minutes=1))
    ended = await memory.items.get(scope, old.memory_id)
    assert ended.invalid_at == ended.valid_at


async def test_a_weak_hint_does_not_end_what_the_user_confirmed(memory: MemoryCore, scope: Scope):
    home = {"slot": "user|lives_in", "single_valued": True}
    await memory.items.write(scope, a_draft("Paris", **home), by_ann("k1"))
    await memory.items.write(scope, a_draft("Lyon", **home, provenance="observation"), by_ann("k2", minutes=1))
    assert {item.object for item in await memory.items.list_newest(scope)} == {"Paris", "Lyon"}


async def test_a_correction_ends_only_what_it_takes_back(memory: MemoryCore, scope: Scope):
    await memory.items.write(scope, a_draft("运动风"), by_ann("k1"))
    await memory.items.write(scope, a_draft("绿茶"), by_ann("k2"))
    await memory.items.write(scope, a_draft("简约", replaces="运动风", observed_at=at(1)), by_ann("k3", minutes=1))
    assert {item.object for item in await memory.items.list_newest(scope)} == {"绿茶", "简约"}


async def test_no_longer_liking_ends_the_liking(memory: MemoryCore, scope: Scope):
    await memory.items.write(scope, a_draft("sushi"), by_ann("k1"))
    await memory.items.write(scope, a_draft("sushi", negated=True, observed_at=at(1)), by_ann("k2", minutes=1))
    (item,) = await memory.items.list_newest(scope)
    assert item.negated


async def test_another_slot_is_never_touched(memory: MemoryCore, scope: Scope):
    home = {"slot": "user|lives_in", "single_valued": True}
    await memory.items.write(scope, a_draft("Paris", slot="user|works_in", single_valued=True), by_ann("k1"))
    await memory.items.write(scope, a_draft("Lyon", **home), by_ann("k2", minutes=1))
    assert {item.object for item in await memory.items.list_newest(scope)} == {"Paris", "Lyon"}


async def test_confirm_correct_forget_and_restore_are_versions(memory: MemoryCore, scope: Scope):
    receipt = await memory.items.write(scope, a_draft(provenance="observation"), by_ann("k1"))
    memory_id = receipt.memory_id
    await memory.items.confirm(scope, memory_id, by_ann("k2", minutes=1))
    await memory.items.correct(scope, memory_id, "The user likes oolong", by_ann("k3", minutes=2))
    await memory.items.forget(scope, memory_id, by_ann("k4", minutes=3))
    assert await memory.items.list_newest(scope) == []
    await memory.items.restore(scope, memory_id, 2, by_ann("k5", minutes=4))
    (item,) = await memory.items.list_newest(scope)
    assert (item.content, item.version, item.confidence) == ("The user likes green tea", 5, pytest.approx(1.0))
    changes = [version.change for version in await memory.items.history(scope, memory_id)]
    assert changes == ["create", "confirm", "correct", "forget", "restore"]


async def test_a_version_that_never_was_cannot_be_restored(memory: MemoryCore, scope: Scope):
    receipt = await memory.items.write(scope, a_draft(), by_ann("k1"))
    with pytest.raises(BrainError, match="E_NOT_FOUND"):
        await memory.items.restore(scope, receipt.memory_id, 9, by_ann("k2"))


async def test_evidence_quotes_the_turn_and_verifies_its_hash(memory: MemoryCore, scope: Scope):
    event = said("Well, I like green tea a lot.", reference="D1:1")
    await memory.log.capture(scope, a_turn(event))
    draft = a_draft(citations=(cited(event, "I like green tea"),))
    receipt = await memory.items.write(scope, draft, by_ann("k1"))
    (evidence,) = await memory.items.evidence(scope, receipt.memory_id)
    assert (evidence.quote, evidence.verified, evidence.reference) == ("I like green tea", True, "D1:1")


async def test_a_citation_that_does_not_match_its_turn_marks_the_memory_stale(memory: MemoryCore, scope: Scope):
    event = said("I like green tea")
    await memory.log.capture(scope, a_turn(event))
    forged = replace(cited(event, "green tea"), sha256="0" * 64)
    receipt = await memory.items.write(scope, a_draft(citations=(forged,)), by_ann("k1"))
    (evidence,) = await memory.items.evidence(scope, receipt.memory_id)
    assert not evidence.verified
    assert (await memory.items.get(scope, receipt.memory_id)).stale


async def test_nobody_else_reads_or_changes_a_memory(memory: MemoryCore, scope: Scope):
    receipt = await memory.items.write(scope, a_draft(), by_ann("k1"))
    stranger_author = Author(operator="user", reason="mine now", idempotency_key="steal", at=at())
    for stranger in (replace(scope, tenant_id=uuid4()), replace(scope, user_id=uuid4()), replace(scope, key="peer:x")):
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.items.get(stranger, receipt.memory_id)
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.items.forget(stranger, receipt.memory_id, stranger_author)
        assert await memory.items.history(stranger, receipt.memory_id) == []
        assert await memory.items.evidence(stranger, receipt.memory_id) == []
        assert await memory.items.list_newest(stranger, include_inactive=True) == []
    assert (await memory.items.get(scope, receipt.memory_id)).status == "active"


async def test_a_stale_memory_that_is_cited_anew_is_sound_again(memory: MemoryCore, scope: Scope):
    event = said("I like green tea")
    await memory.log.capture(scope, a_turn(event))
    forged = replace(cited(event, "green tea"), sha256="0" * 64)
    receipt = await memory.items.write(scope, a_draft(citations=(forged,)), by_ann("k1"))
    await memory.items.evidence(scope, receipt.memory_id)
    await memory.items.replace_citations(
        scope, receipt.memory_id, (cited(event, "green tea"),), by_ann("k2", minutes=1)
    )
    assert [each.verified for each in await memory.items.evidence(scope, receipt.memory_id)] == [True]
    assert not (await memory.items.get(scope, receipt.memory_id)).stale
    changes = [version.change for version in await memory.items.history(scope, receipt.memory_id)]
    assert changes == ["create", "stale", "repair"]


async def test_a_memory_that_rests_on_nothing_any_more_is_retracted(memory: MemoryCore, scope: Scope):
    receipt = await memory.items.write(scope, a_draft(), by_ann("k1"))
    await memory.items.replace_citations(scope, receipt.memory_id, (), by_ann("k2", minutes=1))
    assert await memory.items.list_newest(scope) == []
    assert (await memory.items.get(scope, receipt.memory_id)).status == "retracted"


@pytest.mark.parametrize(
    ("words", "held"),
    [
        ("I live in Lyon now.", "Lyon"),
        ("I live in Nantes, near the castle", "Nantes"),
        ("I live in Lyon and I work at Acme", "Lyon"),
        ("The user lives in Brest", "Brest"),
        ("我住在杭州", "杭州"),
    ],
)
async def test_the_value_of_a_correction_is_read_and_its_words_stay_as_written(
    memory: MemoryCore, scope: Scope, words: str, held: str
):
    home = a_draft("Paris", **LIVES, content="The user lives in Paris.")
    memory_id = (await memory.items.write(scope, home, by_ann("k1"))).memory_id
    await memory.items.correct(scope, memory_id, words, by_ann("k2", minutes=1))
    item = await memory.items.get(scope, memory_id)
    assert (item.content, item.object, item.slot) == (words, held, "user|lives_in")
    assert (item.certainty, item.provenance["level"]) == (1.0, "confirmed_by_user")


@pytest.mark.parametrize(
    ("before", "was_negated", "words"),
    [("The user likes tea.", False, "I don't like tea"), ("The user does not like tea.", True, "I like tea after all")],
)
async def test_a_correction_that_stands_as_a_sentence_is_true_as_it_is_written(
    memory: MemoryCore, scope: Scope, before: str, was_negated: bool, words: str
):
    tea = a_draft("tea", predicate="prefers", slot="user|prefers", content=before, negated=was_negated)
    memory_id = (await memory.items.write(scope, tea, by_ann("k1"))).memory_id
    await memory.items.correct(scope, memory_id, words, by_ann("k2", minutes=1))
    item = await memory.items.get(scope, memory_id)
    assert (item.content, item.object, item.negated) == (words, words, False)


@pytest.mark.parametrize("words", ["Wherever the boat is", "My name is Ann"])
async def test_a_correction_that_says_something_else_stands_as_it_was_written(
    memory: MemoryCore, scope: Scope, words: str
):
    home = a_draft("Paris", **LIVES, content="The user lives in Paris.")
    memory_id = (await memory.items.write(scope, home, by_ann("k1"))).memory_id
    await memory.items.correct(scope, memory_id, words, by_ann("k2", minutes=1))
    item = await memory.items.get(scope, memory_id)
    assert (item.content, item.object, item.slot) == (words, words, "user|lives_in")


def living_in(city: str, minutes: float, **more: object) -> MemoryDraft:
    return a_draft(city, **({**LIVES, "observed_at": at(minutes)} | more))


async def test_what_is_restored_ends_what_holds_its_place(memory: MemoryCore, scope: Scope):
    paris = (await memory.items.write(scope, living_in("Paris", 0), by_ann("k1"))).memory_id
    lyon = (await memory.items.write(scope, living_in("Lyon", 1), by_ann("k2", minutes=1))).memory_id
    await memory.items.restore(scope, paris, 1, by_ann("k3", minutes=2))
    assert [each.object for each in await memory.items.list_newest(scope)] == ["Paris"]
    over = await memory.items.get(scope, lyon)
    assert (over.status, over.superseded_by, over.invalid_at) == ("superseded", paris, at(2))
    assert await memory.conflicts.list_conflicts(scope) == []
    await memory.items.restore(scope, lyon, 1, by_ann("k4", minutes=3))
    assert [each.object for each in await memory.items.list_newest(scope)] == ["Lyon"]


async def test_what_is_restored_leaves_alone_what_may_stand_beside_it(memory: MemoryCore, scope: Scope):
    tea = (await memory.items.write(scope, a_draft("tea"), by_ann("k1"))).memory_id
    await memory.items.write(scope, a_draft("milk"), by_ann("k2", minutes=1))
    await memory.items.write(scope, living_in("Lyon", 2), by_ann("k3", minutes=2))
    await memory.items.forget(scope, tea, by_ann("k4", minutes=3))
    await memory.items.restore(scope, tea, 1, by_ann("k5", minutes=4))
    assert {each.object for each in await memory.items.list_newest(scope)} == {"tea", "milk", "Lyon"}


@pytest.mark.parametrize(
    "stronger", [{"provenance": "confirmed_by_user"}, {"provenance": "analysis", "item_type": "constraint"}]
)
async def test_what_is_restored_opens_a_conflict_with_what_it_cannot_outvote(
    memory: MemoryCore, scope: Scope, stronger: dict[str, object]
):
    weak = living_in("Paris", 0, provenance="observation" if "item_type" not in stronger else "analysis")
    paris = (await memory.items.write(scope, weak, by_ann("k1"))).memory_id
    lyon = (await memory.items.write(scope, living_in("Lyon", 1, **stronger), by_ann("k2", minutes=1))).memory_id
    for number in range(2):
        await memory.items.restore(scope, paris, 1, by_ann(f"r{number}", minutes=2))
        (conflict,) = await memory.conflicts.list_conflicts(scope)
        assert (conflict.held_id, conflict.new_id, conflict.status) == (lyon, paris, "open")
        assert {each.object for each in await memory.items.list_newest(scope)} == {"Paris", "Lyon"}
        await memory.items.forget(scope, paris, by_ann(f"f{number}", minutes=3))
        assert await memory.conflicts.list_conflicts(scope) == []


async def test_a_write_is_rejected_where_a_person_forgot_or_put_right_what_it_says(memory: MemoryCore, scope: Scope):
    event = said("I like green tea.")
    await memory.log.capture(scope, a_turn(event))
    draft = a_draft(citations=(cited(event, "green tea"),))
    first = await memory.items.write(scope, draft, by_ann("k1"))
    assert (await memory.items.write(scope, draft, by_ann("k2"))).status == "merged"
    await memory.items.correct(scope, first.memory_id, "The user likes oolong", by_ann("k3", minutes=1))
    put_right = await memory.items.write(scope, draft, by_ann("k4", minutes=2))
    assert (put_right.status, put_right.memory_id) == ("rejected", first.memory_id)
    await memory.items.forget(scope, first.memory_id, by_ann("k5", minutes=3))
    assert (await memory.items.write(scope, draft, by_ann("k6", minutes=4))).status == "rejected"
    assert (await memory.items.write(scope, draft, by_ann("k6", minutes=5))).status == "rejected"
    assert await memory.items.list_newest(scope) == []


async def test_a_write_receipt_carries_the_trace_of_its_author_also_when_it_is_asked_again(
    memory: MemoryCore, scope: Scope
):
    author = replace(by_ann("k1"), trace_id="turn 7")
    for _ in range(2):
        assert (await memory.items.write(scope, a_draft(), author)).trace_id == "turn 7"
    assert (await memory.items.write(scope, a_draft(), by_ann("k2"))).trace_id == "k2"


async def test_a_program_restates_its_own_conclusion_alone(memory: MemoryCore, scope: Scope):
    drafts = [a_draft("tired", provenance="observation"), a_draft("glad", slot="user|is")]
    own, vouched = [
        (await memory.items.write(scope, each, by_ann(f"k{number}"))).memory_id for number, each in enumerate(drafts)
    ]
    before = await memory.items.get(scope, own)
    await memory.items.restate(scope, own, "Ann seems awake.", by_ann("r", minutes=1))
    after = await memory.items.get(scope, own)
    assert (after.content, after.version) == ("Ann seems awake.", 2)
    assert (after.provenance, after.confidence, after.certainty) == (
        before.provenance,
        before.confidence,
        before.certainty,
    )
    with pytest.raises(BrainError, match="E_CONFLICT"):
        await memory.items.restate(scope, vouched, "Ann seems sad.", by_ann("s", minutes=1))
    assert (await memory.items.get(scope, vouched)).version == 1
