"""The skills there are, and which of their tools a person and a moment call for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from brain.identity import Identity
from brain.models.port import ToolSpec
from memory.errors import config_error
from skills.builtin import builtin_skills
from skills.skill import THRESHOLD, Skill, SkillRequest
from skills.tool import Tool


@dataclass(frozen=True)
class Registry:
    """Skills by name and their tools by name. A ``whitelist`` of skills leaves only the named ones in use.

    ``unavailable`` names skills that are configured and cannot be reached now.
    """

    skills: Mapping[str, Skill]
    tools: Mapping[str, Tool[Any]]
    whitelist: frozenset[str] | None = None
    unavailable: tuple[str, ...] = ()
    owners: Mapping[str, Skill] = field(default_factory=dict[str, Skill])
    """The skill of each tool."""

    @classmethod
    def of(cls, skills: Iterable[Skill], whitelist: frozenset[str] | None = None) -> "Registry":
        """A registry in which every name is taken once."""
        known, tools, owners = dict[str, Skill](), dict[str, Tool[Any]](), dict[str, Skill]()
        for skill in skills:
            if skill.name in known:
                raise config_error(f"Two skills are named {skill.name}.", "Rename one of them.")
            known[skill.name] = skill
            for tool in skill.tools:
                if tool.name in tools:
                    raise config_error(f"Two tools are named {tool.name}.", "Rename one of them.")
                tools[tool.name], owners[tool.name] = tool, skill
        return cls(MappingProxyType(known), MappingProxyType(tools), whitelist, owners=MappingProxyType(owners))

    def with_skills(self, more: Iterable[Skill], unavailable: tuple[str, ...]) -> "Registry":
        """The same with skills that may come and go."""
        return replace(Registry.of((*self.skills.values(), *more), self.whitelist), unavailable=unavailable)

    def select_tools(
        self, identity: Identity, asked: SkillRequest, also: frozenset[str] = frozenset()
    ) -> tuple[Tool[Any], ...]:
        """The tools that this person may use, that work here, and whose skill fits what is asked; in a stable order.

        The skills of the tools named in ``also`` are needed whatever was said.
        """
        fitting = {name for name, skill in self.skills.items() if skill.can_handle(asked) >= THRESHOLD}
        fitting |= {self.owners[name].name for name in also if name in self.owners}
        return tuple(
            tool
            for name, tool in self.tools.items()
            if self.owners[name].name in fitting and self._works(tool, identity)
        )

    def find_tool(self, name: str, identity: Identity) -> Tool[Any] | None:
        """The tool of that name, if it exists, works here and this person may use it."""
        tool = self.tools.get(name)
        return tool if tool and self._works(tool, identity) else None

    def may_use(self, skill: Skill, identity: Identity) -> bool:
        """Whether a skill works here and this person may use it."""
        listed = self.whitelist is None or skill.name in self.whitelist
        return listed and skill.permits(identity) and skill.needs <= self.skills.keys()

    @staticmethod
    def specs(tools: Sequence[Tool[Any]]) -> tuple[ToolSpec, ...]:
        """The tools as a model sees them."""
        return tuple(tool.spec for tool in tools)

    def _works(self, tool: Tool[Any], identity: Identity) -> bool:
        usable = self.may_use(self.owners[tool.name], identity)
        return usable and tool.permits(identity) and tool.needs <= self.tools.keys()


@cache
def builtin_registry() -> Registry:
    """The skills that Brain brings along."""
    return Registry.of(builtin_skills())
