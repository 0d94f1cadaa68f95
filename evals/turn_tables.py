"""The figures of ``turn_cost`` as tables to read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from evals.measure import Rounds, Timing, ratio, timing
from evals.turns import Spent

BASELINE = "bare, exit"
_BESIDE_RETRIEVAL = ("classify_intent", "rewrite_query", "consult_knowledge")


@dataclass(frozen=True, kw_only=True)
class NodeTiming:
    """Milliseconds until a node was done, and of computing; nodes that run side by side wait for each other's."""

    until_done: Timing
    computing: Timing

    @classmethod
    def of(cls, spent: Spent, rounds: Rounds) -> "NodeTiming":
        """Without the turns that warmed up."""
        counted = (each[rounds.warm_up :] for each in (spent.until_done, spent.computing))
        return cls(**{name: timing([each]) for name, each in zip(("until_done", "computing"), counted, strict=True)})


@dataclass(frozen=True, kw_only=True)
class Case:
    """Figures for a person with so many memories; ``computing`` is this process's own processor time of a turn.

    ``clocked`` is the whole of the turns in which the nodes were timed.
    """

    memories: int
    turns: Mapping[str, Timing]
    computing: Mapping[str, Timing]
    nodes: Mapping[str, NodeTiming]
    clocked: NodeTiming
    round_trips: Mapping[str, float]


def tables(cases: Sequence[Case]) -> Iterator[Table]:
    """Whole turns, then where Brain's turn spends its time."""
    for case in cases:
        yield _turns(case)
        yield _nodes(case)


def _turns(case: Case) -> Table:
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


def _nodes(case: Case) -> Table:
    table = Table(title=f"Brain's nodes, exit · {case.memories:,} memories", caption=_caption())
    for column in ("node", "p50 ms", "p95 ms", "computing ms"):
        table.add_column(column, justify="left" if column == "node" else "right")
    for name, each in case.nodes.items():
        done, computing = each.until_done, each.computing
        table.add_row(name, f"{done.p50:.2f}", f"{done.p95:.2f}", f"{computing.p50:.2f}")
    table.add_row("LangGraph and its saver", *_rest(case))
    return table


def _rest(case: Case) -> tuple[str, str, str]:
    """What is left of a turn beside its nodes; those that run beside the retrieval cost no time of their own."""
    own = [each for name, each in case.nodes.items() if name not in _BESIDE_RETRIEVAL]
    waited = case.clocked.until_done.p50 - sum(each.until_done.p50 for each in own)
    computed = case.clocked.computing.p50 - sum(each.computing.p50 for each in own)
    return f"{waited:.2f}", "", f"{computed:.2f}"


def _caption() -> str:
    return f"{', '.join(_BESIDE_RETRIEVAL)} run while retrieve waits; their computing is in its figure too"
