"""What the conversation log promises."""

from dataclasses import replace
from uuid import uuid4

from memory.log import Outcome
from memory.ports import MemoryCore
from memory.receipts import Reaction
from memory.scope import Scope
from tests.contract.builders import a_session, a_turn, an_injection, at, said


async def test_a_session_that_nobody_opened_is_empty(memory: MemoryCore, scope: Scope):
    opened = await memory.log.open(scope, uuid4(), 10)
    assert (opened.window, opened.turns, dict(opened.entity_slots), opened.injected) == ((), 0, {}, ())


async def test_a_turn_is_read_back_as_it_was_said(memory: MemoryCore, scope: Scope):
    session = a_session()
    turn = a_turn(
        said("I moved to Lyon", reference="D1:3", time_zone="Europe/Paris"),
        said("Noted.", role="assistant", speaker="assistant", minutes=1),
        session=session,
        entity_slots={"city": "Lyon"},
    )
    await memory.log.capture(scope, turn)
    opened = await memory.log.open(scope, session.session_id, 10)
    first = opened.window[0]
    assert [(e.role, e.text, e.position) for e in opened.window] == [
        ("user", "I moved to Lyon", 0),
        ("assistant", "Noted.", 1),
    ]
    assert (first.reference, first.time_zone, first.occurred_at) == ("D1:3", "Europe/Paris", at())
    assert first.sha256 == "fc792304fba32316f139f6b504de39b216ba8c6b055f85726c543608cbd047a0"
    assert dict(opened.entity_slots) == {"city": "Lyon"}
    assert opened.turns == 2


async def test_the_window_holds_the_newest_turns(memory: MemoryCore, scope: Scope):
    session = a_session()
    for number in range(5):
        await memory.log.capture(scope, a_turn(said(f"turn {number}", minutes=number), session=session))
    opened = await memory.log.open(scope, session.session_id, 2)
    assert [event.text for event in opened.window] == ["turn 3", "turn 4"]


async def test_repeating_a_key_adds_nothing(memory: MemoryCore, scope: Scope):
    session = a_session()
    await memory.log.capture(scope, a_turn(said("hello", key="k1"), session=session))
    repeated = a_turn(said("hello", key="k1"), session=session)
    await memory.log.capture(scope, repeated)
    assert len((await memory.log.open(scope, session.session_id, 10)).window) == 1
    assert await memory.log.operation(scope, repeated.operation_id) is None


async def test_an_accepted_turn_can_be_asked_for_until_its_end(memory: MemoryCore, scope: Scope):
    turn = a_turn(said("I like tea"))
    await memory.log.capture(scope, turn)
    waiting = await memory.log.operation(scope, turn.operation_id)
    assert waiting is not None
    assert waiting.status == "queued"
    memory_id = uuid4()
    await memory.log.finish(scope, {turn.operation_id: Outcome(status="stored", memory_ids=(memory_id,))}, at(1))
    done = await memory.log.operation(scope, turn.operation_id)
    assert done is not None
    assert (done.status, done.memory_ids, done.finished_at) == ("stored", (memory_id,), at(1))


async def test_the_turn_of_an_operation_is_its_events_in_order(memory: MemoryCore, scope: Scope):
    turn = a_turn(said("one"), said("two", minutes=1))
    await memory.log.capture(scope, turn)
    assert [event.text for event in await memory.log.turn(scope, turn.operation_id)] == ["one", "two"]


async def test_injected_memories_wait_for_the_next_words_of_the_user(memory: MemoryCore, scope: Scope):
    session, memory_id = a_session(), uuid4()
    placed, dropped = an_injection(memory_id), an_injection(uuid4(), position=None)
    await memory.log.capture(scope, a_turn(said("what do I like?"), session=session, receipts=(placed, dropped)))
    opened = await memory.log.open(scope, session.session_id, 10)
    assert [(each.receipt_id, each.memory_id) for each in opened.injected] == [(placed.receipt_id, memory_id)]
    reaction = Reaction(receipt_id=placed.receipt_id, memory_id=memory_id, signal="affirm", utilized=True)
    await memory.log.capture(scope, a_turn(said("yes!", minutes=1), session=session, reactions=(reaction,)))
    assert (await memory.log.open(scope, session.session_id, 10)).injected == ()


async def test_a_reaction_is_written_back_to_its_receipt(memory: MemoryCore, scope: Scope):
    session, receipt = a_session(), an_injection(uuid4())
    turn = a_turn(said("what do I like?"), session=session, receipts=(receipt,))
    await memory.log.capture(scope, turn)
    assert receipt.memory_id is not None
    reaction = Reaction(receipt_id=receipt.receipt_id, memory_id=receipt.memory_id, signal="deepen", utilized=True)
    await memory.log.capture(scope, a_turn(said("go on", minutes=1), session=session, reactions=(reaction,)))
    (kept,) = await memory.log.receipts(scope, turn.operation_id)
    assert (kept.user_feedback_signal, kept.utilized) == ("deepen", True)


async def test_an_archived_session_opens_again_when_it_goes_on(memory: MemoryCore, scope: Scope):
    session = a_session()
    await memory.log.capture(scope, a_turn(said("hello"), session=session))
    assert await memory.log.archive(scope, session.session_id, at(1))
    assert not await memory.log.archive(scope, session.session_id, at(2))
    await memory.log.capture(scope, a_turn(said("me again", minutes=3), session=session))
    assert await memory.log.archive(scope, session.session_id, at(4))


async def test_nobody_else_sees_a_turn(memory: MemoryCore, scope: Scope):
    session = a_session()
    turn = a_turn(said("my secret"), session=session)
    await memory.log.capture(scope, turn)
    strangers = (
        replace(scope, tenant_id=uuid4()),
        replace(scope, user_id=uuid4()),
        replace(scope, key="peer:someone"),
        replace(scope, key="group:all"),
    )
    for stranger in strangers:
        assert (await memory.log.open(stranger, session.session_id, 10)).window == ()
        assert await memory.log.events(stranger, [turn.utterances[0].event_id]) == []
        assert await memory.log.turn(stranger, turn.operation_id) == []
        assert await memory.log.operation(stranger, turn.operation_id) is None
        assert await memory.log.receipts(stranger, turn.operation_id) == []
        assert await memory.log.session_names(stranger, [session.session_id]) == {}


async def test_a_group_hears_all_its_speakers_and_no_other_group(memory: MemoryCore, scope: Scope):
    session = a_session()
    ann, bob = replace(scope, key="group:red"), replace(scope, key="group:red", user_id=uuid4())
    await memory.log.capture(ann, a_turn(said("I bring cake", speaker="ann"), session=session))
    await memory.log.capture(bob, a_turn(said("I bring wine", speaker="bob", minutes=1), session=session))
    window = (await memory.log.open(bob, session.session_id, 10)).window
    assert [event.speaker for event in window] == ["ann", "bob"]
    assert (await memory.log.open(replace(ann, key="group:blue"), session.session_id, 10)).window == ()
