"""The wiring behind the conversation, as drawn, and the whole of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from brain.models.errors import ModelUnavailable
from graphs.evolution import evolve, graph
from memory.log import Outcome
from memory.memory_item import MemoryItem
from tests.contract.builders import a_draft, an_injection, at
from tests.fakes import FakeModel
from tests.this_test import me
from tests.unit.evolution_builders import SESSION, Talk

pytestmark = pytest.mark.usefixtures("memory")


SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "evolution.mmd"


def drawn() -> str:
    return graph.get_graph().draw_mermaid()  # pyright: ignore[reportUnknownMemberType]


def test_evolution_is_wired_as_the_snapshot_shows():
    assert drawn() == SNAPSHOT.read_text("utf-8"), "Redraw it with: python -m tests.unit.test_evolution_graph"


def test_the_exported_graph_brings_neither_saver_nor_store():
    assert graph.checkpointer is None  # pyright: ignore[reportUnknownMemberType]
    assert graph.store is None


async def evolved(*texts: str, model: FakeModel | None = None) -> Talk:
    talk = Talk(model=model)
    for text in texts:
        await talk.say(text)
    await evolve(talk.resources, me(), SESSION.session_id)
    return talk


async def everything(talk: Talk) -> list[MemoryItem]:
    return await talk.memory.items.list_newest(me(), include_inactive=True)


async def test_a_conversation_becomes_memories():
    talk = await evolved("I live in Paris.", "Hello!", "I like green tea.", "Actually I moved to Lyon, not Paris.")
    assert sorted((item.object, item.status) for item in await everything(talk)) == [
        ("I like green tea.", "active"),
        ("Lyon", "active"),
        ("Paris", "superseded"),
    ]


async def test_looking_at_the_same_conversation_again_and_again_changes_nothing():
    talk = await evolved("I live in Paris.", "I work at Acme.", "Actually I moved to Lyon.", "It's Apex, not Acme.")
    before = await everything(talk)
    for _ in range(3):
        again = {turn.operation_id: Outcome(status="dead_letter") for turn in talk.turns}
        await talk.memory.log.finish(me(), again, at())
        assert await talk.memory.log.reopen(me(), SESSION.session_id) == 4
        await evolve(talk.resources, me(), SESSION.session_id)
    assert await everything(talk) == before
    ends = [await talk.memory.log.operation(me(), turn.operation_id) for turn in talk.turns]
    assert [(end.status, len(end.memory_ids)) for end in ends if end] == [("stored", 1)] * 4


async def test_quoting_a_memory_back_neither_creates_nor_strengthens_one():
    talk = Talk()
    known = await talk.knows(a_draft("green tea", content="I like green tea", predicate="prefers", slot="user|prefers"))
    shown = an_injection(known.memory_id)
    told = replace(shown, details={**shown.details, "text": known.content})
    await talk.say("Yes, I like green tea.", receipts=(told,))
    await evolve(talk.resources, me(), SESSION.session_id)
    assert await everything(talk) == [known]


async def test_a_long_backlog_is_worked_off_batch_by_batch():
    talk = await evolved(*(f"I like number {number} on the menu." for number in range(130)))
    ends = [await talk.memory.log.operation(me(), turn.operation_id) for turn in talk.turns]
    assert {end.status for end in ends if end} == {"stored"}


async def test_without_its_model_the_graph_goes_on_by_rules():
    model = FakeModel(forms=[ModelUnavailable("model_server_error")])
    talk = await evolved("I live in Lyon.", model=model)
    assert [item.object for item in await everything(talk)] == ["Lyon"]


if __name__ == "__main__":
    SNAPSHOT.write_text(drawn(), "utf-8")
