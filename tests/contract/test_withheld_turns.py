"""Turns that are forgotten, off the record or settled."""

from collections.abc import Callable
from uuid import uuid4

from brain.recall import RecallRequest, query_of
from memory.log import Outcome
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.turns import Capture, SessionRef, Utterance
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, cited, said

TOLD = "My sister is called Maud. I live in Ghent."
SISTER = "My sister is called Maud."


async def listed(memory: MemoryCore, scope: Scope) -> list[str]:
    """The texts of all turns in the index."""
    rows = await memory.index.rows_without_vector(scope, "any", 100)
    return sorted(each.text for each in rows if each.lane == "turn")


async def told(memory: MemoryCore, scope: Scope) -> tuple[SessionRef, Utterance, Capture]:
    """A turn that says two things, and the answer to it."""
    session, turn = a_session(), said(TOLD)
    answer = said("A lovely name!", role="assistant", speaker="assistant", minutes=1)
    capture = a_turn(turn, answer, session=session)
    await memory.log.capture(scope, capture)
    return session, turn, capture


async def forget_sister(memory: MemoryCore, scope: Scope, turn: Utterance) -> None:
    draft = a_draft(SISTER, content=SISTER, slot="user|said", citations=(cited(turn, SISTER),))
    receipt = await memory.items.write(scope, draft, by_ann("note"))
    await memory.items.forget(scope, receipt.memory_id, by_ann("forget"))


async def test_a_forgotten_turn_and_the_reply_to_it_leave_index_and_window(memory: MemoryCore, scope: Scope):
    session, turn, _ = await told(memory, scope)
    await forget_sister(memory, scope, turn)
    opened = await memory.log.open(scope, session.session_id, 10)
    assert await listed(memory, scope) == []
    assert opened.window == ()
    assert len(opened.gone) == 2
    assert opened.turns == 2


async def test_a_restored_memory_brings_turn_and_reply_back(memory: MemoryCore, scope: Scope):
    session, turn, _ = await told(memory, scope)
    await forget_sister(memory, scope, turn)
    (item,) = await memory.items.list_newest(scope, include_inactive=True)
    await memory.items.restore(scope, item.memory_id, 1, by_ann("undo"))
    opened = await memory.log.open(scope, session.session_id, 10)
    assert await listed(memory, scope) == ["A lovely name!", TOLD]
    assert (len(opened.window), opened.gone) == (2, frozenset())


async def test_what_was_forgotten_of_a_waiting_turn_is_blank(memory: MemoryCore, scope: Scope):
    session, turn, _ = await told(memory, scope)
    await forget_sister(memory, scope, turn)
    waiting = await memory.log.find_pending_turns(scope, session.session_id, 10)
    texts = [event.text for _, event in waiting.said if event.role == "user"]
    assert texts == [" " * len(SISTER) + " I live in Ghent."]


async def test_a_forgotten_turn_explains_no_later_one(memory: MemoryCore, scope: Scope):
    session, turn, capture = await told(memory, scope)
    await forget_sister(memory, scope, turn)
    await memory.log.finish(scope, {capture.operation_id: Outcome(status="nothing")}, at(2))
    await memory.log.capture(scope, a_turn(said("She is tall.", minutes=3), session=session))
    waiting = await memory.log.find_pending_turns(scope, session.session_id, 10)
    assert waiting.before == ()


async def test_what_was_forgotten_is_not_noted_again_under_another_name(memory: MemoryCore, scope: Scope):
    _, turn, _ = await told(memory, scope)
    await forget_sister(memory, scope, turn)
    again = a_draft("Maud", content="Her name is Maud", slot="sister|name", citations=(cited(turn, "called Maud"),))
    other = a_draft("Ghent", content="She lives in Ghent", slot="user|home", citations=(cited(turn, "in Ghent"),))
    await memory.items.write(scope, again, by_ann("again"))
    await memory.items.write(scope, other, by_ann("other"))
    assert [each.object for each in await memory.items.list_newest(scope)] == ["Ghent"]


async def test_a_turn_off_the_record_is_read_in_its_own_session_alone(memory: MemoryCore, scope: Scope):
    session, turn = a_session(), said("I hate my boss.", visibility="session")
    await memory.log.capture(scope, a_turn(turn, session=session, settled="off the record"))
    opened = await memory.log.open(scope, session.session_id, 10)
    waiting = await memory.log.find_pending_turns(scope, session.session_id, 10)
    assert [each.text for each in opened.window] == ["I hate my boss."]
    assert await listed(memory, scope) == []
    assert waiting.operations == ()
    assert await memory.index.rebuild(scope) == 0


async def test_a_turn_for_the_log_alone_is_in_no_window(memory: MemoryCore, scope: Scope):
    session, turn = a_session(), said("Forget that I hate my boss.", visibility="log")
    await memory.log.capture(scope, a_turn(turn, session=session, settled="carried out in the turn"))
    opened = await memory.log.open(scope, session.session_id, 10)
    assert (opened.window, len(opened.gone)) == ((), 1)
    assert [each.text for each in await memory.log.events(scope, [turn.event_id])] == ["Forget that I hate my boss."]


async def test_a_settled_turn_waits_for_nobody_and_says_why(memory: MemoryCore, scope: Scope):
    capture = a_turn(said("I like tea."), settled="off the record")
    await memory.log.capture(scope, capture)
    operation = await memory.log.operation(scope, capture.operation_id)
    assert operation is not None
    assert (operation.status, operation.reason) == ("nothing", "off the record")


async def test_a_session_carries_on_what_its_last_turn_left_until_another_replaces_it(memory: MemoryCore, scope: Scope):
    session = a_session()
    capture = a_turn(said("Which one?"), session=session, carried={"question": {"act": "forget"}})
    await memory.log.capture(scope, capture)
    await memory.log.capture(scope, a_turn(said("Hm.", minutes=1), session=session))
    opened = await memory.log.open(scope, session.session_id, 10)
    assert opened.carried == {"question": {"act": "forget"}}
    await memory.log.capture(scope, a_turn(said("Well.", minutes=2), session=session, carried={}))
    assert (await memory.log.open(scope, session.session_id, 10)).carried == {}


async def test_a_secret_is_masked_in_the_index_and_whole_in_the_log(memory: MemoryCore, scope: Scope):
    turn = said("My wifi password is hunter2.")
    await memory.log.capture(scope, a_turn(turn))
    found = await memory.index.candidates(scope, query_of(RecallRequest(text="hunter2", at=at(5))))
    assert await listed(memory, scope) == ["My wifi password is •••."]
    assert all(each.own == 0 for each in found.candidates)
    assert [each.text for each in await memory.log.events(scope, [turn.event_id])] == ["My wifi password is hunter2."]


async def test_a_turn_is_readable_when_it_was_said_on_the_record_and_nothing_of_it_was_forgotten(
    memory: MemoryCore, scope: Scope, make_scope: Callable[..., Scope]
):
    _, sister, forgettable = await told(memory, scope)
    turns = [a_turn(said("Tea.")), a_turn(said("Psst.", visibility="session")), a_turn(said("Gone.", visibility="log"))]
    echo = a_turn(said("A reply.", role="assistant", speaker="assistant"))
    for turn in (*turns, echo):
        await memory.log.capture(scope, turn)
    asked = [each.operation_id for each in (forgettable, *turns, echo, a_turn())]
    assert await memory.log.find_readable(scope, asked) == {forgettable.operation_id, turns[0].operation_id}
    assert await memory.log.find_readable(make_scope(user_id=uuid4()), asked) == frozenset()
    await forget_sister(memory, scope, sister)
    assert await memory.log.find_readable(scope, asked) == {turns[0].operation_id}
