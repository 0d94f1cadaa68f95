"""The figures of ``recall_latency`` as tables to read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from evals.computing import Computing
from evals.measure import Load, Timing, ratio

OURS = "brain"


@dataclass(frozen=True, kw_only=True)
class OfPerson:
    """Figures for people with so many memories."""

    memories: int
    alone: Mapping[str, Timing]
    found: Mapping[str, float]
    computing: Mapping[str, Computing]
    parts: Mapping[str, Timing]
    loads: Mapping[str, Sequence[Load]]


@dataclass(frozen=True, kw_only=True)
class Case:
    """Figures of one table. Sizes are bytes per million rows."""

    rows: int
    dimensions: int
    people: tuple[OfPerson, ...]
    bytes_per_million: Mapping[str, int]
    rebuild: Mapping[str, float]


def tables(cases: Sequence[Case]) -> Iterator[Table]:
    """One table per question that the measurement answers."""
    for case in cases:
        yield _table_alone(case)
        yield _parts(case)
        if any(any(loads) for person in case.people for loads in person.loads.values()):
            yield _loads(case)
        yield _costs(case)


def _title(case: Case, what: str) -> str:
    return f"{what} · {case.rows:,} rows · {case.dimensions} dimensions"


def _table_alone(case: Case) -> Table:
    table = Table(title=_title(case, "One caller: p50 / p95 ms (least–greatest p50)"))
    for column in ("memories", "who", "ms", "found", "against brain", "computing: python + server ms"):
        table.add_column(column, justify="left" if column == "who" else "right")
    for person in case.people:
        ours = _ours(person)
        for name, each in person.alone.items():
            times = f"{ratio(each.p50, person.alone[ours].p50):.1f}×"
            table.add_row(
                f"{person.memories:,}", name, str(each), f"{person.found[name]:.1f}", times, _spent(person, name)
            )
        table.add_section()
    return table


def _spent(person: OfPerson, name: str) -> str:
    spent = person.computing[name]
    return f"{spent.python:.1f} + {'?' if spent.server is None else f'{spent.server:.1f}'}"


def _ours(person: OfPerson) -> str:
    return OURS if OURS in person.alone else next(iter(person.alone))


def _parts(case: Case) -> Table:
    table = Table(title=_title(case, "Where Brain's time goes: p50 ms"))
    table.add_column("memories", justify="right")
    for name in case.people[0].parts:
        table.add_column(name, justify="right")
    for person in case.people:
        table.add_row(f"{person.memories:,}", *(f"{part.p50:.2f}" for part in person.parts.values()))
    return table


def _loads(case: Case) -> Table:
    table = Table(title=_title(case, "Many callers: answers per second, p50 / p95 ms"))
    for column in ("memories", "who", "clients", "per second", "ms"):
        table.add_column(column, justify="left" if column == "who" else "right")
    for person in case.people:
        for name, loads in person.loads.items():
            for load in loads:
                ms = f"{load.p50:.1f} / {load.p95:.1f}"
                table.add_row(f"{person.memories:,}", name, str(load.clients), f"{load.per_second:.0f}", ms)
        table.add_section()
    return table


def _costs(case: Case) -> Table:
    table = Table(title=_title(case, "What it takes"))
    table.add_column("part")
    table.add_column("size or time", justify="right")
    for name, size in case.bytes_per_million.items():
        table.add_row(f"{name}, per million rows", f"{size / 1e6:,.0f} MB")
    rebuilt = case.rebuild
    table.add_row(f"rebuilding one person of {rebuilt['rows']:,.0f}", f"{rebuilt['seconds']:.1f} s")
    return table
