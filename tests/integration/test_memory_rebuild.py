"""Memories derived again from the log: what rules wrote and nobody touched becomes what rules write today."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from rich.progress import Progress

from apps.cli.rebuild import RebuildOptions, rebuild_memories_of
from brain.resources import Resources
from evolution.extraction import rules
from evolution.rebuild import carry_out_rebuild, plan_rebuild
from evolution.state import TurnRecord
from graphs.evolution import evolve
from language.statements import Statement
from memory.errors import BrainError
from memory.log import Outcome
from memory.memory_item import Author, MemoryItem
from memory.postgres.database import Database
from memory.provenance import DOUBTED
from memory.scope import Scope
from memory.turns import Capture, SessionRef
from memory.upkeep import UpkeepChange
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, cited, said
from tests.integration.evolving import resources_on

COMPOUND = "My sister Ana lives in Porto, and I work as a nurse."
PARTS = ["I work as a nurse.", "My sister Ana lives in Porto"]


@pytest.fixture
def resources(database: Database) -> Resources:
    return replace(resources_on(database), new_id=uuid4)


@pytest.fixture
def older_release(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Sentences stay whole, as they did before they were taken apart; ``undo`` brings this release back."""

    def keep_whole(statements: Sequence[Statement], text: str, before: str = "") -> list[Statement]:
        return list(statements)

    monkeypatch.setattr(rules, "take_apart", keep_whole)
    return monkeypatch


async def says(resources: Resources, scope: Scope, *texts: str, session: SessionRef | None = None) -> list[Capture]:
    """Turns of one session, looked at by rules."""
    session = session or a_session()
    turns = [a_turn(said(text, minutes=at_), session=session) for at_, text in enumerate(texts)]
    for turn in turns:
        await resources.memory.log.capture(scope, turn)
    await evolve(resources, scope, session.session_id)
    return turns


async def living(resources: Resources, scope: Scope) -> dict[str, MemoryItem]:
    return {item.content: item for item in await resources.memory.items.list_newest(scope)}


async def rebuild(resources: Resources, scope: Scope) -> Any:
    plan = await plan_rebuild(resources, scope)
    await carry_out_rebuild(resources, scope, plan)
    return plan


async def test_a_sentence_kept_whole_becomes_its_assertions(
    resources: Resources, scope: Scope, older_release: pytest.MonkeyPatch
):
    (turn,) = await says(resources, scope, COMPOUND)
    older_release.undo()
    (whole,) = (await living(resources, scope)).values()
    plan = await rebuild(resources, scope)
    assert (plan.considered, len(plan.replaced), len(plan.lost), len(plan.added)) == (1, 1, 0, 0)
    found = await living(resources, scope)
    assert sorted(found) == PARTS
    for item in found.values():
        (evidence,) = await resources.memory.items.evidence(scope, item.memory_id)
        assert evidence.verified
        assert evidence.quote == item.content
    before = await resources.memory.items.get(scope, whole.memory_id)
    assert (before.content, before.status) == (COMPOUND, "superseded")
    assert before.superseded_by in {item.memory_id for item in found.values()}
    history = await resources.memory.items.history(scope, whole.memory_id)
    assert [(each.change, each.operator) for each in history] == [("create", "rules"), ("rederive", "rules")]
    assert await resources.memory.log.find_readable(scope, [turn.operation_id])


async def test_a_sentence_that_was_taken_for_the_speakers_own_is_read_otherwise(resources: Resources, scope: Scope):
    (turn,) = await says(resources, scope, "She is allergic to cats.")
    (item,) = (await living(resources, scope)).values()
    other = Scope(tenant_id=scope.tenant_id, user_id=uuid4())
    spoken = a_turn(*(replace(each, event_id=uuid4()) for each in turn.utterances), session=a_session())
    await resources.memory.log.capture(other, spoken)
    await resources.memory.log.finish(other, {spoken.operation_id: Outcome(status="stored")}, at(1))
    memory_id = await writes(resources, other, spoken, item.content, item_type="constraint", predicate="allergic_to")
    assert len((await rebuild(resources, other)).read_anew) == 1
    again = await resources.memory.items.get(other, memory_id)
    assert (again.subject, again.slot, again.status) == ("someone", "someone|diet", "active")
    assert list((await plan_rebuild(resources, other)).changes) == []


async def test_a_plan_changes_nothing_and_done_twice_is_done_once(
    resources: Resources, scope: Scope, older_release: pytest.MonkeyPatch
):
    await says(resources, scope, COMPOUND)
    older_release.undo()
    plan = await plan_rebuild(resources, scope)
    assert list(await living(resources, scope)) == [COMPOUND]
    await carry_out_rebuild(resources, scope, plan)
    again = await plan_rebuild(resources, scope)
    assert (again.stays, list(again.changes), again.added) == (2, [], ())


async def test_a_rebuild_cut_off_goes_on_where_it_stopped(
    resources: Resources, scope: Scope, older_release: pytest.MonkeyPatch
):
    await says(resources, scope, COMPOUND, "I live in Ghent and I have a dog called Rex.")
    older_release.undo()
    plan = await plan_rebuild(resources, scope)
    await carry_out_rebuild(resources, scope, replace(plan, replaced=plan.replaced[:1]))
    assert len(await living(resources, scope)) == 3
    rest = await rebuild(resources, scope)
    assert len(rest.replaced) == 1
    assert len(await living(resources, scope)) == 4


async def test_what_anybody_touched_stays_as_it_is(
    resources: Resources, scope: Scope, older_release: pytest.MonkeyPatch
):
    items = resources.memory.items
    texts = [f"My sister {name} lives in Porto, and I work as a {work}." for name, work in NAMES]
    await says(resources, scope, *texts)
    older_release.undo()
    ids = [(await living(resources, scope))[text].memory_id for text in texts]
    await items.confirm(scope, ids[0], by_ann("c"))
    await items.correct(scope, ids[1], "My sister Bea lives in Lisbon.", by_ann("r"))
    await items.set_use(scope, ids[2], "pinned", by_ann("p"))
    await items.forget(scope, ids[3], by_ann("f"))
    before = [await items.get(scope, each) for each in ids]
    plan = await rebuild(resources, scope)
    assert (plan.considered, plan.left_alone, plan.added) == (0, 3, ())
    assert [await items.get(scope, each) for each in ids] == before


NAMES = [("Ana", "nurse"), ("Bea", "baker"), ("Cleo", "pilot"), ("Dina", "judge")]


async def test_what_no_turn_states_any_longer_is_lost_and_comes_back_by_its_history(resources: Resources, scope: Scope):
    turn, *_ = await says(resources, scope, "What a lovely day it was!", "I work as a nurse.")
    wrong = await writes(resources, scope, turn, "What a lovely day it was!")
    plan = await rebuild(resources, scope)
    assert [item.memory_id for item, _ in plan.lost] == [wrong]
    assert plan.lost_share == pytest.approx(0.5)
    assert (await resources.memory.items.get(scope, wrong)).status == "retracted"
    await resources.memory.items.restore(scope, wrong, 1, by_ann("back"))
    assert (await resources.memory.items.get(scope, wrong)).status == "active"
    assert (await plan_rebuild(resources, scope)).lost == ()


async def test_nothing_is_done_where_too_much_would_be_lost(resources: Resources, scope: Scope):
    turn, *_ = await says(resources, scope, "What a lovely day it was!", "I work as a nurse.")
    wrong = await writes(resources, scope, turn, "What a lovely day it was!")
    refused = await rebuild_memories_of(
        resources, scope, RebuildOptions(memories=True, apply=True), Progress(disable=True)
    )
    assert refused.error == "50.0% would be lost without anything in their place, so nothing is changed."
    assert refused.changed == (("What a lovely day it was!", ()),)
    assert (await resources.memory.items.get(scope, wrong)).status == "active"
    done = await rebuild_memories_of(
        resources, scope, RebuildOptions(memories=True, apply=True, most_lost=50), Progress(disable=True)
    )
    assert (done.error, done.lost, done.stays) == ("", 1, 1)
    assert (await resources.memory.items.get(scope, wrong)).status == "retracted"


async def test_what_keeps_somebody_safe_is_never_lost(resources: Resources, scope: Scope):
    turn, *_ = await says(resources, scope, "Nuts, you know!")
    await writes(resources, scope, turn, "Nuts, you know!", item_type="constraint", category="health")
    plan = await plan_rebuild(resources, scope)
    assert (plan.considered, plan.stays, plan.lost) == (1, 1, ())


async def writes(resources: Resources, scope: Scope, turn: Capture, content: str, **values: Any) -> UUID:
    """A memory of a turn as rules of another release wrote it."""
    draft = a_draft(content, content=content, slot="user|other", speaker="user", **values)
    draft = replace(draft, citations=(cited(turn.utterances[0], content),))
    author = Author(operator="rules", reason="said so", idempotency_key=f"old:{content}", at=at())
    return (await resources.memory.items.write(scope, draft, author)).memory_id


async def test_what_a_turn_tells_of_times_is_read_again(resources: Resources, scope: Scope):
    text = "I lived in Ghent from 2010 to 2015."
    await says(resources, scope, text)
    item = (await living(resources, scope))[text]
    turn = (await resources.memory.log.events(scope, [UUID(str(item.provenance["events"][0]))]))[0]  # type: ignore[index]
    other = Scope(tenant_id=scope.tenant_id, user_id=uuid4())
    spoken = a_turn(said(turn.text))
    await resources.memory.log.capture(other, spoken)
    await resources.memory.log.finish(other, {spoken.operation_id: Outcome(status="stored")}, at(1))
    read = {"item_type": item.memory_type, "predicate": item.predicate, "category": item.category}
    draft = a_draft(item.object, content=text, slot=item.slot, speaker="user", provenance="confirmed_by_user", **read)
    draft = replace(draft, citations=(cited(spoken.utterances[0], text),))
    by_rules = Author(operator="rules", reason="said so", idempotency_key="old", at=at())
    memory_id = (await resources.memory.items.write(other, draft, by_rules)).memory_id
    plan = await rebuild(resources, other)
    assert len(plan.read_anew) == 1
    again = await resources.memory.items.get(other, memory_id)
    assert again.status == "active"
    assert (again.valid_at.year, again.invalid_at.year if again.invalid_at else None) == (2010, 2016)


def find_nothing(
    turn: TurnRecord, asked: str = "", previous: Statement | None = None, *, faint: bool = False
) -> list[Statement]:
    return []


async def test_a_statement_that_was_not_seen_is_added_and_its_turn_says_so(
    resources: Resources, scope: Scope, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch:
        patch.setattr(rules, "memorable_statements", find_nothing)
        (turn,) = await says(resources, scope, "I work as a nurse.")
    assert await living(resources, scope) == {}
    plan = await rebuild(resources, scope)
    assert len(plan.added) == 1
    (item,) = (await living(resources, scope)).values()
    operation = await resources.memory.log.operation(scope, turn.operation_id)
    assert operation is not None
    assert (operation.status, operation.memory_ids) == ("stored", (item.memory_id,))


async def test_turns_kept_from_memory_are_not_read(resources: Resources, scope: Scope):
    turn = a_turn(said("I work as a nurse."), settled="asked not to be remembered")
    await resources.memory.log.capture(scope, turn)
    plan = await plan_rebuild(resources, scope)
    assert plan.added == ()


async def test_a_memory_that_changed_since_it_was_planned_is_left(
    resources: Resources, scope: Scope, older_release: pytest.MonkeyPatch
):
    await says(resources, scope, COMPOUND)
    older_release.undo()
    plan = await plan_rebuild(resources, scope)
    (whole,) = (await living(resources, scope)).values()
    await resources.memory.items.confirm(scope, whole.memory_id, by_ann("c"))
    with pytest.raises(BrainError, match="changed by somebody else"):
        await carry_out_rebuild(resources, scope, plan)
    assert list(await living(resources, scope)) == [COMPOUND]


async def test_the_heirs_of_a_doubted_memory_are_doubted(
    resources: Resources, scope: Scope, older_release: pytest.MonkeyPatch
):
    await says(resources, scope, COMPOUND)
    older_release.undo()
    (whole,) = (await living(resources, scope)).values()
    doubt = UpkeepChange(
        memory_id=whole.memory_id, version=1, change="calibrate", provenance={DOUBTED: [str(UUID(int=9))]}
    )
    author = Author(operator="rules", reason="something newer was said", idempotency_key="d", at=at(2))
    await resources.memory.upkeep.apply_change(scope, doubt, author)
    await rebuild(resources, scope)
    found = await living(resources, scope)
    assert sorted(found) == PARTS
    assert all(item.provenance[DOUBTED] == [str(UUID(int=9))] for item in found.values())
