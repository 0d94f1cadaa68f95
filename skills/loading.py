"""Skills of one's own: by the entry points ``brain.skills`` of installed packages, and by ``BRAIN_SKILLS``."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import FunctionType
from typing import Any, cast

from brain.settings import Settings
from brain.settings_skills import split_names
from memory.errors import BrainError, config_error
from skills.builtin import builtin_skills
from skills.registry import Registry
from skills.skill import Skill
from skills.tool import Tool

ENTRY_POINTS = "brain.skills"
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)*")
_TOOL_NAME = re.compile(r"(?!.*__)[A-Za-z][A-Za-z0-9_-]{0,63}")
_FORM = "A skill is a Skill, a Tool, several of them, or a function without arguments that returns such."


def load_skills(settings: Settings) -> Registry:
    """The skills of this process, without those of MCP servers. Raises ``E_CONFIG`` in one line."""
    return _load(settings.skills, settings.skills_only)


@cache
def _load(places: str, only: str) -> Registry:
    installed = (
        (f"package {each.dist.name if each.dist else each.value}", each.load, each.value)
        for each in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.value)
    )
    named = ((place, lambda place=place: _import(place), place) for place in split_names(places))
    added = [skill for source, load, place in (*installed, *named) for skill in _read(source, load, place)]
    whitelist = frozenset(split_names(only)) or None
    registry = Registry.of((*builtin_skills(), *added), whitelist)
    unknown = sorted(name for name in whitelist or () if name not in registry.skills and not name.startswith("mcp:"))
    if unknown:
        known = ", ".join(registry.skills)
        raise config_error(f"BRAIN_SKILLS_ONLY: there is no skill {unknown[0]}.", f"There are {known}.")
    return registry


def _import(place: str) -> object:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _read(source: str, load: Callable[[], Any], place: str) -> list[Skill]:
    """Whatever stands there as skills; code of somebody else may raise anything while it is loaded."""
    try:
        found: object = load()
        if isinstance(found, FunctionType):
            found = cast("object", found())
        return [_check(skill, place) for skill in _skills_in(found, source, place)]
    except BrainError:
        raise
    except Exception as error:
        told = f"{type(error).__name__}: {error}"[:300]
        raise config_error(f"The skill {place} cannot be loaded: {told}.", "Correct BRAIN_SKILLS.") from error


def _skills_in(found: object, source: str, place: str) -> Iterator[Skill]:
    if isinstance(found, Skill):
        yield replace(found, source=source)
    elif isinstance(found, Tool):
        tool = cast("Tool[Any]", found)
        yield Skill(name=tool.name.lower(), tools=(tool,), source=source)
    elif isinstance(found, Iterable) and not isinstance(found, (str, bytes)):
        for each in cast("Iterable[object]", found):
            yield from _skills_in(each, source, place)
    else:
        raise config_error(f"{place} is a {type(found).__name__}.", _FORM)


def _check(skill: Skill, place: str) -> Skill:
    if not _NAME.fullmatch(skill.name) or not skill.tools:
        raise config_error(f"{place}: {skill.name!r} is no skill with a name in small letters and a tool.")
    wrong = [tool.name for tool in skill.tools if not _TOOL_NAME.fullmatch(tool.name)]
    if wrong:
        raise config_error(f"{place}: {wrong[0]!r} is no name of a tool.", "Letters, digits and single _ or -.")
    return skill
