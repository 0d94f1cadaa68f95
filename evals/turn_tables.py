"""The figures of ``turn_cost`` as tables to read."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from evals.measure import ratio

if TYPE_CHECKING:
    from evals.turn_cost import Case

BASELINE = "bare, exit"
_BESIDE_RETRIEVAL = ("classify_intent", "rewrite_query", "consult_knowledge")


def tables(cases: Sequence["Case"]) -> Iterator[Table]:
    """Whole turns, then where Brain's turn spends its time."""
    for case in cases:
        yield _turns(case)
        yield _nodes(case)


def _turns(case: "Case") -> Table:
    table = Table(title=f"A turn with an instant model · {case.memories:,} memories of this person")
    for column in (
        "agent, durability",
        "p50 / p95 ms (least–greatest p50)",
        "against bare",
        "computing ms",
        "round trips",
    ):
        table.add_column(column, justify="left" if column.startswith("agent") else "right")
    bare = case.turns[BASELINE].p50
    for name, each in case.turns.items():
        times, trips = f"{ratio(each.p50, bare):.1f}×", f"{case.round_trips[name]:.1f}"
        table.add_row(name, str(each), times, f"{case.computing[name].p50:.1f}", trips)
    return table


def _nodes(case: "Case") -> Table:
    table = Table(title=f"Brain's nodes, exit · {case.memories:,} memories", caption=_caption(case))
    for column in ("node", "p50 ms", "p95 ms"):
        table.add_column(column, justify="left" if column == "node" else "right")
    for name, each in case.nodes.items():
        table.add_row(name, f"{each.p50:.2f}", f"{each.p95:.2f}")
    table.add_row("LangGraph and its saver", f"{_rest(case):.2f}", "")
    return table


def _rest(case: "Case") -> float:
    """What is left of a turn beside its nodes; those that run beside the retrieval cost no time of their own."""
    own = sum(each.p50 for name, each in case.nodes.items() if name not in _BESIDE_RETRIEVAL)
    return case.turns["brain, exit"].p50 - own


def _caption(case: "Case") -> str:
    return f"{', '.join(_BESIDE_RETRIEVAL)} run while retrieve waits for the database"
