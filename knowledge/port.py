"""What Brain asks of an organisation's knowledge. It never sees personal memory."""

from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class KnowledgeQuestion:
    """Who asks (organisation and profile, never a person's memories) and about what."""

    tenant_id: UUID
    org_tier: str
    role: str
    text: str


@dataclass(frozen=True, kw_only=True)
class KnowledgeEntry:
    """One thing the organisation knows. ``topic`` is what a personal preference may collide with."""

    entry_id: str
    text: str
    source: str = "enterprise"
    topic: str = ""


@dataclass(frozen=True, kw_only=True)
class KnowledgeBundle:
    """What knowledge has to say to one turn: entries, and the tone the organisation wants."""

    entries: tuple[KnowledgeEntry, ...] = ()
    tone: str = ""
    version: int = 0
    stores_used: tuple[str, ...] = field(default=())


class KnowledgePort(Protocol):
    """A soft dependency: it may be absent, slow or down, and the turn goes on without it."""

    async def consult(self, question: KnowledgeQuestion) -> KnowledgeBundle:
        """What bears on the question; an empty bundle when nothing does."""
        ...

    def capabilities(self) -> frozenset[str]:
        """What this implementation can do: ``semantic``, ``graph``, ``tone``; empty for none."""
        ...

    def version(self, tenant_id: UUID) -> int:
        """Grows with every knowledge write of that tenant; caches key on it."""
        ...


class NoKnowledge:
    """Brain with every knowledge store removed: it still converses, remembers and understands."""

    async def consult(self, question: KnowledgeQuestion) -> KnowledgeBundle:
        """Nothing is known."""
        return KnowledgeBundle()

    def capabilities(self) -> frozenset[str]:
        """None."""
        return frozenset()

    def version(self, tenant_id: UUID) -> int:
        """There is never a write."""
        return 0
