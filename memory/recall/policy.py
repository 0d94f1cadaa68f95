"""What a ranking policy is, and what it returns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memory.recall.query import CandidateRow, RecallPass


@dataclass(frozen=True, kw_only=True)
class RankedCandidate:
    """A candidate in its place, and why: ``signals`` names every retriever and factor that went into ``score``."""

    candidate: CandidateRow
    score: float
    signals: Mapping[str, float] = field(default_factory=dict[str, float])


Cut = Callable[[Sequence[RecallPass], Sequence["RankedCandidate"]], list["RankedCandidate"]]


def keep_all(passes: Sequence[RecallPass], ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
    """The cut of a policy that has none."""
    del passes
    return list(ranked)


@dataclass(frozen=True)
class Policy:
    """A named, versioned way to order candidates; its name lands on the receipt as ``policy_version``.

    ``cut`` leaves of what was ranked what is worth a place in a prompt, ``search_cut`` what is worth showing to
    somebody who searches; both may be nothing.
    """

    name: str
    order: Callable[[Sequence[RecallPass]], list[RankedCandidate]]
    cut: Cut = keep_all
    search_cut: Cut = keep_all
