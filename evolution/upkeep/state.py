"""What flows through one run of upkeep. All of it is plain JSON: it is printed, logged and read by people."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypedDict, get_args

from pydantic import Field as Described

from brain.state import append_values
from memory.errors import bad_request

Step = Literal["calibrate", "fuse", "resolve", "decay", "consolidate", "compress", "curate", "archive_sessions"]
STEPS: tuple[Step, ...] = get_args(Step)
"""In the order in which they run: belief first, then what leaves by it, then what is left in fewer words."""

MAX_LOST_SHARE = 0.3
"""Share of the living memories that one run may put away; beyond it the step does nothing and says so."""

ActionOutcome = Literal["done", "planned", "held", "passed"]


class UpkeepAction(TypedDict):
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


class UpkeepFigures(TypedDict):
    """A person's living memories, counted, and two shares of them (0 to 1)."""

    living: int
    outdated: int
    ended: int
    doubted: int
    replaced_often: int
    contested: int
    staleness: float
    conflict: float


class UpkeepReport(TypedDict):
    """What a run came to: per step how many changes by outcome."""

    figures: UpkeepFigures
    steps: dict[str, dict[str, int]]
    alarms: list[str]


@dataclass(kw_only=True)
class UpkeepRequest:
    """All that a caller may put in: what to do, and how much of it."""

    only: Annotated[
        list[Step], Described(description="Steps to run, whatever the figures say; empty for those they call for.")
    ] = field(default_factory=list[Step])
    dry_run: Annotated[bool, Described(description="Only say what would be done.")] = False
    most_lost: Annotated[
        float, Described(ge=0, le=1, description="Share of the living memories that one run may put away.")
    ] = MAX_LOST_SHARE


@dataclass(kw_only=True)
class UpkeepState(UpkeepRequest):
    """One person's memories, from their figures to what was done about them. ``at`` is the run's one moment, ISO 8601
    with offset."""

    at: str = ""
    without_model: str = ""
    """Why no model may be asked in this run; empty when one may."""
    figures: UpkeepFigures | None = None
    steps: list[Step] = field(default_factory=list[Step])
    actions: Annotated[list[UpkeepAction], append_values] = field(default_factory=list[UpkeepAction])
    alarms: Annotated[list[str], append_values] = field(default_factory=list[str])
    report: UpkeepReport | None = None


def select_steps(names: Sequence[str]) -> list[Step]:
    """The steps of those names, in the order in which they run. Raises ``E_BAD_REQUEST`` for one that there is not."""
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        raise bad_request(f"There is no step {unknown[0][:60]!r}.", f"Steps: {', '.join(STEPS)}.")
    return [step for step in STEPS if step in names]


def require_share(share: object) -> None:
    """Raises ``E_BAD_REQUEST`` for what is no share: it would undo the bound that keeps a memory from being cleared."""
    if not (isinstance(share, int | float) and 0 <= share <= 1):
        raise bad_request("most_lost must be a number from 0 to 1.")
