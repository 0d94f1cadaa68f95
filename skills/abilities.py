"""What can be done here, in words for people: told where what they ask for is covered by no skill."""

from brain.identity import Identity
from language.skill_words import asks_for_act_in_world
from language.tables import Language, text
from skills.registry import Registry
from skills.skill import THRESHOLD, Skill, SkillRequest

_OWN = "skills.able."


def describe_abilities(registry: Registry, identity: Identity, language: Language) -> str:
    """What this person may have done, in the order of the skills."""
    usable = (skill for skill in registry.skills.values() if registry.may_use(skill, identity))
    told = (describe_skill(skill, language) for skill in usable)
    return text("skills.between", language).join(words for words in told if words)


def is_uncovered(registry: Registry, identity: Identity, asked: SkillRequest) -> bool:
    """Whether an act in the world is asked for that no skill beside Brain's own is there for."""
    if not asks_for_act_in_world(asked.pieces[0]):
        return False
    added = (skill for skill in registry.skills.values() if skill.source != "brain")
    return not any(registry.may_use(skill, identity) and skill.can_handle(asked) >= THRESHOLD for skill in added)


def not_covered_reply(registry: Registry, identity: Identity, language: Language) -> str:
    """What is said where nothing can be done, with what can."""
    able = describe_abilities(registry, identity, language)
    return text("skills.not_covered", language).format(able=able)


def describe_skill(skill: Skill, language: Language) -> str:
    """What a skill can do, in a few words; empty where it does not say."""
    return text(skill.able, language) if skill.able.startswith(_OWN) else skill.able
