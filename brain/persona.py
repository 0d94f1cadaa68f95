"""In which tone Brain speaks: the organisation's own rules first, then the person's wishes, then plain defaults."""

from collections.abc import Sequence

from brain.identity import Identity
from brain.state import MemoryUse
from knowledge.port import KnowledgeBundle

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


def tone_of(identity: Identity, knowledge: KnowledgeBundle | None, memories: Sequence[MemoryUse]) -> tuple[str, str]:
    """Lines for the stable prefix, and lines for this turn only: memories change from turn to turn, roles do not."""
    organisation = knowledge.tone if knowledge and knowledge.tone else TONE_OF_TIER.get(identity.org_tier, "")
    stable = "\n".join(f"- {line}" for line in (organisation, DETAIL_OF_ROLE.get(identity.role, "")) if line)
    wishes = [memory["text"] for memory in memories if memory["category"] in ("tone", "style_of_speech")]
    personal = "" if knowledge and knowledge.tone else "\n".join(f"- The user's own wish: {wish}" for wish in wishes)
    return stable, personal
