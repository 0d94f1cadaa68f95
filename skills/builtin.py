"""The skills that Brain brings along; what people say who need them stands in ``language/*/skills.toml``."""

from functools import cache
from typing import Any

from brain.intent_rules import IntentType
from language.skill_words import sentences_of
from skills.conversation import END
from skills.memory import MEMORY_APPEND, MEMORY_SEARCH, SEARCH_EVENTS
from skills.memory_changes import MEMORY_CORRECT, MEMORY_FORGET
from skills.profiles import GET_PROFILE, SEARCH_PROFILES
from skills.skill import Skill
from skills.soul import SOUL_PROPOSE, SOUL_ROLLBACK, SOUL_STATUS
from skills.tool import Tool


@cache
def builtin_skills() -> tuple[Skill, ...]:
    """In the order in which their tools are offered."""
    return (
        _skill(
            "recall", "cue_recall", (MEMORY_SEARCH, SEARCH_EVENTS), "search_memory", "preference_check", "recommend"
        ),
        _skill("profile", "cue_profile", (GET_PROFILE, SEARCH_PROFILES), "preference_check"),
        _skill("keep", "cue_keep", (MEMORY_APPEND,), "remember"),
        _skill("change", "cue_change", (MEMORY_FORGET, MEMORY_CORRECT), "forget"),
        _skill("soul", "cue_soul", (SOUL_STATUS, SOUL_PROPOSE, SOUL_ROLLBACK)),
        _skill("farewell", "cue_farewell", (END,), "end"),
    )


def _skill(name: str, cues: str, tools: tuple[Tool[Any], ...], *intents: IntentType) -> Skill:
    return Skill(
        name=name,
        tools=tools,
        sentences=sentences_of(f"skills.{name}"),
        cues=f"skills.{cues}",
        intents=frozenset(intents),
        able=f"skills.able.{name}",
    )
