"""A thread under any order of acts, against a plain model of what should hold."""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar
from uuid import uuid4

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from langgraph.types import StateSnapshot

from memory.memory_item import Author, MemoryItem
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from tests.integration.threads import Thread, open_thread

T = TypeVar("T")
STARTS = (
    *("Bel", "Bran", "Cor", "Dal", "Dor", "Fen", "Gal", "Gar", "Han", "Hel", "Jor", "Kal", "Ker"),
    *("Lin", "Lor", "Mar", "Mor", "Nel", "Nor", "Pel", "Per", "Ros", "Sel", "Sol", "Tam", "Vel"),
)
ENDS = ("a", "ina", "o", "eno", "ita", "ara", "ius", "onda")
FACTS = tuple(f"My friend {start}{end} lives in Porto." for end, start in product(ENDS, STARTS))
"""What turns state. Rules read each as one fact, and since each is about somebody else, none of them ends another."""


@dataclass
class Fact:
    """What one turn states, as it is believed now."""

    said: str
    believed: str
    evolved: bool = False
    forgotten: bool = False


@dataclass
class Turn:
    """A turn of the plain model with its checkpoints, the newest first."""

    fact: Fact
    parent: "Turn | None"
    message: str
    checkpoints: list[StateSnapshot]

    @property
    def line(self) -> "list[Turn]":
        """The turns that lead here, this one the last."""
        return [*(self.parent.line if self.parent else []), self]


def pick(data: st.DataObject, choices: Sequence[T]) -> T:
    """One of them, reported by its place."""
    return choices[data.draw(st.integers(0, len(choices) - 1))]


class ThreadActs(RuleBasedStateMachine):
    """What a person and a chat client may do with a thread and with what is remembered of it."""

    where: Addresses

    def __init__(self) -> None:
        super().__init__()
        self.runner, self.stack = asyncio.Runner(), AsyncExitStack()
        self.turns: list[Turn] = []
        self.head: Turn | None = None
        self.corrections = 0
        self.thread: Thread = self.wait(self._open())

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    async def _open(self) -> Thread:
        database = await self.stack.enter_async_context(Database(self.where.app))
        return await self.stack.enter_async_context(open_thread(self.where, database))

    def teardown(self) -> None:
        self.wait(self.stack.aclose())
        self.runner.close()

    @initialize()
    def begin(self) -> None:
        self._say(None, None)

    @rule()
    def speak(self) -> None:
        self._say(self.head, None)

    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        turn = pick(data, self.turns)
        self._say(turn, turn.checkpoints[0])

    @rule(data=st.data(), same=st.booleans())
    def edit(self, data: st.DataObject, *, same: bool) -> None:
        turn, fact = pick(data, self.turns), self._fact()
        message = turn.message if same else str(uuid4())
        at = next(each for each in turn.checkpoints if each.next == ("open_session",))
        if same:
            self.wait(self.thread.edit(fact.said, at, message))
            self._note(fact, turn.parent, message)
        elif turn.parent is not None:
            self._say(turn.parent, turn.parent.checkpoints[0])

    @rule(data=st.data())
    def replay(self, data: st.DataObject) -> None:
        turn = pick(data, self.turns)
        at = pick(data, [each for each in turn.checkpoints if each.next])
        self.wait(self.thread.replay(at))
        self.head = turn
        self._check()

    @rule()
    def evolve(self) -> None:
        self.wait(self.thread.evolve())
        for turn in self.head.line if self.head else []:
            turn.fact.evolved = True
        self._check()

    @precondition(lambda self: self._beliefs())
    @rule(data=st.data())
    def correct(self, data: st.DataObject) -> None:
        fact = pick(data, self._beliefs())
        self.corrections += 1
        new = f"{fact.said[:-1]} at number {self.corrections}."
        item = self._item(fact)
        self.wait(self.thread.resources.memory.items.correct(self.thread.scope, item.memory_id, new, self._author()))
        fact.believed = new
        self._check()

    @precondition(lambda self: self._beliefs())
    @rule(data=st.data(), again=st.booleans())
    def forget(self, data: st.DataObject, *, again: bool) -> None:
        fact = pick(data, self._beliefs())
        items, item = self.thread.resources.memory.items, self._item(fact)
        self.wait(items.forget(self.thread.scope, item.memory_id, self._author()))
        fact.forgotten = True
        self._check()
        if again:
            self.wait(items.restore(self.thread.scope, item.memory_id, item.version, self._author()))
            fact.forgotten = False
            self._check()

    def _say(self, parent: Turn | None, at: StateSnapshot | None) -> None:
        fact, message = self._fact(), str(uuid4())
        self.wait(self.thread.say(fact.said, at, id=message))
        self._note(fact, parent, message)

    def _note(self, fact: Fact, parent: Turn | None, message: str) -> None:
        states = self.wait(self.thread.states())
        operation = states[0].values["turn"]["operation_id"]
        own = [each for each in states if _operation(each) == operation and each.next != ("open_session",)]
        opening = next(each for each in states if each.next == ("open_session",))
        self.head = Turn(fact, parent, message, [*own, opening])
        self.turns.append(self.head)
        self._check()

    def _fact(self) -> Fact:
        said = FACTS[len(self.turns)]
        return Fact(said, said)

    def _beliefs(self) -> list[Fact]:
        line = self.head.line if self.head else []
        return [turn.fact for turn in line if turn.fact.evolved and not turn.fact.forgotten]

    def _item(self, fact: Fact) -> MemoryItem:
        known = self.wait(self.thread.resources.memory.items.list_newest(self.thread.scope, limit=500))
        return next(item for item in known if item.content == fact.believed)

    def _author(self) -> Author:
        at = self.thread.resources.clock()
        return Author(operator="user", reason="test", idempotency_key=str(uuid4()), at=at)

    def _check(self) -> None:
        """Recall finds the turns of the line, and what is believed comes from them alone."""
        line = self.head.line if self.head else []
        assert self._indexed("turn") == {turn.fact.said for turn in line if not turn.fact.forgotten}
        believed = {fact.believed for fact in self._beliefs()}
        assert self.wait(self.thread.beliefs()) == believed
        assert self._indexed("fact") == believed

    def _indexed(self, lane: str) -> set[str]:
        query = "select text from brain.recall_index where user_id = %s and lane = %s and role = 'user' and active"
        with psycopg.connect(self.where.owner) as connection:
            return {row[0] for row in connection.execute(query, (self.thread.scope.user_id, lane))}


def _operation(state: StateSnapshot) -> str:
    turn = state.values.get("turn")
    return str(turn["operation_id"]) if turn else ""


def run_acts(where: Addresses, *, steps: int, examples: int, derandomize: bool) -> None:
    """Do up to so many random acts on one thread per example. Derandomized, every run does the same acts."""
    run_state_machine_as_test(
        type("Acts", (ThreadActs,), {"where": where}),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=derandomize,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            database=None,
            print_blob=False,
        ),
    )


def test_memory_follows_the_thread_whatever_is_done(test_addresses: Addresses):
    run_acts(test_addresses, steps=15, examples=5, derandomize=True)


@pytest.mark.exhaustive
def test_memory_follows_the_thread_through_many_acts(test_addresses: Addresses):
    run_acts(test_addresses, steps=200, examples=2, derandomize=False)
