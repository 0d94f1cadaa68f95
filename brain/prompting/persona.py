"""In which tone Brain speaks: the organisation's own rules first, then the person's wishes, then plain defaults."""

import re
from collections.abc import Sequence
from html import escape

from brain.identity import Identity
from brain.state import MemoryUse

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


_WISH = re.compile(
    r"(?<!\bmy )\b(?:answer|reply|respond|speak|talk|write|explain)(?:s|ing)?\b.{0,40}"
    r"\b(?:short|brief|concise|detail|formal|casual|plain|simpl"
    r"|polite|direct|friendly|funny|humou?r|emoji|bullet|in (?:english|chinese|french|german|spanish|japanese))"
    r"|\b(?:short|brief|concise|detailed|formal|casual|plain|direct)\s+(?:answers?|repl(?:y|ies)|explanations?)\b"
    r"|(?:回答|回复|说话|讲解|解释|语气).{0,10}(?:简短|简洁|简单|详细|正式|随意|直接|礼貌|幽默|通俗)"
    r"|(?:简短|简洁|详细|正式|随意|直接|幽默|通俗)(?:一点|些)?地?的?(?:回答|回复|说话|讲解|解释|语气)|用(?:中文|英文|英语|法语|日语)(?:回答|回复|交流)",
    re.IGNORECASE,
)
_MOST_WISHES = 3
_LONGEST_WISH = 300


def default_tone(identity: Identity, organisation: str) -> str:
    """Lines for the stable prefix: the organisation's own tone where it has one, else what tier and role call for."""
    tone = organisation or TONE_OF_TIER.get(identity.org_tier, "")
    return "\n".join(f"- {line}" for line in (tone, DETAIL_OF_ROLE.get(identity.role, "")) if line)


def wishes_of(memories: Sequence[MemoryUse]) -> tuple[str, ...]:
    """How this person asked to be spoken to, for this turn's guidance; it goes before the defaults.

    Only a person's own words, found clean, may become guidance: anything else would be an instruction out of memory.
    """
    own = (memory for memory in memories if memory["role"] == "user" and memory.get("sanitization", "pass") == "pass")
    wishes = [memory["text"] for memory in own if len(memory["text"]) <= _LONGEST_WISH and _WISH.search(memory["text"])]
    return tuple(
        f"- The person's own wish about your answers: {escape(' '.join(wish.split()), quote=False)}"
        for wish in wishes[:_MOST_WISHES]
    )
