"""Which words receipts show to any key that may read."""

from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.memory_api.paging import PageRequest
from apps.memory_api.receipts import OneTurn, list_receipts, show_receipts
from memory.ports import MemoryCore
from memory.receipts import Receipt
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said
from tests.unit.test_memory_api_turns import Agent

pytestmark = pytest.mark.usefixtures("memory")


NUMBERS = count(1)
"""Receipts of one moment are listed by their ids."""
QUESTION = "What does Maud like, whose sister lives in Ghent?"


def an_injection(text: str, memory_id: UUID, lane: Any = "fact", **more: object) -> Receipt:
    details: dict[str, object] = {"context_position": 0, "text": text, "decision_reason": "relevance"} | more
    return Receipt(
        receipt_id=UUID(int=next(NUMBERS)), receipt_type="injection", details=details, memory_id=memory_id, lane=lane
    )


def a_retrieval() -> Receipt:
    return Receipt(receipt_id=uuid4(), receipt_type="retrieval", details={"queries": [QUESTION], "intent": "ask"})


async def texts_of(agent: Agent, operation_id: UUID) -> list[Any]:
    shown = await show_receipts(OneTurn(id=operation_id), agent.call())
    return [each.exposed.get("text") for each in shown.data.receipts if each.receipt_type == "injection"]


async def queries_of(agent: Agent, operation_id: UUID) -> list[Any]:
    """What the turn asked, as its receipts and as the list of turns show it."""
    shown = (await show_receipts(OneTurn(id=operation_id), agent.call())).data.receipts
    listed = (await list_receipts(PageRequest(), agent.call())).data.items
    return [
        *(each.exposed.get("queries") for each in shown if each.receipt_type == "retrieval"),
        *(each.exposed.get("queries") for each in listed if each.id == operation_id),
    ]


def core_of(agent: Agent) -> MemoryCore:
    return agent.resources.memory


async def test_what_was_forgotten_since_has_no_words_in_receipts():
    agent = Agent()
    memory, scope = core_of(agent), agent.call().scope
    turn = said("I live in Ghent. I like tea.")
    await memory.log.capture(scope, a_turn(turn))
    home = a_draft("Ghent", slot="user|lives_in", citations=(cited(turn, "I live in Ghent."),))
    gone = (await memory.items.write(scope, home, by_ann("w"))).memory_id
    receipts = (
        an_injection("Ghent", gone),
        an_injection("I live in Ghent.", uuid4(), "turn", span={"event_id": str(turn.event_id), "start": 0, "end": 16}),
        an_injection("Moved to Ghent.", uuid4(), "summary"),
        an_injection("Has bees.", uuid4()),
    )
    asked = a_turn(said("Where do I live?", minutes=1), receipts=receipts)
    await memory.log.capture(scope, asked)
    assert await texts_of(agent, asked.operation_id) == ["Ghent", "I live in Ghent.", "Moved to Ghent.", "Has bees."]
    await memory.items.forget(scope, gone, by_ann("f", minutes=2))
    assert await texts_of(agent, asked.operation_id) == [None, None, None, "Has bees."]


async def test_a_summary_made_after_all_forgetting_keeps_its_words():
    agent = Agent()
    memory, scope = core_of(agent), agent.call().scope
    gone = (await memory.items.write(scope, a_draft("Ghent"), by_ann("w"))).memory_id
    await memory.items.forget(scope, gone, by_ann("f"))
    asked = a_turn(said("Hm?", minutes=9), receipts=(an_injection("Has bees.", uuid4(), "summary"),), at=at(9))
    await memory.log.capture(scope, asked)
    assert await texts_of(agent, asked.operation_id) == ["Has bees."]


async def test_a_forgotten_question_is_in_no_receipt():
    agent = Agent()
    memory, scope = core_of(agent), agent.call().scope
    turn = said(QUESTION)
    asked = a_turn(turn, receipts=(a_retrieval(),))
    await memory.log.capture(scope, asked)
    assert await queries_of(agent, asked.operation_id) == [[QUESTION], [QUESTION]]
    draft = a_draft("Ghent", slot="user|sister", citations=(cited(turn, "sister lives in Ghent"),))
    written = await memory.items.write(scope, draft, by_ann("w"))
    await memory.items.forget(scope, written.memory_id, by_ann("f"))
    assert await queries_of(agent, asked.operation_id) == [None, None]


async def test_a_question_off_the_record_is_in_no_receipt():
    agent = Agent()
    memory, scope = core_of(agent), agent.call().scope
    asked = a_turn(said(QUESTION, visibility="session"), receipts=(a_retrieval(),))
    await memory.log.capture(scope, asked)
    assert await queries_of(agent, asked.operation_id) == [None, None]


async def test_a_question_that_was_never_handed_over_is_in_no_receipt():
    agent = Agent()
    await agent.recall(QUESTION)
    (listed,) = (await list_receipts(PageRequest(), agent.call())).data.items
    assert listed.exposed["intent"] is None
    assert await queries_of(agent, listed.id) == [None, None]
    await agent.say(QUESTION, trace_id="t")
    assert await queries_of(agent, listed.id) == [[QUESTION], [QUESTION]]
