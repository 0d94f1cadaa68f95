"""Brain's tools, and which of them a person and a moment call for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from brain.identity import Identity
from brain.intent_rules import Intent
from brain.models.port import ToolSpec
from memory.errors import config_error
from skills.conversation import END
from skills.memory import MEMORY_APPEND, MEMORY_SEARCH, SEARCH_EVENTS
from skills.memory_changes import MEMORY_CORRECT, MEMORY_FORGET
from skills.profiles import GET_PROFILE, SEARCH_PROFILES
from skills.soul import SOUL_PROPOSE, SOUL_ROLLBACK, SOUL_STATUS
from skills.tool import Tool

THRESHOLD = 0.3
"""What fits an intent less than this is not offered for it (S0 section 2.5)."""


@dataclass(frozen=True)
class Registry:
    """Tools by name. A ``whitelist`` leaves only the named ones in use; without it all are."""

    tools: Mapping[str, Tool[Any]]
    whitelist: frozenset[str] | None = None

    @classmethod
    def of(cls, tools: Iterable[Tool[Any]]) -> "Registry":
        """A registry in which every name is taken once."""
        known: dict[str, Tool[Any]] = {}
        for tool in tools:
            if tool.name in known:
                raise config_error(f"Two tools are named {tool.name}.", "Rename one of them.")
            known[tool.name] = tool
        return cls(MappingProxyType(known))

    def select_tools(self, identity: Identity, intent: Intent) -> tuple[Tool[Any], ...]:
        """The tools that this person may use, that work here, and that fit the intent; in a stable order."""
        return tuple(
            tool for tool in self.tools.values() if self._works(tool, identity) and tool.suits(intent) >= THRESHOLD
        )

    def find_tool(self, name: str, identity: Identity) -> Tool[Any] | None:
        """The tool of that name, if it exists, works here and this person may use it."""
        tool = self.tools.get(name)
        return tool if tool and self._works(tool, identity) else None

    def _works(self, tool: Tool[Any], identity: Identity) -> bool:
        listed = self.whitelist is None or tool.name in self.whitelist
        return listed and tool.permits(identity) and tool.needs <= self.tools.keys()

    @staticmethod
    def specs(tools: Sequence[Tool[Any]]) -> tuple[ToolSpec, ...]:
        """The tools as a model sees them."""
        return tuple(tool.spec for tool in tools)


@cache
def builtin_registry() -> Registry:
    """The tools that Brain brings along."""
    return Registry.of(
        (
            MEMORY_SEARCH,
            MEMORY_APPEND,
            MEMORY_FORGET,
            MEMORY_CORRECT,
            SEARCH_EVENTS,
            GET_PROFILE,
            SEARCH_PROFILES,
            SOUL_STATUS,
            SOUL_PROPOSE,
            SOUL_ROLLBACK,
            END,
        )
    )
