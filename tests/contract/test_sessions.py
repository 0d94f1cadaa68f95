"""What sessions promise."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from brain.recall import RecallRequest, query_of
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.sessions import MAX_TURN_CHARACTERS, UnsettledSession, summary_id
from memory.turns import SessionRef, Utterance
from tests.contract.builders import a_block, a_draft, a_session, a_turn, an_injection, at, by_ann, cited, said

MONTH = 30 * 86_400 / 60
"""In minutes."""


async def spoken(memory: MemoryCore, scope: Scope, session: SessionRef, *texts: str, first: int = 0) -> list[Utterance]:
    """One turn per text, a minute apart."""
    turns = [said(text, minutes=first + number) for number, text in enumerate(texts)]
    for turn in turns:
        await memory.log.capture(scope, a_turn(turn, session=session))
    return turns


async def found(memory: MemoryCore, scope: Scope, question: str) -> dict[UUID, tuple[str, tuple[UUID, ...]]]:
    """The summaries that a question brings."""
    answer = await memory.index.candidates(scope, query_of(RecallRequest(text=question, at=at(60))))
    return {each.source_id: (each.text, each.derived_from) for each in answer.candidates if each.lane == "summary"}


async def test_a_session_that_nobody_opened_has_no_tail(memory: MemoryCore, scope: Scope):
    assert await memory.sessions.tail(scope, uuid4(), 10) is None


async def test_everything_said_waits_for_a_block_oldest_first(memory: MemoryCore, scope: Scope):
    session = a_session()
    await spoken(memory, scope, session, "one", "two", "three")
    tail = await memory.sessions.tail(scope, session.session_id, 2)
    assert tail is not None
    assert [(each.text, each.position, each.quotable) for each in tail.events] == [("one", 0, True), ("two", 1, True)]
    assert (tail.block, tail.status, tail.withdrawn) == (0, "active", ())


async def test_a_reply_that_only_repeats_memory_is_in_the_tail_but_not_quotable(memory: MemoryCore, scope: Scope):
    session = a_session()
    echo = said("I remember tea.", role="assistant", speaker="assistant", indexed=False)
    await memory.log.capture(scope, a_turn(said("What do I like?"), echo, session=session))
    tail = await memory.sessions.tail(scope, session.session_id, 10)
    assert tail is not None
    assert [each.quotable for each in tail.events] == [True, False]


async def test_a_very_long_turn_is_cut(memory: MemoryCore, scope: Scope):
    session = a_session()
    await spoken(memory, scope, session, "a " * MAX_TURN_CHARACTERS)
    tail = await memory.sessions.tail(scope, session.session_id, 10)
    assert tail is not None
    assert len(tail.events[0].text) == MAX_TURN_CHARACTERS


async def test_window_and_blocks_meet_without_gap_or_overlap(memory: MemoryCore, scope: Scope):
    session = a_session()
    turns = await spoken(memory, scope, session, *(f"turn {number}" for number in range(6)))
    sources = [turn.event_id for turn in turns]
    assert await memory.sessions.save_summary(scope, a_block(session, 0, (0, 1), *sources[:2]), at(9))
    assert await memory.sessions.save_summary(scope, a_block(session, 1, (2, 3), *sources[2:4]), at(9))
    opened = await memory.log.open(scope, session.session_id, 40)
    assert opened.summaries == ("block 0", "block 1")
    assert [event.text for event in opened.window] == ["turn 4", "turn 5"]
    assert (opened.turns, opened.unsummarised) == (6, 2)
    tail = await memory.sessions.tail(scope, session.session_id, 40)
    assert tail is not None
    assert (tail.block, [event.text for event in tail.events]) == (2, ["turn 4", "turn 5"])


async def test_without_blocks_all_of_it_is_unsummarised(memory: MemoryCore, scope: Scope):
    session = a_session()
    await spoken(memory, scope, session, "one", "two")
    opened = await memory.log.open(scope, session.session_id, 40)
    assert (opened.turns, opened.unsummarised) == (2, 2)


async def test_the_user_may_still_react_to_a_turn_that_is_in_a_block(memory: MemoryCore, scope: Scope):
    session = a_session()
    receipt = an_injection(uuid4())
    await memory.log.capture(scope, a_turn(said("hello"), session=session, receipts=(receipt,)))
    await memory.sessions.save_summary(scope, a_block(session, 0, (0, 0)), at(9))
    opened = await memory.log.open(scope, session.session_id, 40)
    assert [each.receipt_id for each in opened.injected] == [receipt.receipt_id]


async def test_a_block_is_kept_once(memory: MemoryCore, scope: Scope):
    session = a_session()
    await spoken(memory, scope, session, "one", "two")
    assert await memory.sessions.save_summary(scope, a_block(session, 0, (0, 0), text="first"), at(9))
    assert not await memory.sessions.save_summary(scope, a_block(session, 0, (0, 1), text="again"), at(9))
    assert not await memory.sessions.save_summary(scope, a_block(session, 1, (0, 1), text="overlapping"), at(9))
    assert [each.text for each in await memory.sessions.summaries(scope, session.session_id)] == ["first"]


async def test_a_block_is_found_and_cites_its_sources(memory: MemoryCore, scope: Scope):
    session = a_session()
    (turn,) = await spoken(memory, scope, session, "The kitchen gets green tiles.")
    draft = a_block(session, 0, (0, 0), turn.event_id, text="They chose green tiles for the kitchen.")
    await memory.sessions.save_summary(scope, draft, at(9))
    expected = {summary_id(session.session_id, 0): (draft.text, (turn.event_id,))}
    assert await found(memory, scope, "kitchen tiles") == expected


async def test_a_block_is_read_by_its_id(memory: MemoryCore, scope: Scope):
    session = a_session()
    (turn,) = await spoken(memory, scope, session, "The kitchen gets green tiles.")
    await memory.sessions.save_summary(scope, a_block(session, 0, (0, 0), turn.event_id), at(9))
    (block,) = await memory.sessions.find(scope, [summary_id(session.session_id, 0), uuid4()])
    assert (block.text, block.sources, block.created_at) == ("block 0", (turn.event_id,), at(9))


async def test_a_rebuild_derives_the_blocks_again(memory: MemoryCore, scope: Scope):
    session = a_session()
    (turn,) = await spoken(memory, scope, session, "The kitchen gets green tiles.")
    draft = a_block(session, 0, (0, 0), turn.event_id, text="They chose green tiles for the kitchen.")
    await memory.sessions.save_summary(scope, draft, at(9))
    before = await found(memory, scope, "kitchen tiles")
    await memory.index.rebuild(scope)
    assert await found(memory, scope, "kitchen tiles") == before


async def test_an_empty_block_stands_for_its_turns_and_is_neither_shown_nor_found(memory: MemoryCore, scope: Scope):
    session = a_session()
    await spoken(memory, scope, session, "hello", "hi")
    draft = replace(a_block(session, 0, (0, 0)), text="")
    assert await memory.sessions.save_summary(scope, draft, at(9))
    opened = await memory.log.open(scope, session.session_id, 40)
    assert (opened.summaries, [event.text for event in opened.window]) == ((), ["hi"])
    assert await found(memory, scope, "hello") == {}


async def test_the_names_in_a_block_stay_at_hand(memory: MemoryCore, scope: Scope):
    session = a_session()
    await memory.log.capture(scope, a_turn(said("hello"), session=session, entity_slots={"people": "Zoe"}))
    draft = replace(a_block(session, 0, (0, 0)), entity_slots={"earlier_people": "Ann"})
    await memory.sessions.save_summary(scope, draft, at(9))
    tail = await memory.sessions.tail(scope, session.session_id, 10)
    assert tail is not None
    assert dict(tail.entity_slots) == {"people": "Zoe", "earlier_people": "Ann"}


async def test_forgetting_withdraws_the_block_that_quotes_it(memory: MemoryCore, scope: Scope):
    session = a_session()
    turns = await spoken(memory, scope, session, "I like green tea", "I like jazz")
    receipt = await memory.items.write(scope, a_draft(citations=(cited(turns[0], "green tea"),)), by_ann("k1"))
    sources = [turn.event_id for turn in turns]
    draft = a_block(session, 0, (0, 1), *sources, text="Likes green tea and jazz.")
    await memory.sessions.save_summary(scope, replace(draft, entity_slots={"earlier_people": "Ann"}), at(9))
    await memory.items.forget(scope, receipt.memory_id, by_ann("k2"))
    opened = await memory.log.open(scope, session.session_id, 40)
    assert (opened.summaries, opened.window, dict(opened.entity_slots)) == ((), (), {})
    assert await found(memory, scope, "green tea jazz") == {}
    assert await memory.sessions.list_unsettled(scope, at(9)) == [
        UnsettledSession(session_id=session.session_id, over=False)
    ]
    tail = await memory.sessions.tail(scope, session.session_id, 10)
    assert tail is not None
    assert tail.withdrawn == (0,)
    covered = await memory.sessions.list_covered_turns(scope, session.session_id, 0)
    assert [(each.text, each.quotable) for each in covered] == [("I like green tea", False), ("I like jazz", True)]


async def test_a_withdrawn_block_gets_new_words_once(memory: MemoryCore, scope: Scope):
    session = a_session()
    turns = await spoken(memory, scope, session, "I like green tea", "I like jazz")
    receipt = await memory.items.write(scope, a_draft(citations=(cited(turns[0], "green tea"),)), by_ann("k1"))
    sources = [turn.event_id for turn in turns]
    await memory.sessions.save_summary(scope, a_block(session, 0, (0, 1), *sources, text="Tea and jazz."), at(9))
    await memory.items.forget(scope, receipt.memory_id, by_ann("k2"))
    again = a_block(session, 0, (0, 1), sources[1], text="Likes jazz.")
    assert await memory.sessions.reword(scope, again)
    assert not await memory.sessions.reword(scope, replace(again, text="Once more."))
    assert [text for text, _ in (await found(memory, scope, "jazz")).values()] == ["Likes jazz."]
    assert (await memory.log.open(scope, session.session_id, 40)).summaries == ("Likes jazz.",)
    assert await memory.sessions.list_unsettled(scope, at(9)) == []


async def test_what_another_memory_of_the_turn_still_says_stays_in_the_block(memory: MemoryCore, scope: Scope):
    session = a_session()
    (turn,) = await spoken(memory, scope, session, "I like green tea and jazz")
    tea = await memory.items.write(scope, a_draft(citations=(cited(turn, "green tea"),)), by_ann("k1"))
    both = a_draft("jazz with it", content="The user likes jazz with green tea", citations=(cited(turn, "jazz"),))
    await memory.items.write(scope, both, by_ann("k2"))
    await memory.sessions.save_summary(scope, a_block(session, 0, (0, 0), turn.event_id, text="Tea, jazz."), at(9))
    await memory.items.forget(scope, tea.memory_id, by_ann("k3"))
    assert (await memory.log.open(scope, session.session_id, 40)).summaries == ("Tea, jazz.",)


async def test_a_session_whose_time_is_over_is_unsettled_until_it_expires(memory: MemoryCore, scope: Scope):
    session = a_session()
    await spoken(memory, scope, session, "hello")
    assert await memory.sessions.list_unsettled(scope, at(MONTH - 1)) == []
    assert not await memory.sessions.expire(scope, session.session_id, at(MONTH - 1))
    assert await memory.sessions.list_unsettled(scope, at(MONTH)) == [
        UnsettledSession(session_id=session.session_id, over=True)
    ]
    assert await memory.sessions.expire(scope, session.session_id, at(MONTH))
    assert not await memory.sessions.expire(scope, session.session_id, at(MONTH))
    assert await memory.sessions.list_unsettled(scope, at(MONTH)) == []
    tail = await memory.sessions.tail(scope, session.session_id, 10)
    assert tail is not None
    assert tail.status == "archived"


async def test_a_turn_may_end_its_session(memory: MemoryCore, scope: Scope):
    session = a_session()
    await memory.log.capture(scope, a_turn(said("bye"), session=session, ends=True))
    assert not await memory.log.archive(scope, session.session_id, at(1))


async def test_whoever_speaks_again_opens_the_session_with_its_blocks(memory: MemoryCore, scope: Scope):
    session = a_session()
    await memory.log.capture(scope, a_turn(said("bye"), session=session, ends=True))
    await memory.sessions.save_summary(scope, a_block(session, 0, (0, 0)), at(1))
    await spoken(memory, scope, session, "me again", first=2)
    opened = await memory.log.open(scope, session.session_id, 40)
    (known,) = await memory.sessions.list_newest(scope)
    assert (opened.summaries, [event.text for event in opened.window]) == (("block 0",), ["me again"])
    assert (known.status, known.turns, known.blocks) == ("active", 2, 1)


async def test_sessions_are_listed_with_the_last_one_first(memory: MemoryCore, scope: Scope):
    for number, name in enumerate(("older", "newer")):
        await spoken(memory, scope, a_session(name), "hello", first=number)
    listed = await memory.sessions.list_newest(scope)
    assert [(each.name, each.turns, each.blocks, each.status) for each in listed] == [
        ("newer", 1, 0, "active"),
        ("older", 1, 0, "active"),
    ]


async def test_nobody_else_sees_or_changes_a_session(memory: MemoryCore, scope: Scope):
    session = a_session()
    (turn,) = await spoken(memory, scope, session, "The kitchen gets green tiles.")
    await memory.sessions.save_summary(scope, a_block(session, 0, (0, 0), turn.event_id, text="Green tiles."), at(9))
    for stranger in (replace(scope, tenant_id=uuid4()), replace(scope, user_id=uuid4()), replace(scope, key="peer:x")):
        assert await memory.sessions.tail(stranger, session.session_id, 10) is None
        assert await memory.sessions.summaries(stranger, session.session_id) == []
        assert await memory.sessions.find(stranger, [summary_id(session.session_id, 0)]) == []
        assert await memory.sessions.list_covered_turns(stranger, session.session_id, 0) == []
        assert await memory.sessions.list_newest(stranger) == []
        assert await memory.sessions.list_unsettled(stranger, at(MONTH)) == []
        assert not await memory.sessions.expire(stranger, session.session_id, at(MONTH))
        assert await found(memory, stranger, "tiles") == {}


async def test_a_group_shares_its_blocks(memory: MemoryCore, scope: Scope):
    group = replace(scope, key="group:kitchen")
    session = a_session()
    (turn,) = await spoken(memory, group, session, "Green tiles for the kitchen.")
    await memory.sessions.save_summary(group, a_block(session, 0, (0, 0), turn.event_id, text="Green tiles."), at(9))
    other = replace(group, user_id=uuid4())
    assert [each.text for each in await memory.sessions.summaries(other, session.session_id)] == ["Green tiles."]
    assert await found(memory, other, "tiles")


def test_words_that_cannot_be_stored_are_refused():
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        a_block(a_session(), 0, (0, 0), text="a\x00b")
