"""Put one memory in the place of several that say the same."""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import apply_changes
from evolution.upkeep.likeness import MOST_PAIRS, NEAR, find_clusters, propose_merge
from evolution.upkeep.living_memories import iterate_living
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import PlannedChange


async def consolidate(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Three or more of one matter become one that rests on all their evidence; the originals are superseded by it."""
    if "consolidate" not in state.steps:
        return {}
    errand = runtime.context
    upkeep = errand.resources.memory.upkeep
    pairs = await upkeep.find_similar(errand.scope, NEAR, MOST_PAIRS)
    concerned = {memory_id for pair in pairs for memory_id in (pair.a, pair.b)}
    everything = iterate_living(upkeep, errand.scope) if concerned else None
    living = {each.item.memory_id: each async for each in everything} if everything else {}
    planned = [PlannedChange(propose_merge(items), items) for items in find_clusters(pairs, living)]
    return await apply_changes(state, runtime, "consolidate", planned)
