"""What models read per turn is counted by what they are asked for."""

from dataclasses import replace
from uuid import uuid4

from evals.tokens_per_turn import hold_conversation
from memory.ports import MemoryCore
from tests.fakes import Leanings, resources_of


async def test_one_look_per_pause_costs_fewer_calls_and_tokens_and_notes_the_same(memory: MemoryCore):
    resources = replace(resources_of(Leanings(memory=memory)), new_id=uuid4)
    each, paused = await hold_conversation(resources, 6, 1), await hold_conversation(resources, 6, 3)
    assert each.calls["reply"] == 6
    assert 0 < each.calls["IntentForm"] < 6
    assert (paused.calls["reply"], paused.calls["Notes"]) == (6, 2)
    assert paused.calls["Notes"] < each.calls["Notes"]
    assert paused.read["Notes"] < each.read["Notes"] / 2
    assert paused.read["IntentForm"] == each.read["IntentForm"] > 0
    assert paused.written["Notes"] > 0
