"""Read a person's figures and decide what upkeep has to do."""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.model_quota import reason_without_model
from brain.state import Update
from evolution.upkeep.governor import MOST_CONFLICTS, InstabilityCounts, count_figures, find_alarms, steps_for
from evolution.upkeep.living_memories import iterate_living
from evolution.upkeep.state import UpkeepState, require_share


async def govern(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """The figures, the steps that they call for, and what is out of bounds; the run's one moment is taken here."""
    errand = runtime.context
    require_share(state.most_lost)
    upkeep, scope, at = errand.resources.memory.upkeep, errand.scope, errand.resources.clock()
    open_conflicts = await errand.resources.memory.conflicts.list_conflicts(scope, limit=MOST_CONFLICTS)
    contested = {memory_id for each in open_conflicts for memory_id in (each.held_id, each.new_id)}
    unrest = InstabilityCounts(replaced_often=await upkeep.count_often_replaced(scope), contested=len(contested))
    figures = await count_figures(iterate_living(upkeep, scope), unrest, at)
    return {
        "at": at.isoformat(),
        "figures": figures,
        "steps": steps_for(figures, state.only),
        "alarms": find_alarms(figures),
        "without_model": await reason_without_model(errand.resources, scope),
    }
