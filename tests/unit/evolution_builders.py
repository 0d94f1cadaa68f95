"""Logged turns and what waits of them, for the tests of the background graph's steps."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from evolution.state import EvolutionState, TurnRecord
from evolution.state import to_logged_turn as said_of_event
from memory.memory_item import Author, MemoryDraft, MemoryItem
from memory.ports import MemoryCore
from memory.turns import Capture, Event, SessionRef
from tests.contract.builders import a_turn, at, said
from tests.fakes import FakeModel, Leanings, resources_of
from tests.this_test import me, own_memory

SESSION = SessionRef(session_id=UUID(int=8), name="s1", user_name="ann", tenant_name="acme")


@dataclass
class Talk:
    """What one person said, on a memory of its own."""

    memory: MemoryCore = field(default_factory=own_memory)
    turns: list[Capture] = field(default_factory=list[Capture])
    model: FakeModel | None = None

    async def say(self, text: str, **values: Any) -> Capture:
        """One turn, a minute after the one before."""
        named = [name for name in ("role", "speaker") if name in values]
        spoken: dict[str, Any] = {name: values.pop(name) for name in named}
        turn = a_turn(said(text, minutes=len(self.turns), **spoken), session=SESSION, **values)
        await self.memory.log.capture(me(), turn)
        self.turns.append(turn)
        return turn

    async def knows(self, draft: MemoryDraft) -> MemoryItem:
        """A memory that lives already."""
        author = Author(operator="user", reason="said so", idempotency_key=f"known:{draft.object}", at=at())
        receipt = await self.memory.items.write(me(), draft, author)
        return await self.memory.items.get(me(), receipt.memory_id)

    @property
    def run(self) -> Runtime[JobContext]:
        """The runtime of a step."""
        return Runtime(context=JobContext(scope=me(), resources=self.resources))

    @property
    def resources(self) -> Any:
        """What the steps lean on; the clock stands still."""
        return resources_of(Leanings(memory=self.memory, fast=self.model, clock=lambda: at(600)))

    async def state(self, **values: Any) -> EvolutionState:
        """The state with everything said so far."""
        waiting = await self.memory.log.find_pending_turns(me(), SESSION.session_id, 100)
        told: dict[str, Any] = {
            "operations": [str(each) for each in waiting.operations],
            "said": [said_of_event(event, str(operation)) for operation, event in waiting.said],
        }
        return EvolutionState(session_id=str(SESSION.session_id), **(told | values))

    async def event(self, number: int) -> Event:
        """The number-th turn as it was logged."""
        (found,) = await self.memory.log.turn(me(), self.turns[number].operation_id)
        return found


def said_of(event: Event, turn: Capture) -> TurnRecord:
    """A logged turn as it flows through the graph."""
    return said_of_event(event, str(turn.operation_id))
