"""Who speaks in a logged turn, and whom a statement about the speaker is about."""

import re

from evolution.state import TurnRecord
from language.detection import Language
from language.people import SPEAKER

_SPEAKER = re.compile(r"(?:the\s+)?(?:user|speaker)|i|me|myself|用户|我|本人|说话[人者]", re.IGNORECASE)
_NAMELESS = frozenset({"", SPEAKER, "me", "human", "用户", "我"})


def subject_of_speaker(turn: TurnRecord) -> str:
    """Whom first-person statements are about: each speaker of a group has slots of their own."""
    name = turn["speaker"].strip()
    return SPEAKER if name.lower() in _NAMELESS else name


def display_name(turn: TurnRecord, language: Language) -> str:
    """How the speaker appears in a sentence about them."""
    subject = subject_of_speaker(turn)
    return subject if subject != SPEAKER else "用户" if language == "zh" else "The user"


def subject_of(named: str, turn: TurnRecord) -> str:
    """The subject under one name, whatever a sentence calls the speaker."""
    name = " ".join(named.split())
    return subject_of_speaker(turn) if _SPEAKER.fullmatch(name) or name == turn["speaker"].strip() else name
