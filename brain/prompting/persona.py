"""In which tone Brain speaks: the organisation's own rules first, then the person's wishes, then plain defaults."""

from collections.abc import Sequence
from html import escape

from brain.identity import Identity
from brain.state import MemoryUse
from language.constraints import states_constraint
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


def default_tone(identity: Identity, organisation: Sequence[str] = ()) -> str:
    """Lines for the stable prefix: the organisation's own rules where it has some, else what tier and role call for.

    The rules come in their order: for a tier or role, for the brand, for the platform.
    """
    lines = [*(organisation or [TONE_OF_TIER.get(identity.org_tier, "")]), DETAIL_OF_ROLE.get(identity.role, "")]
    return "\n".join(f"- {line}" for line in lines if line)


def wishes_of(memories: Sequence[MemoryUse], *, is_ruled: bool = False) -> tuple[str, ...]:
    """How this person asked to be spoken to, for this turn's guidance; it goes before the defaults.

    Where the organisation has rules of its own (``is_ruled``) a wish counts as far as they leave it open, but what
    somebody cannot bear is no mere wish. Only a person's own words, found clean, may become guidance: anything else
    would be an instruction out of memory.
    """
    own = (memory for memory in memories if memory["role"] == "user" and memory.get("sanitization", "pass") == "pass")
    short = (memory["text"] for memory in own if len(memory["text"]) <= _MAX_WISH_CHARACTERS)
    wishes = dict.fromkeys(text for text in short if find_order(text) == "manner")
    return tuple(_wish_line(wish, is_ruled=is_ruled) for wish in list(wishes)[:_MAX_WISHES])


def _wish_line(wish: str, *, is_ruled: bool) -> str:
    bounds = ", as far as the tone above leaves it open" if is_ruled and not states_constraint(wish) else ""
    return f"- The person's own wish about your answers{bounds}: {escape(' '.join(wish.split()), quote=False)}"
