"""Which tools a person and a moment call for."""

import asyncio
import re
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from brain.identity import Identity
from brain.intent_rules import classify
from brain.state import GuardState
from language.encoder import sentence_encoder
from memory.errors import BrainError
from memory.scope import Scope
from skills.context import ToolContext, ToolResult
from skills.dispatch import RoundContext, ToolAnswer, answer_call
from skills.memory import MEMORY_SEARCH
from skills.registry import Registry, builtin_registry
from skills.skill import Skill, SkillRequest
from skills.tool import Arguments, Tool
from tests.fakes import NOW, Leanings, resources_of

ANN = Identity(scope=Scope(tenant_id=uuid4(), user_id=uuid4()), tenant="acme", user="ann", role="editor")
CHAT = SkillRequest(pieces=("Hello!",), intent=classify("Hello!"))


class Nothing(Arguments):
    """No arguments."""


async def say(arguments: Nothing, context: ToolContext) -> ToolResult:
    return ToolResult(text=f"hello {context.identity.user}")


def a_tool(name: str = "greet", **values: Any) -> Tool[Nothing]:
    return replace(Tool(name=name, description="Greets.", arguments=Nothing, run=say), **values)


def a_skill(*tools: Tool[Any], **values: Any) -> Skill:
    return replace(Skill(name=tools[0].name, tools=tools), **values)


def registry_of(*tools: Tool[Any]) -> Registry:
    return Registry.of(a_skill(tool) for tool in tools)


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
        tool.name, {}, a_context(), RoundContext(registry=registry_of(tool), guard=guard, untrusted=())
    )


def test_every_built_in_tool_declares_its_risk():
    risks = {tool.name: tool.risk for tool in builtin_registry().tools.values()}
    reading = dict.fromkeys(("memory_search", "search_events", "get_profile", "search_profiles", "soul_status"), "low")
    changing = ("memory_append", "memory_forget", "memory_correct", "soul_propose", "soul_rollback", "end")
    assert risks == reading | dict.fromkeys(changing, "high")


def test_an_undeclared_tool_counts_as_high_risk():
    assert a_tool().risk == "high"


def test_a_skill_that_hardly_fits_is_not_offered_unless_it_is_under_way():
    registry = Registry.of([a_skill(a_tool()), a_skill(a_tool("other"), sentences=("Call a taxi to the station.",))])
    hello = replace(CHAT, vectors=sentence_encoder().encode(CHAT.pieces))
    assert [tool.name for tool in registry.select_tools(ANN, hello)] == ["greet"]
    assert [tool.name for tool in registry.select_tools(ANN, hello, frozenset({"other"}))] == ["greet", "other"]
    assert names(registry) == ["greet", "other"]


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
    registry = registry_of(a_tool(**rights))
    assert bool(names(registry)) is allowed
    assert (registry.find_tool("greet", ANN) is not None) is allowed


def test_a_role_of_the_verified_token_counts_as_well():
    registry = registry_of(a_tool(roles=frozenset({"tenant_admin"})))
    assert names(registry, replace(ANN, roles=frozenset({"tenant_admin"}))) == ["greet"]


def test_a_whitelist_leaves_only_what_it_names():
    registry = replace(registry_of(a_tool(), a_tool("other")), whitelist=frozenset({"other"}))
    assert names(registry) == ["other"]
    assert registry.find_tool("greet", ANN) is None


@pytest.mark.parametrize(
    "values",
    [
        {"roles": frozenset({"owner"})},
        {"org_tiers": frozenset({"brand_hq"})},
        {"needs": frozenset({"elsewhere"})},
    ],
)
def test_rights_and_needs_of_a_skill_hold_for_its_tools(values: dict[str, Any]):
    registry = Registry.of([a_skill(a_tool(), **values)])
    assert names(registry) == []
    assert registry.find_tool("greet", ANN) is None


def test_a_name_is_taken_once():
    for skills in (
        [a_skill(a_tool()), a_skill(a_tool("other"), name="greet")],
        [a_skill(a_tool()), a_skill(a_tool(), name="x")],
    ):
        with pytest.raises(BrainError) as refused:
            Registry.of(skills)
        assert refused.value.code == "E_CONFIG"


def test_a_model_sees_names_descriptions_and_schemas():
    (spec,) = Registry.specs([MEMORY_SEARCH])
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
    assert "look up" not in given.text


async def test_a_tool_that_is_not_there_is_answered_with_what_can_be_done():
    guard = GuardState(passed=True, missing_anchors=[], violated_constraints=[], error_code="")
    round_ = RoundContext(registry=builtin_registry(), guard=guard, untrusted=())
    given = await answer_call("book_flight", {}, a_context(), round_)
    assert (given.code, given.degraded) == ("NOT_COVERED", ("tool_not_covered",))
    assert "look up what you told me and when; show your profile; note something for you" in given.text


async def test_a_tool_of_a_server_that_is_away_is_told_as_unavailable():
    registry = replace(builtin_registry(), unavailable=("dates",))
    round_ = RoundContext(registry=registry, guard=None, untrusted=())
    given = await answer_call("dates__count", {}, a_context(), round_)
    assert (given.code, given.degraded) == ("SKILL_UNAVAILABLE", ("skill_unavailable",))


async def test_a_tool_that_says_that_it_failed_did():
    async def refuse(arguments: Nothing, context: ToolContext) -> ToolResult:
        return ToolResult(text="no such day", failed="TOOL_REFUSED")

    given = await told(a_tool(run=refuse))
    assert (given.code, given.failed, given.untrusted) == ("TOOL_REFUSED", True, ("no such day",))
