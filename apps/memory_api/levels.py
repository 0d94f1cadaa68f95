"""Service levels of the tenant: every figure with its state, releases before, thresholds, and drills of the standby."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Annotated

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from brain.levels.bounds import BOUND_NAMES, BoundName, read_bounds, require_threshold
from brain.levels.figures import Unit
from brain.levels.report import FigureVerdict, LevelReport, LevelReporter
from memory.errors import BrainError
from memory.levels import Drill, LevelState, ReleaseVerdict, Threshold

RELEASE = r"^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$"
Seconds = Annotated[float, Field(ge=0, le=1_000_000_000, allow_inf_nan=False)]
BoundValue = Annotated[float, Field(ge=0, le=1_000_000_000, allow_inf_nan=False)]
_SECONDS_PER_HOUR = 3_600


class LevelsAsked(ApiRequest):
    """All of the tenant."""


class ReleaseReported(ApiRequest):
    """Under which name the figures are kept."""

    release: Annotated[str, Field(pattern=RELEASE, description="The name of the release, such as 1.4.0.")]


class ThresholdSet(ApiRequest):
    """Where a figure passes and fails from now on. A rule of the governor has one number: ``pass_at``."""

    figure: Annotated[BoundName, Field(description="Which figure, or which rule of upkeep.")]
    pass_at: Annotated[BoundValue, Field(description="It passes on the good side of this.")]
    fail_at: Annotated[BoundValue | None, Field(description="It fails on the bad side of this; unset: of pass_at.")] = (
        None
    )


class OneThreshold(ApiRequest):
    """Which figure."""

    figure: Annotated[BoundName, Field(description="Which figure, or which rule of upkeep.")]


class DrillTold(ApiRequest):
    """What a switch to the standby came to."""

    rto_seconds: Annotated[Seconds, Field(description="Seconds until it answered again.")]
    rpo_seconds: Annotated[Seconds, Field(description="Seconds of what was written that were lost.")]


class LevelFigure(ApiAnswer):
    """A figure. ``number``: its place among the acceptance figures, null for an objective of writing or of the audit.

    ``value`` is null where nothing happened that could be measured. ``too_few``: fewer ``samples`` than it takes to
    judge. ``observed``: how many releases in a row could not be judged; with three ``state`` is FAIL, whatever was
    ``measured``. Smaller is better unless ``higher``.
    """

    name: str
    number: int | None
    state: LevelState
    measured: LevelState
    value: float | None
    unit: Unit
    samples: int
    too_few: bool
    window_hours: float | None
    pass_at: float
    fail_at: float
    higher: bool
    observed: int


class LevelRelease(ApiAnswer):
    """What a release came to, by figure, as it was measured."""

    release: str
    reported_at: datetime
    states: Mapping[str, LevelState]
    values: Mapping[str, float | None]


class LevelsView(ApiAnswer):
    """The report. ``state`` is the worst of its figures; ``releases`` are the newest first."""

    at: datetime
    release: str | None
    state: LevelState
    figures: list[LevelFigure]
    releases: list[LevelRelease]


class ThresholdView(ApiAnswer):
    """The bounds in force; ``own``: the tenant has set them itself."""

    figure: str
    pass_at: float
    fail_at: float
    higher: bool
    own: bool


class ThresholdList(ApiAnswer):
    """Figures first, then the rules of upkeep."""

    thresholds: list[ThresholdView]


class DrillView(ApiAnswer):
    """A drill that is kept."""

    rto_seconds: float
    rpo_seconds: float
    held_at: datetime


@endpoint("GET /levels", scope="ops")
async def read_levels(asked: LevelsAsked, call: ApiCall) -> LevelsView:
    """Measure the tenant's service levels now; nothing is kept of it."""
    return view_report(await _reporter(call).measure(call.scope.tenant_id, call.resources.clock()))


@endpoint("POST /levels/releases", scope="admin", example={"release": "1.4.0"})
async def report_release(asked: ReleaseReported, call: ApiCall) -> LevelsView:
    """Measure the service levels for a release and keep its verdicts: three of OBSERVE in a row are a FAIL."""
    reporter, at = _reporter(call), call.resources.clock()
    return view_report(await reporter.measure_release(call.scope.tenant_id, at, asked.release))


@endpoint("GET /levels/thresholds", scope="ops", command="levels list")
async def list_thresholds(asked: LevelsAsked, call: ApiCall) -> ThresholdList:
    """List where the tenant's figures pass and fail."""
    return ThresholdList(thresholds=await _thresholds(call))


@endpoint(
    "PUT /levels/thresholds/{figure}",
    scope="admin",
    command="levels set",
    example={"figure": "staleness_rate", "pass_at": 0.1, "fail_at": 0.2},
)
async def set_threshold(asked: ThresholdSet, call: ApiCall) -> ThresholdView:
    """Judge a figure of the tenant by other numbers than the server's."""
    fail_at = asked.pass_at if asked.fail_at is None else asked.fail_at
    threshold = require_threshold(Threshold(figure=asked.figure, pass_at=asked.pass_at, fail_at=fail_at))
    await call.memory.levels.set_threshold(call.scope.tenant_id, threshold)
    return await _threshold(asked.figure, call)


@endpoint(
    "DELETE /levels/thresholds/{figure}", scope="admin", command="levels reset", example={"figure": "staleness_rate"}
)
async def reset_threshold(asked: OneThreshold, call: ApiCall) -> ThresholdView:
    """Judge a figure as the server is set again."""
    if not await call.memory.levels.drop_threshold(call.scope.tenant_id, asked.figure):
        raise BrainError("E_NOT_FOUND", "The tenant has set nothing for this figure.")
    return await _threshold(asked.figure, call)


@endpoint(
    "POST /levels/drills",
    scope="admin",
    status=201,
    command="levels drill",
    example={"rto_seconds": 12.5, "rpo_seconds": 0.2},
)
async def record_drill(asked: DrillTold, call: ApiCall) -> DrillView:
    """Tell what a switch to the standby came to; the newest drill counts for every tenant of the installation."""
    drill = Drill(rto_seconds=asked.rto_seconds, rpo_seconds=asked.rpo_seconds, held_at=call.resources.clock())
    await call.memory.levels.record_drill(call.scope.tenant_id, call.resources.new_id(), drill)
    return DrillView(**asdict(drill))


def view_report(report: LevelReport) -> LevelsView:
    """A report as it is answered."""
    return LevelsView(
        at=report.at,
        release=report.release,
        state=report.state,
        figures=[_view_figure(each) for each in report.figures],
        releases=[_view_release(each) for each in report.releases],
    )


def _view_figure(found: FigureVerdict) -> LevelFigure:
    window = found.window
    return LevelFigure(
        name=found.name,
        number=found.number,
        state=found.state,
        measured=found.measured,
        value=found.value,
        unit=found.unit,
        samples=found.samples,
        too_few=found.too_few,
        window_hours=window.total_seconds() / _SECONDS_PER_HOUR if window else None,
        pass_at=found.bound.pass_at,
        fail_at=found.bound.fail_at,
        higher=found.bound.higher,
        observed=found.observed,
    )


def _view_release(verdicts: tuple[ReleaseVerdict, ...]) -> LevelRelease:
    return LevelRelease(
        release=verdicts[0].release,
        reported_at=max(each.reported_at for each in verdicts),
        states={each.figure: each.state for each in verdicts},
        values={each.figure: each.value for each in verdicts},
    )


def _reporter(call: ApiCall) -> LevelReporter:
    return LevelReporter(call.memory.levels, call.resources.settings.level_thresholds)


async def _thresholds(call: ApiCall) -> list[ThresholdView]:
    levels, tenant_id = call.memory.levels, call.scope.tenant_id
    own = {each.figure for each in await levels.thresholds(tenant_id)}
    bounds = await read_bounds(levels, tenant_id, call.resources.settings.level_thresholds)
    return [
        ThresholdView(
            figure=name,
            pass_at=bounds[name].pass_at,
            fail_at=bounds[name].fail_at,
            higher=bounds[name].higher,
            own=name in own,
        )
        for name in BOUND_NAMES
    ]


async def _threshold(figure: BoundName, call: ApiCall) -> ThresholdView:
    return next(each for each in await _thresholds(call) if each.figure == figure)
