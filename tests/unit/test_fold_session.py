"""Folding a session: blocks, what stays at hand, endings, and beginning again."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.prompting.history import fit_messages, history_of
from brain.recall import RecallRequest, recall
from evolution.state import EvolutionState
from evolution.summaries.fold_session import archive_expired, fold_session, fold_session_turns, merge_entity_slots
from memory.ports import MemoryCore
from memory.turns import SessionRef
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said
from tests.fakes import FakeModel, Leanings, a_settings, resources_of
from tests.this_test import me, move_to_fresh_tenant, own_memory
from tests.unit.test_summary_model import a_summary

pytestmark = pytest.mark.usefixtures("memory")


SESSION = SessionRef(session_id=UUID(int=3), name="s1", user_name="ann", tenant_name="acme")
SMALL = a_settings(window_events=15)
"""Stretches of four turns."""


def a_job_context(memory: MemoryCore, **changes: Any) -> JobContext:
    leanings = replace(Leanings(memory=memory, settings=SMALL, clock=lambda: at(60)), **changes)
    return JobContext(scope=me(), resources=resources_of(leanings))


async def spoken(*lines: str, memory: MemoryCore | None = None, first: int = 0) -> MemoryCore:
    """A memory that heard these lines, a minute apart; what begins with ``>`` is said by the assistant."""
    memory = memory or own_memory()
    for minutes, line in enumerate(lines, start=first):
        role = "assistant" if line.startswith(">") else "user"
        heard = said(line.removeprefix(">").strip(), minutes=minutes, role=role, speaker=role)
        await memory.log.capture(me(), a_turn(heard, session=SESSION))
    return memory


LONG = (
    "I decided to visit Kyoto in May with my sister Emma.",
    "> Kyoto in May is warm, about 24 degrees.",
    "We need to book 2 tickets by Friday.",
    "> Noted.",
    "I live in Lyon.",
    "> Lyon is lovely.",
    "What about hotels?",
    "> There is Hotel Sakura for 120 euros.",
    "Nice, tell me more.",
    "> It has 40 rooms.",
)


async def blocks(memory: MemoryCore) -> list[tuple[int, int, str]]:
    kept = await memory.sessions.summaries(me(), SESSION.session_id)
    return [(each.first_position, each.last_position, each.text) for each in kept]


async def folded_by_node(memory: MemoryCore) -> dict[str, Any]:
    state = EvolutionState(session_id=str(SESSION.session_id))
    return await fold_session(state, Runtime(context=a_job_context(memory)))


async def test_a_short_session_is_left_alone():
    memory = await spoken(*LONG[:6])
    assert await folded_by_node(memory) == {"degraded": []}
    assert await blocks(memory) == []


async def test_the_oldest_turns_beyond_the_window_become_a_block():
    memory = await spoken(*LONG)
    assert await folded_by_node(memory) == {"degraded": []}
    ((first, last, text),) = await blocks(memory)
    assert (first, last) == (0, 3)
    assert "Kyoto" in text
    opened = await memory.log.open(me(), SESSION.session_id, 15)
    assert (opened.summaries, len(opened.window)) == ((text,), 6)


async def test_folding_again_changes_nothing():
    memory = await spoken(*LONG)
    await folded_by_node(memory)
    before = await blocks(memory)
    await folded_by_node(memory)
    assert await blocks(memory) == before


async def test_names_stay_at_hand():
    memory = await spoken(*LONG)
    await folded_by_node(memory)
    opened = await memory.log.open(me(), SESSION.session_id, 15)
    assert "Emma" in opened.entity_slots["earlier_people"]


def test_the_newest_names_come_first_and_the_oldest_make_room():
    known = {"earlier_people": ", ".join(f"Old {n}" for n in range(12)), "people": "Zoe"}
    assert merge_entity_slots(known, {"people": ("Ann", "Bob")}) == {
        "earlier_people": "Bob, Ann, " + ", ".join(f"Old {n}" for n in range(10))
    }


async def test_window_and_blocks_are_the_whole_conversation_and_never_tell_twice():
    memory = await spoken(*(f"We decided on number {n} of 77 today." for n in range(60)))
    await fold_session_turns(a_job_context(memory), SESSION.session_id)
    kept = await memory.sessions.summaries(me(), SESSION.session_id)
    opened = await memory.log.open(me(), SESSION.session_id, 15)
    stood_for = [n for each in kept for n in range(each.first_position, each.last_position + 1)]
    assert stood_for + [event.position for event in opened.window] == list(range(60))


async def test_the_threads_own_messages_begin_where_the_blocks_end():
    memory = await spoken(*LONG)
    await folded_by_node(memory)
    opened = await memory.log.open(me(), SESSION.session_id, 15)
    thread = [AIMessage(line[2:]) if line.startswith(">") else HumanMessage(line) for line in LONG]
    told = history_of([*thread, HumanMessage("And now?")], opened)
    assert [message.text for message in told] == [event.text for event in opened.window]
    assert fit_messages(told, 6_000) == told


async def test_a_session_that_ended_is_folded_to_its_last_turn():
    memory = await spoken(*LONG)
    await memory.log.capture(me(), a_turn(said("Bye, see you on 5 May.", minutes=11), session=SESSION, ends=True))
    await folded_by_node(memory)
    assert [(first, last) for first, last, _ in await blocks(memory)] == [(0, 3), (4, 7), (8, 10)]
    assert (await memory.log.open(me(), SESSION.session_id, 15)).window == ()


async def test_a_later_turn_stands_behind_the_blocks_of_the_reopened_session():
    memory = await spoken("I live in Lyon.")
    await memory.log.archive(me(), SESSION.session_id, at(5))
    await folded_by_node(memory)
    await spoken("Me again.", memory=memory, first=10)
    opened = await memory.log.open(me(), SESSION.session_id, 15)
    assert (len(opened.summaries), [event.text for event in opened.window]) == (1, ["Me again."])


async def test_a_session_whose_time_is_over_is_folded_and_archived():
    memory = await spoken(*LONG)
    later = a_job_context(memory, clock=lambda: at() + timedelta(days=31))
    assert await archive_expired(later) == 1
    assert [(first, last) for first, last, _ in await blocks(memory)] == [(0, 3), (4, 7), (8, 9)]
    assert not await memory.log.archive(me(), SESSION.session_id, at(99))
    assert await archive_expired(later) == 0


async def test_a_session_whose_time_is_not_over_stays_open():
    memory = await spoken(*LONG)
    assert await archive_expired(a_job_context(memory)) == 0
    assert await blocks(memory) == []


async def test_a_very_long_session_is_archived_by_several_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evolution.summaries.fold_session.MAX_BLOCKS", 2)
    memory = await spoken(*LONG)
    later = a_job_context(memory, clock=lambda: at() + timedelta(days=31))
    assert [await archive_expired(later) for _ in range(3)] == [0, 1, 0]


async def test_what_was_forgotten_is_told_nowhere_any_more(memory: MemoryCore):
    home = said("I live in Lyon.")
    await memory.log.capture(me(), a_turn(home, session=SESSION))
    await spoken(*LONG[:4], *LONG[5:], "> Well.", memory=memory, first=1)
    receipt = await memory.items.write(me(), a_draft(citations=(cited(home, "Lyon"),)), by_ann("k1"))
    await folded_by_node(memory)
    assert "Lyon" in (await blocks(memory))[0][2]
    await memory.items.forget(me(), receipt.memory_id, by_ann("k2"))
    await folded_by_node(memory)
    first, last, text = (await blocks(memory))[0]
    assert (first, last, "Lyon" in text, "Kyoto" in text) == (0, 5, False, True)


class Killed(Exception):
    """The worker's process is gone."""


class Dying:
    """A port whose method kills the worker the first time, before or after its work."""

    def __init__(self, port: Any, method: str, *, after: bool) -> None:
        self.port, self.method, self.after, self.died = port, method, after, False

    def __getattr__(self, name: str) -> Any:
        return self._deadly if name == self.method else getattr(self.port, name)

    async def _deadly(self, *arguments: Any) -> Any:
        if self.died:
            return await getattr(self.port, self.method)(*arguments)
        self.died = True
        if self.after:
            await getattr(self.port, self.method)(*arguments)
        raise Killed


@pytest.mark.parametrize("after", [False, True])
async def test_a_killed_worker_leaves_what_an_undisturbed_one_leaves(after: bool):
    memory = await spoken(*LONG * 3)
    await fold_session_turns(a_job_context(memory), SESSION.session_id)
    undisturbed = await blocks(memory)
    move_to_fresh_tenant()
    await spoken(*LONG * 3)
    dying: Any = Dying(memory.sessions, "save_summary", after=after)
    with pytest.raises(Killed):
        await fold_session_turns(a_job_context(replace(memory, sessions=dying)), SESSION.session_id)
    await fold_session_turns(a_job_context(memory), SESSION.session_id)
    assert await blocks(memory) == undisturbed


async def test_a_model_sums_up_where_there_is_one_and_its_absence_is_said():
    memory = await spoken(*LONG)
    answer = a_summary(([1], "decided to visit Kyoto in May with sister Emma"))
    folded = await fold_session_turns(a_job_context(memory, fast=FakeModel(forms=[answer])), SESSION.session_id)
    assert ("decided to visit Kyoto" in (await blocks(memory))[0][2], folded.degraded) == (True, ())
    move_to_fresh_tenant()
    await spoken(*LONG)
    folded = await fold_session_turns(
        a_job_context(memory, fast=FakeModel(forms=[a_summary(([1], "in Rome"))] * 2)), SESSION.session_id
    )
    assert folded.degraded == ("summary_unfounded",)


async def test_a_question_about_a_long_ago_session_finds_its_summary_with_its_sources():
    memory = await spoken(*LONG)
    await memory.log.archive(me(), SESSION.session_id, at(20))
    await folded_by_node(memory)
    resources = a_job_context(memory).resources
    found = await recall(
        resources, me(), RecallRequest(text="What did we plan about Kyoto and tickets?", at=at(99_999))
    )
    summary = next(each.candidate for each in found.ranked if each.candidate.lane == "summary")
    events = await memory.log.events(me(), summary.derived_from)
    assert "Kyoto" in summary.text
    assert LONG[0] in [event.text for event in events]
