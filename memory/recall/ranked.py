"""What a policy returns, and what a policy is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memory.recall.query import Candidate, RecallPass


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """A candidate in its place, and why: ``signals`` names every leg and factor that went into ``score``."""

    candidate: Candidate
    score: float
    signals: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True)
class Policy:
    """A named, versioned way to order candidates; its name lands on the receipt as ``policy_version``."""

    name: str
    order: Callable[[Sequence[RecallPass]], list[Ranked]]
