"""What was said counts from the moment it was accepted, once, whatever becomes of its run."""

from dataclasses import replace
from uuid import UUID, uuid4

from brain.recall import RecallRequest, query_of
from memory.log import Outcome
from memory.model_usage import Spending
from memory.ports import MemoryCore
from memory.receipts import Reaction
from memory.scope import Scope
from memory.session_state import SessionState
from memory.turns import Event, NewTurn, Operation, SessionRef
from tests.contract.builders import (
    NOON,
    a_draft,
    a_new_turn,
    a_reply,
    a_session,
    a_turn,
    an_injection,
    at,
    by_ann,
    cited,
    said,
)

COST = Spending(purpose="turn", role="chat", calls=1, estimated_calls=0, input_tokens=10, output_tokens=5)


def run(scope: Scope, name: str) -> str:
    """Runs are named for the whole installation."""
    return f"{scope.user_id} {name}"


async def accepted(memory: MemoryCore, scope: Scope, turn: NewTurn) -> tuple[UUID, SessionState]:
    opened = await memory.log.accept(scope, turn, 10)
    assert opened.operation_id is not None
    return opened.operation_id, opened


async def log_of(memory: MemoryCore, scope: Scope, session: SessionRef) -> list[Event]:
    tail = await memory.sessions.tail(scope, session.session_id, 50)
    return list(tail.events) if tail else []


async def found(memory: MemoryCore, scope: Scope, text: str, apart_from: tuple[UUID, ...] = ()) -> set[str]:
    passed = await memory.index.candidates(scope, query_of(RecallRequest(text=text, at=at(60), apart_from=apart_from)))
    return {each.text for each in passed.candidates}


async def replies(memory: MemoryCore, scope: Scope, text: str) -> set[str]:
    """What is found, without the question that it answers."""
    return await found(memory, scope, text) - {"where to?"}


async def status_of(memory: MemoryCore, scope: Scope, operation_id: UUID) -> str:
    operation: Operation | None = await memory.log.operation(scope, operation_id)
    return operation.status if operation else "unknown"


async def test_words_are_in_the_log_and_found_before_anything_answers_them(memory: MemoryCore, scope: Scope):
    operation_id, opened = await accepted(
        memory, scope, a_new_turn("I moved to Lyon", a_session(), run=run(scope, "r1"))
    )
    assert (opened.window, opened.turns) == ((), 0)
    assert [event.text for event in await memory.log.turn(scope, operation_id)] == ["I moved to Lyon"]
    assert await found(memory, scope, "Lyon") == {"I moved to Lyon"}
    assert await status_of(memory, scope, operation_id) == "accepted"


async def test_a_turn_is_no_answer_to_itself(recalling: MemoryCore, scope: Scope):
    session = a_session()
    await recalling.log.capture(scope, a_turn(said("Lyon is warm"), session=session))
    _, opened = await accepted(recalling, scope, a_new_turn("tell me about Lyon", session, run=run(scope, "r1")))
    for _ in range(3):
        assert await found(recalling, scope, "Lyon", opened.own) == {"Lyon is warm"}
    alone = await recalling.index.candidates(
        scope, query_of(RecallRequest(text="Lyon", at=at(60), apart_from=opened.own))
    )
    assert alone.corpus.rows == 1


LONG = " ".join(
    f"In Lyon I saw the house number {number}, which was painted in a colour of its own." for number in range(200)
)


async def test_no_passage_of_a_long_turn_is_an_answer_to_it(recalling: MemoryCore, scope: Scope):
    session = a_session()
    await recalling.log.capture(scope, a_turn(said("Lyon is warm"), session=session))
    _, opened = await accepted(recalling, scope, a_new_turn(LONG, session, run=run(scope, "r1")))
    for _ in range(3):
        assert await found(recalling, scope, "Lyon house", opened.own) == {"Lyon is warm"}


async def test_of_a_long_turn_that_is_rolled_back_and_a_long_reply_that_is_replaced_no_passage_is_left(
    memory: MemoryCore, scope: Scope
):
    session = a_session()
    operation_id, _ = await accepted(memory, scope, a_new_turn("where to?", session, run=run(scope, "r1")))
    await memory.log.capture(scope, a_reply(operation_id, session, LONG, run=run(scope, "r1")))
    await memory.log.capture(scope, a_reply(operation_id, session, "Perhaps Ghent.", run=run(scope, "r2")))
    assert await replies(memory, scope, "Lyon Ghent house") == {"Perhaps Ghent."}
    await accepted(memory, scope, a_new_turn(LONG, session, run=run(scope, "r3"), minutes=2))
    assert len(await replies(memory, scope, "Lyon Ghent house")) > 1
    await memory.log.take_back([run(scope, "r3")])
    assert await replies(memory, scope, "Lyon Ghent house") == {"Perhaps Ghent."}


async def test_memory_looks_at_a_turn_when_its_run_has_ended(memory: MemoryCore, scope: Scope):
    session = a_session()
    operation_id, _ = await accepted(memory, scope, a_new_turn("I moved to Lyon", session, run=run(scope, "r1")))
    assert (await memory.log.find_pending_turns(scope, session.session_id, 10)).operations == ()
    await memory.log.capture(scope, a_reply(operation_id, session, "Noted.", run=run(scope, "r1")))
    waiting = await memory.log.find_pending_turns(scope, session.session_id, 10)
    assert waiting.operations == (operation_id,)
    assert [event.text for _, event in waiting.said] == ["I moved to Lyon", "Noted."]


async def test_the_same_message_of_a_thread_is_one_turn(memory: MemoryCore, scope: Scope):
    session = a_session()
    first, _ = await accepted(memory, scope, a_new_turn("hello", session, run=run(scope, "r1"), key="t:m1"))
    again, opened = await accepted(memory, scope, a_new_turn("hello", session, run=run(scope, "r2"), key="t:m1"))
    assert again == first
    assert (opened.window, opened.turns) == ((), 0)
    assert len(await log_of(memory, scope, session)) == 1


async def test_a_run_that_is_executed_again_says_its_words_once(memory: MemoryCore, scope: Scope):
    session = a_session()
    first, _ = await accepted(memory, scope, a_new_turn("hello", session, run=run(scope, "r1"), key="t:made up"))
    again, _ = await accepted(memory, scope, a_new_turn("hello", session, run=run(scope, "r1"), key="t:made up anew"))
    other, _ = await accepted(memory, scope, a_new_turn("hello", session, run=run(scope, "r2"), key="t:m2", minutes=1))
    assert again == first
    assert other != first
    assert [event.position for event in await log_of(memory, scope, session)] == [0, 1]


async def test_capturing_a_turn_twice_changes_nothing(memory: MemoryCore, scope: Scope):
    session, earlier = a_session(), an_injection(uuid4())
    await memory.log.capture(scope, a_turn(said("what do I like?"), session=session, receipts=(earlier,)))
    operation_id, _ = await accepted(memory, scope, a_new_turn("tea!", session, run=run(scope, "r1"), minutes=1))
    assert earlier.memory_id is not None
    reaction = Reaction(receipt_id=earlier.receipt_id, memory_id=earlier.memory_id, signal="affirm", utilized=True)
    turn = a_reply(
        operation_id,
        session,
        "Green tea.",
        run=run(scope, "r1"),
        receipts=(an_injection(uuid4()),),
        spendings=(COST,),
        reactions=(reaction,),
        urgent=True,
    )
    await memory.log.capture(scope, turn)
    before = await _everything(memory, scope, session, operation_id)
    retried = replace(turn, utterances=(replace(turn.utterances[0], event_id=uuid4()),))
    await memory.log.capture(scope, retried)
    assert await _everything(memory, scope, session, operation_id) == before
    assert await memory.model_usage.tokens_of_day(scope, NOON.date()) == 15


async def _everything(memory: MemoryCore, scope: Scope, session: SessionRef, operation_id: UUID) -> tuple[object, ...]:
    return (
        await log_of(memory, scope, session),
        await memory.log.receipts(scope, operation_id),
        await memory.log.operation(scope, operation_id),
        await memory.model_usage.tokens_of_day(scope, NOON.date()),
        (await memory.log.open(scope, session.session_id, 10)).turns,
    )


async def test_a_reply_that_is_given_again_stands_for_the_earlier_one(memory: MemoryCore, scope: Scope):
    session = a_session()
    operation_id, _ = await accepted(memory, scope, a_new_turn("where to?", session, run=run(scope, "r1"), key="t:m1"))
    await memory.log.capture(scope, a_reply(operation_id, session, "Perhaps Lyon.", run=run(scope, "r1")))
    await accepted(memory, scope, a_new_turn("where to?", session, run=run(scope, "r2"), key="t:m1"))
    await memory.log.capture(scope, a_reply(operation_id, session, "Perhaps Ghent.", run=run(scope, "r2")))
    log = await memory.log.turn(scope, operation_id)
    assert [event.text for event in log] == ["where to?", "Perhaps Lyon.", "Perhaps Ghent."]
    window = (await memory.log.open(scope, session.session_id, 10)).window
    assert [event.text for event in window] == ["where to?", "Perhaps Ghent."]
    assert await replies(memory, scope, "Perhaps Lyon Ghent") == {"Perhaps Ghent."}
    said_now = (await memory.log.find_pending_turns(scope, session.session_id, 10)).said
    assert [event.text for _, event in said_now] == ["where to?", "Perhaps Ghent."]
    await memory.index.rebuild(scope)
    assert await replies(memory, scope, "Perhaps Lyon Ghent") == {"Perhaps Ghent."}


async def test_the_next_words_are_a_reaction_to_the_reply_that_was_given_last(memory: MemoryCore, scope: Scope):
    session, first, second = a_session(), an_injection(uuid4()), an_injection(uuid4())
    turn = a_new_turn("where to?", session, run=run(scope, "r1"), key="t:m1")
    for name, receipt in (("r1", first), ("r2", second)):
        operation_id, _ = await accepted(memory, scope, replace(turn, run_id=run(scope, name)))
        reply = a_reply(operation_id, session, f"Perhaps {name}.", run=run(scope, name), receipts=(receipt,))
        await memory.log.capture(scope, reply)
    opened = await memory.log.open(scope, session.session_id, 10)
    assert [each.receipt_id for each in opened.injected] == [second.receipt_id]


async def test_what_was_shown_of_a_reply_is_kept_and_says_that_it_broke_off(memory: MemoryCore, scope: Scope):
    session = a_session()
    operation_id, _ = await accepted(memory, scope, a_new_turn("where to?", session, run=run(scope, "r1")))
    await memory.log.capture(scope, a_reply(operation_id, session, "Perhaps Ly", run=run(scope, "r1"), broken_off=True))
    window = (await memory.log.open(scope, session.session_id, 10)).window
    assert [(event.text, event.broken_off) for event in window] == [("where to?", False), ("Perhaps Ly", True)]
    assert await status_of(memory, scope, operation_id) == "queued"


async def test_a_whole_reply_stands_for_what_broke_off_and_never_the_other_way(memory: MemoryCore, scope: Scope):
    session = a_session()
    operation_id, _ = await accepted(memory, scope, a_new_turn("where to?", session, run=run(scope, "r1"), key="t:m1"))
    await memory.log.capture(scope, a_reply(operation_id, session, "Perhaps Ly", run=run(scope, "r1"), broken_off=True))
    await memory.log.capture(scope, a_reply(operation_id, session, "Perhaps Lyon.", run=run(scope, "r1")))
    assert await replies(memory, scope, "Perhaps Lyon") == {"Perhaps Lyon."}
    await memory.log.capture(scope, a_reply(operation_id, session, "Or", run=run(scope, "r1"), broken_off=True))
    await accepted(memory, scope, a_new_turn("where to?", session, run=run(scope, "r2"), key="t:m1"))
    await memory.log.capture(scope, a_reply(operation_id, session, "Perhaps Gh", run=run(scope, "r2"), broken_off=True))
    assert await replies(memory, scope, "Perhaps Lyon or") == {"Perhaps Lyon.", "Perhaps Gh"}


async def test_a_run_that_is_rolled_back_leaves_nothing(memory: MemoryCore, scope: Scope):
    session = a_session()
    operation_id, _ = await accepted(
        memory, scope, a_new_turn("I moved to Lyon", session, run=run(scope, "r1"), key="t:m1")
    )
    receipts = (an_injection(uuid4()),)
    await memory.log.capture(
        scope, a_reply(operation_id, session, "Lyon, noted.", run=run(scope, "r1"), receipts=receipts, urgent=True)
    )
    assert await memory.log.take_back([run(scope, "r1")]) == 1
    assert await memory.log.turn(scope, operation_id) == []
    assert await memory.log.receipts(scope, operation_id) == []
    assert await memory.log.operation(scope, operation_id) is None
    assert await memory.sessions.tail(scope, session.session_id, 5) is None
    assert await found(memory, scope, "Lyon") == set()
    assert await memory.log.take_back([run(scope, "r1")]) == 0
    again, _ = await accepted(memory, scope, a_new_turn("I moved to Lyon", session, run=run(scope, "r2"), key="t:m1"))
    assert again != operation_id


async def test_a_late_reply_to_a_turn_that_was_rolled_back_is_not_written(memory: MemoryCore, scope: Scope):
    session = a_session()
    operation_id, _ = await accepted(memory, scope, a_new_turn("I moved to Lyon", session, run=run(scope, "r1")))
    await memory.log.take_back([run(scope, "r1")])
    late = a_reply(
        operation_id, session, "Ly", run=run(scope, "r1"), broken_off=True, receipts=(an_injection(uuid4()),)
    )
    await memory.log.capture(scope, late)
    assert await memory.log.turn(scope, operation_id) == []
    assert await memory.log.receipts(scope, operation_id) == []
    assert await found(memory, scope, "Ly") == set()


async def test_rolling_back_a_second_reply_brings_the_first_one_back(memory: MemoryCore, scope: Scope):
    session = a_session()
    operation_id, _ = await accepted(memory, scope, a_new_turn("where to?", session, run=run(scope, "r1"), key="t:m1"))
    await memory.log.capture(scope, a_reply(operation_id, session, "Perhaps Lyon.", run=run(scope, "r1")))
    await accepted(memory, scope, a_new_turn("where to?", session, run=run(scope, "r2"), key="t:m1"))
    await memory.log.capture(scope, a_reply(operation_id, session, "Perhaps Ghent.", run=run(scope, "r2")))
    await memory.log.take_back([run(scope, "r2")])
    assert [event.text for event in await memory.log.turn(scope, operation_id)] == ["where to?", "Perhaps Lyon."]
    assert await replies(memory, scope, "Perhaps") == {"Perhaps Lyon."}


async def test_other_turns_of_the_session_stay_where_one_is_rolled_back(memory: MemoryCore, scope: Scope):
    session = a_session()
    kept, _ = await accepted(memory, scope, a_new_turn("I moved to Lyon", session, run=run(scope, "r1")))
    await memory.log.capture(scope, a_reply(kept, session, "Noted.", run=run(scope, "r1")))
    await accepted(memory, scope, a_new_turn("I moved to Ghent", session, run=run(scope, "r2"), minutes=2))
    await memory.log.take_back([run(scope, "r2"), "unheard of"])
    later, _ = await accepted(memory, scope, a_new_turn("I moved to Bern", session, run=run(scope, "r3"), minutes=3))
    texts = [event.text for event in await log_of(memory, scope, session)]
    assert texts == ["I moved to Lyon", "Noted.", "I moved to Bern"]
    assert await status_of(memory, scope, kept) == "queued"
    assert await status_of(memory, scope, later) == "accepted"


async def test_what_memory_has_looked_at_stays(memory: MemoryCore, scope: Scope):
    session, turn = a_session(), a_new_turn("My dentist is Okafor", a_session(), run=run(scope, "r1"))
    operation_id, _ = await accepted(memory, scope, replace(turn, session=session))
    await memory.items.write(scope, a_draft("Okafor", citations=(cited(turn.words, "Okafor"),)), by_ann("k"))
    await memory.log.take_back([run(scope, "r1")])
    assert len(await memory.log.turn(scope, operation_id)) == 1
    other, _ = await accepted(memory, scope, a_new_turn("Fine", session, run=run(scope, "r2"), minutes=1))
    await memory.log.finish(scope, {other: Outcome(status="nothing", reason="small talk")}, at(2))
    await memory.log.take_back([run(scope, "r2")])
    assert len(await memory.log.turn(scope, other)) == 1


async def test_a_turn_of_which_nothing_was_heard_is_released_by_a_sweeper(memory: MemoryCore, scope: Scope):
    session = a_session()
    killed, _ = await accepted(memory, scope, a_new_turn("I moved to Lyon", session, run=run(scope, "r1")))
    nameless, _ = await accepted(memory, scope, a_new_turn("and I like it", session, minutes=1))
    running, _ = await accepted(memory, scope, a_new_turn("really", session, run=run(scope, "r3"), minutes=30))
    await memory.log.release_abandoned(at(10))
    statuses = [await status_of(memory, scope, each) for each in (killed, nameless, running)]
    assert statuses == ["queued", "queued", "accepted"]
    assert (await memory.log.find_pending_turns(scope, session.session_id, 10)).operations == (killed, nameless)


async def test_words_off_the_record_are_nowhere_else_from_the_moment_they_are_accepted(
    memory: MemoryCore, scope: Scope
):
    session = a_session()
    first, _ = await accepted(memory, scope, a_new_turn("This is off the record.", session, run=run(scope, "r1")))
    off = {"carried": {"off_record": True}, "visibility": "session", "settled": "off the record"}
    await memory.log.capture(scope, a_reply(first, session, "Fine.", run=run(scope, "r1"), **off))
    assert await found(memory, scope, "record fine") == {"Fine."}
    assert await status_of(memory, scope, first) == "nothing"
    killed, _ = await accepted(memory, scope, a_new_turn("My code is 7731.", session, run=run(scope, "r2"), minutes=2))
    assert await found(memory, scope, "code") == set()
    await memory.index.rebuild(scope)
    assert await found(memory, scope, "code") == set()
    assert [event.text for event in await memory.log.turn(scope, killed)] == ["My code is 7731."]


async def test_words_that_repeat_what_was_forgotten_are_hidden_when_their_turn_ends(memory: MemoryCore, scope: Scope):
    session = a_session()
    asked, _ = await accepted(memory, scope, a_new_turn("Forget my code 7731.", session, run=run(scope, "r1")))
    assert await found(memory, scope, "code") == {"Forget my code 7731."}
    done = a_reply(asked, session, "Gone.", run=run(scope, "r1"), visibility="log", settled="carried out in the turn")
    for _ in range(2):
        await memory.log.capture(scope, done)
    assert await found(memory, scope, "code") == set()
    opened = await memory.log.open(scope, session.session_id, 10)
    assert [event.text for event in opened.window] == ["Gone."]
    assert await status_of(memory, scope, asked) == "nothing"


async def test_the_next_turn_of_the_session_releases_those_before_it(memory: MemoryCore, scope: Scope):
    session = a_session()
    killed, _ = await accepted(memory, scope, a_new_turn("I moved to Lyon", session, run=run(scope, "r1")))
    other, _ = await accepted(memory, scope, a_new_turn("elsewhere", a_session(), run=run(scope, "r2")))
    next_one, _ = await accepted(memory, scope, a_new_turn("and I like it", session, run=run(scope, "r3"), minutes=1))
    await memory.log.capture(scope, a_reply(next_one, session, "Good.", run=run(scope, "r3")))
    statuses = [await status_of(memory, scope, each) for each in (killed, other, next_one)]
    assert statuses == ["queued", "accepted", "queued"]


async def test_a_run_speaks_for_its_own_person_only(memory: MemoryCore, scope: Scope):
    session, stranger = a_session(), replace(scope, user_id=uuid4())
    operation_id, _ = await accepted(memory, scope, a_new_turn("my secret", session, run=run(scope, "r1")))
    await memory.log.capture(stranger, a_reply(operation_id, a_session(), "forged", run=run(scope, "r1")))
    assert [event.text for event in await memory.log.turn(scope, operation_id)] == ["my secret"]
    assert await memory.log.turn(stranger, operation_id) == []
