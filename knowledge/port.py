"""What Brain asks of an organisation's knowledge in a turn. It never sees personal memory."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class Profile:
    """For whom knowledge speaks: names of the organisation's own, each empty where it is not known."""

    org_tier: str = ""
    role: str = ""
    brand: str = ""
    platform: str = ""


@dataclass(frozen=True)
class QuestionVector:
    """The vector of a question by a model, and what it counts beside words.

    ``is_fitted`` says that the cut's constants were fitted on this model's cosines.
    """

    model: str
    vector: tuple[float, ...]
    weight: float
    is_fitted: bool = False


async def without_vector() -> QuestionVector | None:
    """Words alone."""
    return None


@dataclass(frozen=True, kw_only=True)
class KnowledgeQuestion:
    """Who asks (organisation and profile, never a person's memories), when, and about what.

    ``embed`` makes the vector of the text, which is asked for only where there is something to compare it with.
    """

    tenant_id: UUID
    text: str
    at: datetime
    profile: Profile = field(default_factory=Profile)
    embed: Callable[[], Awaitable[QuestionVector | None]] = field(default=without_vector, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class KnowledgeEntry:
    """One thing the organisation knows. ``topic`` is what a personal preference may collide with."""

    entry_id: str
    text: str
    source: str = "enterprise"
    topic: str = ""
    brand: str = ""
    platform: str = ""
    score: float = 0.0


@dataclass(frozen=True, kw_only=True)
class KnowledgeBundle:
    """What knowledge has to say to one turn: entries, and how the organisation wants Brain to speak, first rule first.

    ``degraded`` is why it says less than it knows.
    """

    entries: tuple[KnowledgeEntry, ...] = ()
    tones: tuple[str, ...] = ()
    version: int = 0
    stores_used: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()


class KnowledgePort(Protocol):
    """A soft dependency: it may be absent, slow or down, and the turn goes on without it."""

    async def consult(self, question: KnowledgeQuestion) -> KnowledgeBundle:
        """What bears on the question; an empty bundle when nothing does."""
        ...

    async def search(self, question: KnowledgeQuestion, limit: int) -> tuple[KnowledgeEntry, ...]:
        """The entries that come nearest, best first, for somebody who looks through them."""
        ...

    def capabilities(self) -> frozenset[str]:
        """What this implementation can do: ``semantic``, ``graph``, ``tone``; empty for none."""
        ...

    async def version(self, tenant_id: UUID) -> int:
        """Grows with every knowledge write of that tenant; caches key on it."""
        ...


class NoKnowledge:
    """Brain with every knowledge store removed: it still converses, remembers and understands."""

    async def consult(self, question: KnowledgeQuestion) -> KnowledgeBundle:
        """Nothing is known."""
        return KnowledgeBundle()

    async def search(self, question: KnowledgeQuestion, limit: int) -> tuple[KnowledgeEntry, ...]:
        """Nothing is found."""
        return ()

    def capabilities(self) -> frozenset[str]:
        """None."""
        return frozenset()

    async def version(self, tenant_id: UUID) -> int:
        """There is never a write."""
        return 0
