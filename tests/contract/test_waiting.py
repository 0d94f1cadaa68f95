"""What waits to be looked at."""

from dataclasses import replace
from uuid import UUID, uuid4

from memory.log import Outcome
from memory.pending_turns import PendingTurns
from memory.ports import MemoryCore
from memory.receipts import Receipt
from memory.scope import Scope
from memory.turns import Capture
from tests.contract.builders import a_session, a_turn, an_injection, at, said

SESSION = a_session()


async def told(memory: MemoryCore, scope: Scope, *texts: str, **more: object) -> Capture:
    """One turn of the session."""
    turn = a_turn(*(said(text) for text in texts), session=replace(SESSION, session_id=scope.tenant_id), **more)
    await memory.log.capture(scope, turn)
    return turn


async def waiting(memory: MemoryCore, scope: Scope, most: int = 100) -> PendingTurns:
    return await memory.log.find_pending_turns(scope, scope.tenant_id, most)


def texts(found: PendingTurns) -> list[str]:
    return [event.text for _, event in found.said]


async def test_what_waits_comes_whole_and_in_order_with_what_was_said_before(memory: MemoryCore, scope: Scope):
    done = await told(memory, scope, "one", "two")
    await memory.log.finish(scope, {done.operation_id: Outcome(status="nothing", reason="small talk")}, at())
    turns = [await told(memory, scope, "three", "four"), await told(memory, scope, "five")]
    found = await waiting(memory, scope)
    assert found.operations == tuple(turn.operation_id for turn in turns)
    assert [(operation, event.text) for operation, event in found.said] == [
        (turns[0].operation_id, "three"),
        (turns[0].operation_id, "four"),
        (turns[1].operation_id, "five"),
    ]
    assert [event.text for event in found.before] == ["one", "two"]
    assert (found.recalled, found.more) == ({}, False)


async def test_nothing_waits_where_nothing_was_said(memory: MemoryCore, scope: Scope):
    assert await waiting(memory, scope) == PendingTurns()


async def test_a_batch_is_bounded_by_turns_and_says_that_more_waits(memory: MemoryCore, scope: Scope):
    for number in range(3):
        await told(memory, scope, f"{number}a", f"{number}b")
    found = await waiting(memory, scope, 5)
    assert (texts(found), found.more) == (["0a", "0b", "1a", "1b"], True)


async def test_one_long_operation_stays_whole(memory: MemoryCore, scope: Scope):
    await told(memory, scope, *"abc")
    await told(memory, scope, "d")
    found = await waiting(memory, scope, 2)
    assert (texts(found), found.more) == (["a", "b", "c"], True)


async def test_memories_that_stood_in_a_prompt_come_with_their_turn(memory: MemoryCore, scope: Scope):
    def shown(lane: str, text: str, position: int | None = 0) -> Receipt:
        told = an_injection(uuid4(), position)
        return replace(told, lane=lane, details={**told.details, "text": text})  # type: ignore[arg-type]

    receipts = (shown("fact", "tea"), shown("turn", "I like tea"), shown("fact", "left out", None))
    turn = await told(memory, scope, "hello", receipts=receipts)
    await told(memory, scope, "bye")
    assert (await waiting(memory, scope)).recalled == {turn.operation_id: ("tea",)}


async def test_the_models_that_a_turn_asked_come_with_it(memory: MemoryCore, scope: Scope):
    def receipt(*models: str) -> Receipt:
        tokens = [{"role": "chat", "model": model, "calls": 1} for model in models]
        return Receipt(receipt_id=uuid4(), receipt_type="retrieval", details={"tokens": tokens})

    several = await told(memory, scope, "hello", receipts=(receipt("gpt-4.1", "gpt-4.1-mini", "gpt-4.1"),))
    none = await told(memory, scope, "and", receipts=(receipt(),))
    await told(memory, scope, "bye")
    assert (await waiting(memory, scope)).models == {
        several.operation_id: ("gpt-4.1", "gpt-4.1-mini"),
        none.operation_id: (),
    }


async def test_nobody_sees_what_waits_for_somebody_else(memory: MemoryCore, scope: Scope):
    await told(memory, scope, "hello")
    for stranger in (replace(scope, user_id=uuid4()), replace(scope, key="peer:x"), replace(scope, tenant_id=uuid4())):
        assert (await memory.log.find_pending_turns(stranger, scope.tenant_id, 9)).operations == ()
        assert await memory.log.bury(stranger, scope.tenant_id, "mine", at()) == 0
    assert texts(await waiting(memory, scope)) == ["hello"]


async def test_in_a_group_each_ones_turns_wait_for_themselves(memory: MemoryCore, scope: Scope):
    ann = replace(scope, key="group:x")
    bob = replace(ann, user_id=UUID(int=5))
    for who, text in ((ann, "I like tea"), (bob, "I like coffee"), (ann, "I like rain")):
        await told(memory, who, text)
    assert texts(await waiting(memory, ann)) == ["I like tea", "I like rain"]
    found = await waiting(memory, bob)
    assert (texts(found), [event.text for event in found.before]) == (["I like coffee"], ["I like tea"])


async def test_what_was_buried_waits_again_when_it_is_reopened(memory: MemoryCore, scope: Scope):
    turn = await told(memory, scope, "hello")
    assert await memory.log.bury(scope, scope.tenant_id, "E_INTERNAL", at()) == 1
    dead = await memory.log.operation(scope, turn.operation_id)
    assert dead is not None
    assert (dead.status, dead.reason, dead.finished_at) == ("dead_letter", "E_INTERNAL", at())
    assert await waiting(memory, scope) == PendingTurns()
    assert await memory.log.reopen(scope, scope.tenant_id) == 1
    assert texts(await waiting(memory, scope)) == ["hello"]
    assert await memory.log.reopen(scope, scope.tenant_id) == 0


async def test_operations_end_together_each_in_its_own_way(memory: MemoryCore, scope: Scope):
    turns = [await told(memory, scope, text) for text in ("one", "two")]
    memory_id = uuid4()
    outcomes = {
        turns[0].operation_id: Outcome(status="stored", memory_ids=(memory_id,)),
        turns[1].operation_id: Outcome(status="nothing", reason="small talk"),
    }
    await memory.log.finish(scope, outcomes, at(1))
    ends = [await memory.log.operation(scope, turn.operation_id) for turn in turns]
    assert [(end.status, end.reason, end.memory_ids) for end in ends if end] == [
        ("stored", None, (memory_id,)),
        ("nothing", "small talk", ()),
    ]
