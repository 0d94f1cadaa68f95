"""What ordinary days of talk leave in documents, behind the conversation and without a model."""

from uuid import UUID

import pytest

from brain.documents.profile_refresh import refresh_profile
from evolution.note_day import note_day, write_day_note
from evolution.state import EvolutionState, TurnRecord
from evolution.upkeep.curate import curate_memory
from memory.documents.document import without_comments
from memory.memory_item import Citation, MemoryDraft
from memory.ports import MemoryCore
from tests.contract.builders import a_draft, at, by_ann
from tests.this_test import me
from tests.unit.evolution_builders import Talk

pytestmark = pytest.mark.usefixtures("memory")


DAY = 24 * 60
"""Minutes."""


async def told_in(memory: MemoryCore, name: str) -> list[str]:
    """What a document says, line by line, without headings of entries."""
    bodies = [each.body for each in await memory.documents.list_documents(me()) if each.name == name]
    lines = without_comments("\n".join(bodies)).splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("## ")]


def stated(turn: TurnRecord, sentence: str, topic: str, **values: object) -> MemoryDraft:
    """A sentence of the turn, kept as it was said."""
    start = turn["text"].index(sentence)
    cited = Citation(event_id=UUID(turn["event_id"]), start=start, end=start + len(sentence), sha256=turn["sha256"])
    filed = {"content": sentence, "predicate": topic, "category": topic, "slot": f"user|{topic}"}
    return a_draft(sentence, **{"item_type": "fact", **filed, "citations": (cited,), **values})


async def a_day(talk: Talk, text: str, *sentences: tuple[str, str]) -> EvolutionState:
    """A turn with the statements that were taken from it."""
    await talk.say(text)
    state = await talk.state()
    turn = state.said[-1]
    for sentence, topic in sentences:
        author = by_ann(f"{turn['event_id']}:{sentence}")
        await talk.memory.items.write(me(), stated(turn, sentence, topic), author)
    return state


async def test_statements_decisions_and_tasks_of_a_day_are_noted_once():
    talk = Talk()
    state = await a_day(
        talk,
        "I work nights at the hospital. We decided to paint the hall yellow. I need to call the landlord by Friday. "
        "What do you think?",
        ("I work nights at the hospital.", "work"),
    )
    assert (await note_day(state, talk.run))["noted"] == 3
    expected = [
        '"I work nights at the hospital."',
        "We decided to paint the hall yellow.",
        "I need to call the landlord by Friday.",
    ]
    assert await told_in(talk.memory, "2026-03-01") == expected
    assert (await note_day(state, talk.run))["noted"] == 0
    assert await told_in(talk.memory, "2026-03-01") == expected


async def test_what_is_asked_supposed_or_not_to_be_noted_stays_out():
    talk = Talk()
    for text in (
        "Should we have agreed on yellow?",
        "Maybe I need to buy two brushes.",
        "> I decided to help with 3 walls.",
        "Off the record, please don't write this down: we agreed on a divorce.",
        "Thanks, that is all!",
    ):
        role = "assistant" if text.startswith(">") else "user"
        await talk.say(text.removeprefix("> "), role=role, speaker=role)
    assert (await note_day(await talk.state(), talk.run))["noted"] == 0
    assert await talk.memory.documents.list_documents(me()) == []


async def test_what_a_turn_takes_back_itself_enters_no_note():
    talk = Talk()
    state = await a_day(talk, "We live on the third floor.", ("We live on the third floor.", "home"))
    (home,) = await talk.memory.items.list_newest(me())
    await talk.memory.items.replace_citations(me(), home.memory_id, (), by_ann("gone"))
    assert await write_day_note(talk.run.context, state.said) == 0


async def test_an_entry_goes_with_its_memory_and_says_when_that_is_over():
    talk = Talk()
    state = await a_day(
        talk, "I drink oat milk. I play chess.", ("I drink oat milk.", "drink"), ("I play chess.", "leisure")
    )
    await note_day(state, talk.run)
    chess, milk = sorted(await talk.memory.items.list_newest(me()), key=lambda item: item.category, reverse=True)
    now = a_draft("no more oat milk", slot=milk.slot, replaces_memory=milk.memory_id, observed_at=at(9), valid_at=at(9))
    await talk.memory.items.write(me(), now, by_ann("change"))
    await talk.memory.items.forget(me(), chess.memory_id, by_ann("forget"))
    assert await told_in(talk.memory, "2026-03-01") == ['"I drink oat milk."', "(outdated since 2026-03-01)"]


async def test_after_several_days_there_is_a_memory_of_what_keeps_coming_up_and_what_is_ahead():
    talk = Talk()
    first = await a_day(talk, "My shifts are twelve hours long.", ("My shifts are twelve hours long.", "work"))
    await _kept(talk, first)
    later: TurnRecord = {**first.said[0], "at": at(DAY).isoformat()}
    await _stated_at(talk, "My boss is called Ines", minutes=DAY)
    plan = a_draft(
        "We fly to Lima in June",
        item_type="plan",
        content="We fly to Lima in June",
        predicate="travel",
        category="travel",
        slot="user|travel",
        observed_at=at(DAY),
        valid_at=at(DAY),
    )
    await talk.memory.items.write(me(), plan, by_ann("plan"))
    await _kept(talk, EvolutionState(session_id="s", said=[later], written={"o": ["m"]}))
    assert await told_in(talk.memory, "MEMORY") == [
        "# Memory",
        '- "We fly to Lima in June" (2026-03-02)',
        "- Work: spoken of on 2 days",
    ]
    profile = await told_in(talk.memory, "profile")
    assert '- "My shifts are twelve hours long." (2026-03-01)' in profile
    assert not any("Lima" in line for line in profile)


async def test_tasks_and_decisions_stand_in_memory_and_a_task_not_for_ever():
    talk = Talk()
    text = "I need to call the landlord by Friday. We decided to hire a van. I work nights."
    sentences = [(each.strip() + ".", "home") for each in text.split(".") if each]
    state = await a_day(talk, text, *sentences)
    await _kept(talk, state)
    assert await told_in(talk.memory, "MEMORY") == [
        "# Memory",
        '- "We decided to hire a van." (2026-03-01)',
        '- "I need to call the landlord by Friday." (2026-03-01)',
    ]
    assert (await told_in(talk.memory, "profile"))[1:] == ['- "I work nights." (2026-03-01)']
    later: TurnRecord = {**state.said[0], "at": at(10 * DAY).isoformat()}
    await curate_memory(EvolutionState(session_id="s", said=[later], written={"o": ["m"]}), talk.run)
    assert not any("landlord" in line for line in await told_in(talk.memory, "MEMORY"))


async def test_nothing_is_curated_where_nothing_was_written():
    talk = Talk()
    await talk.say("Hello!")
    assert await curate_memory(await talk.state(), talk.run) == {}
    assert await talk.memory.documents.list_documents(me()) == []


async def _stated_at(talk: Talk, sentence: str, minutes: float) -> None:
    draft = a_draft(
        sentence,
        item_type="fact",
        content=sentence,
        predicate="work",
        category="work",
        slot="user|work",
        observed_at=at(minutes),
        valid_at=at(minutes),
    )
    await talk.memory.items.write(me(), draft, by_ann(sentence))


async def _kept(talk: Talk, state: EvolutionState) -> None:
    state = EvolutionState(session_id="s", said=state.said, written={"o": ["m"]})
    await refresh_profile(talk.resources, me())
    await note_day(state, talk.run)
    await curate_memory(state, talk.run)
