"""How contradictions end."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from brain.job_context import JobContext
from brain.models.errors import ModelError
from evolution.upkeep.resolve import ConflictSides, Finding, Ruling, resolve, resolve_by_rules, resolve_with_model
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import ConflictSettlement
from graphs.upkeep import run_upkeep
from memory.conflicts import Conflict, Settlement
from memory.ports import MemoryCore
from tests.contract.builders import by_ann
from tests.fakes import NOW, FakeModel, Leanings, resources_of
from tests.this_test import me
from tests.unit.upkeep_builders import a_run, a_state, an_item, an_old_draft

HELD, NEW = UUID(int=1), UUID(int=2)


def contested(held: dict[str, Any], new: dict[str, Any]) -> ConflictSides:
    opened = Conflict(
        conflict_id=UUID(int=3),
        kind="contradiction",
        status="open",
        held_id=HELD,
        new_id=NEW,
        opened_at=NOW,
        opened_by="rules",
    )
    sides = [replace(an_item(**more), memory_id=each) for each, more in ((HELD, held), (NEW, new))]
    return ConflictSides(opened, *sides)


@pytest.mark.parametrize(
    ("held", "new", "winner"),
    [
        ({"days": 9, "provenance": "confirmed_by_user"}, {"days": 1}, HELD),
        ({"days": 9}, {"days": 1, "provenance": "analysis"}, NEW),
        ({"days": 9}, {"days": 1}, NEW),
        ({"days": 1}, {"days": 9}, HELD),
        ({"days": 1}, {"days": 1.5}, None),
    ],
)
def test_the_better_founded_wins_then_the_newer(held: dict[str, Any], new: dict[str, Any], winner: UUID | None):
    settled = resolve_by_rules(contested(held, new))
    if winner is None:
        assert settled is None
        return
    assert settled is not None
    assert isinstance(settled.verdict.measure, ConflictSettlement)
    assert settled.verdict.measure.settlement == Settlement(resolution="discard", winner=winner)
    assert settled.items[0].memory_id == winner


@pytest.mark.parametrize(
    ("finding", "settlement"),
    [
        ("both", Settlement(resolution="keep")),
        ("same", Settlement(resolution="merge")),
        ("first", Settlement(resolution="discard", winner=HELD)),
        ("second", Settlement(resolution="discard", winner=NEW)),
        ("unclear", None),
    ],
)
async def test_a_model_may_tell_what_rules_cannot(finding: Finding, settlement: Settlement | None):
    model = FakeModel(forms=[Ruling(reason="They differ.", finding=finding)])
    settled = await resolve_with_model(model, contested({"object_": "tea"}, {"object_": "coffee"}))
    found = (
        settled.verdict.measure.settlement
        if settled and isinstance(settled.verdict.measure, ConflictSettlement)
        else None
    )
    assert found == settlement
    asked = str(model.asked[0][1].content)
    assert "[first] (2026-03-01) The user likes tea" in asked
    assert "[second] (2026-03-01) The user likes coffee" in asked


async def homes(memory: MemoryCore, *days: float, **more: Any) -> None:
    """The same person lives in several places, each a guess that outweighs no other."""
    for number, each in enumerate(days):
        city = ("Paris", "Lyon", "Rome")[number]
        where = {"slot": "user|lives_in", "single_valued": True, "certainty": 0.5, "epistemic_type": "fact"}
        await memory.items.write(me(), an_old_draft(each, city, **(where | more)), by_ann(city))


async def test_open_contradictions_are_settled_once(memory: MemoryCore):
    await homes(memory, 9, 2)
    assert len(await memory.conflicts.list_conflicts(me())) == 1
    planned = await resolve(a_state(dry_run=True), a_run(memory))
    done = await resolve(a_state(), a_run(memory))
    assert [each["outcome"] for each in planned["actions"]] == ["planned"]
    assert [(each["change"], each["why"], each["after"], each["outcome"]) for each in done["actions"]] == [
        ("discard", "as well founded, and newer", "The user likes Lyon", "done")
    ]
    assert [item.object for item in await memory.items.list_newest(me())] == ["Lyon"]
    assert await resolve(a_state(), a_run(memory)) == {"actions": [], "alarms": []}


async def test_a_constraint_waits_for_the_person(memory: MemoryCore):
    await homes(memory, 9, 2, item_type="constraint")
    assert await resolve(a_state(), a_run(memory)) == {"actions": [], "alarms": []}
    assert len(await memory.conflicts.list_conflicts(me())) == 1


async def test_a_failing_model_leaves_what_rules_cannot_tell_open_and_says_so(memory: MemoryCore):
    await homes(memory, 2, 2)
    model = FakeModel(forms=[ModelError("model_timeout", "too slow")])
    resources = resources_of(Leanings(memory=memory, fast=model))
    run = a_run(memory)
    run = replace(run, context=JobContext(scope=me(), resources=resources))
    update = await resolve(a_state(), run)
    assert update == {"actions": [], "alarms": ["1 contradictions wait: the model failed"]}


async def test_many_contradictions_call_for_settling(memory: MemoryCore):
    await homes(memory, 9, 2)
    resources = resources_of(Leanings(memory=memory))
    done = await run_upkeep(JobContext(scope=me(), resources=resources), UpkeepState())
    assert done.report["figures"]["contested"] == 2
    assert done.report["steps"]["resolve"] == {"done": 1}
