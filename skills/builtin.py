"""The skills that Brain brings along; what people say who need them stands in ``language/*/skills.toml``."""

from functools import cache

from language.skill_words import sentences_of
from skills.conversation import END
from skills.memory import MEMORY_APPEND, MEMORY_SEARCH, SEARCH_EVENTS
from skills.memory_changes import MEMORY_CORRECT, MEMORY_FORGET
from skills.profiles import GET_PROFILE, SEARCH_PROFILES
from skills.skill import Skill
from skills.soul import SOUL_PROPOSE, SOUL_ROLLBACK, SOUL_STATUS


@cache
def builtin_skills() -> tuple[Skill, ...]:
    """In the order in which their tools are offered."""
    return (
        Skill(
            name="recall",
            tools=(MEMORY_SEARCH, SEARCH_EVENTS),
            sentences=sentences_of("skills.recall"),
            cues="skills.cue_recall",
            intents=frozenset({"search_memory", "preference_check", "recommend"}),
            able="skills.able.recall",
        ),
        Skill(
            name="profile",
            tools=(GET_PROFILE, SEARCH_PROFILES),
            sentences=sentences_of("skills.profile"),
            cues="skills.cue_profile",
            intents=frozenset({"preference_check"}),
            able="skills.able.profile",
        ),
        Skill(
            name="keep",
            tools=(MEMORY_APPEND,),
            sentences=sentences_of("skills.keep"),
            cues="skills.cue_keep",
            intents=frozenset({"remember"}),
            able="skills.able.keep",
        ),
        Skill(
            name="change",
            tools=(MEMORY_FORGET, MEMORY_CORRECT),
            sentences=sentences_of("skills.change"),
            cues="skills.cue_change",
            intents=frozenset({"forget"}),
            able="skills.able.change",
        ),
        Skill(
            name="soul",
            tools=(SOUL_STATUS, SOUL_PROPOSE, SOUL_ROLLBACK),
            sentences=sentences_of("skills.soul"),
            cues="skills.cue_soul",
            able="skills.able.soul",
        ),
        Skill(
            name="farewell",
            tools=(END,),
            sentences=sentences_of("skills.farewell"),
            cues="skills.cue_farewell",
            intents=frozenset({"end"}),
            able="skills.able.farewell",
        ),
    )
