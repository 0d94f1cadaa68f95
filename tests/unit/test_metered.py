"""Counted and rationed: the turn, evolution and upkeep, each whole."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from uuid import UUID, uuid4

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from brain.context import Context
from brain.intent_rules import IntentForm
from brain.job_context import JobContext
from brain.metering import Usage, record_usage
from brain.models.port import ToolSpec
from brain.resources import Resources
from brain.state import Update
from evolution.extraction.form import Notes
from evolution.state import EvolutionState
from evolution.upkeep.state import UpkeepState
from graphs.brain import graph
from graphs.evolution import evolve
from graphs.evolution import graph as evolution
from graphs.model_budget import BackgroundMeter
from graphs.upkeep import run_upkeep
from memory.errors import BrainError, unavailable
from memory.model_usage import ModelRole, Spending
from memory.ports import MemoryCore
from memory.scope import Scope
from nodes.rewrite_query import Rewriting
from tests.contract.builders import a_session, a_turn, said
from tests.fakes import NOW, FakeModel, Leanings, a_settings, resources_of
from tests.this_test import me, own_memory, own_tenant
from tests.unit.analysis_builders import a_note, notes
from tests.unit.evolution_builders import SESSION

pytestmark = pytest.mark.usefixtures("memory")

T = TypeVar("T", bound=BaseModel)
WIDE = {"window_events": 400, "fold_tokens": 100_000}
"""So wide a window that nothing is summed up."""
FORMS: dict[type[BaseModel], BaseModel] = {
    IntentForm: IntentForm(intent_type="preference_check"),
    Rewriting: Rewriting(queries=[]),
    Notes: notes(a_note()),
}


@dataclass
class Priced(FakeModel):
    """Each call asks ten tokens and answers one."""

    role: ModelRole = "fast"
    forms_by: Any = field(default_factory=lambda: dict(FORMS))

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        record_usage(a_call(self.role))
        return await super().stream(messages, tools)

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        record_usage(a_call(self.role))
        return await super().fill(schema, messages)


def a_call(role: ModelRole, calls: int = 1) -> Usage:
    return Usage(role=role, model="fake", calls=calls, estimated_calls=0, input_tokens=10 * calls, output_tokens=calls)


def spent(purpose: Any, role: ModelRole, calls: int) -> Spending:
    return Spending(
        purpose=purpose, role=role, calls=calls, estimated_calls=0, input_tokens=10 * calls, output_tokens=calls
    )


@dataclass
class House:
    """A memory with models that cost something."""

    memory: MemoryCore = field(default_factory=own_memory)
    chat: Priced = field(default_factory=lambda: Priced(role="chat"))
    fast: Priced = field(default_factory=Priced)

    def resources(self, **settings: Any) -> Resources:
        leanings = Leanings(memory=self.memory, chat=self.chat, fast=self.fast, settings=a_settings(**settings))
        return resources_of(leanings)

    async def says(self, text: str, **settings: Any) -> dict[str, Any]:
        """One whole turn."""
        resources = replace(self.resources(**settings), new_id=Resources.__dataclass_fields__["new_id"].default)
        return await graph.ainvoke(
            {"messages": [HumanMessage(text)]}, context=Context(tenant=own_tenant(), resources=resources)
        )

    async def account(self, scope: Scope | None = None) -> list[Spending]:
        days = await self.memory.model_usage.by_day(scope or me(), NOW.date())
        return [Spending(**{name: getattr(each, name) for name in Spending.__dataclass_fields__}) for each in days]

    @property
    def asked(self) -> int:
        return len(self.chat.asked) + len(self.fast.asked)


async def test_what_a_turn_costs_stands_in_its_state_on_its_receipt_and_in_the_ledger():
    house = House()
    house.chat.replies = [AIMessage("Tea.")]
    out = await house.says("Anything warm for me?")
    assert out["usage"] == [a_call("chat"), a_call("fast", 2)]
    receipt = (await house.memory.log.receipts(me(), UUID(out["turn"]["operation_id"])))[0]
    assert receipt.details["tokens"] == out["usage"]
    assert await house.account() == [spent("turn", "chat", 1), spent("turn", "fast", 2)]


async def test_the_cost_of_a_turn_is_that_of_its_own_calls_only():
    house = House()
    house.chat.replies = [AIMessage("Tea."), AIMessage("Tea, again.")]
    await house.says("Anything warm for me?")
    out = await house.says("Anything warm for me?")
    assert out["usage"] == [a_call("chat"), a_call("fast", 2)]


async def test_once_the_day_is_spent_a_turn_asks_no_model_says_so_and_is_kept():
    house = House()
    await house.memory.model_usage.add(me(), NOW.date(), [spent("upkeep", "fast", 10)])
    out = await house.says("我喜欢喝茶。", daily_tokens=110)
    assert house.asked == 0
    assert out["degraded"] == ["token_budget_spent"]
    assert "今天可用于语言模型的额度已经用完" in out["messages"][-1].text
    logged = await house.memory.log.turn(me(), UUID(out["turn"]["operation_id"]))
    assert [event.role for event in logged] == ["user", "assistant"]
    (row,) = await house.memory.index.rows_without_vector(me(), "any", 10)
    assert row.text == "我喜欢喝茶。"


async def test_a_turn_that_reaches_the_limit_stops_asking_in_the_middle():
    house = House()
    call = {"name": "memory_search", "args": {"query": "x"}, "id": "c", "type": "tool_call"}
    house.chat.replies = [AIMessage("", tool_calls=[call])]
    out = await house.says("Anything warm for me?", daily_tokens=33)
    assert house.asked == 3
    assert "tokens for the language model are used up" in out["messages"][-1].text
    assert out["degraded"] == ["token_budget_spent"]


async def test_below_the_limit_nothing_is_different():
    house = House()
    house.chat.replies = [AIMessage("Tea.")]
    out = await house.says("Anything warm for me?", daily_tokens=34)
    assert (out["messages"][-1].text, out["degraded"], out["tokens_left"]) == ("Tea.", [], 34)


async def test_without_a_model_no_limit_is_told(memory: MemoryCore):
    resources = resources_of(Leanings(memory=memory, settings=a_settings(daily_tokens=0)))
    out = await graph.ainvoke(
        {"messages": [HumanMessage("I like tea.")]}, context=Context(tenant=own_tenant(), resources=resources)
    )
    assert out["degraded"] == ["model_not_configured"]
    assert out["tokens_left"] is None


async def batch(house: House, *texts: str, **settings: Any) -> dict[str, Any]:
    """These turns, looked at together."""
    for text in texts:
        await house.memory.log.capture(me(), a_turn(said(text), session=SESSION))
    context = JobContext(scope=me(), resources=house.resources(**settings))
    return await evolution.ainvoke({"session_id": str(SESSION.session_id)}, context=context)


@pytest.mark.parametrize("turns", [1, 7, 25])
async def test_a_batch_of_any_length_makes_one_model_call(turns: int):
    house = House()
    final = await batch(house, "I live in Lyon", *(f"I like tea number {n}." for n in range(turns - 1)), **WIDE)
    assert (len(final["operations"]), house.asked) == (turns, 1)
    assert await house.account(me()) == [spent("evolution", "fast", 1)]
    remembered = {item.object for item in await house.memory.items.list_newest(me())}
    assert remembered == {"Lyon", *(f"I like tea number {n}." for n in range(turns - 1))}


async def test_small_talk_makes_none():
    house = House()
    await batch(house, "Hello!", "Thanks a lot.")
    assert house.asked == 0
    assert await house.account(me()) == []


async def test_once_the_day_is_spent_the_rules_look_at_the_turns():
    house = House()
    final = await batch(house, "I live in Lyon.", daily_tokens=0)
    assert house.asked == 0
    assert final["degraded"] == ["token_budget_spent"]
    assert [item.object for item in await house.memory.items.list_newest(me())] == ["Lyon"]


async def others_wait(house: House, scope: Scope) -> None:
    for _ in range(3):
        await house.memory.log.capture(scope, a_turn(said("I like rain."), session=a_session()))


@pytest.mark.parametrize(
    ("elsewhere", "settings"),
    [("user_id", {"tenant_backlog": 3}), ("tenant_id", {"backlog": 3})],
)
async def test_behind_a_long_queue_the_rules_look_at_the_turns_and_none_is_lost(
    elsewhere: str, settings: dict[str, int]
):
    house = House()
    await others_wait(house, replace(me(), **{elsewhere: uuid4()}))
    final = await batch(house, "I live in Lyon.", "I like green tea.", **settings)
    assert (house.asked, final["degraded"]) == (0, ["backlog"])
    assert {item.object for item in await house.memory.items.list_newest(me())} == {"Lyon", "I like green tea."}


async def test_the_queue_of_another_tenant_holds_nobody_up():
    house = House()
    await others_wait(house, replace(me(), tenant_id=uuid4()))
    final = await batch(house, "I live in Lyon.", tenant_backlog=2)
    assert (house.asked, final["degraded"]) == (1, [])


async def test_a_correction_is_never_held_to_the_length_of_the_queue():
    house = House()
    await others_wait(house, me())
    final = await batch(house, "Actually, I live in Lyon, not in Paris.", tenant_backlog=0)
    assert "backlog" not in final["degraded"]
    assert house.asked >= 1


async def test_what_a_failing_step_cost_is_counted_and_the_failure_goes_on():
    house = House()

    async def fails(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
        record_usage(a_call("fast"))
        raise unavailable("The database went away.")

    run = Runtime(context=JobContext(scope=me(), resources=house.resources()))
    with pytest.raises(BrainError, match="went away"):
        await BackgroundMeter("evolution")(fails)(EvolutionState(session_id=""), run)
    assert await house.account(me()) == [spent("evolution", "fast", 1)]


async def test_a_ledger_out_of_reach_does_not_make_a_step_ask_again():
    class Away:
        async def add(self, *_: object) -> None:
            raise unavailable("away")

    house = House()
    house.memory = replace(house.memory, model_usage=Away())  # type: ignore[arg-type]
    await batch(house, "I live in Lyon.")
    assert house.asked == 1
    assert [item.object for item in await house.memory.items.list_newest(me())] == ["Lyon"]


async def test_upkeep_says_that_it_goes_by_rules_where_it_would_have_asked():
    house = House()
    done = await run_upkeep(JobContext(scope=me(), resources=house.resources(daily_tokens=0)), UpkeepState())
    assert "token_budget_spent" in done.report["alarms"]
    free = await run_upkeep(JobContext(scope=me(), resources=house.resources()), UpkeepState())
    assert "token_budget_spent" not in free.report["alarms"]


async def test_evolution_to_the_end_costs_a_call_per_batch():
    house = House()
    for _ in range(130):
        await house.memory.log.capture(me(), a_turn(said("I live in Lyon"), session=SESSION))
    await evolve(house.resources(**WIDE), me(), SESSION.session_id)
    assert await house.account(me()) == [spent("evolution", "fast", 3)]
