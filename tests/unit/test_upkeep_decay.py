"""What counts as over, and when."""

from dataclasses import replace

import pytest

from evolution.upkeep.decay import decay, judge_decay, outdated_reason
from evolution.upkeep.state import UpkeepAction
from memory.ports import MemoryCore
from tests.contract.builders import a_draft, by_ann
from tests.fakes import NOW
from tests.this_test import me, own_memory
from tests.unit.upkeep_builders import a_living, a_run, a_state, ago, an_item, an_old_draft


@pytest.mark.parametrize(
    ("days", "more", "over"),
    [
        (180, {}, False),
        (181, {}, True),
        (100, {"confidence": 0.3}, True),
        (20, {"confidence": 0.15}, False),
        (181, {"provenance": "analysis", "confidence": 0.8}, False),
        (366, {"provenance": "analysis", "confidence": 0.8}, True),
        (366, {"provenance": "confirmed_by_user", "confidence": 1.0}, True),
        (4000, {"item_type": "fact", "epistemic_type": "fact"}, False),
        (4000, {"item_type": "constraint"}, False),
        (4000, {"item_type": "relation"}, False),
        (4000, {"epistemic_type": "fact"}, False),
        (366, {"epistemic_type": "opinion"}, True),
        (180, {"item_type": "plan"}, False),
        (181, {"item_type": "plan"}, True),
        (40, {"item_type": "plan", "valid_at": ago(30)}, False),
        (40, {"item_type": "plan", "valid_at": ago(31)}, True),
        (400, {"item_type": "plan", "valid_at": ago(-10)}, False),
    ],
)
def test_leanings_and_plans_are_over_after_their_time_and_facts_never(days: int, more: dict[str, object], over: bool):
    assert (outdated_reason(a_living(an_item(days, **more)), NOW) is not None) is over


def test_what_was_validated_or_said_again_is_not_over():
    item = an_item(400)
    assert outdated_reason(a_living(replace(item, last_validated_at=ago(10))), NOW) is None
    assert outdated_reason(replace(a_living(item), said_at=ago(10)), NOW) is None


def test_an_outdated_memory_remembers_what_it_was():
    verdict = judge_decay(a_living(an_item(400, epistemic_type="opinion")), NOW)
    assert verdict is not None
    assert verdict.why == "effective confidence 0.15 after 400 days without a sign"
    assert verdict.measure.provenance == {"epistemic_before": "opinion"}  # type: ignore[union-attr]


async def test_the_step_writes_each_change_and_accounts_for_it(memory: MemoryCore):
    gone = await memory.items.write(me(), an_old_draft(400), by_ann("k1"))
    await memory.items.write(me(), a_draft("coffee"), by_ann("k2"))
    update = await decay(a_state(), a_run(memory))
    action = UpkeepAction(
        step="decay",
        change="outdate",
        target=str(gone.memory_id),
        why="effective confidence 0.15 after 400 days without a sign",
        before="The user likes green tea [preference]",
        after="outdated",
        loses=0,
        outcome="done",
    )
    assert update == {"actions": [action]}
    assert (await memory.items.get(me(), gone.memory_id)).epistemic_type == "outdated"
    assert await decay(a_state(), a_run(memory)) == {"actions": []}


async def test_a_dry_run_plans_the_same_and_changes_nothing(memory: MemoryCore):
    gone = await memory.items.write(me(), an_old_draft(400), by_ann("k1"))
    update = await decay(a_state(dry_run=True), a_run(memory))
    assert [action["outcome"] for action in update["actions"]] == ["planned"]
    assert (await memory.items.get(me(), gone.memory_id)).version == 1


async def test_a_step_that_was_not_chosen_does_nothing():
    assert await decay(a_state(steps=["fuse"]), a_run(own_memory())) == {}


async def test_what_a_person_pinned_stays_as_it_is(memory: MemoryCore):
    pinned = await memory.items.write(me(), an_old_draft(400), by_ann("k1"))
    await memory.items.set_use(me(), pinned.memory_id, "pinned", by_ann("p"))
    assert await decay(a_state(), a_run(memory)) == {"actions": []}
