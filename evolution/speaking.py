"""Who speaks in a logged turn: as the rules read it, and whom a statement about the speaker is about."""

import re
from datetime import datetime

from evolution.state import Said
from memory.rules import SpokenTurn

_SPEAKER = re.compile(r"(?:the\s+)?(?:user|speaker)|i|me|myself|用户|我|本人|说话[人者]", re.IGNORECASE)


def spoken(said: Said) -> SpokenTurn:
    """A logged turn as the rules read it."""
    return SpokenTurn(
        text=said["text"],
        role=said["role"],
        speaker=said["speaker"],
        at=datetime.fromisoformat(said["at"]),
        zone=said["time_zone"],
    )


def subject_of(named: str, turn: Said) -> str:
    """Whoever speaks has slots of their own, however a sentence calls them."""
    name = " ".join(named.split())
    return spoken(turn).subject if _SPEAKER.fullmatch(name) or name == turn["speaker"].strip() else name
