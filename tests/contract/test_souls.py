"""SOUL in the store: versions, who did what with them, and what two acts at once come to."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import pytest

from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.soul import SoulActor, SoulDraft, SoulEvaluation, SoulReaction, SoulVersion
from tests.contract.builders import a_session, a_turn, an_injection, at, said

FIRST = "# SOUL\n\n## Voice\n\n- I am brief.\n"


def text_of(voice: str) -> str:
    return f"# SOUL\n\n## Voice\n\n- {voice}\n"


def an_actor(scope: Scope, minutes: float = 0, key: str = "", name: str = "ann") -> SoulActor:
    return SoulActor(scope=scope, name=name, at=at(minutes), first_text=FIRST, key=key)


def a_draft(voice: str = "I am kind.", **more: object) -> SoulDraft:
    told = {"text": text_of(voice), "intent": "Be kind.", "evidence": "Somebody asked for it.", **more}
    return SoulDraft(**told)  # type: ignore[arg-type]


async def proposed(memory: MemoryCore, scope: Scope, voice: str = "I am kind.", verdict: str = "clean") -> SoulVersion:
    made = await memory.souls.propose(an_actor(scope), a_draft(voice))
    evaluation = SoulEvaluation(report={"verdict": verdict}, is_refused=verdict == "refused", at=at(1))
    return await memory.souls.record_evaluation(scope.tenant_id, made.version, evaluation)


async def applied(memory: MemoryCore, scope: Scope, voice: str, minutes: float = 1) -> SoulVersion:
    made = await proposed(memory, scope, voice)
    return await memory.souls.apply(an_actor(scope, minutes), made.version)


async def statuses(memory: MemoryCore, scope: Scope) -> dict[int, str]:
    return {each.version: each.status for each in await memory.souls.list_newest(scope.tenant_id)}


async def test_there_is_no_row_until_somebody_acts_and_then_version_0_once(memory: MemoryCore, scope: Scope):
    assert await memory.souls.active(scope.tenant_id) is None
    assert (await memory.souls.standing(scope.tenant_id)).active is None
    await asyncio.gather(*(memory.souls.propose(an_actor(scope), a_draft(f"I am {n}.")) for n in ("kind", "calm")))
    active = await memory.souls.active(scope.tenant_id)
    assert active is not None
    assert (active.version, active.text, active.origin) == (0, FIRST, "bootstrap")
    assert await statuses(memory, scope) == {0: "active", 1: "proposed", 2: "proposed"}


async def test_a_proposal_changes_nothing_until_it_is_applied_and_then_the_one_before_is_superseded(
    memory: MemoryCore, scope: Scope
):
    made = await proposed(memory, scope)
    assert (made.version, made.status, made.parent, made.evidence) == (1, "proposed", 0, "Somebody asked for it.")
    assert made.proposed_by == scope.user_id
    boss = replace(scope, user_id=uuid4())
    done = await memory.souls.apply(an_actor(boss, 2), 1)
    assert (done.status, done.decided_by, done.activated_at, done.watched) == ("active", boss.user_id, at(2), True)
    assert done.evidence is None
    assert await statuses(memory, scope) == {0: "superseded", 1: "active"}
    assert await memory.souls.apply(an_actor(boss, 9), 1) == done


async def test_what_was_not_evaluated_or_was_refused_is_not_applied(memory: MemoryCore, scope: Scope):
    waiting = await memory.souls.propose(an_actor(scope), a_draft())
    with pytest.raises(BrainError, match="not evaluated"):
        await memory.souls.apply(an_actor(scope), waiting.version)
    refused = await proposed(memory, scope, "I am rude.", "refused")
    assert (refused.status, refused.reason, refused.evidence) == ("vetoed", "evaluation", None)
    with pytest.raises(BrainError, match="vetoed"):
        await memory.souls.apply(an_actor(scope), refused.version)


async def test_a_refused_text_that_nobody_may_read_is_not_kept(memory: MemoryCore, scope: Scope):
    made = await memory.souls.propose(an_actor(scope), a_draft("My password is swordfish."))
    hidden = SoulEvaluation(report={"verdict": "refused"}, is_refused=True, at=at(), hides_text=True)
    assert (await memory.souls.record_evaluation(scope.tenant_id, made.version, hidden)).text == ""


async def test_of_two_proposals_one_wins_and_the_other_is_told_so(memory: MemoryCore, scope: Scope):
    first, second = await proposed(memory, scope, "I am kind."), await proposed(memory, scope, "I am calm.")
    found = await asyncio.gather(
        *(memory.souls.apply(an_actor(scope), each.version) for each in (first, second)), return_exceptions=True
    )
    won = [each for each in found if isinstance(each, SoulVersion)]
    lost = [each for each in found if isinstance(each, BrainError)]
    assert (len(won), [each.code for each in lost]) == (1, ["E_CONFLICT"])
    assert "Another change came before" in lost[0].message
    assert sorted((await statuses(memory, scope)).values()) == ["active", "superseded", "vetoed"]


async def test_a_rollback_brings_the_version_before_back_as_a_new_one_and_goes_on_from_there(
    memory: MemoryCore, scope: Scope
):
    await applied(memory, scope, "I am kind.", 1)
    await applied(memory, scope, "I am calm.", 2)
    back = await memory.souls.rollback(an_actor(scope, 3))
    assert (back.version, back.restores, back.text) == (3, 1, text_of("I am kind."))
    again = await memory.souls.rollback(an_actor(scope, 4))
    assert (again.version, again.restores, again.text) == (4, 0, FIRST)
    assert await statuses(memory, scope) == {
        0: "superseded", 1: "superseded", 2: "rolled_back", 3: "rolled_back", 4: "active"
    }  # fmt: skip
    with pytest.raises(BrainError, match="Nothing was in force before"):
        await memory.souls.rollback(an_actor(scope, 5))


async def test_a_certain_version_comes_back_unless_it_was_vetoed_or_never_in_force(memory: MemoryCore, scope: Scope):
    await applied(memory, scope, "I am kind.", 1)
    await applied(memory, scope, "I am calm.", 2)
    assert (await memory.souls.rollback(an_actor(scope, 3), 0)).text == FIRST
    assert (await memory.souls.rollback(an_actor(scope, 4), 2)).text == text_of("I am calm.")
    await memory.souls.veto(an_actor(scope, 5), 1)
    waiting = await proposed(memory, scope, "I am new.")
    for version in (1, waiting.version):
        with pytest.raises(BrainError, match="cannot come back"):
            await memory.souls.rollback(an_actor(scope, 6), version)


async def test_a_veto_of_the_active_version_brings_back_what_was_before(memory: MemoryCore, scope: Scope):
    await applied(memory, scope, "I am kind.")
    vetoed = await memory.souls.veto(an_actor(scope, 2), 1)
    assert (vetoed.status, vetoed.reason) == ("vetoed", "person")
    active = await memory.souls.active(scope.tenant_id)
    assert active is not None
    assert (active.version, active.text) == (2, FIRST)
    assert await memory.souls.veto(an_actor(scope, 3), 1) == vetoed


async def test_a_veto_of_a_proposal_ends_nothing_that_was_applied_meanwhile(memory: MemoryCore, scope: Scope):
    late = await proposed(memory, scope, "I am late.")
    await applied(memory, scope, "I am kind.")
    await memory.souls.veto(an_actor(scope, 3), late.version)
    active = await memory.souls.active(scope.tenant_id)
    assert active is not None
    assert active.text == text_of("I am kind.")


async def test_the_packaged_text_cannot_be_vetoed(memory: MemoryCore, scope: Scope):
    await memory.souls.propose(an_actor(scope), a_draft())
    with pytest.raises(BrainError, match="Nothing was in force before"):
        await memory.souls.veto(an_actor(scope), 0)


async def test_while_paused_nothing_is_proposed_or_applied_and_taking_back_works(memory: MemoryCore, scope: Scope):
    await applied(memory, scope, "I am kind.")
    waiting = await proposed(memory, scope, "I am calm.")
    paused = await memory.souls.set_paused(an_actor(scope, 2), paused=True)
    assert paused.paused_at == at(2)
    assert (await memory.souls.set_paused(an_actor(scope, 3), paused=True)).paused_at == at(2)
    with pytest.raises(BrainError, match="paused"):
        await memory.souls.propose(an_actor(scope), a_draft())
    with pytest.raises(BrainError, match="paused"):
        await memory.souls.apply(an_actor(scope), waiting.version)
    assert (await memory.souls.rollback(an_actor(scope, 4))).text == FIRST
    assert (await memory.souls.set_paused(an_actor(scope, 5), paused=False)).paused_at is None


async def test_the_same_key_of_the_same_person_does_it_once_and_is_kept_as_a_digest(memory: MemoryCore, scope: Scope):
    first = await memory.souls.propose(an_actor(scope, key="k"), a_draft())
    assert await memory.souls.propose(an_actor(scope, key="k"), a_draft("I am other.")) == first
    other = await memory.souls.propose(an_actor(replace(scope, user_id=uuid4()), key="k"), a_draft("I am other."))
    assert other.version == first.version + 1
    await applied(memory, scope, "I am kind.", 1)
    back = await memory.souls.rollback(an_actor(scope, 2, key="k"))
    assert await memory.souls.rollback(an_actor(scope, 3, key="k")) == back
    digest = an_actor(scope, key="k").key_of("propose")
    assert digest is not None
    assert len(digest) == 64


async def test_a_person_proposes_so_much_a_day_and_others_are_not_held_to_it(memory: MemoryCore, scope: Scope):
    for number in range(3):
        await memory.souls.propose(an_actor(scope), a_draft(f"I am {number}.", most_a_day=3))
    with pytest.raises(BrainError, match="3 proposals within a day"):
        await memory.souls.propose(an_actor(scope), a_draft("I am more.", most_a_day=3))
    await memory.souls.propose(an_actor(replace(scope, user_id=uuid4())), a_draft("I am more.", most_a_day=3))
    await memory.souls.propose(an_actor(scope, 24 * 60 + 1), a_draft("I am more.", most_a_day=3))


async def test_a_first_document_of_ones_own_is_imported_once(memory: MemoryCore, scope: Scope):
    own = await memory.souls.import_first(an_actor(scope), text_of("I am ours."))
    assert (own.version, own.status, own.origin) == (1, "active", "import")
    assert await memory.souls.import_first(an_actor(scope), text_of("I am ours.")) == own
    with pytest.raises(BrainError, match="changed already"):
        await memory.souls.import_first(an_actor(scope), text_of("I am theirs."))


async def test_the_watch_rolls_back_only_what_is_still_active(memory: MemoryCore, scope: Scope):
    await applied(memory, scope, "I am kind.", 1)
    await applied(memory, scope, "I am calm.", 2)
    with pytest.raises(BrainError, match="not active any more"):
        await memory.souls.rollback(an_actor(scope, 3), unless_changed=1)
    assert (await memory.souls.rollback(an_actor(scope, 3), unless_changed=2)).text == text_of("I am kind.")
    assert (await memory.souls.get(scope.tenant_id, 2)).reason == "watch"


async def test_reactions_are_counted_once_by_the_version_that_made_the_reply(memory: MemoryCore, scope: Scope):
    await applied(memory, scope, "I am kind.")
    for negative in (True, False):
        reaction = SoulReaction(version=1, is_negative=negative)
        told = a_turn(
            said("No.", key=f"k{negative}"),
            session=a_session(),
            receipts=(an_injection(uuid4()),),
            soul_reaction=reaction,
        )
        for _ in range(2):
            await memory.log.capture(scope, told)
    (found,) = await memory.souls.figures(scope.tenant_id)
    assert (found.version, found.replies, found.negative) == (1, 2, 1)


async def test_watched_versions_are_found_in_every_tenant_until_the_last_look(
    memory: MemoryCore, make_scope: Callable[..., Scope]
):
    one, other = make_scope(tenant_id=uuid4()), make_scope(tenant_id=uuid4())
    for scope in (one, other):
        await applied(memory, scope, "I am kind.")
    assert {one.tenant_id, other.tenant_id} <= set(await memory.souls.list_watched())
    await memory.souls.note_look(one.tenant_id, 1, 960, goes_on=False)
    watched = await memory.souls.list_watched()
    assert one.tenant_id not in watched
    assert other.tenant_id in watched


async def test_another_tenant_sees_nothing_of_it(memory: MemoryCore, scope: Scope):
    await applied(memory, scope, "I am kind.")
    elsewhere = uuid4()
    assert await memory.souls.active(elsewhere) is None
    with pytest.raises(BrainError, match="no version 1"):
        await memory.souls.get(elsewhere, 1)


async def test_a_turn_opens_with_the_active_version(memory: MemoryCore, scope: Scope):
    session = a_session()
    assert (await memory.log.open(scope, session.session_id, 10)).soul is None
    await applied(memory, scope, "I am kind.", 3)
    opened = (await memory.log.open(replace(scope, user_id=uuid4()), session.session_id, 10)).soul
    assert opened is not None
    assert (opened.version, opened.text, opened.activated_at) == (1, text_of("I am kind."), at(3))
