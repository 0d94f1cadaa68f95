"""Every checkpoint of a turn can be run again, and shows what it showed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from brain.models.port import ToolSpec
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.receipts import Receipt
from tests.fakes import FakeModel
from tests.integration.threads import Thread, open_thread, tool_call

SEARCH = tool_call("memory_search", query="dentist")
FORGET = tool_call("memory_forget", about="my dentist's practice is in Lyon")
QUESTION = "Who is my dentist?"


@dataclass
class ToolUser(FakeModel):
    """Searches before it answers a question, forgets what it is asked to, and acknowledges the rest."""

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        self.asked.append(messages)
        if messages[-1].type == "tool":
            return AIMessage("Doctor Okafor.")
        if "Forget that" in messages[-1].text:
            return FORGET
        return SEARCH if QUESTION in messages[-1].text else AIMessage("I see.")

    def prompts(self) -> list[list[tuple[str, str]]]:
        """What the model was asked since, as words."""
        asked = [[(message.type, str(message.text)) for message in messages] for messages in self.asked]
        self.asked.clear()
        return asked


def shown(receipts: Sequence[Receipt]) -> list[list[Any]]:
    """The receipts of each run, without what a run only measures."""
    runs: dict[int, list[Any]] = {}
    for each in sorted(receipts, key=lambda each: each.receipt_id):
        details = {k: v for k, v in each.details.items() if k not in ("latency_ms", "tokens", "checkpoint", "run")}
        runs.setdefault(each.receipt_id.int >> 16, []).append((each.memory_id, each.lane, details))
    return list(runs.values())


async def a_told_thread(thread: Thread, model: ToolUser) -> str:
    """A turn with tools after other talk, and what came after it; the turn's id."""
    await thread.elsewhere("My dentist is Doctor Okafor.", "My dentist's practice is in Lyon.")
    model.asked.clear()
    await thread.say(QUESTION)
    state = await thread.app.aget_state(thread.config)
    return str(state.values["turn"]["operation_id"])


async def test_every_checkpoint_asks_the_model_the_same_and_decides_the_same(
    test_addresses: Addresses, database: Database
):
    model = ToolUser()
    async with open_thread(test_addresses, database, model) as thread:
        operation = await a_told_thread(thread, model)
        asked, decided = model.prompts(), shown(await thread.receipts(operation))[0]
        checkpoints = [
            each for each in await thread.states() if each.values.get("turn", {}).get("operation_id") == operation
        ]
        await thread.say("Yes, Doctor Okafor is my dentist, exactly.")
        await thread.elsewhere("My dentist is Doctor Brandt now.", "My dentist has a dog.")
        model.prompts()
        for at in [each for each in checkpoints if each.next]:
            reply = await thread.replay(at)
            assert reply == "Doctor Okafor."
            told = model.prompts()
            assert told == asked[len(asked) - len(told) :], at.next
        runs = shown(await thread.receipts(operation))
        assert len(runs) > 6
        assert all(run == decided for run in runs)


async def test_the_beginning_of_a_turn_is_replayed_as_the_same_turn(test_addresses: Addresses, database: Database):
    model = ToolUser()
    async with open_thread(test_addresses, database, model) as thread:
        operation = await a_told_thread(thread, model)
        asked = model.prompts()
        beginning = next(each for each in await thread.states() if each.next == ("open_session",))
        await thread.say("My dentist is Doctor Brandt.")
        model.prompts()
        assert await thread.replay(beginning) == "Doctor Okafor."
        assert model.prompts() == asked
        head = await thread.app.aget_state(thread.config)
        assert head.values["turn"]["operation_id"] == operation


async def test_a_thread_that_is_saved_at_its_end_replays_from_there(test_addresses: Addresses, database: Database):
    model = ToolUser()
    async with open_thread(test_addresses, database, model, "exit") as thread:
        await a_told_thread(thread, model)
        for at in await thread.states():
            await thread.say(QUESTION, at)
        assert all(messages[-1].text for messages in model.asked)


async def test_what_was_forgotten_since_stands_as_its_hash(test_addresses: Addresses, database: Database):
    model = ToolUser()
    async with open_thread(test_addresses, database, model) as thread:
        await a_told_thread(thread, model)
        checkpoints = await thread.states()
        await thread.elsewhere("Forget that my dentist's practice is in Lyon.")
        model.prompts()
        for step in ("rerank", "assemble", "respond"):
            at = next(each for each in checkpoints if step in each.next)
            await thread.replay(at)
            words = str(model.prompts())
            assert "Lyon" not in words, step
            assert "sha256:" in words or step == "rerank"
            assert "Okafor" in words
