"""A reply waits for the fast model only so long; then rules go ahead, and after a few times nobody waits at all."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, TypeVar

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import BaseModel

from brain.circuit_breaker import CircuitBreaker
from brain.context import Context
from brain.intent_rules import Intent, IntentForm, classify
from brain.models.deadline import DeadlineModel
from brain.models.errors import ModelUnavailable
from brain.models.roles import PATIENT_TIMES
from brain.resources import Resources
from graphs.brain import graph
from graphs.model_budget import meter_turn_step
from memory.recall.query import RecallPass
from nodes.rerank import rerank
from tests.fakes import NOW, FakeModel, Leanings, a_run, a_settings, a_state, resources_of
from tests.this_test import own_tenant
from tests.unit.ranking_builders import a_candidate, a_pass

T = TypeVar("T", bound=BaseModel)
HASTY = {"fast_patience": 0.02}


@dataclass
class Silent(FakeModel):
    """Is asked, and never answers."""

    seen: list[type[BaseModel]] = field(default_factory=list[type[BaseModel]])

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        self.seen.append(schema)
        await asyncio.Event().wait()
        raise AssertionError


def house(fast: FakeModel, **settings: Any) -> Resources:
    chat = FakeModel(replies=[AIMessage("Tea.") for _ in range(9)])
    leanings = Leanings(chat=chat, fast=fast, settings=a_settings(**(HASTY | settings)))
    return replace(resources_of(leanings), new_id=Resources.__dataclass_fields__["new_id"].default)


async def says(resources: Resources, text: str = "Anything warm for me?") -> dict[str, Any]:
    return await graph.ainvoke(
        {"messages": [HumanMessage(text)]}, context=Context(tenant=own_tenant(), resources=resources)
    )


@pytest.mark.usefixtures("memory")
async def test_a_fast_model_that_never_answers_holds_no_reply_up():
    silent = Silent()
    out = await says(house(silent))
    assert out["messages"][-1].text == "Tea."
    assert out["degraded"] == ["intent_model_failed", "query_rewrite_failed"]
    assert IntentForm in silent.seen


@pytest.mark.usefixtures("memory")
async def test_after_a_few_turns_it_is_left_alone():
    silent = Silent()
    resources = house(silent)
    for _ in range(4):
        await says(resources)
    assert PATIENT_TIMES < len(silent.seen) <= PATIENT_TIMES + 2


async def test_what_it_has_waited_beyond_retrieval_is_used_up():
    late = Silent()
    run = a_run(
        Leanings(
            fast=late,
            settings=a_settings(model_rerank=True, fast_patience=0.5),
            clock=lambda: NOW + timedelta(seconds=1.0),
        )
    )
    found: RecallPass = replace(a_pass(a_candidate("one"), a_candidate("two")), latency_ms=400.0)
    update = await meter_turn_step(rerank)(a_state(passes=[found]), run)
    assert update["degraded"] == ["rerank_model_failed"]
    assert late.seen == []


async def test_an_answer_in_time_counts():
    breaker = CircuitBreaker(tolerates=1)
    breaker.record_failure()
    form = classify("What do I like?")
    hurried = DeadlineModel(FakeModel(forms=[form]), 5.0, breaker)
    assert await hurried.fill(Intent, []) == form
    breaker.record_failure()
    assert breaker.allow_request()


async def test_without_any_time_left_nobody_is_asked():
    silent = Silent()
    with pytest.raises(ModelUnavailable, match="model_timeout"):
        await DeadlineModel(silent, 0.0, CircuitBreaker()).fill(Intent, [])
    assert silent.seen == []
