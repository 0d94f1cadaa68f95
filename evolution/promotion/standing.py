"""How a sentence stands to what the organisation knows, and to what was proposed before."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from brain.resources import Resources
from knowledge.port import KnowledgeQuestion
from language.agreement import opposes, says_the_same
from language.encoder import sentence_encoder

log = structlog.get_logger(__name__)

PROPOSALS, ENTRIES = 1_000, 20
"""The newest proposals, and the nearest entries of knowledge, that a new one is compared with."""


@dataclass(frozen=True)
class Standing:
    """``is_known``: it is known or was proposed already. ``conflict_ratio``: the share of entries of its matter that
    say the contrary.
    """

    is_known: bool = False
    conflict_ratio: float = 0.0


async def find_standing(resources: Resources, tenant_id: UUID, text: str) -> Standing:
    """Compare a sentence with what stands already; what is rejected is not proposed again in other words."""
    proposals = await resources.memory.promotions.list_of(tenant_id, None, PROPOSALS)
    earlier = [each.text for each in proposals if each.status != "withdrawn"]
    known = await _known_entries(resources, tenant_id, text)
    return await asyncio.to_thread(_compare, text, earlier, known)


async def _known_entries(resources: Resources, tenant_id: UUID, text: str) -> list[str]:
    """Knowledge may be slow or away: then nothing stands against a proposal but the person who decides."""
    question = KnowledgeQuestion(tenant_id=tenant_id, text=text, at=resources.clock())
    try:
        async with asyncio.timeout(resources.settings.knowledge_timeout):
            entries = await resources.knowledge.search(question, ENTRIES)
    except Exception as error:
        # A store is somebody else's adapter, whatever it raises.
        log.warning("knowledge_stores_unavailable", error=type(error).__name__)
        return []
    return [each.text for each in entries]


def _compare(text: str, earlier: Sequence[str], known: Sequence[str]) -> Standing:
    others = [*earlier, *known]
    if not others:
        return Standing()
    meanings = sentence_encoder().encode([text, *others])
    cosines: list[float] = (meanings[1:] @ meanings[0]).tolist()
    if any(says_the_same(text, other, cosine) for other, cosine in zip(others, cosines, strict=True)):
        return Standing(is_known=True)
    against = [opposes(text, other, cosine) for other, cosine in zip(known, cosines[len(earlier) :], strict=True)]
    return Standing(conflict_ratio=sum(against) / len(against) if against else 0.0)
