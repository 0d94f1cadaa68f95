"""A long turn is found by its passages, whichever way memories are found again."""

from dataclasses import replace
from hashlib import sha256

import pytest

from brain.recall import RecallRequest, query_of
from memory.index_rows import STANDING_CONFIDENCE, embedding_text, passage_id
from memory.ports import MemoryCore
from memory.recall.policies.registry import find_policy, rank
from memory.recall.query import CandidateRow
from memory.scope import Scope
from memory.turns import Utterance
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, cited, said
from tests.unit.test_passages import HOSTELS, sentences

MODEL = "test:three"
DIET = (
    "## Breakfast\n\n"
    + sentences(4)
    + " I adore oysters.\n\n## Dinner\n\n"
    + sentences(4)
    + " My neighbour cooks lentils.\n\n## Supper\n\n"
    + sentences(4)
)


@pytest.fixture
def memory(recalling: MemoryCore) -> MemoryCore:
    """However memories are found again."""
    return recalling


async def found(memory: MemoryCore, scope: Scope, question: str) -> list[CandidateRow]:
    """What recall ranks, best first."""
    brought = await memory.index.candidates(scope, query_of(RecallRequest(text=question, at=at(60))))
    return [each.candidate for each in rank([brought], find_policy())]


async def brought(memory: MemoryCore, scope: Scope, question: str) -> dict[str, CandidateRow]:
    query = query_of(RecallRequest(text=question, at=at(60)))
    return {each.text: each for each in (await memory.index.candidates(scope, query)).candidates}


async def heard(memory: MemoryCore, scope: Scope, *turns: Utterance) -> None:
    await memory.log.capture(scope, a_turn(*turns, session=a_session()))


def a_reply(text: str = HOSTELS, minutes: float = 1) -> Utterance:
    return said(text, minutes=minutes, role="assistant", speaker="assistant")


async def test_the_passage_that_answers_stands_for_its_turn(memory: MemoryCore, scope: Scope):
    reply = a_reply()
    await heard(memory, scope, said("Any hostels in Lisbon?"), reply, said("Thanks", minutes=2))
    best = (await found(memory, scope, "Who keeps bees and sells honey?"))[0]
    start, end = best.span
    assert best.text == HOSTELS[start:end]
    assert "honey" in best.text
    assert "Hostel Luna" not in best.text
    assert (best.turn_id, best.source_id) == (reply.event_id, passage_id(reply.event_id, start, end))
    (event,) = await memory.log.events(scope, [best.turn_id])
    assert event.sha256 == sha256(HOSTELS.encode()).hexdigest()


async def test_a_short_turn_is_itself(memory: MemoryCore, scope: Scope):
    turn = said("My cat is called Schnurri")
    await heard(memory, scope, turn)
    (only,) = await found(memory, scope, "What is the cat's name?")
    assert (only.source_id, only.turn_id, only.event_id) == (turn.event_id, turn.event_id, None)
    assert only.span == (0, len(turn.text))


async def test_places_are_code_points_whatever_the_text_is_made_of(memory: MemoryCore, scope: Scope):
    text = (
        "😀é" * 40
        + "。\n\n"
        + "我们先讨论预算和场地，然后决定谁来主持会议。" * 9
        + "\n\n最后由小雨负责订蛋糕🎂，她知道哪家好。"
    )
    await heard(memory, scope, said(text))
    best = (await found(memory, scope, "谁负责订蛋糕？"))[0]
    assert best.event_id is not None
    assert best.text == text[slice(*best.span)]
    assert "🎂" in best.text


async def test_a_passage_is_found_by_the_heading_it_stands_under(memory: MemoryCore, scope: Scope):
    text = f"# Trip to Narvik\n\n{sentences(12)}\n\nThe ferry leaves at noon. {sentences(9)}"
    await heard(memory, scope, a_reply(text), *(a_reply(f"The ferry number {n} leaves", n + 2) for n in range(9)))
    best = (await found(memory, scope, "When does the ferry of the Narvik trip leave?"))[0]
    assert best.about == "Trip to Narvik"
    assert "ferry leaves at noon" in best.text


async def test_a_turns_neighbours_are_those_of_all_its_passages(memory: MemoryCore, scope: Scope):
    await heard(memory, scope, said("Where shall we stay in Porto?"), a_reply(), said("Porto it is", minutes=2))
    passages = [one for one in (await brought(memory, scope, "Porto breakfast honey?")).values() if one.event_id]
    assert len(passages) > 1
    assert len({(one.position, one.before, one.after, one.replies, one.replied, one.asked) for one in passages}) == 1
    assert passages[0].asked
    assert passages[0].before > 0
    assert passages[0].after > 0


async def test_a_long_turn_beside_an_answer_is_as_good_a_neighbour_as_its_best_passage(
    memory: MemoryCore, scope: Scope
):
    await heard(memory, scope, said("Lovely"), a_reply(), said("I see", minutes=2))
    rows = await brought(memory, scope, "honey from bees")
    best = max(one.own for one in rows.values() if one.event_id)
    assert rows["I see"].before == pytest.approx(best)
    assert rows["Lovely"].after == pytest.approx(best)


async def test_every_passage_of_a_forgotten_turn_is_gone_and_returns_with_it(memory: MemoryCore, scope: Scope):
    turn = said(DIET)
    await heard(memory, scope, turn)
    draft = a_draft("oysters", citations=(cited(turn, "I adore oysters"),))
    receipt = await memory.items.write(scope, draft, by_ann("k1"))
    before = set(await brought(memory, scope, "oysters lentils sentence"))
    assert len(before) > 3
    await memory.items.forget(scope, receipt.memory_id, by_ann("k2", minutes=1))
    assert await brought(memory, scope, "oysters lentils sentence") == {}
    await memory.index.rebuild(scope)
    assert await brought(memory, scope, "oysters lentils sentence") == {}
    await memory.items.restore(scope, receipt.memory_id, 1, by_ann("k3", minutes=2))
    assert set(await brought(memory, scope, "oysters lentils sentence")) == before


async def test_every_passage_weighs_what_its_turn_weighs(memory: MemoryCore, scope: Scope):
    turn = said(DIET)
    await heard(memory, scope, turn)
    draft = a_draft("oysters", citations=(cited(turn, "I adore oysters"),))
    receipt = await memory.items.write(scope, draft, by_ann("k1"))
    await memory.items.correct(scope, receipt.memory_id, "The user adores mussels", by_ann("k2", minutes=1))
    passages = [one for one in (await brought(memory, scope, "oysters lentils sentence")).values() if one.event_id]
    assert len(passages) > 2
    assert [one.confidence for one in passages] == pytest.approx([STANDING_CONFIDENCE["over"]] * len(passages))
    assert {one.epistemic_type for one in passages} == {"outdated"}


async def test_each_passage_waits_for_its_vector_with_speaker_day_and_heading(memory: MemoryCore, scope: Scope):
    await heard(memory, scope, a_reply(f"# Trip to Narvik\n\n{sentences(12)}\n\n{sentences(12)}"))
    waiting = await memory.index.rows_without_vector(scope, MODEL, 100)
    assert len(waiting) > 3
    last = max(waiting, key=lambda row: row.about)
    assert embedding_text(last, "openai:m") == f"assistant, 2026-03-01: Trip to Narvik\n{last.text}"
    vectors = [(0.0, 1.0, 0.0) if row is last else (1.0, 0.0, 0.0) for row in waiting]
    assert await memory.index.save_vectors(scope, MODEL, waiting, vectors) == len(waiting)
    query = replace(query_of(RecallRequest(text="xyz", at=at(60))), embedding=(0.0, 1.0, 0.0), embedding_model=MODEL)
    assert (await memory.index.candidates(scope, query)).candidates[0].source_id == last.source_id


async def test_a_rebuilt_index_has_the_same_passages(memory: MemoryCore, scope: Scope):
    await heard(memory, scope, a_reply(), said("Thanks", minutes=2))
    before = await brought(memory, scope, "honey in Porto thanks")
    assert await memory.index.rebuild(scope) == 1 + sum(one.event_id is not None for one in before.values())
    assert {one.source_id for one in (await brought(memory, scope, "honey in Porto thanks")).values()} == {
        one.source_id for one in before.values()
    }


async def test_a_turn_beyond_what_one_row_reads_is_found_to_its_end(memory: MemoryCore, scope: Scope):
    await heard(memory, scope, said(f"{sentences(400)} The needle lies under the red carpet."))
    assert "needle" in (await found(memory, scope, "Where is the needle?"))[0].text
