"""What flows through one run of upkeep. All of it is plain JSON: it is printed, logged and read by people."""

from dataclasses import dataclass, field
from typing import Annotated, Literal, TypedDict, get_args

from brain.state import collect

Step = Literal["calibrate", "fuse", "resolve", "decay", "consolidate", "compress", "curate", "archive_sessions"]
STEPS: tuple[Step, ...] = get_args(Step)
"""In the order in which they run: belief first, then what leaves by it, then what is left in fewer words."""

MOST_LOST = 0.3
"""Share of the living memories that one run may put away; beyond it the step does nothing and says so."""

ActionOutcome = Literal["done", "planned", "held", "passed"]


class Action(TypedDict):
    """One change that a step asked for. ``loses`` counts the living memories that it takes away.

    ``outcome`` is ``done``, ``planned`` (a dry run), ``held`` (too much at once) or ``passed`` (changed meanwhile).
    """

    step: Step
    change: str
    target: str
    why: str
    before: str
    after: str
    loses: int
    outcome: ActionOutcome


class Figures(TypedDict):
    """A person's living memories, counted, and two shares of them (0 to 1)."""

    living: int
    outdated: int
    ended: int
    doubted: int
    replaced_often: int
    contested: int
    staleness: float
    conflict: float


class Report(TypedDict):
    """What a run came to: per step how many changes by outcome."""

    figures: Figures
    steps: dict[str, dict[str, int]]
    alarms: list[str]


@dataclass(kw_only=True)
class UpkeepState:
    """One person's memories, from their figures to what was done about them. ``only`` names steps to run, whatever
    the figures say; ``at`` is the run's one moment, ISO 8601 with offset."""

    only: list[Step] = field(default_factory=list[Step])
    dry_run: bool = False
    most_lost: float = MOST_LOST
    at: str = ""
    without_model: str = ""
    """Why no model may be asked in this run; empty when one may."""
    figures: Figures | None = None
    steps: list[Step] = field(default_factory=list[Step])
    actions: Annotated[list[Action], collect] = field(default_factory=list[Action])
    alarms: Annotated[list[str], collect] = field(default_factory=list[str])
    report: Report | None = None
