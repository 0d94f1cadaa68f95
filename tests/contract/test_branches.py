"""A thread is a tree of turns: those that do not lead to its head do not count."""

from dataclasses import replace
from uuid import UUID, uuid4

from memory.log import Outcome
from memory.memory_item import MemoryItem
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.session_state import KnownTurn, SessionState, just_before
from memory.turns import NewTurn, TurnRef
from tests.contract.builders import a_draft, a_reply, a_session, at, by_ann, cited, said


class Talk:
    """One person in one thread."""

    def __init__(self, memory: MemoryCore, scope: Scope) -> None:
        self.memory, self.scope, self.session, self.minutes = memory, scope, a_session(), 0
        self.thread = str(uuid4())

    async def say(
        self, text: str, parent: UUID | None = None, *, run: str | None = None, **more: bool
    ) -> tuple[NewTurn, SessionState]:
        """A turn that is accepted and answered. One with a parent was meant to follow it."""
        self.minutes += 1
        words = said(text, key=text, minutes=self.minutes)
        turn = NewTurn(
            operation_id=uuid4(),
            session=self.session,
            words=words,
            thread_id=self.thread,
            parent_id=parent,
            run_id=run,
            **({"forks": parent is not None} | more),  # type: ignore[arg-type]
        )
        opened = await self.memory.log.accept(self.scope, turn, 20)
        await self.memory.log.capture(self.scope, a_reply(turn.operation_id, self.session, "I see.", run=text))
        return turn, opened

    async def remember(self, turn: NewTurn, name: str) -> MemoryItem:
        """What a turn states, remembered: the one thing in its slot."""
        draft = a_draft(
            name,
            content=turn.words.text,
            slot="cat|name",
            single_valued=True,
            observed_at=turn.words.occurred_at,
            valid_at=turn.words.occurred_at,
            citations=(cited(turn.words, turn.words.text),),
        )
        receipt = await self.memory.items.write(self.scope, draft, by_ann(name, minutes=self.minutes))
        return await self.memory.items.get(self.scope, receipt.memory_id)

    async def believed(self) -> list[str]:
        return sorted(item.content for item in await self.memory.items.list_newest(self.scope))

    async def waiting(self) -> list[UUID]:
        """The turns that memory has yet to look at."""
        pending = await self.memory.log.find_pending_turns(self.scope, self.session.session_id, 100)
        return list(pending.operations)


def spoken(opened: SessionState) -> list[str]:
    return [event.text for event in opened.window if event.role == "user"]


async def test_a_branch_that_was_left_is_in_no_window(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    first, _ = await talk.say("one")
    second, opened = await talk.say("two", first.operation_id)
    assert spoken(opened) == ["one"]
    assert (opened.as_of, opened.moved) == (None, False)
    other, opened = await talk.say("other", first.operation_id)
    assert spoken(opened) == ["one"]
    assert (opened.as_of, opened.moved) == (second.words.occurred_at, True)
    _, opened = await talk.say("three", other.operation_id)
    assert spoken(opened) == ["one", "other"]
    _, opened = await talk.say("again", second.operation_id)
    assert spoken(opened) == ["one", "two"]


async def test_only_a_start_that_is_meant_leaves_everything(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    await talk.say("one")
    _, opened = await talk.say("a saver that lost the thread")
    assert spoken(opened) == ["one"]
    _, opened = await talk.say("anew", from_start=True, forks=True)
    assert spoken(opened) == []


async def test_a_parent_of_another_thread_changes_nothing(memory: MemoryCore, scope: Scope):
    talk, other = Talk(memory, scope), Talk(memory, scope)
    await talk.say("one")
    theirs, _ = await other.say("theirs")
    _, opened = await talk.say("two", theirs.operation_id)
    assert spoken(opened) == ["one"]


async def test_a_turn_that_is_returned_to_is_read_as_it_began(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    first, _ = await talk.say("one")
    second, _ = await talk.say("two", first.operation_id)
    third, _ = await talk.say("three", second.operation_id)
    ref = TurnRef(operation_id=second.operation_id, session_id=talk.session.session_id, at=at(30), forks=True)
    opened = await memory.log.return_to_turn(scope, ref, 20)
    assert spoken(opened) == ["one"]
    _, opened = await talk.say("four", second.operation_id)
    assert spoken(opened) == ["one", "two"]
    _, opened = await talk.say("two", first.operation_id)
    assert spoken(opened) == ["one"]
    assert opened.as_of == just_before(second.words.occurred_at)
    assert third.operation_id not in (opened.operation_id,)


async def test_memories_change_places_with_their_branches(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    first, _ = await talk.say("My cat is called Minou")
    await talk.remember(first, "Minou")
    second, _ = await talk.say("My cat is called Tiger", first.operation_id)
    await talk.remember(second, "Tiger")
    assert await talk.believed() == ["My cat is called Tiger"]
    other, _ = await talk.say("My cat is called Felix", first.operation_id)
    assert await talk.believed() == ["My cat is called Minou"]
    await talk.remember(other, "Felix")
    for parent, name in ((second, "Tiger"), (other, "Felix"), (second, "Tiger")):
        await talk.say(f"hello {name} {talk.minutes}", parent.operation_id)
        assert await talk.believed() == [f"My cat is called {name}"]


async def test_a_turn_that_is_left_while_memory_looks_at_it_leaves_nothing(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    first, _ = await talk.say("hello")
    second, _ = await talk.say("My cat is called Tiger", first.operation_id)
    await talk.say("hello again", first.operation_id)
    item = await talk.remember(second, "Tiger")
    outcome = Outcome(status="stored", memory_ids=(item.memory_id,))
    await memory.log.finish(scope, {second.operation_id: outcome}, at(30))
    assert await talk.believed() == []
    await talk.say("and on", second.operation_id)
    assert await talk.believed() == ["My cat is called Tiger"]


async def test_a_turn_that_was_left_unread_waits_again_on_return(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    first, _ = await talk.say("one")
    second, _ = await talk.say("two", first.operation_id)
    other, _ = await talk.say("other", first.operation_id)
    assert await talk.waiting() == [first.operation_id, other.operation_id]
    read = dict.fromkeys((first.operation_id, other.operation_id), Outcome(status="nothing", reason="small_talk"))
    await memory.log.finish(scope, read, at(30))
    ref = TurnRef(operation_id=second.operation_id, session_id=talk.session.session_id, at=at(31), forks=True)
    await memory.log.return_to_turn(scope, ref, 20)
    assert await talk.waiting() == [second.operation_id]
    ref = TurnRef(operation_id=other.operation_id, session_id=talk.session.session_id, at=at(32), forks=True)
    await memory.log.return_to_turn(scope, ref, 20)
    assert await talk.waiting() == []


async def test_a_lost_checkpoint_leaves_no_turn_behind(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    first, _ = await talk.say("one")
    second, _ = await talk.say("two", first.operation_id)
    third, opened = await talk.say("three", first.operation_id, forks=False)
    assert spoken(opened) == ["one", "two"]
    assert (opened.moved, opened.as_of, opened.known) == (False, None, None)
    assert (opened.follows, opened.newest) == (second.operation_id, third.operation_id)
    _, opened = await talk.say("four", third.operation_id)
    assert spoken(opened) == ["one", "two", "three"]
    ref = TurnRef(operation_id=first.operation_id, session_id=talk.session.session_id, at=at(30))
    assert not (await memory.log.return_to_turn(scope, ref, 20)).moved


async def test_words_that_come_again_move_nothing_and_bring_their_answer(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    first, opened = await talk.say("one", run="r1")
    assert opened.known is None
    second, _ = await talk.say("two", first.operation_id, run="r2")
    _, again = await talk.say("one", run="r1", forks=True)
    assert again.known == KnownTurn(answer="I see.", is_retried=True)
    assert (again.operation_id, again.newest, again.moved) == (first.operation_id, second.operation_id, False)
    _, repeated = await talk.say("one", run="r3")
    assert repeated.known == KnownTurn(answer="I see.", is_retried=False)
    _, opened = await talk.say("three", second.operation_id)
    assert spoken(opened) == ["one", "two"]


async def test_an_unanswered_turn_has_no_answer(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    turn = NewTurn(operation_id=uuid4(), session=talk.session, words=said("one", key="one"), thread_id=talk.thread)
    await memory.log.accept(scope, turn, 20)
    again = replace(turn, operation_id=uuid4(), words=replace(turn.words, event_id=uuid4()))
    opened = await memory.log.accept(scope, again, 20)
    assert opened.known == KnownTurn()


async def test_a_thread_is_told_from_behind_a_turn(memory: MemoryCore, scope: Scope):
    talk = Talk(memory, scope)
    first, _ = await talk.say("one")
    second, _ = await talk.say("two", first.operation_id)
    await talk.say("three", second.operation_id)
    await talk.say("four", second.operation_id)

    async def behind(turn: UUID | None) -> list[str]:
        return [
            event.text for event in await memory.log.follow_thread(scope, talk.thread, turn) if event.role == "user"
        ]

    assert await behind(None) == ["one", "two", "four"]
    assert await behind(first.operation_id) == ["two", "four"]
    assert await behind(uuid4()) == []
    said_there = await memory.log.follow_thread(scope, talk.thread, second.operation_id)
    assert [(event.role, event.text) for event in said_there] == [("user", "four"), ("assistant", "I see.")]
