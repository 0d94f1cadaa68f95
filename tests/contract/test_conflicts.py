"""Contradictions that neither side wins."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from memory.conflicts import STATUS_BY_RESOLUTION, Conflict, Resolution, Settlement
from memory.errors import BrainError
from memory.memory_item import Author, ProvenanceLevel
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said

HOME = {"slot": "user|lives_in", "single_valued": True, "item_type": "fact"}


async def written(
    memory: MemoryCore, scope: Scope, place: str, minutes: float, level: ProvenanceLevel = "confirmed_by_user"
) -> UUID:
    event = said(f"They live in {place}", minutes=minutes)
    await memory.log.capture(scope, a_turn(event))
    draft = a_draft(place, **HOME, provenance=level, observed_at=at(minutes), citations=(cited(event, place),))
    return (await memory.items.write(scope, draft, by_ann(place, minutes=minutes))).memory_id


async def a_conflict(memory: MemoryCore, scope: Scope) -> tuple[UUID, UUID, Conflict]:
    """A weak hint against what the user confirmed."""
    held = await written(memory, scope, "Paris", 0)
    new = await written(memory, scope, "Lyon", 1, "observation")
    (conflict,) = await memory.conflicts.list_conflicts(scope)
    return held, new, conflict


async def test_what_neither_side_wins_stays_open_with_both_alive(memory: MemoryCore, scope: Scope):
    held, new, conflict = await a_conflict(memory, scope)
    assert (conflict.kind, conflict.status, conflict.held_id, conflict.new_id) == ("inconsistent", "open", held, new)
    assert (conflict.opened_at, conflict.opened_by, conflict.settled_at) == (at(1), "user", None)
    assert {item.object for item in await memory.items.list_newest(scope)} == {"Paris", "Lyon"}


@pytest.mark.parametrize(
    ("draft", "kind"),
    [
        ({"object": "Paris", "negated": True, "observed_at": at(5)}, "contradiction"),
        ({"object": "Lyon", "observed_at": at(5)}, "inconsistent"),
    ],
)
async def test_a_conflict_says_of_which_kind_it_is(
    memory: MemoryCore, scope: Scope, draft: dict[str, object], kind: str
):
    await written(memory, scope, "Paris", 0)
    weak = {**HOME, "provenance": "observation", **draft}
    await memory.items.write(scope, a_draft(str(weak.pop("object")), **weak), by_ann("k2", minutes=6))
    assert [each.kind for each in await memory.conflicts.list_conflicts(scope)] == [kind]


async def test_what_is_older_and_firmer_than_a_hint_is_told_as_outdated(memory: MemoryCore, scope: Scope):
    await written(memory, scope, "Paris", 5, "observation")
    await written(memory, scope, "Lyon", 0)
    assert [each.kind for each in await memory.conflicts.list_conflicts(scope)] == ["outdated"]


async def test_keeping_both_changes_neither(memory: MemoryCore, scope: Scope):
    _, _, conflict = await a_conflict(memory, scope)
    before = await memory.items.list_newest(scope)
    status = await memory.conflicts.resolve(
        scope, conflict.conflict_id, Settlement(resolution="keep"), by_ann("s", minutes=9)
    )
    (settled,) = await memory.conflicts.list_conflicts(scope, include_settled=True)
    assert (status, settled.status, settled.settled_at, settled.settled_by) == ("kept", "kept", at(9), "user")
    assert await memory.conflicts.list_conflicts(scope) == []
    assert await memory.items.list_newest(scope) == before


@pytest.mark.parametrize(
    ("named", "winner"), [(None, "Paris"), ("Lyon", "Lyon")], ids=["by the higher provenance", "by name"]
)
async def test_discarding_leaves_the_winner(memory: MemoryCore, scope: Scope, named: str | None, winner: str):
    held, new, conflict = await a_conflict(memory, scope)
    settlement = Settlement(resolution="discard", winner=new if named else None)
    await memory.conflicts.resolve(scope, conflict.conflict_id, settlement, by_ann("s", minutes=9))
    (item,) = await memory.items.list_newest(scope)
    loser = await memory.items.get(scope, held if named else new)
    assert (item.object, item.version) == (winner, 1)
    assert (loser.status, loser.superseded_by, loser.version) == ("superseded", item.memory_id, 2)


async def test_of_two_that_are_trusted_alike_the_newer_wins(memory: MemoryCore, scope: Scope):
    await written(memory, scope, "Paris", 0, "observation")
    weak = a_draft("Lyon", **HOME, provenance="observation", certainty=0.3, observed_at=at(1))
    await memory.items.write(scope, weak, by_ann("k2", minutes=1))
    (conflict,) = await memory.conflicts.list_conflicts(scope)
    await memory.conflicts.resolve(
        scope, conflict.conflict_id, Settlement(resolution="discard"), by_ann("s", minutes=9)
    )
    assert [item.object for item in await memory.items.list_newest(scope)] == ["Lyon"]


async def test_merging_rests_the_winner_on_the_evidence_of_both(memory: MemoryCore, scope: Scope):
    held, new, conflict = await a_conflict(memory, scope)
    await memory.conflicts.resolve(scope, conflict.conflict_id, Settlement(resolution="merge"), by_ann("s", minutes=9))
    (item,) = await memory.items.list_newest(scope)
    assert (item.memory_id, item.version) == (held, 2)
    assert {each.quote for each in await memory.items.evidence(scope, held)} == {"Paris", "Lyon"}
    assert [each.change for each in await memory.items.history(scope, new)] == ["create", "supersede"]
    assert [each.status for each in await memory.conflicts.list_conflicts(scope, include_settled=True)] == ["merged"]


async def test_a_conflict_whose_memory_has_ended_is_settled_by_that(memory: MemoryCore, scope: Scope):
    _, new, _ = await a_conflict(memory, scope)
    await memory.items.forget(scope, new, by_ann("f", minutes=5))
    (settled,) = await memory.conflicts.list_conflicts(scope, include_settled=True)
    assert (settled.status, settled.settled_at, settled.settled_by) == ("discarded", at(5), "user")


async def test_a_firm_word_of_the_user_ends_the_conflict(memory: MemoryCore, scope: Scope):
    await a_conflict(memory, scope)
    firm = a_draft("Lyon", **HOME, observed_at=at(9))
    await memory.items.write(scope, firm, by_ann("k3", minutes=9))
    assert [(item.object, item.version) for item in await memory.items.list_newest(scope)] == [("Lyon", 2)]
    assert await memory.conflicts.list_conflicts(scope) == []


@pytest.mark.parametrize("resolution", ["keep", "merge", "discard"])
async def test_a_conflict_is_settled_once_and_by_its_own_person(
    memory: MemoryCore, scope: Scope, resolution: Resolution
):
    _, _, conflict = await a_conflict(memory, scope)
    settlement = Settlement(resolution=resolution)
    for stranger in (replace(scope, user_id=uuid4()), replace(scope, tenant_id=uuid4()), replace(scope, key="peer:x")):
        assert await memory.conflicts.list_conflicts(stranger, include_settled=True) == []
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.conflicts.resolve(stranger, conflict.conflict_id, settlement, by_ann("s"))
    await memory.conflicts.resolve(scope, conflict.conflict_id, settlement, by_ann("s", minutes=9))
    others: list[tuple[Settlement, Author]] = [
        (settlement, replace(by_ann("t", minutes=9), operator="the agent")),
        *((Settlement(resolution=each), by_ann("t")) for each in STATUS_BY_RESOLUTION if each != resolution),
    ]
    for other, author in others:
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await memory.conflicts.resolve(scope, conflict.conflict_id, other, author)


@pytest.mark.parametrize("resolution", ["keep", "merge", "discard"])
async def test_settling_a_conflict_just_so_again_changes_nothing(
    memory: MemoryCore, scope: Scope, resolution: Resolution
):
    held, new, conflict = await a_conflict(memory, scope)
    settlement = Settlement(resolution=resolution, winner=new)
    status = await memory.conflicts.resolve(scope, conflict.conflict_id, settlement, by_ann("s", minutes=9))
    before = [await memory.items.get(scope, each) for each in (held, new)]
    settled = await memory.conflicts.list_conflicts(scope, include_settled=True)
    for again in (settlement, Settlement(resolution=resolution)):
        author = by_ann("t", minutes=10)
        assert await memory.conflicts.resolve(scope, conflict.conflict_id, again, author) == status
    assert [await memory.items.get(scope, each) for each in (held, new)] == before
    assert await memory.conflicts.list_conflicts(scope, include_settled=True) == settled


async def test_settling_a_conflict_again_for_the_other_side_is_refused(memory: MemoryCore, scope: Scope):
    held, new, conflict = await a_conflict(memory, scope)
    first, other = (Settlement(resolution="discard", winner=each) for each in (new, held))
    await memory.conflicts.resolve(scope, conflict.conflict_id, first, by_ann("s", minutes=9))
    with pytest.raises(BrainError, match="E_NOT_FOUND"):
        await memory.conflicts.resolve(scope, conflict.conflict_id, other, by_ann("t", minutes=10))


async def test_a_memory_that_is_not_part_of_a_conflict_cannot_win_it(memory: MemoryCore, scope: Scope):
    _, _, conflict = await a_conflict(memory, scope)
    foreign = Settlement(resolution="discard", winner=uuid4())
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        await memory.conflicts.resolve(scope, conflict.conflict_id, foreign, by_ann("s"))
    assert len(await memory.conflicts.list_conflicts(scope)) == 1
