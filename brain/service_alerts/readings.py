"""What alerts are made of: the events that burn, what no case may break, and what the installation owes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, get_args

from brain.levels.bounds import Bound, BoundName
from brain.levels.report import FigureVerdict
from brain.service_alerts.burn_rate import RULES, BurnRule, Tallies, Tally, may_alert, should_alert
from memory.levels import AuditCounts
from memory.service_alerts import (
    AlertName,
    AlertReading,
    CellAlert,
    DutyReadings,
    EventCounts,
    ServiceDuty,
    Severity,
)

BurningName = Literal[
    "retrieval_latency_p95", "context_overflow_rate", "receipt_completeness_rate", "write_success_rate"
]
"""What is made of good and bad events, of which an objective allows a share to be bad."""
BURNING: tuple[BurningName, ...] = get_args(BurningName)
LevelName = Literal["staleness_rate", "conflict_rate", "injection_quality"]
"""Figures over days: the governor hands those that fail to a person."""
LEVELS: tuple[LevelName, ...] = get_args(LevelName)
Key = tuple[AlertName, Severity]
Active = frozenset[Key]
"""What is active already."""
SLOW_SHARE = 0.05
"""The share of searches that may be slow where the 95th of a hundred has to be fast."""
LATE_SECONDS, VERY_LATE_SECONDS = 300.0, 1_800.0
"""From which wait on work of the installation is late: for a ticket, and for a call."""
IN_TIME_SECONDS = 60.0
"""Below this wait it is in time again, as the doctor has it."""
NEVER_SECONDS = 1e9
"""The age of a backup that never was."""


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A reading, and whether it is one to alert at."""

    reading: AlertReading
    is_alert: bool

    @property
    def key(self) -> Key:
        """Of one name there may be an alert of each severity."""
        return self.reading.name, self.reading.severity


def budget_of(name: BurningName, bounds: Mapping[BoundName, Bound]) -> float:
    """The share of events that the objective allows to be bad."""
    if name == "retrieval_latency_p95":
        return SLOW_SHARE
    bound = bounds[name]
    return 1.0 - bound.pass_at if bound.higher else bound.pass_at


def tally(name: BurningName, counts: EventCounts) -> Tally:
    """The events of one indicator in a window."""
    if name == "write_success_rate":
        finished, given_up = counts.operations.finished, counts.operations.given_up
        return Tally(good=finished - given_up, bad=given_up)
    return next((Tally(good=each.good, bad=each.bad) for each in counts.levels if each.indicator == name), Tally())


def find_long_windows(counts: Mapping[timedelta, EventCounts], bounds: Mapping[BoundName, Bound]) -> list[timedelta]:
    """The long windows that have to be counted, by what burns in the short ones: mostly none."""
    return [
        rule.long
        for rule in RULES
        if any(may_alert(rule, budget_of(name, bounds), tally(name, counts[rule.short])) for name in BURNING)
    ]


def judge_burning(
    counts: Mapping[timedelta, EventCounts], bounds: Mapping[BoundName, Bound], active: Active
) -> Iterator[Judged]:
    """Every indicator under every rule. A long window that was not counted is one that need not be."""
    for name in BURNING:
        budget = budget_of(name, bounds)
        tallies = {length: tally(name, each) for length, each in counts.items()}
        for rule in RULES:
            yield _judge_rule(name, rule, budget, tallies, active)


def _judge_rule(name: BurningName, rule: BurnRule, budget: float, tallies: Tallies, active: Active) -> Judged:
    long = tallies.get(rule.long, Tally())
    whole = {rule.short: tallies[rule.short], rule.long: long}
    reading = AlertReading(
        name=name,
        severity=rule.severity,
        value=long.burn_rate(budget),
        threshold=rule.rate,
        samples=long.samples,
    )
    return Judged(
        reading=reading, is_alert=should_alert(rule, budget, whole, is_active=(name, rule.severity) in active)
    )


def judge_zero_tolerance(counts: EventCounts, audited: AuditCounts, refused: int) -> Iterator[Judged]:
    """What calls somebody at the first case: erasures past their deadline, a change without audit, a refused reach."""
    deletions = next((each for each in counts.levels if each.indicator == "deletion_timeout_rate"), None)
    overdue, erasures = (deletions.bad, deletions.good + deletions.bad) if deletions else (0, 0)
    yield _judge_cases("deletion_timeout_rate", overdue, erasures)
    yield _judge_cases("audit_completeness_rate", audited.changes - audited.audited, audited.changes)
    yield _judge_cases("access_refused", refused, refused)


def _judge_cases(name: AlertName, cases: int, samples: int) -> Judged:
    reading = AlertReading(name=name, severity="urgent", value=float(cases), threshold=0.0, samples=samples)
    return Judged(reading=reading, is_alert=cases > 0)


def judge_duties(found: DutyReadings, backup_seconds: float, active: Active) -> Iterator[Judged]:
    """What the installation owes. ``backup_seconds``: how old the newest backup may be; 0 where nobody asks for any."""
    waits: tuple[tuple[ServiceDuty, float], ...] = (
        ("queue_age", found.queue_seconds),
        ("seal_age", found.unsealed_seconds),
    )
    for name, seconds in waits:
        yield _judge_wait(name, "ticket", seconds, (LATE_SECONDS, IN_TIME_SECONDS), active)
        yield _judge_wait(name, "urgent", seconds, (VERY_LATE_SECONDS, LATE_SECONDS), active)
    age = NEVER_SECONDS if found.backup_seconds is None else found.backup_seconds
    if not backup_seconds:
        age = 0.0
    yield _judge_wait("backup_age", "ticket", age, (backup_seconds, backup_seconds), active)
    yield _judge_wait("backup_age", "urgent", age, (2 * backup_seconds, 2 * backup_seconds), active)


def _judge_wait(
    name: ServiceDuty, severity: Severity, seconds: float, limits: tuple[float, float], active: Active
) -> Judged:
    """It begins above the first limit and ends at the second."""
    begins, ends = limits
    is_alert = seconds > (ends if (name, severity) in active else begins)
    reading = AlertReading(name=name, severity=severity, value=seconds, threshold=begins, samples=1)
    return Judged(reading=reading, is_alert=is_alert)


def judge_cells(cells: int, away: int, unfinished: int) -> Iterator[Judged]:
    """How many of so many databases are away, and how many moves wait for a person."""
    found: tuple[tuple[CellAlert, Severity, int], ...] = (
        ("cell_away", "urgent", away),
        ("move_unfinished", "ticket", unfinished),
    )
    for name, severity, cases in found:
        reading = AlertReading(name=name, severity=severity, value=float(cases), threshold=0.0, samples=cells)
        yield Judged(reading=reading, is_alert=cases > 0)


def judge_levels(figures: Sequence[FigureVerdict], active: Active) -> Iterator[Judged]:
    """The governor's escalation: a figure that fails is a ticket, until it passes or rests on too little."""
    for figure in figures:
        if figure.name in LEVELS:
            goes_on = figure.measured == "OBSERVE" and not figure.too_few and (figure.name, "ticket") in active
            reading = AlertReading(
                name=figure.name,  # pyright: ignore[reportArgumentType]
                severity="ticket",
                value=figure.value or 0.0,
                threshold=figure.bound.fail_at,
                samples=figure.samples,
            )
            yield Judged(reading=reading, is_alert=figure.measured == "FAIL" or goes_on)
