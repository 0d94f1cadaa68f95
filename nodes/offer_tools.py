"""Which tools the model is offered for a reply: those of the skills that fit what is asked, and those under way."""

import asyncio
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.runtime import Runtime

from brain.change_replies import ACTION_TOOLS
from brain.context import Context
from brain.identity import identity_of
from brain.intent_rules import Intent
from brain.state import OpenTurn
from brain.turn_language import turn_language
from language.skill_words import asks_for_act_in_world
from language.tables import Language, text
from skills.abilities import describe_abilities, is_uncovered, not_covered_reply
from skills.active import load_registry
from skills.registry import Registry
from skills.request import read_request
from skills.skill import SkillRequest, load_meanings
from skills.tool import Tool

NOT_COVERED = "skill_not_covered"
"""The reason code of a turn that asks for an act that no skill is there for."""
UNAVAILABLE = "skill_unavailable"
"""The reason code of a turn for which a configured skill could not be reached."""


@dataclass(frozen=True, kw_only=True)
class ToolOffer:
    """The tools in a stable order, a line for the model where no skill covers what is asked, and what was missing."""

    tools: tuple[Tool[Any], ...]
    note: str = ""
    degraded: list[str]


async def offer_tools(state: OpenTurn, runtime: Runtime[Context]) -> ToolOffer:
    """What fits the person's message. Skills at work in this turn, and those of a change under way, stay offered."""
    identity, registry, asked = identity_of(runtime), *await _read(state, runtime)
    tools = registry.select_tools(identity, asked, _tools_under_way(state))
    degraded = [UNAVAILABLE] if registry.unavailable else []
    if state.change or not is_uncovered(registry, identity, asked):
        return ToolOffer(tools=tools, degraded=degraded)
    language = turn_language(state)
    able = describe_abilities(registry, identity, language)
    note = f"<guidance>\n{text('skills.no_ability', language).format(able=able)}\n</guidance>"
    return ToolOffer(tools=tools, note=note, degraded=[*degraded, NOT_COVERED])


async def answer_uncovered(state: OpenTurn, runtime: Runtime[Context], language: Language) -> str:
    """What is said without a model to who asks for an act that no skill is there for; empty for anything else."""
    if not asks_for_act_in_world(state.turn["text"]):
        return ""
    registry, asked = await _read(state, runtime)
    identity = identity_of(runtime)
    return not_covered_reply(registry, identity, language) if is_uncovered(registry, identity, asked) else ""


async def _read(state: OpenTurn, runtime: Runtime[Context]) -> tuple[Registry, SkillRequest]:
    resources = runtime.context.resources
    registry = await load_registry(resources.settings)
    spoken = [each.text for each in state.messages if isinstance(each, HumanMessage)]
    before = spoken[-2] if len(spoken) > 1 else ""
    intent = Intent.model_validate(state.intent)
    asked = await read_request(state.turn["text"], before, intent, resources)
    if asked.vectors is not None:
        await asyncio.to_thread(load_meanings, tuple(registry.skills.values()))
    return registry, asked


def _tools_under_way(state: OpenTurn) -> frozenset[str]:
    """What was called since the person spoke, and what carries out a change that the rules leave to the model."""
    spoken_at = max((at for at, each in enumerate(state.messages) if isinstance(each, HumanMessage)), default=0)
    called = {str(each.name) for each in state.messages[spoken_at:] if isinstance(each, ToolMessage)}
    return frozenset(called | (set(ACTION_TOOLS.values()) if state.change else set()))
