"""The skills of this server: what Brain can do when it is asked to, how dangerous that is, and who may use it."""

from typing import Literal

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from skills.abilities import describe_skill
from skills.active import load_registry
from skills.registry import Registry
from skills.skill import Skill


class SkillsAsked(ApiRequest):
    """All skills."""


class ToolView(ApiAnswer):
    """A tool that the model may call."""

    name: str
    description: str
    risk: Literal["low", "high"]


class SkillView(ApiAnswer):
    """A skill with its tools. Empty ``roles`` and ``org_tiers`` admit anyone; ``usable`` is about the one who asks."""

    name: str
    able: str
    risk: Literal["low", "high"]
    capabilities: list[str]
    roles: list[str]
    org_tiers: list[str]
    needs: list[str]
    source: str
    usable: bool
    tools: list[ToolView]


class SkillList(ApiAnswer):
    """``unavailable`` names MCP servers that cannot be reached now."""

    skills: list[SkillView]
    unavailable: list[str]


@endpoint("GET /skills", command="skills list")
async def list_skills(asked: SkillsAsked, call: ApiCall) -> SkillList:
    """List the skills of this server, with their tools, their risk, who may use them and where they come from."""
    registry = await load_registry(call.resources.settings)
    return SkillList(
        skills=[_view(skill, registry, call) for skill in registry.skills.values()],
        unavailable=list(registry.unavailable),
    )


def _view(skill: Skill, registry: Registry, call: ApiCall) -> SkillView:
    return SkillView(
        name=skill.name,
        able=describe_skill(skill, "en"),
        risk=skill.risk,
        capabilities=sorted(skill.capabilities),
        roles=sorted(skill.roles),
        org_tiers=sorted(skill.org_tiers),
        needs=sorted(skill.needs),
        source=skill.source,
        usable=registry.may_use(skill, call.identity),
        tools=[ToolView(name=tool.name, description=tool.description, risk=tool.risk) for tool in skill.tools],
    )
