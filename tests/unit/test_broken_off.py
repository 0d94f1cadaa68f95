"""A run that is cancelled while it answers: what was said and shown stays."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.models.errors import ReplyCancelled
from brain.state import OpenTurn, State, Update
from graphs.interruption import capture_on_cancel
from memory.turns import Event
from nodes.open_session import open_session
from tests.fakes import Leanings, a_run
from tests.this_test import me

pytestmark = pytest.mark.usefixtures("memory")


async def cancelled(raised: BaseException, *said_before: AIMessage) -> tuple[list[Event], Leanings, Update]:
    """The log after a step that ended so, in a turn that had come so far."""
    leanings = Leanings()
    run, asked = a_run(leanings), HumanMessage("Where to?", id="m1")
    update = await open_session(State(messages=[asked]), run)

    @capture_on_cancel
    async def step(state: OpenTurn, runtime: Runtime[Context]) -> Update:
        raise raised

    known: dict[str, Any] = {"turn": update["turn"], "opened": update["opened"]}
    with pytest.raises(type(raised)):
        await step(OpenTurn(messages=[asked, *said_before], **known), run)
    return await leanings.memory.log.turn(me(), UUID(update["turn"]["operation_id"])), leanings, update


async def status(leanings: Leanings, update: Update) -> str:
    operation = await leanings.memory.log.operation(me(), UUID(update["turn"]["operation_id"]))
    assert operation is not None
    return operation.status


async def test_what_was_shown_of_the_reply_is_logged_as_broken_off():
    log, leanings, update = await cancelled(ReplyCancelled(AIMessage("Perhaps Ly", id="a1")))
    assert [(event.text, event.broken_off) for event in log] == [("Where to?", False), ("Perhaps Ly", True)]
    assert await status(leanings, update) == "queued"


async def test_before_the_first_word_only_the_question_is_there_and_its_job_released():
    log, leanings, update = await cancelled(asyncio.CancelledError())
    assert [event.text for event in log] == ["Where to?"]
    assert await status(leanings, update) == "queued"


async def test_words_before_a_tool_were_shown_as_well():
    log, _, _ = await cancelled(asyncio.CancelledError(), AIMessage("Let me look.", id="a1"))
    assert [(event.text, event.broken_off) for event in log] == [("Where to?", False), ("Let me look.", True)]


async def test_a_step_that_fails_is_nobodys_business_here():
    log, leanings, update = await cancelled(ValueError("no"))
    assert [event.text for event in log] == ["Where to?"]
    assert await status(leanings, update) == "accepted"
