"""In which tone Brain speaks: the organisation's own rules first, then the person's wishes, then plain defaults."""

from collections.abc import Sequence
from html import escape

from brain.identity import Identity
from brain.state import MemoryUse
from language.orders import find_order

TONE_OF_TIER = {
    "brand_hq": "Speak as a strategic adviser: professional, structured, with the wider picture in view.",
    "regional_agent": "Speak as a practical colleague: concrete, down to earth, with the next step in view.",
    "franchise_store": "Speak in a friendly and plain way, without jargon.",
}
DETAIL_OF_ROLE = {
    "owner": "Support decisions: give a few options with their consequences.",
    "admin": "Support decisions: give a few options with their consequences.",
    "editor": "Give one direct recommendation.",
    "viewer": "Give one direct recommendation.",
}


_MAX_WISHES = 3
_MAX_WISH_CHARACTERS = 300


def default_tone(identity: Identity, organisation: str) -> str:
    """Lines for the stable prefix: the organisation's own tone where it has one, else what tier and role call for."""
    tone = organisation or TONE_OF_TIER.get(identity.org_tier, "")
    return "\n".join(f"- {line}" for line in (tone, DETAIL_OF_ROLE.get(identity.role, "")) if line)


def wishes_of(memories: Sequence[MemoryUse]) -> tuple[str, ...]:
    """How this person asked to be spoken to, for this turn's guidance; it goes before the defaults.

    Only a person's own words, found clean, may become guidance: anything else would be an instruction out of memory.
    """
    own = (memory for memory in memories if memory["role"] == "user" and memory.get("sanitization", "pass") == "pass")
    short = (memory["text"] for memory in own if len(memory["text"]) <= _MAX_WISH_CHARACTERS)
    wishes = dict.fromkeys(text for text in short if find_order(text) == "manner")
    return tuple(
        f"- The person's own wish about your answers: {escape(' '.join(wish.split()), quote=False)}"
        for wish in list(wishes)[:_MAX_WISHES]
    )
