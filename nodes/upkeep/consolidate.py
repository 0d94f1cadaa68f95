"""Put one memory in the place of several that say the same."""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.upkeep.applying import carry_out
from evolution.upkeep.likeness import MOST_PAIRS, NEAR, clusters, merging
from evolution.upkeep.reading import everything_living
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import Planned


async def consolidate(state: UpkeepState, runtime: Runtime[Errand]) -> Update:
    """Three or more of one matter become one that rests on all their evidence; the originals are superseded by it."""
    if "consolidate" not in state.steps:
        return {}
    errand = runtime.context
    upkeep = errand.resources.memory.upkeep
    pairs = await upkeep.alike(errand.scope, NEAR, MOST_PAIRS)
    concerned = {memory_id for pair in pairs for memory_id in (pair.a, pair.b)}
    everything = everything_living(upkeep, errand.scope) if concerned else None
    living = {each.item.memory_id: each async for each in everything} if everything else {}
    planned = [Planned(merging(items), items) for items in clusters(pairs, living)]
    return await carry_out(state, runtime, "consolidate", planned)
