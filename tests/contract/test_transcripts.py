"""What people look at afterwards: conversations with their receipts, and what became of each turn."""

from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

from memory.memory_item import Author
from memory.ports import MemoryCore
from memory.receipts import Receipt
from memory.scope import Scope
from tests.contract.builders import a_draft, a_session, a_turn, at, cited, said


def a_candidate(memory_id: object, position: int | None) -> Receipt:
    details = {"candidate_score": 0.5, "decision_reason": "relevant", "context_position": position, "text": "tea"}
    return Receipt(receipt_id=uuid4(), receipt_type="injection", details=details, memory_id=memory_id, lane="fact")  # type: ignore[arg-type]


async def test_a_session_is_read_from_its_end(memory: MemoryCore, scope: Scope):
    session = a_session()
    for number in range(4):
        await memory.log.capture(scope, a_turn(said(f"Turn {number}", minutes=number), session=session))
    last = await memory.transcripts.turns(scope, session.session_id, None, 2)
    assert [each.text for each in last] == ["Turn 2", "Turn 3"]
    before = await memory.transcripts.turns(scope, session.session_id, last[0].position, 2)
    assert [(each.text, each.standing, each.memories) for each in before] == [
        ("Turn 0", "said", 0),
        ("Turn 1", "said", 0),
    ]


async def test_a_turn_names_its_operation_and_how_many_memories_the_model_saw(memory: MemoryCore, scope: Scope):
    turn = a_turn(said("What do I drink?"), receipts=(a_candidate(uuid4(), 0), a_candidate(uuid4(), None)))
    await memory.log.capture(scope, turn)
    (shown,) = await memory.transcripts.turns(scope, turn.session.session_id, None, 10)
    assert (shown.operation_id, shown.memories) == (turn.operation_id, 1)


async def test_words_that_say_what_was_forgotten_are_withheld(memory: MemoryCore, scope: Scope):
    words = said("I like plum wine.")
    turn = a_turn(words)
    await memory.log.capture(scope, turn)
    author = Author(operator="user", reason="test", idempotency_key="w", at=at(1))
    draft = a_draft("plum wine", content="I like plum wine.", citations=(cited(words, words.text),))
    written = await memory.items.write(scope, draft, author)
    await memory.items.forget(scope, written.memory_id, replace(author, idempotency_key="f", trace_id=""))
    (shown,) = await memory.transcripts.turns(scope, turn.session.session_id, None, 10)
    assert (shown.text, shown.standing) == ("", "withheld")


async def test_what_is_off_the_record_is_withheld(memory: MemoryCore, scope: Scope):
    turn = a_turn(said("Between you and me.", visibility="session", indexed=False))
    await memory.log.capture(scope, turn)
    assert [each.standing for each in await memory.transcripts.turns(scope, turn.session.session_id, None, 10)] == [
        "withheld"
    ]


async def test_the_answers_that_a_memory_was_a_candidate_for(memory: MemoryCore, scope: Scope):
    tea = uuid4()
    used = a_turn(said("One", minutes=1), receipts=(a_candidate(tea, 0),))
    left_out = a_turn(said("Two", minutes=2), receipts=(a_candidate(tea, None), a_candidate(uuid4(), 0)))
    for turn in (used, left_out):
        await memory.log.capture(scope, turn)
    uses = await memory.transcripts.uses(scope, tea, 10)
    assert [(each.operation_id, each.used) for each in uses] == [
        (left_out.operation_id, False),
        (used.operation_id, True),
    ]
    assert (uses[0].score, uses[0].decision_reason, uses[0].session_name) == (0.5, "relevant", "s1")
    assert len(await memory.transcripts.uses(scope, tea, 1)) == 1


async def test_what_became_of_the_last_turns(memory: MemoryCore, scope: Scope):
    session = a_session("kitchen")
    turns = [a_turn(said(f"Turn {number}", minutes=number), session=session) for number in range(3)]
    for turn in turns:
        await memory.log.capture(scope, turn)
    found = await memory.transcripts.operations(scope, 2)
    assert [each.operation_id for each in found] == [turns[2].operation_id, turns[1].operation_id]
    assert {(each.status, each.session_id, each.session_name) for each in found} == {
        ("queued", session.session_id, "kitchen")
    }


async def test_nobody_reads_the_transcripts_of_others(memory: MemoryCore, make_scope: Callable[..., Scope]):
    ann = make_scope()
    turn = a_turn(said("My secret is plum."), receipts=(a_candidate(memory_id := uuid4(), 0),))
    await memory.log.capture(ann, turn)
    for other in (make_scope(user_id=uuid4()), make_scope(tenant_id=uuid4()), make_scope(key="group:kitchen")):
        assert await memory.transcripts.turns(other, turn.session.session_id, None, 10) == []
        assert await memory.transcripts.operations(other, 10) == []
        assert await memory.transcripts.uses(other, memory_id, 10) == []
