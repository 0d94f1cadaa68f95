"""A correction by itself: it counts at once, and the session's own job neither repeats nor undoes it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from evolution.extraction.form import NotedMemory, Notes
from graphs.correction import apply_corrections, graph
from graphs.evolution import evolve
from memory.errors import unavailable
from memory.versions import snapshot
from tests.contract.builders import a_draft
from tests.fakes import FakeModel
from tests.this_test import me
from tests.unit.analysis_builders import a_note
from tests.unit.evolution_builders import SESSION, Talk

pytestmark = pytest.mark.usefixtures("memory")


PARIS = a_note("I live in Paris", object="Paris", content="The user lives in Paris.")
TASTE = {"type": "preference", "predicate": "likes", "category": "drink"}
TEA = a_note("Tea has always been my thing", object="tea", content="The user likes tea.", **TASTE)


@dataclass
class Interrupted(FakeModel):
    """A model that thinks so long that something happens meanwhile."""

    meanwhile: Callable[[], Awaitable[Any]] | None = None

    async def fill(self, schema: type[Any], messages: Sequence[BaseMessage]) -> Any:
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        return await super().fill(schema, messages)


def notes(*memories: NotedMemory) -> BaseModel:
    return Notes(memories=list(memories))


async def at_once(talk: Talk) -> None:
    await apply_corrections(talk.resources, me(), SESSION.session_id)


async def everything(talk: Talk) -> list[tuple[str, str]]:
    items = await talk.memory.items.list_newest(me(), include_inactive=True)
    return sorted((item.object, item.status) for item in items)


async def all_versions(talk: Talk) -> list[dict[str, Any]]:
    return [snapshot(item) for item in await talk.memory.items.list_newest(me(), include_inactive=True)]


async def statuses(talk: Talk) -> list[str]:
    ends = [await talk.memory.log.operation(me(), turn.operation_id) for turn in talk.turns]
    return [end.status for end in ends if end]


async def spoken_of(talk: Talk, *texts: str) -> Talk:
    for text in texts:
        await talk.say(text)
    return talk


async def read_while_corrected(model_notes: BaseModel, first: str, correction: str) -> Talk:
    """The first turn is being read by a model when the correction comes; all is read in the end."""
    model = Interrupted(forms=[model_notes, notes()])
    talk = await spoken_of(Talk(model=model), first)

    async def corrected() -> None:
        await talk.say(correction, urgent=True)
        await at_once(talk)

    model.meanwhile = corrected
    for _ in range(2):
        await evolve(talk.resources, me(), SESSION.session_id)
    return talk


def test_it_is_a_graph_without_saver_or_store():
    assert (graph.checkpointer, graph.store) == (None, None)  # pyright: ignore[reportUnknownMemberType]


async def test_it_counts_before_any_model_is_asked_and_its_turns_wait_on():
    model = FakeModel()
    talk = await spoken_of(Talk(model=model), "I live in Paris.", "Actually I moved to Lyon, not Paris.")
    await at_once(talk)
    assert model.asked == []
    assert await everything(talk) == [("Lyon", "active"), ("Paris", "superseded")]
    assert await statuses(talk) == ["queued", "queued"]
    (profile,) = await talk.memory.documents.list_documents(me())
    assert "Lyon" in profile.body
    assert "I live in Paris" not in profile.body


async def test_the_sessions_own_job_finds_it_done():
    talk = await spoken_of(Talk(), "I live in Paris.", "Actually I moved to Lyon, not Paris.")
    await at_once(talk)
    before = await all_versions(talk)
    await evolve(talk.resources, me(), SESSION.session_id)
    assert await all_versions(talk) == before
    assert await statuses(talk) == ["stored", "stored"]


async def test_after_the_sessions_own_job_nothing_is_left_to_do():
    talk = await spoken_of(Talk(), "I live in Paris.", "Actually I moved to Lyon, not Paris.")
    await evolve(talk.resources, me(), SESSION.session_id)
    before = await all_versions(talk)
    await at_once(talk)
    assert await all_versions(talk) == before


async def test_a_correction_that_is_carried_out_puts_no_other_memory_right_that_holds_the_same_value():
    talk = Talk()
    for text in ("My brother works at Acme.", "I work at Acme.", "It's Apex, not Acme."):
        await talk.say(text)
        await evolve(talk.resources, me(), SESSION.session_id)
    living = await talk.memory.items.list_newest(me())
    assert sorted(item.content for item in living) == ["I work at Apex.", "My brother works at Acme."]


@pytest.mark.parametrize(
    "noted",
    [
        PARIS,
        a_note("I live in Paris", predicate="apartment_in", object="Paris", content="Has a flat in Paris."),
    ],
    ids=["in the same words", "in other words"],
)
async def test_what_a_model_is_reading_meanwhile_does_not_come_back(noted: NotedMemory):
    talk = await read_while_corrected(notes(noted), "I live in Paris.", "Actually I moved to Lyon, not Paris.")
    assert await everything(talk) == [("Lyon", "active"), ("Paris", "superseded")]


async def test_what_was_said_again_before_the_correction_and_is_read_after_it_does_not_come_back():
    model = Interrupted(forms=[notes(replace_quote(TEA, "Tea is still my thing")), notes()])
    talk = Talk(model=model)
    await talk.knows(a_draft("tea", predicate="prefers", slot="user|prefers"))
    await talk.say("Tea is still my thing.")

    async def corrected() -> None:
        await talk.say("I like coffee, not tea.", urgent=True)
        await at_once(talk)
        assert await everything(talk) == [("I like coffee, not tea.", "active"), ("tea", "superseded")]

    model.meanwhile = corrected
    for _ in range(2):
        await evolve(talk.resources, me(), SESSION.session_id)
    assert await everything(talk) == [("I like coffee, not tea.", "active"), ("tea", "superseded")]


def replace_quote(noted: NotedMemory, quote: str) -> NotedMemory:
    return noted.model_copy(update={"quote": quote})


async def test_one_of_many_that_is_not_known_yet_is_taken_back_when_it_is():
    first, correction = "Tea has always been my thing.", "I like coffee, not tea."
    talk = await spoken_of(Talk(), first, correction)
    await at_once(talk)
    assert await everything(talk) == []
    talk = await read_while_corrected(notes(TEA), first, correction)
    assert await everything(talk) == [("I like coffee, not tea.", "active"), ("tea", "superseded")]


async def test_cut_off_in_the_middle_it_is_carried_out_by_whoever_comes_next():
    talk = await spoken_of(Talk(), "I work at Acme.", "It's Apex, not Acme.")
    items, failing = talk.memory.items, Failing(talk.memory.items, after=1)
    broken = replace(talk.memory, items=failing)  # type: ignore[arg-type]
    with pytest.raises(Exception, match="away"):
        await apply_corrections(replace(talk.resources, memory=broken), me(), SESSION.session_id)
    assert failing.written > 1
    assert await everything(talk) == [("Acme", "active")]
    await at_once(talk)
    assert await everything(talk) == [("Acme", "retracted"), ("Apex", "active")]
    assert talk.memory.items is items


@dataclass
class Failing:
    """Items of which only so many can be written."""

    items: Any
    after: int
    written: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.items, name)

    async def write(self, *wanted: Any) -> Any:
        self.written += 1
        if self.written > self.after:
            raise unavailable("away")
        return await self.items.write(*wanted)
