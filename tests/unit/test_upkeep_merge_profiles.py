"""The profile follows what upkeep changed, and nothing else."""

from uuid import UUID

import pytest

from evolution.merge_profiles import merge_profiles_after_upkeep
from evolution.upkeep.decay import decay
from memory.documents.document import PROFILE_NAME, document_id
from memory.errors import BrainError
from memory.ports import MemoryCore
from tests.contract.builders import a_draft, by_ann
from tests.this_test import me, own_memory
from tests.unit.upkeep_builders import a_run, a_state, an_old_draft

pytestmark = pytest.mark.usefixtures("memory")


def profile_id() -> UUID:
    return document_id(me(), "user_profile", PROFILE_NAME)


async def a_memory_with_a_profile() -> MemoryCore:
    memory = own_memory()
    await memory.items.write(me(), an_old_draft(400), by_ann("k1"))
    await memory.items.write(me(), a_draft("coffee"), by_ann("k2"))
    return memory


async def test_what_is_over_is_told_as_over():
    memory = await a_memory_with_a_profile()
    state = a_state()
    state.actions = (await decay(state, a_run(memory)))["actions"]

    assert await merge_profiles_after_upkeep(state, a_run(memory)) == {}

    (profile,) = await memory.documents.find(me(), [profile_id()])
    assert profile.version == 1
    assert "coffee" in profile.body


async def test_without_a_change_nothing_is_written():
    memory = await a_memory_with_a_profile()

    assert await merge_profiles_after_upkeep(a_state(), a_run(memory)) == {}
    assert await memory.documents.find(me(), [profile_id()]) == []


async def test_a_profile_that_keeps_changing_is_left_to_the_others(monkeypatch: pytest.MonkeyPatch):
    memory = await a_memory_with_a_profile()
    state = a_state()
    state.actions = (await decay(state, a_run(memory)))["actions"]

    async def refused(*_: object) -> None:
        raise BrainError("E_CONFLICT", "Somebody was faster.")

    monkeypatch.setattr(type(memory.documents), "save", refused)
    assert await merge_profiles_after_upkeep(state, a_run(memory)) == {
        "alarms": ["the profile kept changing; the next turn brings it up to date"]
    }
