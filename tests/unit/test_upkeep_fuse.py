"""What people keep rejecting leaves the prompts."""

from typing import Any

import pytest

from evolution.upkeep.retract_rejected import judge_rejection, retract_rejected
from memory.ports import MemoryCore
from memory.upkeep import UpkeepChange
from tests.contract.builders import by_ann
from tests.contract.upkeep_builders import used
from tests.this_test import me
from tests.unit.upkeep_builders import a_living, a_run, a_state, an_item, an_old_draft, figures


@pytest.mark.parametrize(
    ("more", "feedback", "gone"),
    [
        ({}, {"corrected": 2, "corrected_in_a_row": 2}, True),
        ({}, {"corrected": 5, "corrected_in_a_row": 1}, False),
        ({"provenance": "confirmed_by_user"}, {"corrected": 2, "corrected_in_a_row": 2}, False),
        ({"provenance": "confirmed_by_user"}, {"corrected": 3, "corrected_in_a_row": 3}, True),
        ({"confidence": 0.15}, {"corrected": 1, "corrected_in_a_row": 0}, True),
        ({"confidence": 0.15}, {}, False),
        ({"item_type": "constraint"}, {"corrected": 9, "corrected_in_a_row": 9}, False),
    ],
)
def test_repeated_rejection_blows_the_fuse(more: dict[str, Any], feedback: dict[str, Any], gone: bool):
    assert (judge_rejection(a_living(an_item(**more), **feedback)) is not None) is gone


def test_what_a_person_brought_back_waits_for_something_new():
    assert judge_rejection(a_living(an_item(), last_change="restore", corrected=3, corrected_in_a_row=3)) is None


async def test_a_rejected_memory_is_retracted_and_can_come_back_for_good(memory: MemoryCore):
    receipt = await memory.items.write(me(), an_old_draft(), by_ann("k1"))
    await used(memory, me(), receipt.memory_id, "affirm", "correct", "correct")
    update = await retract_rejected(a_state(), a_run(memory))
    assert [(each["change"], each["after"], each["loses"], each["outcome"]) for each in update["actions"]] == [
        ("fuse", "retracted", 1, "done")
    ]
    assert await memory.items.list_newest(me()) == []
    await memory.items.restore(me(), receipt.memory_id, 1, by_ann("k2", minutes=60))
    assert await retract_rejected(a_state(), a_run(memory)) == {"actions": []}
    assert len(await memory.items.list_newest(me())) == 1


async def test_a_step_that_would_take_too_much_does_nothing_and_says_so(memory: MemoryCore):
    for number in range(6):
        receipt = await memory.items.write(me(), an_old_draft(object_=f"tea {number}"), by_ann(f"k{number}"))
        await used(memory, me(), receipt.memory_id, "correct", "correct")
    update = await retract_rejected(a_state(figures=figures(10)), a_run(memory))
    assert {each["outcome"] for each in update["actions"]} == {"held"}
    assert update["alarms"] == ["fuse held back: it would put 6 of 10 memories away, more than 30%"]
    assert len(await memory.items.list_newest(me())) == 6
    allowed = await retract_rejected(a_state(figures=figures(10), most_lost=0.6), a_run(memory))
    assert {each["outcome"] for each in allowed["actions"]} == {"done"}


def test_the_verdict_retracts():
    verdict = judge_rejection(a_living(an_item(), corrected=2, corrected_in_a_row=2))
    assert verdict is not None
    assert isinstance(verdict.measure, UpkeepChange)
    assert (verdict.measure.status, verdict.measure.change) == ("retracted", "fuse")
    assert verdict.why == "rejected 2 times in a row"
