"""From where on a figure passes and beyond where it fails: the seed's numbers, the server's, and a tenant's own."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal, get_args
from uuid import UUID

from memory.errors import bad_request
from memory.levels import LevelState, ServiceLevels, Threshold

FigureName = Literal[
    "staleness_rate",
    "conflict_rate",
    "injection_quality",
    "retrieval_latency_p95",
    "context_overflow_rate",
    "deletion_timeout_rate",
    "receipt_completeness_rate",
    "evolution_throughput",
    "deletion_time",
    "injection_receipt_completeness",
    "standby_switch",
    "write_success_rate",
    "audit_completeness_rate",
]
"""The eleven acceptance figures in the order of their numbers, then two objectives of writing and of the audit."""
FIGURES: tuple[FigureName, ...] = get_args(FigureName)
ACCEPTANCE_FIGURES = 11
GovernorRule = Literal["cleaning_staleness", "resolution_conflict"]
"""From which staleness upkeep cleans, and from which conflict rate it settles contradictions."""
BoundName = Literal[FigureName, GovernorRule]
BOUND_NAMES: tuple[BoundName, ...] = get_args(BoundName)
MIN_SAMPLES = 30
"""With fewer, a rate can be anything."""


@dataclass(frozen=True, kw_only=True)
class Bound:
    """It passes on the good side of ``pass_at`` and fails on the bad side of ``fail_at``; between them it is observed.

    Smaller is better unless ``higher`` is. ``inclusive``: it passes at ``pass_at`` itself as well. A promise that no
    single case may break needs no ``min_samples``.
    """

    pass_at: float
    fail_at: float
    higher: bool = False
    inclusive: bool = False
    min_samples: int = MIN_SAMPLES

    def judge(self, value: float | None, samples: int) -> LevelState:
        """The state of a value that rests on so many samples."""
        if value is None or samples < self.min_samples:
            return "OBSERVE"
        worse, passes, fails = (
            (-value, -self.pass_at, -self.fail_at) if self.higher else (value, self.pass_at, self.fail_at)
        )
        if worse < passes or (self.inclusive and worse == passes):
            return "PASS"
        return "FAIL" if worse > fails else "OBSERVE"


DEFAULTS: Mapping[BoundName, Bound] = {
    "staleness_rate": Bound(pass_at=0.15, fail_at=0.25),
    "conflict_rate": Bound(pass_at=0.10, fail_at=0.15),
    "injection_quality": Bound(pass_at=0.55, fail_at=0.40, higher=True),
    "retrieval_latency_p95": Bound(pass_at=200.0, fail_at=500.0),
    "context_overflow_rate": Bound(pass_at=0.05, fail_at=0.15),
    "deletion_timeout_rate": Bound(pass_at=0.0, fail_at=0.0, inclusive=True, min_samples=0),
    "receipt_completeness_rate": Bound(pass_at=0.99, fail_at=0.95, higher=True),
    "evolution_throughput": Bound(pass_at=100.0, fail_at=20.0, higher=True),
    "deletion_time": Bound(pass_at=0.8, fail_at=1.0, inclusive=True, min_samples=0),
    "injection_receipt_completeness": Bound(pass_at=1.0, fail_at=0.95, higher=True, inclusive=True),
    "standby_switch": Bound(pass_at=0.8, fail_at=1.0, inclusive=True, min_samples=1),
    "write_success_rate": Bound(pass_at=0.999, fail_at=0.999, higher=True, inclusive=True),
    "audit_completeness_rate": Bound(pass_at=1.0, fail_at=1.0, higher=True, inclusive=True, min_samples=0),
    "cleaning_staleness": Bound(pass_at=0.20, fail_at=0.20, inclusive=True),
    "resolution_conflict": Bound(pass_at=0.10, fail_at=0.10, inclusive=True),
}
"""S0 sections 2.3.2, 2.3.2.2 and 2.3.2.3; the objectives are those of S1 section 10.1."""

_FORM = "FIGURE=PASS or FIGURE=PASS/FAIL, such as staleness_rate=0.15/0.25; several are joined by commas"


def parse_thresholds(text: str) -> tuple[Threshold, ...]:
    """The thresholds of a setting. Raises ``ValueError``."""
    return tuple(_parse_threshold(each.strip()) for each in text.split(",") if each.strip())


def _parse_threshold(text: str) -> Threshold:
    name, _, numbers = text.partition("=")
    parts = numbers.split("/")
    try:
        passes, fails = float(parts[0]), float(parts[-1])
    except ValueError:
        raise ValueError(f"{text!r} is not {_FORM}") from None
    threshold = Threshold(figure=name.strip(), pass_at=passes, fail_at=fails)
    if why := f"{text!r} is not {_FORM}" if len(parts) > 2 else find_fault(threshold):
        raise ValueError(why)
    return threshold


def find_fault(threshold: Threshold) -> str:
    """Why nothing can be judged by a threshold; empty when it can."""
    known = DEFAULTS.get(threshold.figure)  # type: ignore[call-overload]
    if known is None:
        return f"{threshold.figure[:60]!r} is none of {', '.join(BOUND_NAMES)}"
    if not (
        isfinite(threshold.pass_at) and isfinite(threshold.fail_at) and min(threshold.pass_at, threshold.fail_at) >= 0
    ):
        return f"the bounds of {threshold.figure} must be numbers from 0 on"
    first, last = (threshold.fail_at, threshold.pass_at) if known.higher else (threshold.pass_at, threshold.fail_at)
    return "" if first <= last else f"{threshold.figure} would fail where it passes"


def require_threshold(threshold: Threshold) -> Threshold:
    """Raises ``E_BAD_REQUEST`` for one by which nothing can be judged."""
    if why := find_fault(threshold):
        raise bad_request(f"{why[0].upper()}{why[1:]}.", "GET /v1/memory/levels/thresholds lists those in force.")
    return threshold


def apply_thresholds(*layers: Iterable[Threshold]) -> Mapping[BoundName, Bound]:
    """The bounds in force: each layer stands above the ones before it."""
    found = dict(DEFAULTS)
    for each in (each for layer in layers for each in layer):
        if not find_fault(each):
            name: BoundName = each.figure  # type: ignore[assignment]
            found[name] = replace(found[name], pass_at=each.pass_at, fail_at=each.fail_at)
    return found


async def read_bounds(levels: ServiceLevels, tenant_id: UUID, of_server: str) -> Mapping[BoundName, Bound]:
    """The bounds in force for a tenant: its own, else those of the server's setting, else the seed's."""
    return apply_thresholds(parse_thresholds(of_server), await levels.thresholds(tenant_id))
