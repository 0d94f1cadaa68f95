"""The report of a tenant: every figure with its state, and what the releases before it came to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from brain.levels.bounds import ACCEPTANCE_FIGURES, FIGURES, Bound, BoundName, FigureName, read_bounds
from brain.levels.figures import MEASURED, Unit
from memory.levels import LevelCounts, LevelState, ReleaseVerdict, ServiceLevels

OBSERVED_RELEASES = 3
"""So many releases in a row in which a figure could not be judged are a failure (S0 section 2.3.2.2)."""
MAX_RELEASES = 12
"""Releases that a report looks back on."""


@dataclass(frozen=True, kw_only=True)
class FigureVerdict:
    """A figure as it was measured. ``number`` is its place among the acceptance figures, None for an objective.

    ``measured`` is its own state; ``state`` is FAIL as well after three releases of OBSERVE. ``observed``: how many
    releases in a row, this one among them, it could not be judged.
    """

    name: FigureName
    number: int | None
    unit: Unit
    window: timedelta | None
    value: float | None
    samples: int
    bound: Bound
    measured: LevelState
    observed: int = 0

    @property
    def state(self) -> LevelState:
        """What counts."""
        return "FAIL" if self.observed >= OBSERVED_RELEASES else self.measured

    @property
    def too_few(self) -> bool:
        """Whether there were too few cases to judge it."""
        return self.samples < self.bound.min_samples


@dataclass(frozen=True, kw_only=True)
class LevelReport:
    """Figures at a moment. ``releases``: the verdicts of each release, the newest first."""

    at: datetime
    release: str | None
    figures: tuple[FigureVerdict, ...]
    releases: tuple[tuple[ReleaseVerdict, ...], ...] = ()

    @property
    def state(self) -> LevelState:
        """The worst of its figures."""
        states = {each.state for each in self.figures}
        return "FAIL" if "FAIL" in states else "OBSERVE" if "OBSERVE" in states else "PASS"


@dataclass(frozen=True)
class LevelReporter:
    """Measures a tenant. ``thresholds``: the server's setting."""

    levels: ServiceLevels
    thresholds: str

    async def measure(self, tenant_id: UUID, at: datetime) -> LevelReport:
        """How the tenant stands, judged by itself; nothing is kept."""
        bounds = await read_bounds(self.levels, tenant_id, self.thresholds)
        counts = await self.levels.measure(
            tenant_id,
            at,
            slow_ms=bounds["retrieval_latency_p95"].pass_at,
            enough=max(1, round(bounds["evolution_throughput"].pass_at)),
        )
        releases = group_releases(await self.levels.list_verdicts(tenant_id, MAX_RELEASES))
        return LevelReport(at=at, release=None, figures=judge_figures(counts, bounds), releases=releases)

    async def measure_release(self, tenant_id: UUID, at: datetime, release: str) -> LevelReport:
        """The same under the name of a release: it is kept, and judged with those before it."""
        found = await self.measure(tenant_id, at)
        verdicts = [_verdict_of(each, release, at) for each in found.figures]
        await self.levels.save_verdicts(tenant_id, release, verdicts)
        releases = group_releases(await self.levels.list_verdicts(tenant_id, MAX_RELEASES))
        earlier = _before(release, releases)
        figures = tuple(replace(each, observed=count_observed(each, earlier)) for each in found.figures)
        return replace(found, release=release, figures=figures, releases=releases)


def judge_figures(counts: LevelCounts, bounds: Mapping[BoundName, Bound]) -> tuple[FigureVerdict, ...]:
    """Every figure by its own numbers."""
    return tuple(_judge(name, number, counts, bounds[name]) for number, name in enumerate(FIGURES, 1))


def _judge(name: FigureName, number: int, counts: LevelCounts, bound: Bound) -> FigureVerdict:
    figure = MEASURED[name]
    found = figure.measure(counts)
    return FigureVerdict(
        name=name,
        number=number if number <= ACCEPTANCE_FIGURES else None,
        unit=figure.unit,
        window=figure.window,
        value=found.value,
        samples=found.samples,
        bound=bound,
        measured=bound.judge(found.value, found.samples),
    )


def count_observed(figure: FigureVerdict, earlier: Sequence[Sequence[ReleaseVerdict]]) -> int:
    """How many releases in a row a figure could not be judged: this one, and those right before it."""
    if figure.measured != "OBSERVE":
        return 0
    count = 1
    for verdicts in earlier:
        if {each.figure: each.state for each in verdicts}.get(figure.name) != "OBSERVE":
            break
        count += 1
    return count


def group_releases(verdicts: Sequence[ReleaseVerdict]) -> tuple[tuple[ReleaseVerdict, ...], ...]:
    """The verdicts by release, in the order in which they come."""
    return tuple(tuple(of_release) for _, of_release in groupby(verdicts, key=lambda each: each.release))


def _before(release: str, newest_first: Sequence[Sequence[ReleaseVerdict]]) -> Sequence[Sequence[ReleaseVerdict]]:
    names = [verdicts[0].release for verdicts in newest_first]
    return newest_first[names.index(release) + 1 :] if release in names else ()


def _verdict_of(figure: FigureVerdict, release: str, at: datetime) -> ReleaseVerdict:
    return ReleaseVerdict(
        release=release,
        figure=figure.name,
        state=figure.measured,
        value=figure.value,
        samples=figure.samples,
        first_at=at,
        reported_at=at,
    )
