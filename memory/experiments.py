"""Experiments of a tenant: which variants there are, and how they did. Sums alone: nothing tells who was in which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, get_args
from uuid import UUID

from memory.scope import Scope

Measure = Literal["negative", "corrections", "utilization"]
"""What is compared: replies that were rejected, or after which something was taken back; memories that were used."""
MEASURES: tuple[Measure, ...] = get_args(Measure)
Dimension = Literal["prompt_variant", "ranking_policy", "truncation", "routing"]
"""What a variant may change."""
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
EndedBy = Literal["operator", "guard"]


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One way of answering. ``share``: the percentage of people who get it."""

    name: str
    share: int
    dimensions: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True)
class VariantCounts:
    """What happened in one variant to one sixteenth of the people. ``judged``: replies that people went on from."""

    variant: str
    part: int
    turns: int = 0
    judged: int = 0
    negative: int = 0
    corrections: int = 0
    injected: int = 0
    utilized: int = 0
    routed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """The first variant is the one that others are compared with. ``finding``: why the guard ended it."""

    experiment_id: UUID
    name: str
    variants: tuple[Variant, ...]
    guard: Measure
    started_at: datetime
    ended_at: datetime | None = None
    ended_by: EndedBy | None = None
    finding: Mapping[str, object] | None = None


@dataclass(frozen=True, kw_only=True)
class RunningExperiment:
    """The experiment that runs as a turn finds it. ``place``: where this person stands in it, from 0 to 9999."""

    experiment: Experiment
    place: int
    counts: tuple[VariantCounts, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ExperimentTurn:
    """What one turn adds to its variant; ``judged``, ``negative`` and ``corrected`` are about the reply before it."""

    experiment_id: UUID
    variant: str
    judged: bool
    negative: bool
    corrected: bool
    injected: int
    utilized: int
    routed: bool
    input_tokens: int
    output_tokens: int


class Experiments(Protocol):
    """One tenant's experiments."""

    async def start(self, scope: Scope, experiment: Experiment) -> bool:
        """Begin; whether it began: not while another runs, and not under a name that was used."""
        ...

    async def end(
        self, scope: Scope, experiment_id: UUID, at: datetime, finding: Mapping[str, object] | None = None
    ) -> Experiment | None:
        """End it, by the guard where there is a finding; None where it had ended."""
        ...

    async def list_newest(self, scope: Scope) -> Sequence[Experiment]:
        """The newest first, 200 at most."""
        ...

    async def find(self, scope: Scope, name: str) -> Experiment | None:
        """The one of that name."""
        ...

    async def counts(self, scope: Scope, experiment_id: UUID) -> Sequence[VariantCounts]:
        """How its variants did, by sixteenths of the people."""
        ...
