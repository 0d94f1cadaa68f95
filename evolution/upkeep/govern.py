"""Read a person's figures and decide what upkeep has to do (S0 sections 2.3.2 and 2.3.2.3).

They are the indicators of service levels, counted by the same statement over one person's memories: upkeep acts on one
person, and a tenant that is well on average can hold somebody who is not. What this very run is about to mark as
outdated counts already, so that what it calls for is done in one run and a second one finds nothing.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.levels.bounds import Bound, BoundName, GovernorRule, read_bounds
from brain.model_quota import reason_without_model
from brain.state import Update
from evolution.upkeep.decay import outdated_reason
from evolution.upkeep.state import STEPS, Step, UpkeepFigures, UpkeepState, require_share, select_steps
from memory.levels import MemoryCounts
from memory.upkeep import ActiveMemory, iterate_living

CLUSTER = 3
"""So few memories cannot say the same three times."""

Bounds = Mapping[BoundName, Bound]


async def govern(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """The figures, the steps that they call for, and what is out of bounds; the run's one moment is taken here."""
    context = runtime.context
    require_share(state.most_lost)
    memory, scope, at = context.resources.memory, context.scope, context.resources.clock()
    bounds = await read_bounds(memory.levels, scope.tenant_id, context.resources.settings.level_thresholds)
    due = await count_due(iterate_living(memory.upkeep, scope), at)
    figures = as_figures(await memory.upkeep.count_memories(scope, at), due)
    return {
        "at": at.isoformat(),
        "figures": figures,
        "steps": steps_for(figures, bounds, state.only),
        "alarms": find_alarms(figures, bounds),
        "without_model": await reason_without_model(context.resources, scope),
    }


async def count_due(living: AsyncIterator[ActiveMemory], at: datetime) -> int:
    """How many memories the run is about to mark as outdated that are not over in another way."""
    due = 0
    async for each in living:
        over = each.item.stale or each.item.has_ended(at)
        due += not over and outdated_reason(each, at) is not None
    return due


def as_figures(counts: MemoryCounts, due: int) -> UpkeepFigures:
    """The counts as they stand once what is due is marked, with the two shares that are acted on."""
    marked = replace(counts, outdated=counts.outdated + due, over=counts.over + due)
    return UpkeepFigures(
        living=marked.living,
        outdated=marked.outdated,
        ended=marked.ended,
        doubted=marked.doubted,
        replaced_often=marked.replaced_often,
        contested=marked.contested,
        staleness=marked.staleness,
        conflict=marked.conflict,
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
