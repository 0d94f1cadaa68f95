"""Read a person's figures and decide what upkeep has to do (S0 sections 2.3.2 and 2.3.2.3).

They are the indicators of service levels, counted by the same statement over one person's memories: upkeep acts on one
person, and a tenant that is well on average can hold somebody who is not.
"""

from collections.abc import Mapping, Sequence

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.levels.bounds import Bound, BoundName, GovernorRule, read_bounds
from brain.model_quota import reason_without_model
from brain.state import Update
from evolution.upkeep.state import STEPS, Step, UpkeepFigures, UpkeepState, require_share, select_steps
from memory.levels import MemoryCounts

CLUSTER = 3
"""So few memories cannot say the same three times."""

Bounds = Mapping[BoundName, Bound]


async def govern(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """The figures, the steps that they call for, and what is out of bounds; the run's one moment is taken here."""
    context = runtime.context
    require_share(state.most_lost)
    memory, scope, at = context.resources.memory, context.scope, context.resources.clock()
    bounds = await read_bounds(memory.levels, scope.tenant_id, context.resources.settings.level_thresholds)
    figures = as_figures(await memory.upkeep.count_memories(scope, at))
    return {
        "at": at.isoformat(),
        "figures": figures,
        "steps": steps_for(figures, bounds, state.only),
        "alarms": find_alarms(figures, bounds),
        "without_model": await reason_without_model(context.resources, scope),
    }


def as_figures(counts: MemoryCounts) -> UpkeepFigures:
    """The counts with the two shares that are acted on."""
    return UpkeepFigures(
        living=counts.living,
        outdated=counts.outdated,
        ended=counts.ended,
        doubted=counts.doubted,
        replaced_often=counts.replaced_often,
        contested=counts.contested,
        staleness=counts.staleness,
        conflict=counts.conflict,
    )


def steps_for(figures: UpkeepFigures, bounds: Bounds, only: Sequence[Step]) -> list[Step]:
    """The steps that the figures call for, in their order; exactly the ones asked for when some are."""
    if only:
        return select_steps(only)
    called = {
        "consolidate": figures["living"] >= CLUSTER,
        "compress": figures["staleness"] > bounds["cleaning_staleness"].pass_at,
        "resolve": figures["conflict"] > bounds["resolution_conflict"].pass_at,
    }
    return [step for step in STEPS if called.get(step, True)]


def find_alarms(figures: UpkeepFigures, bounds: Bounds) -> list[str]:
    """What somebody should know, in words."""
    watched: tuple[tuple[str, float, GovernorRule], ...] = (
        ("staleness", figures["staleness"], "cleaning_staleness"),
        ("conflict", figures["conflict"], "resolution_conflict"),
    )
    return [
        f"{name} {value:.0%} is over {bounds[rule].pass_at:.0%}"
        for name, value, rule in watched
        if value > bounds[rule].pass_at
    ]
