"""The figures of ``evolution_throughput`` as tables to read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from evals.measure import Timing, ratio
from evals.turn_captures import NOBODY_ENQUEUES

WIDTH = 110
"""Columns of the printed tables, at least: also where the output is a file."""


@dataclass(frozen=True, kw_only=True)
class Pace:
    """A queue worked off: from the moment the first job began to the end of the last."""

    analysis: str
    people: int
    jobs: int
    operations: int
    memories: int
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Everything that was measured. ``findable``: from the capture of a turn until recall finds what it states."""

    paces: Sequence[Pace]
    findable: Mapping[str, Timing]
    captures: Mapping[str, Timing]


def tables(figures: Figures) -> Iterator[Table]:
    """What a worker does in a minute, how soon a turn can be found, and what it costs the turn."""
    yield _paces(figures)
    yield _findable(figures)
    yield _captures(figures)


def _paces(figures: Figures) -> Table:
    table = _table(
        "A queue worked off by one worker", "analysis", "people", "jobs", "turns/s", "memories", "memories/min"
    )
    for each in figures.paces:
        turns, kept = each.operations / each.seconds, each.memories / each.seconds * 60
        table.add_row(
            each.analysis, str(each.people), str(each.jobs), f"{turns:.1f}", str(each.memories), f"{kept:,.0f}"
        )
    return table


def _findable(figures: Figures) -> Table:
    table = _table("From a turn to a memory that recall finds", "analysis", "p50 ms", "p95 ms")
    for name, each in figures.findable.items():
        table.add_row(name, f"{each.p50:.0f}", f"{each.p95:.0f}")
    return table


def _captures(figures: Figures) -> Table:
    table = _table("What a turn pays", "queue: what is timed", "p50 / p95 ms (least–greatest p50)", "against no job")
    for name, each in figures.captures.items():
        without = figures.captures[f"{NOBODY_ENQUEUES}:{name.partition(':')[2]}"].p50
        table.add_row(name, str(each), f"{ratio(each.p50, without):.2f}× ({each.p50 - without:+.2f} ms)")
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    return table
