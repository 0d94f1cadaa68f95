"""Which model replies: the fast one to small talk, the other to all else, and what prices make of that."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from apps.views.spending import Account
from brain.intent_rules import classify, wants_nothing
from brain.model_routing import choose_route
from brain.models.errors import ModelInterrupted, ModelUnavailable
from brain.models.roles import Models
from brain.settings_routing import Price, parse_prices
from brain.state import AssembledPrompt
from memory.errors import BrainError
from memory.model_usage import DaySpending
from nodes.respond import respond
from tests.fakes import FakeModel, Leanings, a_run, a_settings, a_state

PROMPT = AssembledPrompt(system="You are Brain.", history=(), context="", user_text="Good morning!", allocation={})
DAY = date(2026, 3, 1)


def a_routed_run(chat: FakeModel, routed: FakeModel | None, **context: Any):
    run = a_run(Leanings(chat=chat, settings=a_settings(routing="by_intent")), **context)
    resources = replace(run.context.resources, models=Models(chat=chat, fast=routed, routed=routed))
    return run.override(context=replace(run.context, resources=resources))


def said(text: str, history: tuple[str, ...] = (), **values: object):
    prompt = replace(PROMPT, user_text=text, history=tuple(HumanMessage(each) for each in history))
    return a_state(text, prompt=prompt, intent=classify(text).model_dump(), **values)


@pytest.mark.parametrize("text", ["Good morning!", "haha yes", "Thanks, you too!", "早上好呀，今天雾好大。"])
def test_small_talk_wants_nothing(text: str):
    assert wants_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Good morning! What is on today?",
        "Thanks. Now write it to my boss.",
        "No, that's wrong.",
        "Please forget my salary.",
        "I'm allergic to nuts.",
        "",
        "Nice. " * 60,
        "谢谢，帮我查一下天气",
        "你记错了，我是二月份入职的",
    ],
)
def test_whatever_may_want_something_is_no_small_talk(text: str):
    assert not wants_nothing(text)


@pytest.mark.parametrize(
    ("state", "route"),
    [
        (said("Good morning!"), ("routed", "small_talk")),
        (said("What do I like?"), ("chat", "asks")),
        (said("Good morning!", messages=[HumanMessage(["Good morning!", {"type": "image"}])]), ("chat", "asks")),
        (said("Good morning!", tool_rounds=1), ("chat", "tools")),
        (said("Good morning!", ("No, that's wrong.", "Hm")), ("chat", "corrected_lately")),
        (said("Good morning!", ("No, that's wrong.", "a", "b", "c", "d", "e")), ("routed", "small_talk")),
    ],
)
def test_a_route_says_why(state: object, route: tuple[str, str]):
    found = choose_route(state, a_routed_run(FakeModel(), FakeModel()).context)  # type: ignore[arg-type]
    assert found is not None
    assert (found["role"], found["reason"]) == route


def test_nothing_is_routed_unless_somebody_switched_it_on_or_without_a_fast_model():
    off = a_run(Leanings(chat=FakeModel(), fast=FakeModel())).context
    assert choose_route(said("Good morning!"), off) is None
    assert choose_route(said("Good morning!"), a_routed_run(FakeModel(), None).context) is None
    assert choose_route(said("Good morning!"), a_routed_run(FakeModel(), FakeModel(), routing="off").context) is None
    with pytest.raises(BrainError):
        a_run(routing="by_mood")


async def test_the_fast_model_replies_to_small_talk_and_the_turn_says_so():
    chat, fast = FakeModel(), FakeModel(replies=[AIMessage("Morning!")])
    update = await respond(said("Good morning!"), a_routed_run(chat, fast))
    assert [each.text for each in update["messages"]] == ["Morning!"]
    assert update["route"] == {"role": "routed", "reason": "small_talk"}
    assert chat.asked == []


async def test_the_chat_model_replies_where_the_fast_one_failed():
    chat, fast = FakeModel(replies=[AIMessage("Morning!")]), FakeModel(replies=[ModelUnavailable("model_timeout")])
    update = await respond(said("Good morning!"), a_routed_run(chat, fast))
    assert [each.text for each in update["messages"]] == ["Morning!"]
    assert update["route"] == {"role": "chat", "reason": "fast_failed"}
    assert update["degraded"] == []


async def test_what_the_fast_model_was_heard_to_say_is_not_said_again():
    heard = ModelInterrupted(AIMessage("Mor"), "model_interrupted")
    chat, fast = FakeModel(), FakeModel(replies=[heard])
    update = await respond(said("Good morning!"), a_routed_run(chat, fast))
    assert chat.asked == []
    assert update["degraded"] == ["model_interrupted"]


def test_prices_are_read_or_refused():
    assert parse_prices("a=2/8, b:c=0.4/1.6") == {"a": Price(2, 8), "b:c": Price(0.4, 1.6)}
    for wrong in ("a", "a=1", "a=x/y", "=1/2", "a=-1/2", "a=1/2/3", "a=nan/1", "a=inf/1"):
        with pytest.raises(ValueError, match="is not MODEL=INPUT/OUTPUT"):
            parse_prices(wrong)
    with pytest.raises(BrainError, match="BRAIN_MODEL_PRICES"):
        a_settings(model_prices="gpt")


def test_what_routing_saved_is_told_where_both_prices_are_known():
    spent = [
        DaySpending(
            day=DAY, purpose="turn", role=role, calls=1, estimated_calls=0, input_tokens=1_000_000, output_tokens=0
        )
        for role in ("chat", "routed")
    ]
    account = Account(
        today=DAY,
        limit=None,
        entries=spent,
        models={"chat": "big", "fast": "small", "routed": "small"},
        prices={"big": Price(2, 8), "small": Price(0.5, 1)},
    )
    assert (account.cost, account.saved, account.routed_tokens) == (2.5, 1.5, 1_000_000)
    assert account.summary.endswith("tokens went to the fast model instead of the chat model, which saved 1.50")
    assert replace(account, prices={"small": Price(0.5, 1)}).saved is None
    assert replace(account, prices={}).cost is None
