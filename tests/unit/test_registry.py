"""Which tools a person and a moment call for."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from brain.identity import Identity
from brain.intent_rules import Intent, classify
from brain.state import GuardState
from memory.errors import BrainError
from memory.scope import Scope
from skills.context import ToolContext, ToolResult
from skills.dispatch import RoundContext, ToolAnswer, answer_call
from skills.registry import THRESHOLD, Registry, builtin_registry
from skills.tool import Arguments, Tool
from tests.fakes import NOW, Leanings, resources_of

ANN = Identity(scope=Scope(tenant_id=uuid4(), user_id=uuid4()), tenant="acme", user="ann", role="editor")
CHAT = classify("Hello!")


class Nothing(Arguments):
    """No arguments."""


async def say(arguments: Nothing, context: ToolContext) -> ToolResult:
    return ToolResult(text=f"hello {context.identity.user}")


def always(fit: float) -> Callable[[Intent], float]:
    def suits(intent: Intent) -> float:
        return fit

    return suits


def a_tool(name: str = "greet", **values: Any) -> Tool[Nothing]:
    known = Tool(name=name, description="Greets.", arguments=Nothing, run=say, suits=always(1.0))
    return replace(known, **values)


def names(registry: Registry, identity: Identity = ANN) -> list[str]:
    return [tool.name for tool in registry.select_tools(identity, CHAT)]


def a_context() -> ToolContext:
    return ToolContext(
        identity=ANN, resources=resources_of(Leanings()), session_id=uuid4(), call_id="c", at=NOW, time_zone="UTC",
        user_text="hi",
    )  # fmt: skip


async def told(tool: Tool[Any]) -> ToolAnswer:
    guard = GuardState(passed=True, missing_anchors=[], violated_constraints=[], error_code="")
    return await answer_call(
        tool.name, {}, a_context(), RoundContext(registry=Registry.of([tool]), guard=guard, untrusted=())
    )


def test_every_built_in_tool_is_offered_in_every_moment_so_that_the_prefix_stays_the_same():
    for text in ("Hello!", "Remember that I like tea.", "What do I like?", "Bye!", "帮我写一封信"):
        offered = builtin_registry().select_tools(ANN, classify(text))
        changing = ["memory_append", "memory_forget", "memory_correct"]
        expected = ["memory_search", *changing, "search_events", "get_profile", "search_profiles", "end"]
        assert [tool.name for tool in offered] == expected


def test_tools_of_the_character_are_offered_only_to_who_speaks_of_it():
    def offered(text: str) -> set[str]:
        return {tool.name for tool in builtin_registry().select_tools(ANN, classify(text))}

    assert {"soul_propose", "soul_status"} <= offered("Propose that you give the summary first for everybody.")
    assert {"soul_rollback", "soul_status"} <= offered("Please roll back the last change.")
    assert "soul_propose" in offered("你应该先给结论。")
    assert not {name for name in offered("What do I like?") if name.startswith("soul")}


def test_every_built_in_tool_declares_its_risk():
    risks = {tool.name: tool.risk for tool in builtin_registry().tools.values()}
    reading = ("memory_search", "search_events", "get_profile", "search_profiles", "soul_status")
    changing = ("memory_append", "memory_forget", "memory_correct", "soul_propose", "soul_rollback", "end")
    assert risks == dict.fromkeys(reading, "low") | dict.fromkeys(changing, "high")


def test_an_undeclared_tool_counts_as_high_risk():
    assert a_tool().risk == "high"


def test_a_tool_that_hardly_fits_is_not_offered():
    fitting, other = a_tool(suits=always(THRESHOLD)), a_tool("other", suits=always(THRESHOLD - 0.01))
    assert names(Registry.of([fitting, other])) == ["greet"]


@pytest.mark.parametrize(
    ("rights", "allowed"),
    [
        ({"roles": frozenset({"owner"})}, False),
        ({"roles": frozenset({"owner", "editor"})}, True),
        ({"org_tiers": frozenset({"brand_hq"})}, False),
        ({"needs": frozenset({"elsewhere"})}, False),
        ({"needs": frozenset({"greet"})}, True),
    ],
)
def test_rights_and_needs_decide_before_fit(rights: dict[str, Any], allowed: bool):
    registry = Registry.of([a_tool(**rights)])
    assert bool(names(registry)) is allowed
    assert (registry.find_tool("greet", ANN) is not None) is allowed


def test_a_role_of_the_verified_token_counts_as_well():
    registry = Registry.of([a_tool(roles=frozenset({"tenant_admin"}))])
    assert names(registry, replace(ANN, roles=frozenset({"tenant_admin"}))) == ["greet"]


def test_a_whitelist_leaves_only_what_it_names():
    registry = replace(Registry.of([a_tool(), a_tool("other")]), whitelist=frozenset({"other"}))
    assert names(registry) == ["other"]
    assert registry.find_tool("greet", ANN) is None


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(BrainError) as refused:
        Registry.of([a_tool(), a_tool()])
    assert refused.value.code == "E_CONFIG"


def test_a_model_sees_names_descriptions_and_schemas():
    (spec, *_) = Registry.specs(builtin_registry().select_tools(ANN, CHAT))
    assert spec.name == "memory_search"
    assert spec.parameters["required"] == ["query"]
    assert "scope" not in str(spec.parameters)


async def test_what_a_foreign_tool_says_is_untrusted_as_a_whole():
    given = await told(a_tool())
    assert re.fullmatch(r'<(tool_result_\w{6}) trust="data">\nhello ann\n</\1>', given.text)
    assert given.untrusted == ("hello ann",)


async def test_a_tool_that_breaks_does_not_take_the_turn_with_it():
    async def crash(arguments: Nothing, context: ToolContext) -> ToolResult:
        raise RuntimeError("secret detail")

    given = await told(a_tool(run=crash))
    assert given.text.startswith("E_INTERNAL")
    assert "secret" not in given.text
    assert (given.failed, given.degraded) == (True, ("tool_failed",))


async def test_a_tool_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch):
    async def hang(arguments: Nothing, context: ToolContext) -> ToolResult:
        await asyncio.sleep(60)
        return ToolResult(text="late")

    monkeypatch.setattr("skills.dispatch.SECONDS", 0.01)
    given = await told(a_tool(run=hang))
    assert (given.text.split(":")[0], given.degraded) == ("E_DEP_TIMEOUT", ("tool_timeout",))


async def test_a_tool_that_may_not_be_used_is_answered_like_one_that_does_not_exist():
    given = await told(a_tool(roles=frozenset({"owner"})))
    assert given.text.startswith("NOT_COVERED")
